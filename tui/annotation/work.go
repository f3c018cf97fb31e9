package annotation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// ItemWork is what a person does to the item in front, and the ways from item to item.
type ItemWork struct {
	saving  session.JournalState
	timer   Timer
	pending annotate.Rationale // of the label that comes next
	stay    bool               // after an answer its item stays in front
	echo    string             // what was recorded last, in words; "" of nothing yet
	recent  []placedItem       // the items that were answered last, the newest at the end
	*SessionState
}

// placedItem is an item with the place at which it stood.
type placedItem struct {
	item annotate.ItemKey
	at   int
}

// mostRecent is how many answers the strip of them has.
const mostRecent = 10

// rememberAct keeps what an act on a page says, to be shown.
func (w *ItemWork) rememberAct(pg *Page, a annotate.Act, at int) {
	w.echo = readingInWords(a.Reading)
	if pg != nil && a.Reading.Kind == annotate.PickedOption {
		for _, o := range pg.Item.Options {
			if o.Letter == a.Reading.Choice {
				w.echo += "  " + widget.CutWidth(widget.CleanLine(o.Text[:min(len(o.Text), 80)]), 16)
			}
		}
	}
	w.recent = slices.DeleteFunc(w.recent, func(p placedItem) bool { return p.item == a.Item })
	w.recent = append(w.recent, placedItem{a.Item, at})
	w.recent = w.recent[max(0, len(w.recent)-mostRecent):]
}

// isFirstItem reports whether the first item of a queue that has a guideline is in front,
// and nothing was said in this session.
func (w *ItemWork) isFirstItem() bool {
	return w.hasGuideline() && w.Session.Walk.Position() == 0 && len(w.recent) == 0
}

func (w *ItemWork) hasGuideline() bool {
	return w.Standard != nil || w.Session.Own.Queue().Guideline.Version > 0
}

// listRecentAnswers gives the last answers with the places of their items, the newest at the end.
func (w *ItemWork) listRecentAnswers() []string {
	return eval.FilterMap(w.recent, func(p placedItem) (string, bool) {
		l, ok := w.Session.Own.State().Labels[p.item]
		return fmt.Sprintf("%d %s", p.at+1, readingInWords(l.Reading)), ok
	})
}

// readingInWords is a reading or a vote in a few words.
func readingInWords(r annotate.Reading) string {
	return eval.Either(r.Kind == annotate.Voted, labeloption.VoteWord(r.Vote), labeloption.ReadingText(r))
}

// SubmitAct hands an act to the journal: in memory, in order, without waiting.
func (w *ItemWork) SubmitAct(a annotate.Act) {
	w.deps.Journal.Submit(a)
	w.submitted++
	w.saving.Pending++
	w.saving.Err = nil
	if a.Kind != annotate.Looked {
		w.Acts++
	}
}

// LabelItem gives the item in front a reading, and moves on, or stays where it is.
func (w *ItemWork) LabelItem(r annotate.Reading) tea.Cmd {
	at, pg := w.Session.Walk.Position(), w.FrontPage()
	// An answer that is changed leaves its rationale behind; what was said before it goes with it.
	a, ok := w.Session.LabelWithRationale(r, w.pending, w.timer.AddTimeSinceKey(w.deps.Now()))
	return w.submitAndAdvance(pg, a, at, ok)
}

// GradeCriterion says of one of the criteria of the item in front whether it is met. The last
// one leads on as a label does.
func (w *ItemWork) GradeCriterion(g annotate.Grade, cs []annotate.Criterion) tea.Cmd {
	at, pg := w.Session.Walk.Position(), w.FrontPage()
	a, ok := w.Session.GradeCriterion(g, cs, w.pending, w.timer.AddTimeSinceKey(w.deps.Now()))
	if one := a.Kind == annotate.GradedOne || a.Kind == annotate.RuledOne; ok && one {
		w.SubmitAct(a)
		w.rememberAct(pg, a, at)
		return nil
	}
	cmd := w.submitAndAdvance(pg, a, at, ok)
	if ok {
		w.echo = labeloption.ReadingText(annotate.Reading{Kind: annotate.Graded, Grades: []annotate.Grade{g}})
	}
	return cmd
}

