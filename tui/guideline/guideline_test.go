package guideline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// shelf is a guideline as it is stored.
type shelf struct {
	kept  History
	fails error
	draft string
}

func (s *shelf) Draft(context.Context, annotate.QueueName, annotate.Annotator) (string, error) {
	return s.draft, nil
}

func (s *shelf) KeepDraft(_ context.Context, _ annotate.QueueName, _ annotate.Annotator, text string) error {
	s.draft = text
	return nil
}

func (s *shelf) History(context.Context, annotate.QueueName) (History, error) {
	h := s.kept
	h.Versions = slices.Clone(h.Versions)
	return h, nil
}

func (s *shelf) StoreVersion(_ context.Context, _ annotate.QueueName, g annotate.Guideline) error {
	switch {
	case s.fails != nil:
		return s.fails
	case g.Version != len(s.kept.Versions)+1:
		return annotate.ErrConflict
	}
	s.kept.Versions = append(s.kept.Versions, g)
	return nil
}

func (s *shelf) add(text string) {
	n := len(s.kept.Versions) + 1
	s.kept.Versions = append(s.kept.Versions, annotate.Guideline{Version: n, Text: text, By: "bob", At: noon})
}

type desk struct {
	annotationtest.Harness
	*Model
	shelf  *shelf
	drafts Drafts
}

func sit(t *testing.T, texts ...string) *desk {
	d := &desk{shelf: &shelf{}}
	for _, text := range texts {
		d.shelf.add(text)
	}
	d.Model = New(t.Context(), Deps{
		Queue: "q", Who: "ann", Theme: annotationtest.NewTheme(termenv.Ascii, true), Source: d.shelf, Drafts: &d.drafts, Now: func() time.Time { return noon }, Pause: 1,
	})
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model}
	d.Resize(80, 21)
	d.Run(d.Init())
	return d
}

func (d *desk) write(text string) {
	for _, r := range text {
		d.Press(string(r))
	}
}

func (d *desk) sees(words ...string) {
	d.T.Helper()
	v := d.View()
	for _, w := range words {
		if !strings.Contains(v, w) {
			d.T.Errorf("no %q in\n%s", w, v)
		}
	}
	for _, l := range strings.Split(v, "\n") {
		if widget.TextWidth(l) > d.width {
			d.T.Errorf("%d wide: %q", widget.TextWidth(l), l)
		}
	}
}

func TestVersionsAreLookedAt(t *testing.T) {
	d := sit(t, "Read.", "Read all.", "Read \x1b[31mall of it.")
	d.sees("version 3, in force", "bob", "2026-07-01", "␛[31mall of it.")
	d.Press("<", "left")
	d.sees("version 1 of 3, in force no more", " Read.")
	d.Press("e")
	d.sees("version 4, being written", "▏Read.") // an older one comes back as the next
	d.Press("ctrl+s")
	d.sees("version 4, in force", "saved ", "ann")
	if got := len(d.shelf.kept.Versions); got != 4 {
		t.Errorf("%d versions", got)
	}
}

func TestTheFirstGuidelineBeginsWithTheStandardOne(t *testing.T) {
	d := sit(t)
	d.sees("none yet: the standard one", "Say which option the answer chose")
	d.Press("e", "ctrl+s")
	d.sees("version 1, in force")
}

func TestUndoGoesByWordsAndKeepsTheCaret(t *testing.T) {
	d := sit(t, "one\ntwo\nthree")
	d.Press("e", "down", "end")
	d.write(" and more")
	check := func(want string) {
		t.Helper()
		lines, at := widget.WrapWithCaret(&d.editor.Area, true, 40)
		if lines[at] != want || len(lines) != 3 {
			t.Errorf("line %q of %q, want %q", lines[at], lines, want)
		}
	}
	check("two and more▏")
	d.Press("ctrl+z")
	check("two and ▏")
	d.Press("ctrl+z", "ctrl+z")
	check("two▏")
	d.Press("ctrl+y", "ctrl+y")
	check("two and ▏")
	d.Press("backspace", "backspace", "ctrl+z")
	check("two and ▏")
	d.Press("ctrl+z", "ctrl+z", "ctrl+z")
	if d.editor.Area.Value() != "one\ntwo\nthree" {
		t.Errorf("after all is taken back: %q", d.editor.Area.Value())
	}
}

