package engine

import (
	"context"
	"iter"

	"concord/eval"
)

// job is what a workers works on: where its units come from.
type job interface {
	// due yields the units that need a call in this session. An error ends the
	// session.
	due(ctx context.Context) iter.Seq2[unit, error]
}

// unit is a piece of work that one worker takes up and brings as far as it
// goes in this session: a question, and whatever else is asked of endpoints
// call by call. A new kind of work implements unit, and a job
// yields it; the canary, retries, pausing, limits, the budget, holding still
// before a silent endpoint and the grace period come with the workers.
type unit interface {
	// next is the call that the unit needs now; false when it needs none in
	// this session. It is asked again once the last call's outcome is settled.
	next() (call, bool)
	// size is for the estimate of calls left: how many outcomes are stored, how
	// many there can be, and whether none of them will be asked for again.
	size() (stored, total int, closed bool)
}

// call is one call to an endpoint.
type call struct {
	to *line
	// try makes the call once, for the attempt of that number. A panic of what
	// is called is a failure of the outcome.
	try func(ctx context.Context, attempt int) outcome
}

// outcome is what came of a call, or of its last attempt.
type outcome struct {
	usage   eval.Usage
	failure *eval.Failure
	blank   bool // the model stopped of itself and said nothing
	// settle makes the outcome durable, then counts it, and has the unit take
	// it into account. It is not called for a failure that is tried again, or
	// that is not the unit's own.
	settle func(ctx context.Context) error
}
