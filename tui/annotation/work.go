package annotation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Work is what a person does to the item in front, and the ways from item to item.
type Work struct {
	saving  session.JournalState
	timer   Timer
	pending annotate.Rationale // of the label that comes next
	stay    bool               // after an answer its item stays in front
	echo    string             // what was recorded last, in words; "" of nothing yet
	recent  []placed           // the items that were answered last, the newest at the end
	*State
}

// placed is an item with the place at which it stood.
type placed struct {
	item annotate.ItemKey
	at   int
}

// mostRecent is how many answers the strip of them has.
const mostRecent = 10

// record keeps what an act on a page says, to be shown.
func (w *Work) record(pg *Page, a annotate.Act, at int) {
	w.echo = spokenOf(a.Reading)
	if pg != nil && a.Reading.Verdict == annotate.PickedOption {
		for _, o := range pg.Item.Options {
			if o.Letter == a.Reading.Choice {
				w.echo += "  " + widget.Cut(widget.Line(o.Text[:min(len(o.Text), 80)]), 16)
			}
		}
	}
	w.recent = slices.DeleteFunc(w.recent, func(p placed) bool { return p.item == a.Item })
	w.recent = append(w.recent, placed{a.Item, at})
	w.recent = w.recent[max(0, len(w.recent)-mostRecent):]
}

// fresh reports whether the first item of a queue that has a guideline is in front,
// and nothing was said in this session.
func (w *Work) fresh() bool {
	return w.Session.Walk.At() == 0 && len(w.recent) == 0 && w.Session.Own.Queue().Guideline.Version > 0
}

// strip is the last answers with the places of their items, the newest at the end.
func (w *Work) strip() string {
	var parts []string
	for _, p := range w.recent {
		if l, ok := w.Session.Own.State().Labels[p.item]; ok {
			parts = append(parts, fmt.Sprintf("%d %s", p.at+1, spokenOf(l.Reading)))
		}
	}
	return strings.Join(parts, " · ")
}

// spokenOf is a reading or a vote in a few words.
func spokenOf(r annotate.Reading) string {
	if r.Verdict == annotate.Voted {
		return labeloption.VoteWord(r.Vote)
	}
	return labeloption.Word(r)
}

// Submit hands an act to the journal: in memory, in order, without waiting.
func (w *Work) Submit(a annotate.Act) {
	w.deps.Journal.Submit(a)
	w.submitted++
	w.saving.Pending++
	w.saving.Err = nil
	if a.Kind != annotate.Looked {
		w.Acts++
	}
}

// Label gives the item in front a reading, and moves on, or stays where it is.
func (w *Work) Label(r annotate.Reading) tea.Cmd {
	at, pg := w.Session.Walk.At(), w.Page()
	// An answer that is changed leaves its rationale behind; what was said before
	// it goes with it.
	a, ok := w.Session.LabelBecause(r, w.pending, w.timer.Touch(w.deps.Now()))
	return w.answered(pg, a, at, ok)
}

// Grade says of one of the criteria of the item in front whether it is met. The last
// one leads on as a label does.
func (w *Work) Grade(g annotate.Grade, cs []annotate.Criterion) tea.Cmd {
	at, pg := w.Session.Walk.At(), w.Page()
	a, ok := w.Session.Grade(g, cs, w.pending, w.timer.Touch(w.deps.Now()))
	if one := a.Kind == annotate.GradedOne || a.Kind == annotate.RuledOne; ok && one {
		w.Submit(a)
		w.record(pg, a, at)
		return nil
	}
	cmd := w.answered(pg, a, at, ok)
	if ok {
		w.echo = labeloption.Word(annotate.Reading{Verdict: annotate.Graded, Grades: []annotate.Grade{g}})
	}
	return cmd
}

// answered takes up an act by which the item in front was answered.
func (w *Work) answered(pg *Page, a annotate.Act, at int, ok bool) tea.Cmd {
	if !ok && w.Session.Lost() {
		return w.gone()
	}
	if !ok {
		return nil
	}
	w.Submit(a)
	w.record(pg, a, at)
	w.pending = annotate.Rationale{}
	if w.stay {
		w.Session.Walk.Goto(at)
		w.timer.Start(w.deps.Now())
		return w.prepare()
	}
	return w.moved()
}

// Rule settles the item in front as its adjudicator. It reports whether the item is
// to stay in front; a command follows an item that has gone to somebody else.
func (w *Work) Rule(r annotate.Reading, c annotate.Cause) (stays bool, cmd tea.Cmd) {
	a, ok := w.Session.Rule(r, c, w.timer.Touch(w.deps.Now()))
	switch {
	case ok:
		w.Submit(a)
		w.record(w.Page(), a, w.Session.Walk.At())
	case w.Session.Lost():
		return false, w.gone()
	}
	return w.stay, nil
}

// gone follows an item that went to somebody else while nothing was done.
func (w *Work) gone() tea.Cmd {
	return tea.Batch(w.moved(), widget.Tell(widget.Info, "that item has gone to somebody else while nothing was done; nothing was saved of it"))
}

