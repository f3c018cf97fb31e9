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

// QuestionState is what became of a question under one strategy. The zero value is unset.
type QuestionState uint8

// The states. Right and NotRight enter a rate; the others are counted beside it.
const (
	StateUnset QuestionState = iota
	Right                    // every pass that counts is found and right
	NotRight                 // a pass is found and wrong, or stayed unread although all were asked
	Pending                  // what is known so far does not decide it
	Unanswered               // an imported file holds nothing for it
	NoTruth                  // there is no ground truth to compare with
	NoRules                  // nobody reads answers to this kind of question
)

var stateNames = [...]string{"", "right", "wrong", "pending", "unanswered", "no_truth", "no_rules"}

// String returns the name that reports use.
func (v QuestionState) String() string { return eval.EnumName(stateNames[:], v) }

// IsDecided reports a state that enters a rate.
func (v QuestionState) IsDecided() bool { return v == Right || v == NotRight }

// Outcome is what became of a question. Readings are in the order of passes.
type Outcome struct {
	Readings  []Reading
	Vanilla   QuestionState // by pass 0 alone
	Circular  QuestionState // by all passes; under the vanilla strategy the same as Vanilla
	Irregular bool          // an imported group whose passes are not all there

	passes bool // Circular is by all passes
}

// StateUnder gives the state under a strategy.
func (o *Outcome) StateUnder(s eval.Strategy) QuestionState {
	return eval.Either(s == eval.Circular, o.Circular, o.Vanilla)
}

// Decide reads the question and decides it. Imported groups are scored on
// the passes that they have, because no more will come; a run of our own
// leaves a question pending until its passes decide it (MMBench, Sec. 4.2).
func (s *Scheme) Decide(q *eval.Question) Outcome { return s.DecideReusing(nil, q) }

// DecideReusing is Decide with its readings in the given room.
func (s *Scheme) DecideReusing(room []Reading, q *eval.Question) Outcome {
	for i := range q.Predictions {
		room = append(room, s.ReadPrediction(&q.Sample, &q.Predictions[i]))
	}
	return s.decideReadings(q, room)
}

// DecideWithOtherReadings gives the outcome where other readings of some predictions, people's say,
// stand in the place of those that o was decided by.
func (s *Scheme) DecideWithOtherReadings(q *eval.Question, o *Outcome, said func(eval.Key) (eval.Extraction, bool)) Outcome {
	readings := slices.Clone(o.Readings)
	for i := range readings {
		if e, ok := said(q.Predictions[i].Key); ok {
			readings[i].Combined, readings[i].Due = e, false
		}
	}
	return s.decideReadings(q, readings)
}

func (s *Scheme) decideReadings(q *eval.Question, readings []Reading) Outcome {
	out := Outcome{Readings: readings, passes: s.Run.Config.Strategy == eval.Circular}
	truth := len(q.Predictions) == 0 && q.Sample.Answer != ""
	for i := range readings {
		truth = truth || readings[i].Answer != ""
	}
	missing := s.hasMissingPasses(q)
	imported := s.Run.Config.Origin == eval.Imported
	out.Irregular = imported && missing && len(q.Predictions) > 0
	if !truth {
		out.Vanilla, out.Circular = NoTruth, NoTruth
		return out
	}
	if isNotRead(out.Readings) {
		out.Vanilla, out.Circular = NoRules, NoRules
		return out
	}
	base := out.Readings[:0:0]
	if len(out.Readings) > 0 && out.Readings[0].Pass == 0 {
		base = out.Readings[:1]
	}
	out.Vanilla = decideState(base, len(base) == 0 || s.isCallDue(&q.Predictions[0]), imported)
	out.Circular = out.Vanilla
	if s.Run.Config.Strategy == eval.Circular {
		out.Circular = decideState(out.Readings, missing, imported)
	}
	return out
}

// isNotRead reports that there are answers, and that the rules and the judge
// read none of them: what was not read is not wrong.
func isNotRead(readings []Reading) bool {
	some := false
	for i := range readings {
		if readings[i].Combined.Status != eval.StatusUnset {
			return false
		}
		some = some || readings[i].IsNotRead()
	}
	return some
}

