package eval

import (
	"context"
	"iter"
)

// Question is a sample with the predictions that a run already holds for it,
// in the order of their passes; passes may be missing. Judgments are the
// newest of each judge on each of them.
type Question struct {
	Sample      Sample
	Predictions []Prediction
	Judgments   []Judgment
}

// Source hands a run its questions.
type Source interface {
	// Questions yields the samples of the run's dataset in the order of their
	// ordinals, each with what the run holds already. An error ends the run.
	Questions(ctx context.Context, r Run) iter.Seq2[Question, error]
}

// PassState is what is known of one pass of a question, as far as it decides
// what to ask next. The zero value is a pass that is still to be asked.
type PassState uint8

// The states of a pass.
const (
	PassUnset  PassState = iota // not asked, or failed in an earlier session
	PassFailed                  // failed in this session: not asked again before the next
	PassLost                    // refused for what the sample is: not asked again unless somebody wants it
	PassOpen                    // answered, and not read as one option, or without a truth to compare
	PassRight                   // found and right
	PassWrong                   // found and wrong
)

// Next is the pass that a question needs next, or done when it needs none.
// Of total passes (one under Vanilla), the first that is still to be asked
// comes next, unless one before it is found and wrong and not all passes are
// wanted: nothing else ends a question early, because a judge, a better rule
// or a person may still read an open pass as right (MMBench, Sec. 4.2).
func Next(s Strategy, allPasses bool, passes []PassState, total int) (Pass, bool) {
	if s != Circular {
		total = min(total, 1)
	}
	for p := range total {
		state := PassUnset
		if p < len(passes) {
			state = passes[p]
		}
		switch state {
		case PassUnset:
			return Pass(p), false
		case PassWrong:
			if !allPasses {
				return 0, true
			}
		case PassFailed, PassLost, PassOpen, PassRight:
		}
	}
	return 0, true
}

// IsClosed reports whether a question needs no further pass, in this session or
// a later one: a pass that failed is still to be asked, and one that was lost
// is not.
func IsClosed(s Strategy, allPasses bool, passes []PassState, total int) bool {
	again := make([]PassState, len(passes))
	for i, p := range passes {
		if p != PassFailed {
			again[i] = p
		}
	}
	_, done := Next(s, allPasses, again, total)
	return done
}

// StateOfFailure is what a stored failure says about its pass. One that is the
// sample's own is a fact like an answer: a content filter does not change its
// mind by being asked again.
func StateOfFailure(f *Failure) PassState {
	if f.Kind == FailureSample {
		return PassLost
	}
	return PassUnset
}

// StateOfPass is what is known of a pass: that its call failed, or else what the
// rules read, and where they read no choice, what the decider read
// (Config.Decider).
func StateOfPass(p *Prediction, shown Shown, e Extraction, decider string, judgments []Judgment) PassState {
	if p.Failure != nil {
		return StateOfFailure(p.Failure)
	}
	if decider != "" && e.IsUnparsable() {
		for i := range judgments {
			j := &judgments[i]
			if j.Key == p.Key && j.Judge == decider && j.Reads() && j.Extraction.IsFound() {
				e = j.Extraction
			}
		}
	}
	return StateOf(shown, e)
}

// StateOf is what a reading of an answer to shown says about its pass.
func StateOf(shown Shown, e Extraction) PassState {
	switch {
	case !e.IsFound() || shown.Answer == "":
		return PassOpen
	case e.Choice == shown.Answer:
		return PassRight
	}
	return PassWrong
}
