package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// ID tells jobs apart.
type ID string

// ModelChoice is a model that is configured, to be asked or to judge.
type ModelChoice struct {
	Name     string
	Endpoint string // base URL, without credentials
	Price    eval.Price
	Why      string // why it cannot be asked and what to do about it; "" when it can
}

// Row is a job with where it stands. Of votes there is a row for each comparison,
// also where one order asks for several.
type Row struct {
	ID      ID
	Work    eval.Work
	Dataset eval.DatasetName
	Asked   string // the judge or model

	Comparison eval.Comparison // of votes
	Model      string          // of votes: whose answers are set against the anchor's
	Anchor     string
	Shuffled   bool // each pair is asked in one order

	Tally    eval.Tally      // of this row alone; Wanted is 0 when it is not known
	Votes    eval.VoteCounts // of votes: what stands, by the place of the answer
	Progress eval.Progress   // of the runner in this process; State is unset without one
	Live     bool            // a runner of this process works on it, or has
	Resting  bool            // that runner is at other rows of its order
	Shares   int             // rows of the same order beside this one
	Cost     float64         // of this row, by today's prices
	Priced   bool

	// Why the job cannot be steered so; "" when it can.
	NoPause, NoCancel, NoRetry string
}

// Source lists the jobs of a project. It is called in commands, at every
// refresh: it reads totals that the store keeps, and no vote.
type Source interface {
	ListJobs(ctx context.Context) ([]Row, error)
}

// Control steers jobs. What it cannot do is an error, never silence. It steers all rows of an order.
type Control interface {
	// PauseJob starts no further call; those in flight finish.
	PauseJob(id ID) error
	// ResumeJob goes on with a job that is paused, was ended, or was left off by an earlier process.
	ResumeJob(ctx context.Context, id ID) error
	// CancelJob ends a job; what was replied stays.
	CancelJob(id ID) error
	// RetryJob asks again what failed or, where nothing did, what was replied to no purpose.
	RetryJob(ctx context.Context, id ID) error
}

// IsMoving reports whether the job is at work, so that its numbers change.
func (r *Row) IsMoving() bool {
	return r.Live && r.Progress.State != eval.StateUnset && !r.Progress.State.IsFinal()
}

// CanResume reports whether the job rests and would go on.
func (r *Row) CanResume() bool { return !r.IsMoving() || r.Progress.State == eval.Paused }

// IsAllAsked reports whether nothing is left to ask for, as far as that is known.
func (r *Row) IsAllAsked() bool { return r.Tally.Wanted > 0 && r.Tally.CountStored() >= r.Tally.Wanted }

// StateText gives the row's state in a word: what its runner says, else what is stored.
func (r *Row) StateText() string {
	switch s := r.Progress.State; {
	case r.IsMoving() && r.Resting && r.IsAllAsked():
		return eval.Done.String()
	case r.IsMoving() && r.Resting && s == eval.Running:
		return eval.Waiting.String()
	case r.IsMoving():
		return s.String()
	case r.IsAllAsked():
		return eval.Done.String()
	case r.Live && s != eval.Done:
		return s.String()
	}
	return "stopped"
}

// Title names the row in messages.
func (r *Row) Title() string {
	of := map[eval.Work]string{eval.Voting: "votes of ", eval.Scoring: "scores of ", eval.Captioning: "captions of ", eval.Grading: "grades of ", eval.Reading: "extractions of "}[r.Work]
	on, what := " on ", widget.CleanLine(string(r.Dataset))
	switch r.Work {
	case eval.Voting:
		what = r.FormatComparedPair()
	case eval.Captioning:
		on = " for "
	case eval.Scoring, eval.Grading, eval.Reading, eval.Answering, eval.WorkUnset:
	}
	return of + widget.CleanLine(r.Asked) + on + what
}

// FormatComparedPair is who is compared with whom; of other work, what it is.
func (r *Row) FormatComparedPair() string {
	if r.Work != eval.Voting {
		return r.Work.String()
	}
	return widget.CleanLine(r.Model) + " : " + widget.CleanLine(r.Anchor)
}

// DescribeBallot is how a vote is asked for, in words: what the judge sees, and which repeat it is.
func (r *Row) DescribeBallot() string {
	if r.Work != eval.Voting {
		return ""
	}
	b := &r.Comparison.Ballot
	out := cmp.Or(b.Input.String(), "unknown")
	if b.Criteria {
		out += ", criteria"
	}
	if b.Repeat > 0 {
		out += fmt.Sprintf(", repeat %d", b.Repeat)
	}
	return out
}

// FactNoun is what one call of the job gives, for a count.
func (r *Row) FactNoun() string {
	return cmp.Or(map[eval.Work]string{eval.Voting: "vote", eval.Scoring: "score", eval.Captioning: "caption", eval.Grading: "grade", eval.Reading: "extraction"}[r.Work], "call")
}

// Steering is what can be done with a job.
type Steering uint8

// The steerings. The zero value is unset.
const (
	SteeringUnset Steering = iota
	PauseOrResume
	Cancel
	Retry
)