// decideState gives the state over the readings of the passes that count.
func decideState(readings []Reading, missing, imported bool) QuestionState {
	right, due := true, false
	for i := range readings {
		if readings[i].IsWrong() {
			return NotRight
		}
		right = right && readings[i].IsRight()
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

// isCallDue reports a call of a run of our own that came to nothing for reasons which are not the sample's
// (limits, an outage): the model has not been heard on it, and the call is made again. What an endpoint
// refuses to answer, a content filter say, is a fact about the sample, and not right.
func (s *Scheme) isCallDue(p *eval.Prediction) bool {
	return s.Run.Config.Origin != eval.Imported && p.Failure != nil && p.Failure.Kind != eval.FailureSample
}

// hasMissingPasses reports that passes which the strategy asks for are not there.
func (s *Scheme) hasMissingPasses(q *eval.Question) bool {
	want := eval.Either(s.Run.Config.Strategy == eval.Circular, q.Sample.PassCount(), 1)
	var seen uint64 // a bit for each pass
	for i := range q.Predictions {
		if p := &q.Predictions[i]; p.Pass < 64 && !s.isCallDue(p) {
			seen |= 1 << p.Pass
		}
	}
	all := uint64(1)<<want - 1
	return seen&all != all
}

// DecidingPass is the pass to look at first: the first that is found and wrong,
// else the first that is not right, else the first. False without readings.
func (o *Outcome) DecidingPass() (eval.Pass, bool) {
	if len(o.Readings) == 0 {
		return 0, false
	}
	best := slices.IndexFunc(o.Readings, func(r Reading) bool { return r.IsWrong() })
	if best < 0 {
		best = slices.IndexFunc(o.Readings, func(r Reading) bool { return !r.IsRight() })
	}
	return o.Readings[max(best, 0)].Pass, true
}

// MMECounts counts the questions of MME's subtasks by picture: two questions are
// asked about each, and accuracy+ is the share of pictures with both right
// (MME, Sec. 2.2). Questions of other datasets do not enter.
type MMECounts struct{ pictures map[picture][]PictureQuestion }

type picture struct{ subtask, name string }

// PictureQuestion is one question about a picture, and what became of it.
type PictureQuestion struct {
	Sample   eval.Ordinal
	State    QuestionState
	Answered bool        // there is a text
	Follows  bool        // it begins with yes or no, as the question asks
	Said     eval.Choice // what is read in it; "" when nothing is
	cluster  uint64      // what the question shares beyond its picture; 0: nothing
}

func newPictureQuestion(q *eval.Question, o *Outcome) PictureQuestion {
	out := PictureQuestion{Sample: q.Sample.Ordinal, State: o.Vanilla, cluster: WiderClusterNumber(&q.Sample)}
	if len(o.Readings) > 0 && o.Readings[0].Pass == 0 && !o.Readings[0].Failed {
		out.Answered, out.Follows, out.Said = true, BeginsWithYesNo(q.Predictions[0].Text), o.Readings[0].Combined.Choice
	}
	return out
}

// BeginsWithYesNo reports that an answer begins with yes or no, which MME's questions
// ask for (Sec. 2.2): in any case, as a word, behind white space alone.
func BeginsWithYesNo(answer string) bool {
	s := strings.ToLower(strings.TrimSpace(answer))
	for _, word := range []string{"yes", "no"} {
		if rest, ok := strings.CutPrefix(s, word); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}
	}
	return false
}

// AddQuestion counts a question as it was decided; those of other datasets are left out.
func (m *MMECounts) AddQuestion(q *eval.Question, o *Outcome) {
	subtask, ok := MMESubtaskOf(&q.Sample)
	if !ok {
		return
	}
	at := picture{subtask: subtask}
	if ps := q.Sample.Pictures; len(ps) > 0 {
		// A name comes before the content: some pictures are there twice.
		at.name = cmp.Or(ps[0].Name, string(ps[0].Hash))
	}
	eval.EnsureMap(&m.pictures)[at] = append(m.pictures[at], newPictureQuestion(q, o))
}

// MMESubtaskOf is the subtask of MME that a sample is of; false for others.
func MMESubtaskOf(s *eval.Sample) (string, bool) {
	levels := s.Taxonomy
	if s.Kind != eval.KindYesNo || len(levels) == 0 || eval.MMEAbilityOf(levels[len(levels)-1]) == "" {
		return "", false
	}
	return levels[len(levels)-1], true
}

func (m *MMECounts) merge(o *MMECounts) {
	for p, qs := range o.pictures {
		eval.EnsureMap(&m.pictures)[p] = append(m.pictures[p], qs...)
	}
}

// QuestionsBySubtask yields the questions of each subtask by the picture that they are about,
// in no order: two, or one that has no other or whose picture is not known. Files name some
// pictures twice over: then each two questions in their order are a pair.
func (m *MMECounts) QuestionsBySubtask() iter.Seq2[string, []PictureQuestion] {
	return func(yield func(string, []PictureQuestion) bool) {
		for p, qs := range m.pictures {
			for some := range p.pairsOrSingles(qs) {
				if !yield(p.subtask, some) {
					return
				}
			}
		}
	}
}

// pairsOrSingles are the questions about a picture, two by two in their order.
func (p picture) pairsOrSingles(qs []PictureQuestion) iter.Seq[[]PictureQuestion] {
	size := eval.Either(p.name == "", 1, 2)
	sorted := slices.SortedFunc(slices.Values(qs), func(a, b PictureQuestion) int { return cmp.Compare(a.Sample, b.Sample) })
	return slices.Chunk(sorted, size)
}
