package display

import (
	"strings"
	"testing"

	"sabot/table"
)

// FuzzAccounts: whatever is in the file of accounts is refused with its line, and without what stands there, or is people with hashes that can be looked at.
func FuzzAccounts(f *testing.F) {
	f.Add("ana.silva:" + hashOf("a long password", make([]byte, 16)) + "\n")
	f.Add("ana:" + hashHead + "\n\n")
	f.Add("ana:a password\n")
	f.Add("a b:" + hashHead + "x$y\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseAccounts("accounts", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "accounts: accounts:") {
				t.Fatalf("%q does not name its line", err)
			}
			return
		}
		for name, hash := range list {
			if !table.ValidName(name) || !strings.HasPrefix(hash, hashHead) {
				t.Fatalf("%q has %q", name, hash)
			}
		}
	})
}