// submitAndAdvance takes up an act by which the item in front was answered.
func (w *ItemWork) submitAndAdvance(pg *Page, a annotate.Act, at int, ok bool) tea.Cmd {
	if !ok && w.Session.LostLastItem() {
		return w.followLostItem()
	}
	if !ok {
		return nil
	}
	w.SubmitAct(a)
	w.rememberAct(pg, a, at)
	w.pending = annotate.Rationale{}
	if w.stay {
		w.Session.Walk.ShowPosition(at)
		w.timer.StartItem(w.deps.Now())
		return w.prepare()
	}
	return w.moved()
}

// AdjudicateItem settles the item in front as its adjudicator. It reports whether the item is
// to stay in front; a command follows an item that has gone to somebody else.
func (w *ItemWork) AdjudicateItem(r annotate.Reading, c annotate.Cause) (stays bool, cmd tea.Cmd) {
	a, ok := w.Session.Adjudicate(r, c, w.timer.AddTimeSinceKey(w.deps.Now()))
	switch {
	case ok:
		w.SubmitAct(a)
		w.rememberAct(w.FrontPage(), a, w.Session.Walk.Position())
	case w.Session.LostLastItem():
		return false, w.followLostItem()
	}
	return w.stay, nil
}

// followLostItem follows an item that went to somebody else while nothing was done.
func (w *ItemWork) followLostItem() tea.Cmd {
	return tea.Batch(w.moved(), widget.NotifyCmd(widget.Info, "that item has gone to somebody else while nothing was done; nothing was saved of it"))
}

// ToggleAutoAdvance switches between going on after an answer and staying with its item.
func (w *ItemWork) ToggleAutoAdvance(string) tea.Cmd {
	w.stay = !w.stay
	if w.stay {
		return widget.NotifyCmd(widget.Info, "auto-advance is off; "+w.SpellKey("next_unlabeled")+" goes to the next unlabeled item")
	}
	return widget.NotifyCmd(widget.Info, "auto-advance is on")
}

// SkipItem puts the item in front off.
func (w *ItemWork) SkipItem(string) tea.Cmd {
	if a, ok := w.Session.SkipAndAdvance(w.timer.AddTimeSinceKey(w.deps.Now())); ok {
		w.SubmitAct(a)
	}
	return w.moved()
}

// ToggleFlag marks the item in front for a second look, or takes that mark away.
func (w *ItemWork) ToggleFlag(string) tea.Cmd {
	if a, ok := w.Session.ToggleFlag(); ok {
		w.SubmitAct(a)
	}
	return nil
}

func (w *ItemWork) whyNoTags() string {
	if why := w.WhyNoFront(); why != "" || w.Session.Own.Queue().Tags.Name != "" {
		return why
	}
	return "the queue was made without tags"
}

// toggleTag puts the tag of a digit on the item in front, or takes it away.
func (w *ItemWork) toggleTag(key string) tea.Cmd {
	all := w.Session.Own.Queue().Tags.Options
	at := strings.Index(tagKeys, key)
	if at < 0 || at >= len(all) {
		w.Refusal = key + ": no tag has this key"
		return nil
	}
	if a, ok := session.ToggleTag(w.Session, all[at].Text); ok {
		w.SubmitAct(a)
	}
	return nil
}

// formatTags lists the tags of the queue behind their keys, with those that the item in front has marked.
func (w *ItemWork) formatTags() string {
	_, k, _ := w.Session.Walk.Current()
	return strings.Join(eval.MapIndexed(w.Session.Own.Queue().Tags.Options, func(i int, o eval.Option) string {
		mark := eval.Either(slices.Contains(w.Session.Own.State().Tags[k], o.Text), "▸", " ")
		return fmt.Sprintf("%s%c %s", mark, tagKeys[i], widget.CleanLine(o.Text))
	}), "  ")
}

