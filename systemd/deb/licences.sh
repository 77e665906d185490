#!/bin/sh
# Fails if a library in a CycloneDX SBOM has a licence that is none of those in the file licences, or none that can be told.
#
#	licences.sh SBOM
set -eu
allowed=$(sed 's/#.*//' "$(dirname "$0")/licences" | awk '{print $1}')
awk -v list="$allowed" '
	function complain(what) { print "licences.sh: " library what >"/dev/stderr"; bad = 1 }
	function settle() { if (library != "" && !known) complain(" has no licence that can be told"); library = "" }
	BEGIN { split(list, words); for (i in words) allowed[words[i]] = 1 }
	{ gsub(/[",]/, "") }
	/^  [a-z]/ { settle(); inside = $1 == "components:" }
	!inside { next }
	/^      name: / { settle(); library = $2; known = 0; count++ }
	$1 == "license:" { getline; gsub(/[",]/, ""); known = 1; if (!($2 in allowed)) complain(" is under " $2 ", which is not in the list") }
	END { settle(); if (!count) complain("there are no libraries in it"); exit bad }
' "$1"