// Stay switches between going on after an answer and staying with its item.
func (w *Work) Stay(string) tea.Cmd {
	w.stay = !w.stay
	if w.stay {
		return widget.Tell(widget.Info, "auto-advance is off; "+w.Spelled("next_unlabeled")+" goes to the next unlabeled item")
	}
	return widget.Tell(widget.Info, "auto-advance is on")
}

// Skip puts the item in front off.
func (w *Work) Skip(string) tea.Cmd {
	if a, ok := w.Session.Skip(w.timer.Touch(w.deps.Now())); ok {
		w.Submit(a)
	}
	return w.moved()
}

// Flag marks the item in front for a second look, or takes that mark away.
func (w *Work) Flag(string) tea.Cmd {
	if a, ok := w.Session.ToggleFlag(); ok {
		w.Submit(a)
	}
	return nil
}

// Undo takes back the last act that stands and goes to its item.
func (w *Work) Undo(string) tea.Cmd {
	a, of, ok := w.Session.Undo()
	return w.jumped("undid", a, of, ok)
}

// Redo does again what was undone last.
func (w *Work) Redo(string) tea.Cmd {
	a, of, ok := w.Session.Redo()
	return w.jumped("redone", a, of, ok)
}

func (w *Work) jumped(what string, a, of annotate.Act, ok bool) tea.Cmd {
	if !ok {
		return nil
	}
	w.Submit(a)
	w.echo = ""
	text := fmt.Sprintf("%s: %s on item %d", what, w.did(of), w.Session.Walk.At()+1)
	if _, k, ok := w.Session.Walk.Current(); !ok || k != of.Item {
		text = fmt.Sprintf("%s: %s on an item that is not listed here", what, w.did(of))
	}
	return tea.Batch(w.moved(), widget.Tell(widget.Info, text))
}

// did names an act, for the notice of an undo.
func (w *Work) did(a annotate.Act) string {
	switch a.Kind {
	case annotate.Labelled, annotate.GradedOne:
		return w.said(a.Reading)
	case annotate.Skipped:
		return "skip"
	case annotate.Flagged:
		return "flag"
	case annotate.Unflagged:
		return "removal of the flag"
	case annotate.Noted:
		return "note"
	case annotate.Ruled, annotate.RuledOne:
		return "adjudication " + w.said(a.Reading)
	case annotate.ActUnset, annotate.TookBack, annotate.TooLate, annotate.Looked,
		annotate.Excluded, annotate.Included, annotate.Commented, annotate.Closed:
	}
	return "act"
}

// Retry saves again what could not be saved.
func (w *Work) Retry(string) tea.Cmd {
	w.deps.Journal.Retry()
	return nil
}

// Previous shows the item before the one in front.
func (w *Work) Previous(string) tea.Cmd {
	w.Session.Walk.Prev()
	return w.moved()
}

// Following shows the item behind the one in front.
func (w *Work) Following(string) tea.Cmd {
	w.Session.Walk.Next()
	return w.moved()
}

// ToOpen goes to the next open item.
func (w *Work) ToOpen(string) tea.Cmd {
	w.Session.Walk.ToOpen()
	return w.moved()
}

// NoUndo is why there is nothing to undo.
func (w *Work) NoUndo() string {
	if w.Session == nil || !w.Session.Own.CanUndo() {
		return "nothing to undo"
	}
	return ""
}

// NoRedo is why there is nothing to do again.
func (w *Work) NoRedo() string {
	if w.Session == nil || !w.Session.Own.CanRedo() {
		return "nothing to redo"
	}
	return ""
}

// NoFailure is why there is nothing to save again.
func (w *Work) NoFailure() string {
	// Of the journal itself: its news may be on their way.
	if w.deps.Journal.State().Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}

// NoPrevious is why there is no way back.
func (w *Work) NoPrevious() string {
	if w.Session == nil || w.Session.Walk.At() == 0 {
		return "this is the first item"
	}
	return ""
}

// NoNext is why there is no way on.
func (w *Work) NoNext() string {
	if w.Session == nil || w.Session.Walk.At() >= w.Session.Walk.Len() {
		return "this is the end of the queue"
	}
	return ""
}

// NoOpen is why there is no open item to go to.
func (w *Work) NoOpen() string {
	if w.Session == nil || w.Session.Walk.Open() == 0 {
		return "no item is open"
	}
	return ""
}

// idle is the longest pause between two keys that counts as work: who reads
// for longer is taken to have left.
const idle = 2 * time.Minute

// Timer measures the time that an item is worked on. The zero value is at rest.
type Timer struct {
	last  time.Time
	spent time.Duration
}

// Start begins with another item.
func (t *Timer) Start(now time.Time) { t.last, t.spent = now, 0 }

// Touch counts the time since the last key, and returns the sum.
func (t *Timer) Touch(now time.Time) time.Duration {
	if d := now.Sub(t.last); !t.last.IsZero() && d > 0 {
		t.spent += min(d, idle)
	}
	t.last = now
	return t.spent
}
