package metric

import (
	"slices"

	"concord/eval"
)

// Verdict is what became of a question under one strategy. The zero value is
// unset.
type Verdict uint8

// The verdicts. Right and NotRight enter a rate; the others are counted
// beside it.
const (
	VerdictUnset Verdict = iota
	Right                // every pass that counts is found and right
	NotRight             // a pass is found and wrong, or stayed unread although all were asked
	Pending              // what is known so far does not decide it
	Unanswered           // an imported file holds nothing for it
	NoTruth              // there is no ground truth to compare with
	NoRules              // nobody reads answers to this kind of question
)

var verdictNames = [...]string{"", "right", "wrong", "pending", "unanswered", "no_truth", "no_rules"}

// String returns the name that reports use.
func (v Verdict) String() string { return eval.NameOf(verdictNames[:], v) }

// Decided reports a verdict that enters a rate.
func (v Verdict) Decided() bool { return v == Right || v == NotRight }

// Outcome is what became of a question. Readings are in the order of passes.
type Outcome struct {
	Readings  []Reading
	Vanilla   Verdict // by pass 0 alone
	Circular  Verdict // by all passes; under the vanilla strategy the same as Vanilla
	Irregular bool    // an imported group whose passes are not all there

	passes bool // Circular is by all passes
}

// Outcome reads the question and decides it. Imported groups are scored on
// the passes that they have, because no more will come; a run of our own
// leaves a question pending until its passes decide it (MMBench, Sec. 4.2).
func (s *Scheme) Outcome(q *eval.Question) Outcome {
	readings := make([]Reading, len(q.Predictions))
	for i := range q.Predictions {
		readings[i] = s.Read(&q.Sample, &q.Predictions[i])
	}
	return s.outcome(q, readings)
}

// With is the outcome where other readings of some predictions, people's say,
// stand in the place of those that o was decided by.
func (s *Scheme) With(q *eval.Question, o *Outcome, said func(eval.Key) (eval.Extraction, bool)) Outcome {
	readings := slices.Clone(o.Readings)
	for i := range readings {
		if e, ok := said(q.Predictions[i].Key); ok {
			readings[i].Combined, readings[i].Due = e, false
		}
	}
	return s.outcome(q, readings)
}

func (s *Scheme) outcome(q *eval.Question, readings []Reading) Outcome {
	out := Outcome{Readings: readings, passes: s.Run.Config.Strategy == eval.Circular}
	truth := len(q.Predictions) == 0 && q.Sample.Answer != ""
	for i := range readings {
		truth = truth || readings[i].Answer != ""
	}
	missing := s.missing(q)
	imported := s.Run.Config.Origin == eval.Imported
	out.Irregular = imported && missing && len(q.Predictions) > 0
	if !truth {
		out.Vanilla, out.Circular = NoTruth, NoTruth
		return out
	}
	if notRead(out.Readings) {
		out.Vanilla, out.Circular = NoRules, NoRules
		return out
	}
	base := out.Readings[:0:0]
	if len(out.Readings) > 0 && out.Readings[0].Pass == 0 {
		base = out.Readings[:1]
	}
	out.Vanilla = decide(base, len(base) == 0 || s.due(&q.Predictions[0]), imported)
	out.Circular = out.Vanilla
	if s.Run.Config.Strategy == eval.Circular {
		out.Circular = decide(out.Readings, missing, imported)
	}
	return out
}

// notRead reports that there are answers, and that the rules and the judge
// read none of them: what was not read is not wrong.
func notRead(readings []Reading) bool {
	some := false
	for i := range readings {
		if readings[i].Combined.Status != eval.StatusUnset {
			return false
		}
		some = some || readings[i].NotRead()
	}
	return some
}

// decide is the verdict over the readings of the passes that count.
func decide(readings []Reading, missing, imported bool) Verdict {
	right, due := true, false
	for i := range readings {
		if readings[i].Wrong() {
			return NotRight
		}
		right = right && readings[i].Right()
		due = due || readings[i].Due
	}
	switch {
	case due || missing && !imported:
		return Pending
	case len(readings) == 0:
		return Unanswered
	case right:
		return Right
	}
	return NotRight
}

// due reports a call of a run of our own that came to nothing for reasons
// which are not the sample's (limits, an outage): the model has not been heard
// on it, and the call is made again. What an endpoint refuses to answer, a
// content filter say, is a fact about the sample, and not right.
func (s *Scheme) due(p *eval.Prediction) bool {
	return s.Run.Config.Origin != eval.Imported && p.Failure != nil && p.Failure.Kind != eval.FailureSample
}

// missing reports that passes which the strategy asks for are not there.
func (s *Scheme) missing(q *eval.Question) bool {
	want := 1
	if s.Run.Config.Strategy == eval.Circular {
		want = q.Sample.Passes()
	}
	var seen uint64 // a bit for each pass
	for i := range q.Predictions {
		if p := &q.Predictions[i]; p.Pass < 64 && !s.due(p) {
			seen |= 1 << p.Pass
		}
	}
	all := uint64(1)<<want - 1
	return seen&all != all
}

// Deciding is the pass to look at first: the first that is found and wrong,
// else the first that is not right, else the first. False without readings.
func (o *Outcome) Deciding() (eval.Pass, bool) {
	if len(o.Readings) == 0 {
		return 0, false
	}
	best := -1
	for i := range o.Readings {
		r := &o.Readings[i]
		if r.Wrong() {
			return r.Pass, true
		}
		if best < 0 && !r.Right() {
			best = i
		}
	}
	return o.Readings[max(best, 0)].Pass, true
}
