//go:build real

package systemd

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// version is that of the packages under test, and commit what they say they are built from.
const (
	version = "1.0"
	commit  = "0123456789abcdef0123456789abcdef01234567+"
)

// folder is where the packages of this run are; TestMain removes it.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "packages"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// pack builds packages of a version from the sources in a folder. They are built without the profile, which would have all libraries compiled anew for each architecture.
func pack(sources, version string, environment []string, args ...string) error {
	c := exec.Command(filepath.Join(sources, "systemd", "packages.sh"), args...)
	c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -pgo=off", "VERSION="+version, "COMMIT="+commit, "SOURCE_DATE_EPOCH=1800000000")
	c.Env = append(c.Env, environment...)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("packages.sh: %v: %s", err, out)
	}
	return nil
}

// packages builds all of them, once.
var packages = sync.OnceValue(func() error { return pack("..", version, nil, folder) })

func mustPack(t *testing.T) {
	t.Helper()
	if err := packages(); err != nil {
		t.Fatal(err)
	}
}

// built are what each architecture's program has to be.
var built = []struct {
	name    string
	machine elf.Machine
	setting string
}{{"amd64", elf.EM_X86_64, "GOAMD64=v1"}, {"arm64", elf.EM_AARCH64, "GOARM64=v8.0"}, {"armhf", elf.EM_ARM, "GOARM=6"}}

// TestEachArchitectureHasItsStaticProgram looks into the tarballs; that the program of this machine runs is for TestMachine.
func TestEachArchitectureHasItsStaticProgram(t *testing.T) {
	mustPack(t)
	for _, b := range built {
		name := "sabot_" + version + "_" + b.name
		program := unpack(t, filepath.Join(folder, name+".tar.gz"))[name+"/sabot"]
		f, err := elf.NewFile(bytes.NewReader(program))
		if err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
		info, err := buildinfo.Read(bytes.NewReader(program))
		if err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
		settings := map[string]bool{}
		for _, s := range info.Settings {
			settings[s.Key+"="+s.Value] = true
		}
		if libraries, _ := f.ImportedLibraries(); f.Machine != b.machine || !settings[b.setting] || !settings["CGO_ENABLED=0"] || len(libraries) > 0 || f.Section(".interp") != nil {
			t.Errorf("%s: %v for %v, libraries %v", b.name, f.Machine, info.Settings, libraries)
		}
		if !bytes.Contains(program, []byte(commit)) || bytes.Contains(program, []byte(os.Getenv("HOME")+"/")) {
			t.Errorf("%s: the program does not know its commit, or knows where it was built", b.name)
		}
	}
}

// unpack gives a tarball's files.
func unpack(t *testing.T, file string) map[string][]byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheSameSourcesGiveTheSamePackages: elsewhere, for somebody with other habits, they are the same to the last byte.
func TestTheSameSourcesGiveTheSamePackages(t *testing.T) {
	mustPack(t)
	there, again := filepath.Join(t.TempDir(), "another place"), t.TempDir()
	c := exec.Command("sh", "-c", `umask 077; mkdir "$1" && git ls-files -z --cached --others --exclude-standard | cpio --quiet -0pdm "$1" && find "$1" -exec touch -d 2001-01-01 {} +`, "sh", there)
	c.Dir = ".."
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := pack(there, version, []string{"TZ=Pacific/Auckland", "LC_ALL=C.UTF-8", "TMPDIR=" + t.TempDir()}, again); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(again, "SHA256SUMS"))
	if err != nil || !bytes.Equal(got, want) || bytes.Count(want, []byte("\n")) != 3*len(built) {
		t.Errorf("%v: built again, the sums are\n%snot\n%s", err, got, want)
	}
	check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
	check.Dir = again
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestLintian: Debian's own eye finds nothing, but for what lintian-overrides gives a reason for.
func TestLintian(t *testing.T) {
	mustPack(t)
	for _, b := range built {
		out, err := exec.Command("lintian", "--allow-root", "--fail-on", "error,warning", filepath.Join(folder, "sabot_"+version+"_"+b.name+".deb")).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", b.name, err, out)
		}
	}
}

// TestLicences: a library whose licence nobody agreed to is not shipped, nor one that has none.
func TestLicences(t *testing.T) {
	mustPack(t)
	sbom, err := os.ReadFile(filepath.Join(folder, "sabot_"+version+"_amd64.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ old, new, says string }{
		"as it is":   {},
		"another":    {`"EPL-2.0"`, `"AGPL-3.0-only"`, "github.com/eclipse/paho.mqtt.golang is under AGPL-3.0-only, which is not in the list"},
		"none":       {`"license"`, `"nothing"`, "has no licence that can be told"},
		"of nothing": {`"components"`, `"parts"`, "there are no libraries in it"},
	} {
		file := filepath.Join(t.TempDir(), "sbom")
		if err := os.WriteFile(file, bytes.ReplaceAll(sbom, []byte(cmp.Or(test.old, "\n")), []byte(cmp.Or(test.new, "\n"))), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("deb/licences.sh", file).CombinedOutput()
		var failed *exec.ExitError
		if errors.As(err, &failed) != (test.says != "") || !strings.Contains(string(out), test.says) || test.says == "" && len(out) > 0 {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	texts := unpack(t, filepath.Join(folder, "sabot_"+version+"_amd64.tar.gz"))["sabot_"+version+"_amd64/libraries.txt"]
	_, libraries, _ := strings.Cut(string(sbom), "\n  \"components\": [\n")
	for line := range strings.Lines(libraries) {
		if name, ok := strings.CutPrefix(line, `      "name": "`); ok && !bytes.Contains(texts, []byte("\n"+strings.Split(name, `"`)[0]+" v")) {
			t.Errorf("libraries.txt does not have %s", name)
		}
	}
}
