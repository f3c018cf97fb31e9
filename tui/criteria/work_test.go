package criteria

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Two people do the whole of it: ann writes three, bob asks for changes on one
// and accepts two, ann revises, bob accepts, eve verifies; every step is
// undone and done again on the way.
func TestTwoPeople(t *testing.T) { bubble(t, "all", twoPeople) }

func twoPeople(t *testing.T) {
	d := sit(t, newProject(12), theme(termenv.Ascii, true), "ann", 120, 40)
	state := func(o eval.Ordinal, want criteria.State) {
		t.Helper()
		if set := d.stored(o); set.State != want {
			t.Errorf("sample %d is %s, want %s; said %q", o, set.State, want, d.said)
		}
	}
	backAndForth := func(o eval.Ordinal, before, after criteria.State) {
		t.Helper()
		state(o, after)
		d.press("ctrl+z")
		state(o, before)
		if !strings.HasPrefix(d.last(), "undid: ") || !strings.Contains(d.last(), "sample 10") {
			t.Errorf("undo says %q", d.last())
		}
		d.press("ctrl+y")
		state(o, after)
	}
	for o := range eval.Ordinal(3) {
		d.press(" ", "e", "ctrl+t", "ctrl+t")
		d.write("Names what stands there.")
		d.wait(2 * time.Second)
		if set := d.stored(o); len(set.Criteria()) != 1 || set.Criteria()[0].Type != criteria.SoftReference {
			t.Fatalf("sample %d has %v", o, set.Criteria())
		}
		d.press("ctrl+n")
		d.write("Gives a reason that the image bears.")
		d.sees("not saved yet")
		d.press("esc")
		d.sees("saved ")
		backAndForth(o, criteria.Unwritten, criteria.Draft)
		d.press("s")
		backAndForth(o, criteria.Draft, criteria.InReview)
		d.press("tab", "y")
		if !strings.Contains(d.last(), "nobody reviews") {
			t.Errorf("accepting one's own says %q", d.last())
		}
		d.press("shift+tab")
	}

	d.press("esc")
	d.m.SetAnnotator("bob")
	d.press("g", " ")
	d.sees("Sample 100", "in review")
	d.press("tab", "3", "3", "x", "enter")
	d.sees("a request says what to change")
	d.write("Say which object.")
	d.press("enter")
	backAndForth(0, criteria.InReview, criteria.ChangesRequested)
	if ticks := d.stored(0).Ticks; len(ticks) != 1 || ticks[criteria.Clarity].OK {
		t.Errorf("ticks are %v", ticks)
	}
	for o := range eval.Ordinal(2) {
		d.press(" ", "1", "y")
		backAndForth(o+1, criteria.InReview, criteria.Approved)
	}

	d.m.SetAnnotator("ann")
	d.press(" ", "shift+tab")
	d.sees("Sample 100", "bob asked for changes in round 1: Say which object.")
	d.press("e", "end")
	d.write(" It is the vase.")
	d.press("esc", "s")
	d.write("as bob asked")
	d.press("enter")
	backAndForth(0, criteria.ChangesRequested, criteria.InReview)
	if r, _ := d.stored(0).CurrentRevision(); r.Number != 2 || r.Reason != "as bob asked" {
		t.Errorf("revision %+v", r)
	}

	d.m.SetAnnotator("bob")
	d.press("tab")
	d.sees("Since revision 1", "It is the vase.+}", "as bob asked")
	d.press("y")
	backAndForth(0, criteria.InReview, criteria.Approved)
	d.m.SetAnnotator("eve")
	d.press("f")
	backAndForth(0, criteria.Approved, criteria.Checked)
	d.press("shift+tab", "shift+tab", "shift+tab", "<")
	d.sees("Revision 1 of 2", "Everything that was done", "eve: verifying")
	if st := d.writer.State(); st.Pending != 0 || st.Err != nil {
		t.Errorf("%+v", st)
	}
}

func TestDraftsSaveThemselves(t *testing.T) { bubble(t, "all", drafts) }

