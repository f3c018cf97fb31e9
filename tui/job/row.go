package job

import (
	"cmp"
	"context"
	"fmt"

	"concord/eval"
	"concord/tui/widget"
)

// ID tells jobs apart.
type ID string

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
	Jobs(ctx context.Context) ([]Row, error)
}

// Control steers jobs. What it cannot do is an error, never silence. Of an
// order with several rows it steers all.
type Control interface {
	// PauseJob starts no further call; those in flight finish.
	PauseJob(id ID) error
	// ResumeJob goes on with a job that is paused, was ended, or was left off by
	// an earlier process.
	ResumeJob(ctx context.Context, id ID) error
	// CancelJob ends a job; what was replied stays.
	CancelJob(id ID) error
	// RetryJob asks again what failed or, where nothing did, what was replied
	// to no purpose.
	RetryJob(ctx context.Context, id ID) error
}

// Moves reports whether the job is at work, so that its numbers change.
func (r *Row) Moves() bool {
	return r.Live && r.Progress.State != eval.StateUnset && !r.Progress.State.Final()
}

// Resumes reports whether the job rests and would go on.
func (r *Row) Resumes() bool { return !r.Moves() || r.Progress.State == eval.Paused }

// Whole reports whether nothing is left to ask for, as far as that is known.
func (r *Row) Whole() bool { return r.Tally.Wanted > 0 && r.Tally.Done() >= r.Tally.Wanted }

// State is the row's state in a word: what its runner says, else what is
// stored.
func (r *Row) State() string {
	switch s := r.Progress.State; {
	case r.Moves() && r.Resting && r.Whole():
		return eval.Done.String()
	case r.Moves() && r.Resting && s == eval.Running:
		return eval.Waiting.String()
	case r.Moves():
		return s.String()
	case r.Whole():
		return eval.Done.String()
	case r.Live && s != eval.Done:
		return s.String()
	}
	return "stopped"
}

// Title names the row in messages.
func (r *Row) Title() string {
	switch r.Work {
	case eval.Voting:
		return "votes of " + widget.Line(r.Asked) + " on " + r.Pair()
	case eval.Scoring:
		return "scores of " + widget.Line(r.Asked) + " on " + widget.Line(string(r.Dataset))
	case eval.Captioning:
		return "captions of " + widget.Line(r.Asked) + " for " + widget.Line(string(r.Dataset))
	case eval.Answering, eval.WorkUnset:
	}
	return widget.Line(r.Asked) + " on " + widget.Line(string(r.Dataset))
}

// Pair is who is compared with whom; of other work, what it is.
func (r *Row) Pair() string {
	if r.Work != eval.Voting {
		return r.Work.String()
	}
	return widget.Line(r.Model) + " : " + widget.Line(r.Anchor)
}

// Ballot is how a vote is asked for, in words: what the judge sees, and which
// repeat it is.
func (r *Row) Ballot() string {
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

// Facts is what one call of the job gives, for a count.
func (r *Row) Facts() string {
	switch r.Work {
	case eval.Voting:
		return "vote"
	case eval.Scoring:
		return "score"
	case eval.Captioning:
		return "caption"
	case eval.Answering, eval.WorkUnset:
	}
	return "reply"
}