// Nothing that is typed is lost, whatever keeps it from being stored.
func TestWhatIsNotStoredIsKept(t *testing.T) {
	d := sit(t, "Read.")
	d.Press("e", "ctrl+s")
	d.sees("this is version 1 already")
	d.write("X ")
	d.Press("esc")
	d.sees("A next version has been begun")
	d.Press("e")
	d.sees("▏X Read.", "version 2, being written")

	d.shelf.fails = errors.New("no space left on device")
	d.Press("ctrl+s")
	d.sees("✗ no space left on device", "Read.")
	d.shelf.fails = nil
	d.shelf.add("somebody else's")
	d.Press("ctrl+s")
	d.sees("somebody else has written a version meanwhile")
	if names := d.drafts.QueuesWithDraft(); len(names) != 1 {
		t.Errorf("drafts of %v", names)
	}
	d.Press("ctrl+s")
	d.sees("version 3, in force", "X Read.")
	if names := d.drafts.QueuesWithDraft(); len(names) != 0 || len(d.shelf.kept.Versions) != 3 {
		t.Errorf("drafts of %v, %d versions", names, len(d.shelf.kept.Versions))
	}
}

func TestWhoDoesNotWrite(t *testing.T) {
	d := sit(t, "Read.")
	d.deps.Who = ""
	keymaptest.SpellMovedKeys(t, d.Model)
	_, said := d.Update(keymap.NewKeyMsg("e"))().(widget.Notify)
	if d.IsTyping() || !said {
		t.Error("somebody without a name writes")
	}
	keymaptest.CheckNoDefaultKeys(t, d.View())
	d.deps.Who, d.deps.Barred = "ann", "for curators"
	if d.Update(keymap.NewKeyMsg("e")); d.IsTyping() {
		t.Error("somebody writes who only reads")
	}
}

func TestKeysAreInTheCatalogue(t *testing.T) {
	d := sit(t, "Read.")
	for _, g := range d.HelpGroups() {
		for _, missing := range keymaptest.FindMissingKeys(g.Keys, keymap.Guideline) {
			if g.Title != writeGroup {
				t.Errorf("no key %s", missing)
			}
		}
	}
}

// What somebody writes in another session comes beside what is read and written
// here: the version in view stays, and so does the editor, also while it saves.
func TestAVersionFromElsewhereTakesNothingAway(t *testing.T) {
	d := sit(t, "one", "two", "three")
	d.at = 0
	d.shelf.add("four")
	d.Run(d.Update(Written{Queue: "q", Guideline: annotate.Guideline{Version: 4, Text: "four"}, Elsewhere: true}))
	if d.at != 0 || len(d.history.Versions) != 4 {
		t.Errorf("version %d of %d is in view", d.at+1, len(d.history.Versions))
	}
	d.Press("e", "x")
	d.editor.busy = true
	d.Run(d.Update(Written{Queue: "q", Guideline: annotate.Guideline{Version: 5, Text: "five"}, Elsewhere: true}))
	if d.editor == nil || !d.editor.busy {
		t.Error("the editor was closed by what somebody else wrote")
	}
}

// A draft is kept beyond the process while it is written, and gone once it is a
// version.
func TestADraftOutlivesTheProcess(t *testing.T) {
	d := sit(t, "Read.")
	d.Press("e")
	d.write("X ")
	if d.shelf.draft != "X Read." {
		t.Fatalf("while it is written %q is kept", d.shelf.draft)
	}
	d.drafts = Drafts{} // the process ended
	again := New(t.Context(), d.deps)
	again.Resize(80, 21)
	d.Model, d.Screen = again, again
	d.Run(d.Init())
	d.sees("A next version has been begun")
	d.Press("e")
	d.sees("▏X Read.", "version 2, being written")
	d.Press("ctrl+s")
	if d.shelf.draft != "" || len(d.shelf.kept.Versions) != 2 {
		t.Errorf("%q is kept beside %d versions", d.shelf.draft, len(d.shelf.kept.Versions))
	}
}
