package tabletest

import (
	"fmt"
	"testing"

	"sabot/table"
)

// Rules are a preset's with settings changed, as a transcript's first line says: preset=NAME and any setting. of is the rules'
// method Settings.
func Rules[R any](presets map[string]func() R, settings map[string]string, of func(*R) table.Settings) (*R, error) {
	preset, ok := presets[settings["preset"]]
	if !ok {
		return nil, fmt.Errorf("no such rules: %s", settings["preset"])
	}
	r := preset()
	for name, value := range settings {
		if name == "preset" {
			continue
		}
		if err := of(&r).Set(name, value); err != nil {
			return nil, err
		}
	}
	return &r, nil
}

// ReadBack sets every setting to what it is, which may change nothing, and to nonsense, which must be refused and change nothing.
func ReadBack[R comparable](t *testing.T, preset func() R, of func(*R) table.Settings) {
	t.Helper()
	r := preset()
	for _, s := range of(&r) {
		value := s.Get()
		if value == "" || !s.Set(value) || r != preset() {
			t.Errorf("%s: setting it to what it is, %q, changes the rules", s.Name, value)
		}
		if s.Set("nonsense") || r != preset() {
			t.Errorf("%s took nonsense", s.Name)
		}
	}
	if err := of(&r).Set("decs", "8"); err == nil {
		t.Error("an unknown setting was taken")
	}
}