// SteerJob does that in a command, which says what came of it; where it cannot
// be, it says why. A nil control steers nothing. keys writes the screen's.
func SteerJob(ctx context.Context, c Control, r *Row, s Steering, keys *keymap.Spelling) tea.Cmd {
	why, done := "", ""
	var act func() error
	id := r.ID
	switch s {
	case PauseOrResume:
		why, done, act = r.NoPause, "paused; calls in flight finish", func() error { return c.PauseJob(id) }
		if r.CanResume() {
			done, act = "continues", func() error { return c.ResumeJob(ctx, id) }
		}
	case Cancel:
		why, done, act = r.NoCancel, keys.SpellText("cancelled; {p} continues from here"), func() error { return c.CancelJob(id) }
	case Retry:
		why, done, act = r.NoRetry, "asking again what failed", func() error { return c.RetryJob(ctx, id) }
		if r.Tally.Failed == 0 {
			done = "asking again what holds no " + r.FactNoun()
		}
	case SteeringUnset:
	}
	switch {
	case act == nil:
		return nil
	case c == nil:
		return widget.NotifyCmd(widget.Info, "this project is open read-only")
	case why != "":
		return widget.NotifyCmd(widget.Info, why)
	}
	name := r.Title()
	return func() tea.Msg {
		if err := act(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: fmt.Sprintf("%s: %v", name, err)}
		}
		return widget.Notify{Level: widget.Info, Text: name + ": " + done}
	}
}

// NewCancelQuestion asks whether the job is to be cancelled, which is done by Steer.
func (r *Row) NewCancelQuestion(ctx context.Context, c Control, keys *keymap.Spelling) *widget.Question {
	text := "Cancel the " + r.Title() + "? Calls in flight finish, every reply stays stored, and " + keys.SpellKey("p") + " continues from there."
	if r.Shares > 0 {
		text += " " + widget.FormatPlural(r.Shares, "other comparison") + " of the same order end too."
	}
	row := *r
	return &widget.Question{Title: "Cancel", Text: text, Yes: "cancel it", No: "keep it running", Do: func() tea.Cmd {
		return SteerJob(ctx, c, &row, Cancel, keys)
	}}
}

// StateGlyph gives the state of a job or of a run, in words, as one sign, and its style.
func StateGlyph(t *widget.Theme, state string) (string, widget.CachedStyle) {
	switch state {
	case "running", "judging":
		return "●", t.Accent
	case "paused":
		return "‖", t.Warn
	case "holding":
		return "◷", t.Warn
	case "done", "imported":
		return "✓", t.Good
	case "failed":
		return "✗", t.Bad
	case "waiting":
		return "○", t.Faint
	}
	return "■", t.Faint
}

// DoneShare is how much of the job is done, for bars; 0 when that is not known.
func (r *Row) DoneShare() float64 {
	return min(1, widget.ShareOf(r.Tally.CountStored(), r.Tally.Wanted))
}

// FormatPercent gives the same in whole percents; less than all is never 100.
func (r *Row) FormatPercent() string {
	if r.Tally.Wanted <= 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", min(100, 100*r.Tally.CountStored()/r.Tally.Wanted))
}

// FormatCost gives what the row's calls cost; those of unknown prices at least so much.
func (r *Row) FormatCost() string { return FormatPartialCost(r.Cost, r.Priced) }

// FormatPartialCost writes a cost that may not be known whole.
func FormatPartialCost(cost float64, priced bool) string {
	switch {
	case priced:
		return widget.FormatMoney(cost)
	case cost > 0:
		return "≥" + widget.FormatMoney(cost)
	}
	return "–"
}

// ListColumns lists those of a list of jobs, with bars of that width.
func ListColumns(bar int) []widget.Column {
	return []widget.Column{
		{Title: "", Width: 1},
		{Title: "state", Width: 9},
		{Title: "model : anchor", Width: 14, Grow: 4, Name: true},
		{Title: "judge", Width: 8, Grow: 2, Name: true},
		{Title: "sees", Width: 15, Least: 112},
		{Title: "", Width: bar},
		{Title: "", Width: 5, Right: true},
		{Title: "votes", Width: 13, Right: true, Least: 100},
		{Title: "failed", Width: 6, Right: true, Least: 72},
		{Title: "unparsed", Width: 8, Right: true, Least: 90},
		{Title: "rate", Width: 7, Right: true, Least: 146},
		{Title: "left", Width: 10, Right: true, Least: 158},
		{Title: "cost", Width: 9, Right: true, Least: 134},
	}
}

// MakeCells makes the row's cells under Columns.
func (r *Row) MakeCells(t *widget.Theme, bar int) []string {
	sign, style := StateGlyph(t, r.StateText())
	rate, left := "", ""
	if r.Progress.State == eval.Running && r.StateText() == "running" {
		rate = widget.FormatRate(r.Progress.Rate)
		if d, ok := r.Progress.ETA(); ok {
			left = widget.FormatDuration(d)
		}
	}
	failed := widget.FormatCount(r.Tally.Failed)
	if r.Tally.Failed > 0 {
		failed = t.Bad.Render(failed)
	}
	return []string{
		style.Render(sign), style.Render(r.StateText()), r.FormatComparedPair(), widget.CleanLine(r.Asked), r.DescribeBallot(),
		t.DrawBar(bar, r.DoneShare()), r.FormatPercent(), r.FormatProgress(), failed, widget.FormatCount(r.Tally.Unparsed), rate, left, r.FormatCost(),
	}
}

// FormatProgress gives how many facts there are, and of how many.
func (r *Row) FormatProgress() string {
	if r.Tally.Wanted <= 0 {
		return widget.FormatCount(r.Tally.CountStored())
	}
	return widget.FormatCount(r.Tally.CountStored()) + "/" + widget.FormatCount(r.Tally.Wanted)
}

// MergeRows brings rows up to date: those known stay in their places, new ones come at the end.
func MergeRows[T any, K comparable](old, fresh []T, id func(T) K) []T {
	byID := make(map[K]T, len(fresh))
	for _, r := range fresh {
		byID[id(r)] = r
	}
	out := make([]T, 0, len(fresh))
	for _, r := range append(slices.Clone(old), fresh...) {
		if now, ok := byID[id(r)]; ok {
			out = append(out, now)
			delete(byID, id(r))
		}
	}
	return out
}
