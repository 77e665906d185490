#!/bin/sh
# Builds what people install: a Debian package, a tarball and a list of the libraries inside (an SBOM, CycloneDX) for each architecture, and SHA256SUMS of all.
#
#	packages.sh FOLDER [ARCH...]    amd64, arm64, armhf; all of them if none is named
#
# The same commit gives the same bytes, wherever and whenever it is built with the same Go. Outside of a git checkout VERSION, COMMIT and SOURCE_DATE_EPOCH must say what is built.
#
# armhf is built for ARMv6, which is what Raspberry Pi OS means by it: one package for every Pi, the first Zero included. Debian's own armhf machines run it too.
set -eu
umask 022
export LC_ALL=C TZ=UTC
cd "$(dirname "$0")/.."
out=$(realpath -m "$1")
shift
[ $# -gt 0 ] || set -- amd64 arm64 armhf
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
cyclonedx=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0

# A release has a tag; what lies between is newer than the last tag, and what is before the first is older than any.
described() {
	if tag=$(git describe --tags --match 'v[0-9]*' 2>/dev/null); then
		echo "$tag" | sed 's/^v//; s/-\([0-9]*\)-g/+\1.g/'
	else
		echo "0~git$(git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S).$(git rev-parse --short=10 HEAD)"
	fi
}
if [ -z "${COMMIT:-}" ]; then
	COMMIT=$(git rev-parse HEAD)
	git diff --quiet HEAD || COMMIT=$COMMIT+
fi
export VERSION="${VERSION:-$(described)}" COMMIT
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
export MAINTAINER="${MAINTAINER:-The Sabot authors <sabot@localhost.localdomain>}"
DATE=$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)

# tool runs a program of Go's on this machine, whatever is being built; it is quiet unless it fails.
tool() {
	GOOS= GOARCH= GOARM= GOFLAGS= go run -trimpath "$@" >"$work/tool.log" 2>&1 || { cat "$work/tool.log" >&2; exit 1; }
}

# libraries prints what the program's libraries are, and their licences.
libraries() {
	printf '%s\n\n' "Sabot $VERSION contains these libraries of others."
	printf '%s\n\n' "Go $(go env GOVERSION | sed 's/^go//'), its standard library"
	cat "$(go env GOROOT)/LICENSE"
	go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/sabot | sort -u | while read -r path version dir; do
		printf '\n%s\n%s %s\n\n' "--------------------------------------------------------------------------------" "$path" "$version"
		cat "$dir"/LICENSE* "$dir"/NOTICE* "$dir"/COPYING* 2>/dev/null || [ -n "$(ls "$dir" | grep -E '^(LICENSE|COPYING)')" ]
	done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
for ARCH; do
	export ARCH BUILD="$work/$ARCH" GOOS=linux GOARCH="$ARCH" GOARM= CGO_ENABLED=0
	case $ARCH in armhf) GOARCH=arm GOARM=6 ;; esac
	name=sabot_${VERSION}_$ARCH
	mkdir -p "$BUILD"
	go build -trimpath -buildvcs=false -ldflags "-s -w -X main.release=$VERSION -X main.revision=$COMMIT" -o "$BUILD/sabot" ./cmd/sabot
	libraries >"$BUILD/libraries.txt"
	cp systemd/deb/sabot.1 "$BUILD/"
	printf 'sabot (%s) unstable; urgency=medium\n\n  * Built from commit %s.\n\n -- %s  %s\n' "$VERSION" "$COMMIT" "$MAINTAINER" "$(date -R -d "@$SOURCE_DATE_EPOCH")" >"$BUILD/changelog"
	gzip -9nk "$BUILD/libraries.txt" "$BUILD/sabot.1" "$BUILD/changelog"

	tool "$nfpm" package --config systemd/deb/nfpm.yaml --packager deb --target "$out/$name.deb"
	tool "$cyclonedx" bin -json -noserial -licenses -version "$VERSION" -output "$BUILD/sbom" "$BUILD/sabot"
	sed "s/\"timestamp\": \"[^\"]*\"/\"timestamp\": \"$DATE\"/" "$BUILD/sbom" >"$out/$name.cdx.json"
	systemd/deb/licences.sh "$out/$name.cdx.json"

	tree=$work/tree/$name
	mkdir -p "$tree"
	cp "$BUILD/sabot" "$BUILD/libraries.txt" "$BUILD/sabot.1" README.md CHANGELOG.md LICENSE "$tree/"
	cp -R mqtt/schema "$tree/schema"
	cp -R systemd "$tree/systemd"
	find "$tree" -name '*_test.go' -delete
	tar -C "$work/tree" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=gnu -c "$name" | gzip -9n >"$out/$name.tar.gz"
done
cd "$out"
sha256sum sabot_"$VERSION"_* >SHA256SUMS
