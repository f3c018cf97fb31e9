package report

import (
	"strings"
	"testing"

	"concord/annotate/report/catalogue"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// What is not in the catalogue cannot be given another key.
func TestKeysAreInTheCatalogue(t *testing.T) {
	m := screen(t, nil)
	for m.at = range m.readers {
		all := m.Bindings()
		for _, g := range m.HelpGroups() {
			all = append(all, g.Keys...)
		}
		for _, k := range keymaptest.FindMissingKeys(all, keymap.Report) {
			t.Errorf("no key %s", k)
		}
	}
}

// A page without figures says what to do in the app to get some, before what a
// shell can do.
func TestEmptyPagesNameAKey(t *testing.T) {
	var texts []string
	for _, p := range makePages(catalogue.AllKinds()) {
		texts = append(texts, p.empty)
	}
	for _, text := range texts {
		if key, shell := strings.Index(text, "{"), strings.Index(text, "  concord "); key < 0 || shell >= 0 && shell < key {
			t.Errorf("no key is named in %q", text)
		}
	}
}
