package authoring

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

// shelf is what is written, in memory.
type shelf struct {
	sets  []authoring.Set
	fails error
	hash  string // of all originals
}

func (s *shelf) Rows(context.Context, eval.DatasetName) (out []Row, err error) {
	for _, set := range s.sets {
		row := Row{Set: set}
		if set.State == criteria.Unwritten {
			continue
		}
		if set.Original != "" {
			row.Source = "Question: What is it?\nA: a cat\nB: a dog\nAnswer: B"
			row.SourceHash = s.hash
		}
		out = append(out, row)
	}
	return out, nil
}

func (s *shelf) Append(_ context.Context, a authoring.Act) (set authoring.Set, err error) {
	if s.fails != nil {
		return set, s.fails
	}
	if a.N == 1 && a.Original == "" {
		a.Sample = eval.Ordinal(len(s.sets) + 1)
		s.sets = append(s.sets, authoring.Set{})
	}
	at := int(a.Sample) - 1
	for n := int(a.N); n > 0 && n <= len(s.sets[at].Acts) && s.sets[at].Acts[n-1].Kind == criteria.Drafted && s.sets[at].Acts[n-1].Who != a.Who && s.sets[at].State > criteria.Draft; n++ {
		a.N++ // as the store numbers
	}
	next, err := s.sets[at].WithAct(a)
	if err == nil {
		s.sets[at] = next
	}
	return next, err
}

func (s *shelf) Picture(eval.PictureHash) ([]byte, error) { return nil, eval.ErrNotFound }

type desk struct {
	annotationtest.Harness
	*Model
	shelf *shelf
}

func sit(t *testing.T, s *shelf, who annotate.Annotator, width, height int) *desk {
	d := &desk{shelf: s}
	d.Model = New(t.Context(), Deps{
		Dataset: "mine", Who: who, Theme: annotationtest.NewTheme(termenv.Ascii, true), Source: s, Now: annotationtest.Noon, Pause: time.Nanosecond,
	})
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model}
	d.Resize(width, height)
	d.Run(d.Init())
	return d
}

func (d *desk) write(text string) {
	for _, r := range text {
		d.Press(string(r))
	}
}

