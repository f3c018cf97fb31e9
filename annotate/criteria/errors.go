package criteria

import "errors"

// Reasons why an act is refused. The error around one says what to do.
var (
	// ErrConflict says that somebody else acted on the sample meanwhile.
	ErrConflict = errors.New("acts out of order: somebody else worked on this sample meanwhile")
	// ErrOwn says that nobody reviews or verifies what they wrote.
	ErrOwn = errors.New("nobody reviews or verifies their own criteria")
	// ErrNotInReview says that there is nothing to review.
	ErrNotInReview = errors.New("not in review")
	// ErrUnresolved says that a reviewer waits for changes.
	ErrUnresolved = errors.New("changes are requested and not made")
	// ErrDiscarded says that the sample was taken out.
	ErrDiscarded = errors.New("the sample was discarded")
	// ErrNotYours says that people take back their own acts alone.
	ErrNotYours = errors.New("people take back their own acts alone")
	// ErrRelied says that what came later rests on an act.
	ErrRelied = errors.New("what came later rests on it")
	// ErrNothing says that an act would change nothing.
	ErrNothing = errors.New("that changes nothing")
	// ErrIncomplete says that an act lacks a part.
	ErrIncomplete = errors.New("incomplete")
)
