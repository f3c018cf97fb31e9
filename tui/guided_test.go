package tui

import (
	"strings"
	"testing"

	"concord/annotate"
	"concord/tui/keymap"
)

// From the guideline that stands beside the items its next version is written;
// the one in view changes once it is stored, and labels from there on say so.
func TestGuidelineIsWrittenInTheApp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.press("v", "enter", ";")
		o.send(keymap.NewKeyMsg("ctrl+g"))
		o.press("e")
		o.press("L", "o", "o", "k", ".", " ")
		if v := o.View(); !strings.Contains(v, "version 2, being written") || !strings.Contains(v, "Look. ▏Read the answer.") {
			t.Fatal(v)
		}
		o.send(keymap.NewKeyMsg("ctrl+s"))
		if v := o.View(); !strings.Contains(v, "version 2, in force") || !strings.Contains(v, "saved ") || !strings.Contains(v, "bob") {
			t.Error(v)
		}
		o.press("esc", "esc", "1")
		if a := o.notebook.Acts; len(a) != 1 || a[0].Kind != annotate.Labelled || a[0].Guideline != 2 {
			t.Errorf("the label is %+v", a)
		}
		if g := o.rules.versions[1]; g.By != "ada" || g.Text != "Look. Read the answer." {
			t.Errorf("stored %+v", g)
		}
	})
}

// What is half written is no version, and is kept for the next time.
func TestQuittingKeepsADraft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		if o.press("v", "ctrl+g", "e", "x", "ctrl+c"); !o.quits || len(o.rules.versions) != 1 || !strings.HasPrefix(o.rules.draft, "x") {
			t.Errorf("quits %v with %d versions, and keeps %q", o.quits, len(o.rules.versions), o.rules.draft)
		}
	})
}
