#!/bin/sh
# Makes the broker's certificate, and at the first time the authority that signs it.
#
#	certificates.sh FOLDER NAME...
#
# NAME are the names and addresses by which tables and others reach the broker. The folder then holds
#
#	ca.crt      for everybody who connects: mqtt.ca of a table
#	ca.key      for nobody: keep it off the broker; the next certificate needs it
#	server.crt  server.key   for the broker; good for 825 days, so put the next run into a calendar
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1
shift
umask 077
mkdir -p "$folder"
cd "$folder"

names=
for name; do
	case $name in
	*:*) kind=IP ;;
	*[!0-9.]*) kind=DNS ;;
	*) kind=IP ;;
	esac
	names=$names${names:+,}$kind:$name
done

if ! [ -e ca.key ]; then
	openssl ecparam -name prime256v1 -genkey -noout -out ca.key
	openssl req -x509 -new -key ca.key -sha256 -days 7300 -subj "/CN=Sabot tables" -addext "keyUsage=critical,keyCertSign,cRLSign" -out ca.crt
fi

# The old pair stays in place until the new one is whole.
openssl ecparam -name prime256v1 -genkey -noout -out server.key.new
openssl req -new -key server.key.new -subj "/CN=$1" -out server.csr
printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=%s\n' "$names" >server.ext
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -sha256 -days 825 -extfile server.ext -out server.crt.new 2>/dev/null
mv server.key.new server.key
mv server.crt.new server.crt
rm server.csr server.ext
chmod 644 ca.crt server.crt
echo "$folder: server.crt for $names, until $(openssl x509 -in server.crt -noout -enddate | cut -d= -f2)"