// UndoAct takes back the last act that stands and goes to its item.
func (w *ItemWork) UndoAct(string) tea.Cmd {
	a, of, ok := w.Session.Undo()
	return w.submitAndShowUndone("undid", a, of, ok)
}

// RedoAct does again what was undone last.
func (w *ItemWork) RedoAct(string) tea.Cmd {
	a, of, ok := w.Session.Redo()
	return w.submitAndShowUndone("redone", a, of, ok)
}

func (w *ItemWork) submitAndShowUndone(what string, a, of annotate.Act, ok bool) tea.Cmd {
	if !ok {
		return nil
	}
	w.SubmitAct(a)
	w.echo = ""
	text := fmt.Sprintf("%s: %s on item %d", what, w.describeAct(of), w.Session.Walk.Position()+1)
	if _, k, ok := w.Session.Walk.Current(); !ok || k != of.Item {
		text = fmt.Sprintf("%s: %s on an item that is not listed here", what, w.describeAct(of))
	}
	return tea.Batch(w.moved(), widget.NotifyCmd(widget.Info, text))
}

// describeAct names an act, for the notice of an undo.
func (w *ItemWork) describeAct(a annotate.Act) string {
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
	case annotate.Tagged:
		return "tags " + widget.CleanLine(a.Text)
	case annotate.Ruled, annotate.RuledOne:
		return "adjudication " + w.said(a.Reading)
	case annotate.ActUnset, annotate.TookBack, annotate.TooLate, annotate.Looked,
		annotate.Excluded, annotate.Included, annotate.Commented, annotate.Closed:
	}
	return "act"
}

// RetrySaving saves again what could not be saved.
func (w *ItemWork) RetrySaving(string) tea.Cmd {
	w.deps.Journal.RetryParked()
	return nil
}

// ShowPreviousItem shows the item before the one in front.
func (w *ItemWork) ShowPreviousItem(string) tea.Cmd {
	w.Session.Walk.ShowPreviousFree()
	return w.moved()
}

// ShowNextItem shows the item behind the one in front.
func (w *ItemWork) ShowNextItem(string) tea.Cmd {
	w.Session.Walk.ShowNextFree()
	return w.moved()
}

// ShowNextOpen goes to the next open item.
func (w *ItemWork) ShowNextOpen(string) tea.Cmd {
	w.Session.Walk.ShowNextOpen()
	return w.moved()
}

// makeWhyNot gives why something cannot be done: before the session is there, and where no holds.
func (w *ItemWork) makeWhyNot(no func(*session.Session) bool, why string) func() string {
	return func() string { return action.WhyIf(w.Session == nil || no(w.Session), why) }
}

// WhyNoFailure is why there is nothing to save again.
func (w *ItemWork) WhyNoFailure() string {
	// Of the journal itself: its news may be on their way.
	return action.WhyIf(w.deps.Journal.State().Err == nil, "everything is saved, or about to be")
}

// idle is the longest pause between two keys that counts as work: who reads for longer is taken to have left.
const idle = 2 * time.Minute

// Timer measures the time that an item is worked on. The zero value is at rest.
type Timer struct {
	last  time.Time
	spent time.Duration
}

// StartItem begins with another item.
func (t *Timer) StartItem(now time.Time) { t.last, t.spent = now, 0 }

// AddTimeSinceKey counts the time since the last key, and returns the sum.
func (t *Timer) AddTimeSinceKey(now time.Time) time.Duration {
	if d := now.Sub(t.last); !t.last.IsZero() && d > 0 {
		t.spent += min(d, idle)
	}
	t.last = now
	return t.spent
}
