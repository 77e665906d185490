package systemd

import (
	"os"
	"strings"
	"testing"
)

// TestOneOfSeveralTablesIsAsTheOnlyOne: sabot@.service is sabot.service but for the name of the configuration.
func TestOneOfSeveralTablesIsAsTheOnlyOne(t *testing.T) {
	one, several := orders(t, "sabot.service"), orders(t, "sabot@.service")
	one = strings.ReplaceAll(one, "/etc/sabot/sabot.yaml", "/etc/sabot/%i.yaml")
	one = strings.ReplaceAll(one, "Description=Sabot table", "Description=Sabot table %i")
	if one != several {
		t.Errorf("sabot.service for several:\n%s\nsabot@.service:\n%s", one, several)
	}
}

// orders are a unit's lines without comments.
func orders(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return strings.Join(list, "")
}
