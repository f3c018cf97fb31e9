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
		o.send(keymap.Msg("ctrl+g"))
		o.press("e")
		o.press("L", "o", "o", "k", ".", " ")
		if v := o.View(); !strings.Contains(v, "version 2, being written") || !strings.Contains(v, "Look. ▏Read the answer.") {
			t.Fatal(v)
		}
		o.send(keymap.Msg("ctrl+s"))
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

// What is half written is no version. The way out says once that it is there.
func TestQuittingTellsOfADraft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.press("v", "ctrl+g", "e", "x", "ctrl+c")
		if v := o.View(); o.quits || !strings.Contains(v, "NOT SAVED: the next version of the guideline of unparsable") {
			t.Errorf("quits %v\n%s", o.quits, v)
		}
		if o.press("ctrl+c"); !o.quits || len(o.rules.versions) != 1 {
			t.Errorf("quits %v with %d versions", o.quits, len(o.rules.versions))
		}
	})
}