func drafts(t *testing.T) {
	p := newProject(4)
	d := sit(t, p, theme(termenv.Ascii, true), "ann", 80, 24)
	d.press(" ", "e")
	d.write("one")
	d.sees("not saved yet")
	d.wait(1100 * time.Millisecond)
	d.sees("saved ")
	// Whoever types without a rest is saved all the same.
	for range 12 {
		d.write("x")
		d.wait(600 * time.Millisecond)
	}
	if set := d.stored(0); len(set.History.Acts) < 2 {
		t.Errorf("%d drafts after seven seconds of typing", len(set.History.Acts))
	}
	d.wait(2 * time.Second)

	// What cannot be saved is said until it is.
	p.breaks(errors.New("disk full"))
	d.write(" two")
	d.wait(2 * time.Second)
	d.sees("NOT SAVED: disk full")
	d.write(" three")
	d.wait(2 * time.Second)
	d.sees("NOT SAVED: disk full")
	d.press("esc", "esc")
	d.sees("NOT SAVED: disk full")
	p.breaks(nil)
	d.press("ctrl+k")
	d.sees("saved ")
	if got := d.stored(0).Criteria()[0].Text; got != "one"+strings.Repeat("x", 12)+" two three" {
		t.Errorf("stored is %q", got)
	}

	// Leaving for good keeps what is being typed.
	d.press("enter", "e", "end")
	d.write("!")
	d.m.KeepDraft()
	d.settle()
	if got := d.stored(0).Criteria()[0].Text; !strings.HasSuffix(got, "!") {
		t.Errorf("stored is %q", got)
	}
}

// A text that is slow to be saved is not saved a hundred times over.
func TestOneDraftUnderWay(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		p := newProject(4)
		p.slow = 10 * time.Second
		d := sit(t, p, theme(termenv.Ascii, true), "ann", 80, 24)
		d.press(" ", "e")
		for range 10 {
			d.write("x")
			d.wait(1500 * time.Millisecond)
		}
		if n := d.writer.State().Pending; n > 1 {
			t.Errorf("%d drafts wait", n)
		}
		for range 3 {
			d.wait(time.Minute)
		}
		if got := d.stored(0).Criteria()[0].Text; got != strings.Repeat("x", 10) {
			t.Errorf("stored is %q", got)
		}
	})
}

// Of two who act at once the second is told, and sees what the first did.
func TestConflict(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		p := newProject(4)
		d := sit(t, p, theme(termenv.Ascii, true), "ann", 120, 40)
		p.another(0, criteria.Discarded, "bob", func(a *criteria.Act) { a.Reason = "blurred" })
		d.press(" ", "o")
		if !strings.Contains(strings.Join(d.said, "\n"), "NOT SAVED: the type open-ended on sample 100") {
			t.Errorf("said %q", d.said)
		}
		d.sees("discarded", "blurred")

		// What was being written stays, and says that it is not saved.
		d.press("right", "e")
		p.another(1, criteria.Discarded, "bob", func(a *criteria.Act) { a.Reason = "blurred" })
		d.write("mine")
		d.wait(2 * time.Second)
		d.sees("NOT SAVED", "mine")
		d.press("esc")
		d.sees("NOT SAVED: what you wrote is still here")

		// A draft that came in between is no loss: the text is saved upon it.
		d.press("right", "e")
		p.another(2, criteria.Commented, "bob", func(a *criteria.Act) { a.Text = "careful" })
		d.write("mine")
		d.wait(2 * time.Second)
		if set := d.stored(2); len(set.Criteria()) != 1 || set.Criteria()[0].Text != "mine" {
			t.Errorf("stored %+v; said %q", set.Criteria(), d.said)
		}
	})
}

func TestDiscardAndReplace(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		d := sit(t, newProject(8), theme(termenv.Ascii, true), "ann", 120, 40)
		d.press("j", "j", "d", "enter")
		d.sees("discarded for a reason")
		d.write("no image needed")
		d.press("esc", "d") // the text is there again
		d.sees("no image needed")
		d.press("enter")
		d.sees("discarded", "1 to replace")
		d.press("+", "tab", "tab", "tab", "tab")
		d.sees("Replace sample 100", "100-r1")
		d.write("/nowhere.png")
		d.press("enter")
		d.sees("no such file")
		for range len("/nowhere.png") {
			d.press("backspace")
		}
		d.press("enter")
		set := d.stored(0)
		if set.Removed == nil || set.Removed.By != "100-r1" || len(d.shelf.samples) != 9 {
			t.Fatalf("%+v", set.Removed)
		}
		added := d.shelf.samples[8]
		if added.Taxonomy[1] != "Objects" || added.Kind != eval.KindOpen || added.Question != d.shelf.samples[0].Question {
			t.Errorf("added %+v", added)
		}
		d.sees("100-r1", "replaced by 100-r1")
		d.press("ctrl+z", "ctrl+z")
		if set := d.stored(0); set.Removed != nil {
			t.Errorf("undone: %+v", set.Removed)
		}
		d.press("ctrl+y", "ctrl+y")
		if set := d.stored(0); set.Removed == nil || set.Removed.By == "" {
			t.Errorf("done again: %+v", set.Removed)
		}
		d.press("ctrl+z", "+") // as when the program ended between adding and saying so
		d.sees("100-r1", "stands in for nothing yet")
		d.press("enter")
		if set := d.stored(0); set.Removed == nil || set.Removed.By != "100-r1" || len(d.shelf.samples) != 9 {
			t.Errorf("%d samples, %+v", len(d.shelf.samples), set.Removed)
		}
	})
}