// fill writes a whole sample into the editor of a new one.
func (d *desk) fill(question string) {
	for _, field := range []string{question, "", "a cat", "a dog", "", "", "b"} {
		d.write(field)
		d.Press("tab")
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
	for l := range strings.SplitSeq(v, "\n") {
		if widget.TextWidth(l) > d.width {
			d.T.Errorf("%d wide: %q", widget.TextWidth(l), l)
		}
	}
}

func TestTwoPeopleWriteAndReview(t *testing.T) {
	s := new(shelf)
	ann := sit(t, s, "ann", 80, 21)
	ann.sees("nothing yet; n writes")
	ann.Press("n")
	ann.write("What is it?")
	ann.Press("ctrl+k")
	ann.sees("✗ a sample has 2 to 26 choices, and here are 0")
	ann.Press("tab", "tab")
	ann.write("a cat")
	ann.Press("tab")
	ann.write("a cat")
	ann.Press("ctrl+k")
	ann.sees("choices A and B are equal")
	ann.Press("backspace", "backspace", "backspace")
	ann.write("dog")
	ann.Press("tab", "tab", "tab")
	ann.write("b")
	ann.Press("ctrl+k")
	ann.sees("in review", "Question: What is it?", "by ann")
	ann.Press("y")
	if s.sets[0].State != criteria.InReview {
		t.Fatal("ann accepts what she wrote")
	}

	bob := sit(t, s, "bob", 80, 21)
	bob.sees("1 for you to review")
	bob.Press("x")
	bob.write("which animal?")
	bob.Press("enter")
	bob.sees("changes")
	ann.Press("ctrl+r")
	ann.sees("bob wants changed: which animal?")
	ann.Press("e")
	ann.sees("bob wants changed")
	ann.write(" An animal.")
	ann.Press("ctrl+k")
	bob.Press("ctrl+r", "y")
	bob.sees("accepted by bob", "An animal.")
}

func TestHalfASampleIsKept(t *testing.T) {
	s := new(shelf)
	ann := sit(t, s, "ann", 40, 10)
	ann.Press("n")
	ann.write("What is i")
	if len(s.sets) != 1 || s.sets[0].State != criteria.Draft {
		t.Fatalf("%+v", s.sets)
	}
	s.fails = errors.New("no space left on device")
	ann.write("t")
	ann.sees("no space left on device")
	ann.Press("esc")
	s.fails = nil
	ann.Press("e")
	ann.sees("What is it")
	ann.write("?")
	ann.Press("ctrl+k")
	ann.Run(ann.storeAct(&ann.editor.of, criteria.Drafted, ann.editor.Text()+" ", ann.editor))
	ann.sees("✗ a sample has 2 to 26 choices") // the draft is saved, and that is said all the same
	if got := s.sets[0].Text; !strings.HasPrefix(got, "Question: What is it?\n") {
		t.Errorf("the draft is %q", got)
	}
	ann.Press("esc")
	ann.sees("draft", "What is it?")
}

// submitDuringEdit has ann change and submit a sample that bob, who is given, is changing, too.
func submitDuringEdit(t *testing.T) (*shelf, *desk) {
	t.Helper()
	s := new(shelf)
	ann, bob := sit(t, s, "ann", 80, 21), sit(t, s, "bob", 80, 21)
	ann.Press("n")
	ann.fill("What?")
	ann.Press("ctrl+k")
	bob.Press("ctrl+r", "e")
	ann.Press("e")
	ann.write(" Which?")
	ann.Press("ctrl+k")
	bob.write(" Who?")
	bob.sees("somebody else changed it meanwhile")
	return s, bob
}

func TestTwoPeopleEditOneSample(t *testing.T) {
	s, bob := submitDuringEdit(t)
	if got := s.sets[0].Text; s.sets[0].State != criteria.InReview || !strings.HasPrefix(got, "Question: What? Which?") {
		t.Errorf("unasked, bob's draft stands in place of ann's: %q", got)
	}
	bob.Press("ctrl+k")
	if got := s.sets[0].Text; !strings.HasPrefix(got, "Question: What? Who?") || len(s.sets[0].Authors) != 2 {
		t.Errorf("%q by %v", got, s.sets[0].Authors)
	}
}

// What may not stand in a sample's place is kept as a new one, on leaving the app and
// before another sample is written; it never takes the place of what others wrote.
func TestTextOfAConflictIsKeptAsANewSample(t *testing.T) {
	for name, leave := range map[string]func(*desk){
		"leaving": func(d *desk) { d.Press("esc"); d.KeepDraft() },
		"another": func(d *desk) { d.Press("esc", "n") },
	} {
		s, bob := submitDuringEdit(t)
		leave(bob)
		if len(s.sets) != 2 || !strings.HasPrefix(s.sets[0].Text, "Question: What? Which?") || !strings.HasPrefix(s.sets[1].Text, "Question: What? Who?") || s.sets[1].State != criteria.Draft {
			t.Errorf("%s: %+v", name, s.sets)
		}
	}
}

func TestTranslationsStandBesideTheirOriginals(t *testing.T) {
	s := &shelf{sets: make([]authoring.Set, 1)}
	_, err := s.Append(t.Context(), authoring.Act{
		Dataset: "mine", Sample: 1, N: 1, Kind: criteria.Submitted, Who: "bob", Model: "m", Original: "other", ID: "7", Text: "Question: 这是什么？\nA: 猫\nB: 狗\nAnswer: B",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{80, 40} {
		bob := sit(t, s, "bob", width, 21)
		bob.sees("A: a cat", "translated:", "A: 猫")
		bob.Press("e")
		bob.sees("A: a cat", "A: 猫")
	}
	bob := sit(t, s, "bob", 80, 21)
	bob.Press("e", "end")
	bob.write("!")
	bob.Press("ctrl+k", "y")
	bob.sees("accepted by bob") // of the model's words, as bob corrected them
}

func TestKeysAreInTheCatalogue(t *testing.T) {
	d := sit(t, new(shelf), "ann", 80, 21)
	for _, g := range d.HelpGroups() {
		for _, missing := range keymaptest.FindMissingKeys(g.Keys, keymap.Authoring) {
			if g.Title != writeGroup {
				t.Errorf("no key %s", missing)
			}
		}
	}
	d.deps.Who = ""
	if d.Press("n"); d.IsTyping() {
		t.Error("somebody without a name writes")
	}
}

// A reviewer who corrects a word is no author before they submit, and takes nothing from review.
func TestAPauseInSomebodyElsesSample(t *testing.T) {
	s := new(shelf)
	ann, bob := sit(t, s, "ann", 80, 21), sit(t, s, "bob", 80, 21)
	ann.Press("n")
	ann.fill("What?")
	ann.Press("ctrl+k")
	bob.Press("ctrl+r", "e")
	bob.write("!")
	bob.sees("what was submitted stays as it is until you submit this")
	if set := s.sets[0]; set.State != criteria.InReview || set.IsAuthoredBy("bob") || set.ChangeDraftBy("bob") == nil {
		t.Errorf("%+v", set)
	}
	bob.Press("esc")
	bob.sees("1 for you to review", "you have a draft of a change: e continues it, d discards it")
	ann.Press("ctrl+r")
	ann.sees("in review", "bob has a draft of a change")
	bob.Press("e")
	bob.write("!")
	ann.Press("e") // bob's draft that came between is no conflict to her
	ann.write("?")
	bob.Press("esc", "y")
	bob.sees("accepted by bob")
	bob.Press("e")
	bob.sees("What?!!")
	bob.Press("esc", "d")
	bob.write("not needed")
	bob.Press("enter")
	if set := s.sets[0]; set.ChangeDraftBy("bob") != nil || set.State != criteria.Approved || !strings.HasPrefix(set.Text, "Question: What?\n") {
		t.Errorf("%+v", set)
	}
	bob.Press("d")
	if bob.IsTyping() {
		t.Error("what is accepted is discarded")
	}
}

// A sample that another one says already is not submitted.
func TestTheSameSampleTwice(t *testing.T) {
	s := new(shelf)
	ann := sit(t, s, "ann", 80, 21)
	for range 2 {
		ann.Press("n")
		ann.fill("What?")
		ann.Press("ctrl+k")
	}
	ann.sees("✗ sample 1 says the same: change this one, or discard it")
	ann.Press("esc")
	if s.sets[1].State != criteria.Draft {
		t.Errorf("%+v", s.sets)
	}
}

func TestADraftIsDiscarded(t *testing.T) {
	s := new(shelf)
	ann, bob := sit(t, s, "ann", 80, 21), sit(t, s, "bob", 80, 21)
	ann.Press("n")
	ann.fill("What?")
	bob.Press("ctrl+r", "d") // of somebody else
	if bob.IsTyping() {
		t.Error("bob discards what ann writes")
	}
	bob.Press("e")
	ann.Press("esc", "d", "enter", "esc")
	if s.sets[0].State != criteria.Draft {
		t.Error("discarded, and not asked")
	}
	ann.Press("d")
	ann.write("a typo")
	ann.Press("enter")
	if s.sets[0].State != criteria.Unwritten {
		t.Errorf("%+v", s.sets[0])
	}
	bob.write("!")
	bob.sees("it was discarded meanwhile")
	bob.Press("ctrl+k")
	if len(s.sets) != 2 || s.sets[1].State != criteria.InReview || s.sets[0].State != criteria.Unwritten {
		t.Errorf("%+v", s.sets)
	}
}

func TestATranslationWhoseOriginalChanged(t *testing.T) {
	s := &shelf{sets: make([]authoring.Set, 1), hash: "1"}
	for n, kind := range []criteria.Kind{criteria.Submitted, criteria.Accepted} {
		_, err := s.Append(t.Context(), authoring.Act{
			Dataset: "mine", Sample: 1, N: uint32(n + 1), Kind: kind, Who: "bob", Model: "m", Original: "other", ID: "7", Of: "1", Text: "Question: 这是什么？\nA: 猫\nB: 狗\nAnswer: B",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s.hash = "2"
	bob := sit(t, s, "bob", 80, 21)
	bob.sees("1 for you to review, 1 stale", "stale", "the original changed since; y accepts it as still true")
	bob.Press("y")
	bob.sees("accepted by bob")
	if strings.Contains(bob.View(), "stale") || s.sets[0].Of != "2" {
		t.Errorf("of %s\n%s", s.sets[0].Of, bob.View())
	}
}

func TestWhatHasNoRoomIsSaid(t *testing.T) {
	ann := sit(t, new(shelf), "ann", 80, 21)
	ann.Press("n")
	paste := func(text string) {
		ann.Run(ann.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}))
	}
	paste(strings.Repeat("x", 19_000))
	paste(strings.Repeat("zz", 1_000))
	ann.sees("✗ a text has at most 20000 characters: none of the 2000 was put in")
	if strings.Contains(ann.editor.Text(), "zz") {
		t.Error("a part of it was put in")
	}
	ann = sit(t, new(shelf), "ann", 80, 21)
	ann.Press("n")
	paste("ما هذا\u200f؟\u202e\x1b[31m\r\nred\ttab")
	if got, _, _ := strings.Cut(ann.editor.Text(), "\nHint"); !strings.HasPrefix(got, "Question: ما هذا\u200f؟[31m\n") || !slices.ContainsFunc(ann.Notices, func(n string) bool { return strings.Contains(n, "2 characters that are not seen") }) {
		t.Errorf("%q, said %q", got, ann.Notices)
	}
}
