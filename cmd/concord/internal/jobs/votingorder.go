package jobs

import (
	"errors"
	"fmt"
	"slices"

	"concord/eval"
)

// VotingOrder says what a judge votes on, as a command or form asks for it: every
// model's answers against the anchor's.
type VotingOrder struct {
	Dataset    eval.DatasetName
	Models     []string
	Anchor     string
	Runs       []eval.RunID // of the models and the anchor, where one has several
	Judge      string
	Criteria   bool // the judge sees them
	Input      eval.Input
	Shuffled   bool   // one order of every pair, drawn with Seed; else both
	Seed       uint64 // of that draw
	Repeats    []int  // that are asked; none: 0
	CaptionsBy string // whose captions the judge sees; "": the only model that made some
	Edge       int    // pictures' longer edge, in pixels; 0: never scaled down; below 0: as the judge is configured
	Stale      bool   // votes made under older criteria are asked again
	Failed     bool   // and what failed
	Unparsed   bool   // and replies that hold no vote
	// WithoutImages has samples without their image judged too, on ballots of
	// their own.
	WithoutImages bool
}

// Check names what does not go together.
func (o *VotingOrder) Check() error {
	switch {
	case o.Dataset == "" || o.Judge == "" || o.Anchor == "" || len(o.Models) == 0:
		return errors.New("votes need a dataset, a judge, an anchor and at least one model")
	case slices.Contains(o.Models, o.Anchor):
		return fmt.Errorf("%s is the anchor: it is not compared with itself", o.Anchor)
	case o.Input == eval.InputUnset || o.Input == eval.SeesNothing:
		return errors.New("it is not said what the judge sees of an image")
	case o.Edge >= 0 && o.Input != eval.SeesImage:
		return fmt.Errorf("--edge scales images down, and with --input %s the judge sees none", o.Input)
	case o.CaptionsBy != "" && o.Input != eval.SeesCaption && o.Input != eval.SeesBoth:
		return fmt.Errorf("--captions-by names whose captions the judge sees: it goes with --input caption or both")
	case o.Stale && !o.Criteria:
		return errors.New("--stale asks again what was voted on under older criteria: it goes with --criteria")
	case slices.Min(append(o.Repeats, 0)) < 0:
		return errors.New("repeats are counted from 0")
	}
	return nil
}

// Seeing is how votes by an input are ordered: those without the image that
// was due are asked for beside the others.
func Seeing(i eval.Input) (input eval.Input, withoutImages bool) {
	if i == eval.SeesNothing {
		return eval.SeesImage, true
	}
	return i, false
}
