package label

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/labeloption"
)

func TestOneKeyLabelsSavesAndAdvances(t *testing.T) {
	d := sit(t, newBench(6), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("1. Which shape", "0/6", "item 1 of 6")
	d.Press("2")
	d.CheckShows("2. Which shape", "1/6", "saving…")
	d.Press("c", "0", "-", "=", "a", "4", "enter")
	d.TellSaved(session.JournalState{Saved: 5, At: annotationtest.Noon()}, 5)
	d.CheckShows("6. Which shape", "5/6", "saved ", "12:00:00")
	var got []string
	for _, a := range d.Journal.Acts {
		got = append(got, labeloption.ReadingText(a.Reading))
	}
	if want := "B C none refused ambiguous (A, D)"; strings.Join(got, " ") != want {
		t.Errorf("journal holds %v, want %s", got, want)
	}
	d.Press("7", "Q")
	d.CheckShows("Q: no option has this key")
	if len(d.Journal.Acts) != 5 {
		t.Errorf("a key of no option did something: %+v", d.Journal.Acts[5:])
	}
}

// A key that is typed before its item is there is dropped, and not kept for it.
func TestNoKeyIsKeptForALaterItem(t *testing.T) {
	b := newBench(30)
	d := closed(t, b, annotationtest.NewTheme(termenv.Ascii, true))
	d.m.Resize(80, 21)
	for _, k := range "1234" {
		d.Run(d.m.Update(annotationtest.NewKeyMsg(string(k))))
	}
	d.Run(d.m.OpenQueue())
	if len(d.Journal.Acts) != 0 || d.m.ItemInFront() == nil {
		t.Fatalf("acts %+v, selected %v", d.Journal.Acts, d.m.ItemInFront())
	}
	was := d.m.ItemInFront()
	if d.Press("1"); len(d.Journal.Acts) != 1 || d.m.ItemInFront() == was {
		t.Errorf("acts %+v, selected still %v", d.Journal.Acts, was)
	}
}

// Before the queue is open there is nothing to do, and a frame all the same.
func TestTheScreenBeforeItsQueue(t *testing.T) {
	b := newBench(1)
	m := New(t.Context(), Deps{Deps: annotation.Deps{Queue: "unparsable", Annotator: "ann", Theme: annotationtest.NewTheme(termenv.Ascii, true), Items: b, Pictures: b, Journal: &annotationtest.Notebook{}, Now: annotationtest.Noon}, Revealer: b})
	for _, width := range []int{60, 200} {
		m.Resize(width, 21)
		for _, k := range m.Bindings() {
			if k.Help().Desc != "guideline" {
				t.Errorf("%s is offered", k.Help().Desc)
			}
		}
		if len(m.HelpGroups()) == 0 || !strings.Contains(m.View(), "opening unparsable") {
			t.Errorf("no help, or no word of what comes:\n%s", m.View())
		}
	}
}

func TestUndoNamesAndJumps(t *testing.T) {
	d := sit(t, newBench(4), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("1", "ctrl+n", "!", "ctrl+z", "ctrl+z", "ctrl+z")
	d.CheckShows("item 1 of 4", "0/4")
	want := []string{"undid: flag on item 3", "undid: skip on item 2", "undid: label A on item 1"}
	if strings.Join(d.Notices, "|") != strings.Join(want, "|") {
		t.Errorf("notices %q", d.Notices)
	}
	d.Press("ctrl+z")
	d.CheckShows("ctrl+z: nothing to undo")
	d.Press("ctrl+y")
	d.CheckShows("▸ your answer: A", "1/4")
}

func TestBlindBeforeTheAnswer(t *testing.T) {
	b := newBench(2)
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("ctrl+e")
	d.CheckSeesNot("judge-7b", "llava", "truth")
	d.CheckShows("ctrl+e: the extracted answers are shown after your own answer")
	if b.revealed != 0 {
		t.Fatalf("revealed %d times", b.revealed)
	}
	d.Press("2", "left", "ctrl+e")
	d.CheckShows("Extracted answer", "= agrees   judge-7b  B", "│ the second one", "ground truth C", "llava-v1.5", "left out   rules:concord  missing")
	d.Press("esc")
	d.CheckSeesNot("judge-7b")
}

// A key that does nothing says why, in every mode.
func TestKeysThatDoNothingSayWhy(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"&", "&: no key of this screen"},
		{"= 0", "0: not while options are marked"},
		{"* 1", "1: not over the image"},
		{"; 2", "2: not over the guideline"},
		{"; &", "&: no key of this screen"},
		{".", ".: the item has one image only"},
	} {
		d := sit(t, newBench(2), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
		d.Press(strings.Fields(c.keys)...)
		d.CheckShows(c.want)
		if len(d.Journal.Acts) != 0 {
			t.Errorf("%s did something: %+v", c.keys, d.Journal.Acts)
		}
	}
}

// The footer leads on: from an open item to its label, from an answered one
// to the machine's readings and the next.
func TestFooterLeadsOn(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	foot := func() (out string) {
		for _, k := range d.m.Bindings() {
			out += k.Help().Key + " " + k.Help().Desc + ", "
		}
		return out
	}
	check := func(want string) {
		t.Helper()
		if got := foot(); !strings.HasPrefix(got, want) {
			t.Errorf("footer %q, want %q first", got, want)
		}
	}
	check("A-D 1-4 choose, 0 none, ctrl+n skip, ")
	d.Press("1", "left")
	check("A-D 1-4 choose, 0 none, ctrl+e reveal, space next unlabeled, ")
	d.Press("ctrl+e")
	check("A-D 1-4 choose, ctrl+e hide, ")
	d.Press("ctrl+e", "right", "right", "right")
	check("space next unlabeled, ")
	d.Press("left", ",")
	check("enter keep the note, esc keep it too, ")
}

func TestDoneScreenComparesAndSaysWhatIsNext(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("2", "2", "0")
	d.CheckShows("Done: all 3 items are answered", "one option 2, none 1", "judge-7b", "2 of 3 agree  66.7 %",
		"the report", "disagreements between people and extractors")
	d.CheckSeesNot("rules:concord")
	if k := d.m.Bindings(); k[0].Help().Desc != "disagreements" {
		t.Errorf("the first key is %q", k[0].Help().Desc)
	}
	d.Press("ctrl+z")
	d.CheckShows("item 3 of 3")
	d.Press("!", "2") // a flag changes no rate
	d.CheckShows("3 of 3 agree")
}

func TestWaitingQueueFillsByItself(t *testing.T) {
	b := newBench(3)
	all := b.Items
	b.Items, b.Queue.Growing = nil, true
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("Waiting for responses")
	b.Items = all[:2]
	d.Run(d.m.Refresh())
	d.CheckShows("1. Which shape", "0/2")
	d.Press("=")
	b.Items, b.Queue.Growing = all, false
	d.Run(d.m.Refresh())
	d.CheckShows("1. Which shape", "0/3", "AMBIGUOUS")
	d.Press("enter", "1", "1")
	d.CheckShows("Done: all 3 items")
}

func TestFailedCommitComesBackToTheFront(t *testing.T) {
	d := sit(t, newBench(5), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("1", "2", "3")
	d.TellSaved(annotationtest.NewParkedState(d.Journal.Acts[1], 2, errors.New("no space left on device")), 1)
	d.CheckShows("item 2 of 5", "NOT SAVED: no space left on device", "NOT SAVED: 2 acts. They are kept: ctrl+k saves again", "1/5")
	d.TellSaved(session.JournalState{Saved: 3, At: annotationtest.Noon()}, 3)
	d.CheckShows("item 4 of 5", "saved ", "12:00:00", "3/5")
}

func TestSomebodyWasQuicker(t *testing.T) {
	d := sit(t, newBench(5), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("1", "2", "3")
	d.CheckShows("item 4 of 5", "3/5")
	d.Journal.Missed = d.Journal.Acts[1:2]
	d.TellSaved(session.JournalState{Saved: 3, At: annotationtest.Noon()}, 3)
	d.TellSaved(session.JournalState{Saved: 3, At: annotationtest.Noon()}, 3)
	if len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "somebody was quicker: 1 item") {
		t.Errorf("notices %q", d.Notices)
	}
	d.CheckShows("item 3 of 4", "2/4", "4. Which shape")
}

func TestRevealIsStoredBeforeItIsShown(t *testing.T) {
	b := newBench(2)
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("1", "left")
	d.Journal.Stuck = errors.New("no space left on device")
	d.Press("ctrl+e")
	d.CheckShows("no space left on device")
	if acts := d.Journal.Acts; b.revealed > 0 || len(acts) != 2 || acts[1].Kind != annotate.Looked {
		t.Fatalf("loaded %d times, acts %+v", b.revealed, acts)
	}
	d.Journal.Stuck = nil
	d.Press("esc", "ctrl+e")
	d.CheckShows("judge-7b")
	d.Press("esc", "2")
	if acts := d.Journal.Acts; len(acts) != 3 || !acts[2].Informed {
		t.Errorf("acts %+v", acts)
	}
}

func TestNotesAreTextAndEscKeepsThem(t *testing.T) {
	d := sit(t, newBench(2), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press(",")
	if !d.m.IsTyping() {
		t.Fatal("not typing")
	}
	d.Press("1", "u", "x", "é")
	d.CheckShows("NOTE 1uxé")
	d.Press("esc")
	if len(d.Journal.Acts) != 1 || d.Journal.Acts[0].Text != "1uxé" || d.m.IsTyping() {
		t.Errorf("acts %+v", d.Journal.Acts)
	}
	d.CheckShows("note: 1uxé")
	d.Press(",", "backspace", "enter", "ctrl+z")
	d.CheckShows("note: 1uxé")
}

// Why, and how sure one is, go with the label that comes or to the one that is
// there; nothing is asked of who gives neither.
func TestGroundsAreOneKeyAway(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	check := func(n int, reason string, confidence float64, choice eval.Choice) {
		t.Helper()
		if len(d.Journal.Acts) != n {
			t.Fatalf("%d acts, want %d", len(d.Journal.Acts), n)
		}
		if a := d.Journal.Acts[n-1]; a.Reason != reason || a.Confidence != confidence || a.Reading.Choice != choice {
			t.Errorf("act %+v", a)
		}
	}
	d.Press("%")
	d.CheckShows("CONFIDENCE")
	d.Press("0")
	d.CheckShows("0: 1 to 5: confidence")
	d.Press("4")
	d.CheckShows("80 % sure")
	d.Press("B")
	check(1, "", 0.8, "B")
	d.CheckShows("item 2 of")
	d.CheckSeesNot("% sure")
	d.Press("left", "ctrl+x")
	d.CheckShows("WHY 80%")
	d.Press(" ", "s", "o", "enter")
	check(2, "so", 0.8, "B")
	d.CheckShows("item 1 of", "80 % sure, because so")
	d.Press("%", "1")
	check(3, "so", 0.2, "B")
	d.Press("%", "esc", "ctrl+x", "esc") // nothing was changed
	check(3, "so", 0.2, "B")
	d.Press("ctrl+z", "C") // another answer has grounds of its own
	check(5, "", 0, "C")
}

func TestTagsArePutOnAndTakenAway(t *testing.T) {
	b := newBench(2)
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("#")
	if d.m.Mode == annotation.Tagging {
		t.Error("a queue without tags opens some")
	}
	q := d.m.Session.Own.Queue()
	q.Tags, _ = annotate.NewLabelSet("failure", []string{"perception", "reasoning"}, nil)
	d.m.Session.Own.SetQueue(q)
	_, k, _ := d.m.Session.Walk.Current()
	check := func(want ...string) {
		t.Helper()
		if got := d.m.Session.Own.State().Tags[k]; !slices.Equal(got, want) {
			t.Errorf("tags %q, want %q", got, want)
		}
	}
	d.Press("#", "2", "1")
	check("perception", "reasoning")
	if view := d.m.View(); !strings.Contains(view, "TAGS ▸1 perception  ▸2 reasoning") {
		t.Error(view)
	}
	d.Press("9", "2", "enter")
	check("perception")
	d.Press("A") // its label has them
	if l := d.m.Session.Own.State().Labels[k]; !slices.Equal(l.Tags, []string{"perception"}) {
		t.Errorf("%+v", l)
	}
	d.Press("ctrl+z", "ctrl+z")
	check("perception", "reasoning")
}

func TestPastedTextLabelsNothing(t *testing.T) {
	d := sit(t, newBench(2), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Run(d.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("A"), Paste: true}))
	if len(d.Journal.Acts) != 0 {
		t.Error("a paste labelled an item")
	}
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	table := sit(t, newBench(1), annotationtest.NewTheme(termenv.Ascii, true), 80, 24).m.table
	for m := annotation.Reading; m <= annotation.More; m++ {
		seen := make(map[string]string)
		for _, a := range table {
			for _, k := range a.Bind.Keys() {
				if !slices.Contains(a.Modes, m) {
					continue
				}
				if other, taken := seen[k]; taken {
					t.Errorf("in mode %d, %q is %s and %s", m, k, other, a.Bind.Help().Desc)
				}
				seen[k] = a.Bind.Help().Desc
				if optional := isChoiceKey(k); optional && m != annotation.Weighing && m != annotation.Tagging && !strings.Contains("choose mark", a.Bind.Help().Desc) {
					t.Errorf("%q belongs to options, but is %s", k, a.Bind.Help().Desc)
				}
			}
		}
		for _, k := range []string{"[", "]", "?", "f1", "ctrl+c", "ctrl+l", "ctrl+p", "esc"} {
			if what, taken := seen[k]; taken {
				t.Errorf("%q is the root's, but here %s", k, what)
			}
		}
	}
}

func TestAnItemThatCannotBeReadIsReadAgainLater(t *testing.T) {
	b := newBench(2)
	b.Broken = errors.New("corrupt record")
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("This item cannot be read: corrupt record")
	d.Press("1", "ctrl+n")
	if len(d.Journal.Acts) != 1 || d.Journal.Acts[0].Kind != annotate.Skipped {
		t.Fatalf("acts %+v", d.Journal.Acts)
	}
	b.Broken = nil
	d.Press("left")
	d.CheckShows("1. Which shape")
}

func TestTheScreenFillsWhateverComesFirst(t *testing.T) {
	b := newBench(2)
	d := closed(t, b, annotationtest.NewTheme(termenv.Ascii, true))
	d.Run(d.m.OpenQueue())
	d.m.Resize(80, 21)
	d.Run(d.m.Refresh())
	d.CheckShows("1. Which shape", ":::")
}

// isChoiceKey reports whether a key is one of those that choose options: they
// are never commands, also where an item has no such option.
func isChoiceKey(key string) bool { return slices.Contains(optionKeys(), key) }

// Who comes back to a guideline that has changed is told so, and sees which
// version is in force.
func TestAnAmendedGuidelineIsTold(t *testing.T) {
	b := newBench(2)
	b.Queue.Guideline = annotate.Guideline{Version: 2, Text: "Read all of it.", By: "bob", At: annotationtest.Noon()}
	b.Acts = []annotate.Act{{
		Queue: "unparsable", Annotator: "ann", N: 1, Item: b.Items[0].Key, Kind: annotate.Labelled, Guideline: 1,
		Reading: annotate.Reading{Kind: annotate.SaidNone}, At: annotationtest.Noon(),
	}}
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	if len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "; shows version 2") {
		t.Errorf("notices %q", d.Notices)
	}
	d.Press(";")
	d.CheckShows("Read all of it.", "Version 2, 1 March 2026, by bob. Of your labels here, 1 was made under another")
	d.Press(";", "1")
	if a := d.Journal.Acts[0]; a.Guideline != 2 {
		t.Errorf("the label is of version %d", a.Guideline)
	}
}
