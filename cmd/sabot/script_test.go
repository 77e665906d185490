package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this program the command `sabot` of the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sabot": main})
}

// TestScripts runs the verbs as people do; -update rewrites what they print.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LC_ALL", "C.UTF-8")
			record, err := filepath.Abs(keptRecord)
			e.Setenv("RECORD", record)
			return err
		},
	})
}

// sabot runs a command line inside the test.
func sabot(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &err)
	return out.String(), err.String(), code
}