func TestAssignALevel(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		d := sit(t, newProject(8), theme(termenv.Ascii, true), "ann", 120, 40)
		d.press("w") // on the level
		d.write("bob")
		d.press("enter")
		n := 0
		for o := range eval.Ordinal(8) {
			if d.stored(o).Assignee == "bob" {
				n++
			}
		}
		if n != 4 || !strings.Contains(d.last(), "4 samples assigned to bob") {
			t.Errorf("%d assigned; said %q", n, d.last())
		}
		d.press("ctrl+z")
		if d.stored(3).Assignee != "" || !strings.Contains(d.last(), "4 samples") {
			t.Errorf("undone: %q", d.last())
		}
		d.press("ctrl+y", "/")
		d.write("@bob")
		d.press("enter")
		d.sees("for bob")
		if strings.Contains(d.m.View(), "Creation") {
			t.Errorf("the filter leaves\n%s", d.m.View())
		}
		d.press("esc")
		d.sees("Creation")
	})
}

func TestEditorUndo(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		d := sit(t, newProject(4), theme(termenv.Ascii, true), "ann", 80, 24)
		d.press(" ", "e")
		d.write("first")
		d.press("ctrl+n")
		d.write("second")
		d.press("alt+up")
		texts := func() string {
			var out []string
			for _, c := range d.m.reader.page.editor.writtenCriteria() {
				out = append(out, c.Text)
			}
			return strings.Join(out, " ")
		}
		check := func(want string) {
			t.Helper()
			if got := texts(); got != want {
				t.Errorf("fields are %q, want %q", got, want)
			}
		}
		check("second first")
		d.press("ctrl+x")
		check("first")
		d.press("ctrl+z")
		check("second first")
		d.press("ctrl+z")
		check("first second")
		d.press("ctrl+y")
		check("second first")
		d.press("tab", "ctrl+n", "ctrl+n")
		d.write("third")
		d.press("ctrl+n")
		if len(d.m.reader.page.editor.fields) != 3 {
			t.Errorf("%d criteria", len(d.m.reader.page.editor.fields))
		}
		d.write("q?[]u") // letters are text
		d.write(" ")
		d.write("left") // read at once, and no key of that name
		d.write("tab")
		d.sees("q?[]u lefttab")
	})
}

// What a key says is so where the person is: beside the checklist nobody is
// sent to it, and away from it its keys say where it is.
func TestHintsOfReviewsHold(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		d := sit(t, newProject(8), theme(termenv.Ascii, true), "bob", 80, 24)
		for range 2 {
			d.press(" ", "e")
			d.write("Names it.")
			d.press("esc", "s")
		}
		d.m.SetAnnotator("ann")
		d.press("esc", " ")
		if !strings.Contains(d.last(), "tab goes to the checklist") {
			t.Errorf("said %q", d.last())
		}
		d.press("x")
		if !strings.Contains(d.last(), "under Review") || d.m.asker.form != nil {
			t.Errorf("x before the checklist said %q", d.last())
		}
		d.press("tab", " ")
		if d.last() != "to review" {
			t.Errorf("beside the checklist: %q", d.last())
		}
	})
}

// Criteria that a queue hides are not read here by who votes in it, unless
// they have worked on them.
func TestCriteriaThatAQueueHidesAreNotShown(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		p := newProject(8)
		d := sit(t, p, theme(termenv.Ascii, true), "ann", 80, 24)
		d.press(" ", "e")
		d.write("Names the vase.")
		d.press("esc", "s", "esc")
		d.m.deps.Hidden = func(_ context.Context, who annotate.Annotator, _ eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
			return map[eval.Ordinal]annotate.QueueName{0: "blind"}, nil
		}
		d.run(d.m.Refresh())
		d.settle()
		d.press("enter")
		d.sees("Names the vase.") // her own
		d.m.SetAnnotator("vic")
		d.sees("yours to see")
		d.run(d.m.Refresh())
		d.settle()
		for range 3 {
			d.sees("queue blind hides these criteria")
			if strings.Contains(d.m.View(), "Names the vase.") {
				t.Errorf("shown:\n%s", d.m.View())
			}
			d.press("y", "x", "e", "tab")
		}
		d.sees("How to write criteria")
	})
}

// The disagreements open on the first sample that has one, and a key edits it.
func TestDisagreementsOpenInFrontOfTheEditor(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		p := newProject(8)
		p.disputed = map[eval.Ordinal][]string{5: {"names the vase", "why"}}
		d := sit(t, p, theme(termenv.Ascii, true), "ann", 80, 24)
		d.m.OpenDisputed("bench")
		d.run(d.m.Enter())
		d.settle()
		d.sees("105", "≠2")
		d.press("e")
		d.sees("Sample 105", "[Writing]")
	})
}
