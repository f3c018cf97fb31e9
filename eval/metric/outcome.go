package metric

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Under is the verdict under a strategy.
func (o *Outcome) Under(s eval.Strategy) Verdict {
	if s == eval.Circular {
		return o.Circular
	}
	return o.Vanilla
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

// MME counts the questions of MME's subtasks by picture: two questions are
// asked about each, and accuracy+ is the share of pictures with both right
// (MME, Sec. 2.2). Questions of other datasets do not enter.
type MME struct{ pictures map[picture][]Look }

// picture is a picture within a subtask.
type picture struct{ subtask, name string }

// Look is one question about a picture, and what became of it.
type Look struct {
	Sample   eval.Ordinal
	Verdict  Verdict
	Answered bool        // there is a text
	Follows  bool        // it begins with yes or no, as the question asks
	Said     eval.Choice // what is read in it; "" when nothing is
	cluster  uint64      // what the question shares beyond its picture; 0: nothing
}

func look(q *eval.Question, o *Outcome) Look {
	out := Look{Sample: q.Sample.Ordinal, Verdict: o.Vanilla, cluster: Wider(&q.Sample)}
	if len(o.Readings) > 0 && o.Readings[0].Pass == 0 && !o.Readings[0].Failed {
		out.Answered, out.Follows, out.Said = true, Follows(q.Predictions[0].Text), o.Readings[0].Combined.Choice
	}
	return out
}

// Follows reports that an answer begins with yes or no, which MME's questions
// ask for (Sec. 2.2): in any case, as a word, behind white space alone.
func Follows(answer string) bool {
	s := strings.ToLower(strings.TrimSpace(answer))
	for _, word := range []string{"yes", "no"} {
		if rest, ok := strings.CutPrefix(s, word); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}
	}
	return false
}

// Add counts a question as it was decided; those of other datasets are left
// out.
func (m *MME) Add(q *eval.Question, o *Outcome) {
	subtask, ok := MMESubtask(&q.Sample)
	if !ok {
		return
	}
	at := picture{subtask: subtask}
	if ps := q.Sample.Pictures; len(ps) > 0 {
		// A name comes before the content: some pictures are there twice.
		at.name = cmp.Or(ps[0].Name, string(ps[0].Hash))
	}
	if m.pictures == nil {
		m.pictures = make(map[picture][]Look)
	}
	m.pictures[at] = append(m.pictures[at], look(q, o))
}

// MMESubtask is the subtask of MME that a sample is of; false for others.
func MMESubtask(s *eval.Sample) (string, bool) {
	levels := s.Taxonomy
	if s.Kind != eval.KindYesNo || len(levels) == 0 || eval.MMEAbility(levels[len(levels)-1]) == "" {
		return "", false
	}
	return levels[len(levels)-1], true
}

func (m *MME) merge(o *MME) {
	if m.pictures == nil && len(o.pictures) > 0 {
		m.pictures = make(map[picture][]Look)
	}
	for p, qs := range o.pictures {
		m.pictures[p] = append(m.pictures[p], qs...)
	}
}

// Looks yields the questions of each subtask by the picture that they are
// about, in no order: two, or one that has no other or whose picture is not
// known. Files name some pictures twice over: then each two questions in their
// order are a pair.
func (m *MME) Looks() iter.Seq2[string, []Look] {
	return func(yield func(string, []Look) bool) {
		for p, qs := range m.pictures {
			for some := range p.chunks(qs) {
				if !yield(p.subtask, some) {
					return
				}
			}
		}
	}
}

// chunks are the questions about a picture, two by two in their order.
func (p picture) chunks(qs []Look) iter.Seq[[]Look] {
	size := 2
	if p.name == "" {
		size = 1
	}
	sorted := slices.SortedFunc(slices.Values(qs), func(a, b Look) int { return cmp.Compare(a.Sample, b.Sample) })
	return slices.Chunk(sorted, size)
}
