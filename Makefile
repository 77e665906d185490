# make test    everything: vet, staticcheck, govulncheck, all tests with the race detector, tests of real parts among them
# make soak    the long ones: worlds, kills and fuzzing, each for as long as SOAK says
# make bench   the figures README quotes
# make build   ./sabot, static
# make packages   dist/: Debian packages, tarballs and SBOMs for amd64, arm64 and armhf
# make profile what builds are optimised by: cmd/sabot/default.pgo, from a simulation
#
# `go test ./...` alone needs only Go.

SOAK ?= 10m

# Checks of the source that are no part of Go, each of one version: the same finding today and tomorrow.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0

.PHONY: test parts vet vuln soak bench build packages profile

# Most of the long packages' time is waiting, for a guest to boot or a browser to draw: more of them at once than there are cores.
test: parts vet vuln
	go test -pgo=off -race -tags real -p 4 -timeout 14m ./...

# The real parts that tests use and how to get them: programs and the Debian packages that have them, and what the guest of cmd/sabot boots. Where they cannot
# be installed it says what is missing. The pages' tests drive Chromium with a library that npm has: the versions and hashes are in package-lock.json.
PARTS = mosquitto:mosquitto mosquitto_sub:mosquitto-clients openssl:openssl \
	qemu-system-aarch64:qemu-system-arm fdtput:device-tree-compiler cpio:cpio modprobe:kmod xz:xz-utils \
	chromium:chromium node:nodejs npm:npm systemd-nspawn:systemd-container lintian:lintian man:man-db udevadm:udev
CACHE = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/sabot
GUEST = $(CACHE)/guest
# A cluster's node, in three processes of their own: so no test's library becomes the program's.
NATS = github.com/nats-io/nats-server/v2@v2.15.3
BIN = $(CACHE)/bin
export PATH := $(PATH):/usr/sbin:/sbin

parts:
	@missing=$$(for p in $(PARTS); do command -v $${p%:*} >/dev/null || echo $${p#*:}; done); \
	if [ -z "$$missing" ]; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing >/dev/null; \
	else \
	  echo "missing:" $$missing"; install them (Debian: sudo apt-get install" $$missing") and run make test again" >&2; exit 1; \
	fi
	@cmd/sabot/testdata/guest/fetch.sh "$(GUEST)"
	@"$(BIN)/nats-server" --version 2>/dev/null | grep -q ' $(lastword $(subst @, ,$(NATS)))$$' || GOBIN="$(BIN)" go install $(NATS)
	@cd mqtt/display/browser && { cmp -s package-lock.json node_modules/.for || { npm ci --silent --ignore-scripts --no-audit --no-fund && cp package-lock.json node_modules/.for; }; }

vet:
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	go vet -tags real ./...
	go run $(STATICCHECK) -tags real ./...

# What is known of the modules' vulnerabilities stands in a database on the network. Where that is not reached nothing was checked, and this says so.
vuln:
	@said=$$(go run $(GOVULNCHECK) -tags real ./... 2>&1); code=$$?; echo "$$said"; \
	case "$$said" in *"fetching vulnerabilities: "*) echo "vuln: NOT CHECKED: the database of vulnerabilities was not reached; run \`make vuln\` where it is" >&2; exit 0;; esac; \
	exit $$code

# Worlds, a thousand kills, and each fuzz target in turn, for its share of the time.
soak:
	go test ./table/live -run '^TestWorlds$$' -v -timeout 0 -args -soak $(SOAK)
	go test ./cmd/sabot -run '^TestKill$$' -v -timeout 0 -args -kills 1000
	@set -e; for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(SOAK) $$p; \
	  done; \
	done

# With the profile that builds of cmd/sabot read: what is measured is what runs.
bench:
	go test -pgo="$(CURDIR)/cmd/sabot/default.pgo" -run '^$$' -bench . -benchmem ./...

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o sabot ./cmd/sabot

packages:
	systemd/packages.sh dist

# Builds of cmd/sabot read the profile by themselves; tests need not compile everything once more for it.
profile:
	go test -trimpath -run '^$$' -bench 'Blackjack|Baccarat' -benchtime 3s -cpuprofile cmd/sabot/default.pgo -o /dev/null ./table/sim
