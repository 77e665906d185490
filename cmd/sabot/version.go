package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"sabot/table"
)

// release and revision are the version and the commit of a packaged build, set by `-ldflags "-X main.release=1.2.3 -X main.revision=…"`.
var release, revision string

// version says which build this is.
func version(e *env, args []string) error {
	if _, err := e.parse(e.flags(), args, 0, 0); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "sabot %s\n  commit  %s\n  go      %s %s/%s\n  binary  %s\n  calls   %d\n", build(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH, cmp.Or(binary(), "unknown"), table.CallsVersion)
	return nil
}

// build is the version: of the release, else of the module as the go command knows it.
func build() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// binary is the SHA-256 of the file that runs, in hexadecimal, whatever lies at its path by now; "" where it cannot be read: the record then says that nobody said.
func binary() string {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// commit is the commit it was built from, with a + when the files had changed since.
func commit() string {
	if revision != "" {
		return revision
	}
	hash, changed := "unknown", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return hash
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			hash = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return hash + changed
}
