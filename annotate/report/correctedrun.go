package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/eval/metric"
)

// CorrectedAnswer is what a corrected score takes of one question that a run has
// decided: the machine's word and, where it is labelled, people's, both 1 for right
// and 0. The score is over questions, however many passes they have.
type CorrectedAnswer struct {
	Sample          eval.Ordinal
	Cluster         uint64 // what the question shares with others; 0: nothing
	Stratum         string
	State           ItemState
	Machine, People float64
	Extracted       eval.Extraction  // of the first pass, by the machine
	Said            annotate.Reading // and by people, where all are labelled
	Weight          float64          // 1 over the probability with which it was drawn, where labels have their own; else 0

	// Again is People in a resample of the labels, with how often the question is
	// in it, where a model of people's errors says it; else nil.
	Again func(resample int) (float64, int32)
}

// AddAnswer adds the question to strata.
func (s *Strata) AddAnswer(a *CorrectedAnswer) {
	s.Cluster, s.Weight, s.Again = a.Cluster, a.Weight, a.Again
	switch a.State {
	case StateSaid:
		s.AddLabelled(a.Stratum, a.Machine, a.People)
	case StateMissing:
		s.AddMissing(a.Stratum, a.Machine)
	case StateOpen:
		s.AddUnlabelled(a.Stratum, a.Machine)
	}
}

// CorrectedRun finds what of a run's questions people's labels say.
type CorrectedRun struct {
	Frames   []*RowFrame
	Labels   CountedLabels
	LeftOut  map[string]int // items of the queues without a say of people: why
	Circular bool

	scheme *metric.Scheme
	labels int // questions that are labelled
	partly int // questions of which some passes are
	open   int // questions that people's readings leave undecided
	uneven bool
	passes int // questions of which a model of people's errors has several passes
}

// EachCorrectedQuestion tells each question of a run that is decided and covered, under
// a strategy, with what the labels of frames make of it. The unit is the question.
func EachCorrectedQuestion(
	ctx context.Context, f *FrameReader, run eval.Run, read *Options, circular bool, drawn []*LabelFrame, covers func(*eval.Sample) bool, each func(*CorrectedAnswer),
) (*CorrectedRun, error) {
	b := &CorrectedRun{Circular: circular, LeftOut: make(map[string]int)}
	b.Frames, b.Labels = FindFramesForRow(drawn, run.ID, circular)
	var err error
	if b.scheme, _, err = NewSchemeOfRun(ctx, f.Facts, run, read); err != nil {
		return nil, err
	}
	rules := eval.FlatMap(b.Frames, func(f *RowFrame) []eval.Reader { return f.listRules() })
	questions := ReadQuestions(ctx, f.Facts, run, append([]eval.Reader{b.scheme.Rules}, rules...)...)
	return b, eachReadAhead(ctx, questions, new(Progress), func(q *eval.Question) {
		if !covers(&q.Sample) {
			return
		}
		if a := b.correctAnswer(q); a != nil {
			each(a)
		}
		CountUnlabelled(b.LeftOut, b.Frames, q, circular)
	})
}

// WhyRefused is why the labels do not determine a score, given why the score itself
// says so; "" where they do.
func (b *CorrectedRun) WhyRefused(reason string) string {
	switch {
	case b.passes > 0:
		return fmt.Sprintf("of some questions (%d) several passes are labelled, and dawid-skene takes every answer by itself: use another --policy", b.passes)
	case b.uneven:
		return "its labels were drawn with probabilities of their own: how likely all passes of a question were to be drawn is not known"
	case b.partly > 0 && b.labels == 0:
		return fmt.Sprintf("of some questions (%d) one pass or more is labelled, of none all that a queue was drawn from (%s)", b.partly, drawWhole)
	case b.partly > 0 && reason != "":
		return reason + " (" + drawWhole + ")"
	case b.open > 0:
		return fmt.Sprintf("people read as right the pass that ended a question (%d): its other passes were never asked", b.open)
	}
	return reason
}

// drawWhole is what to do about questions that are labelled in part.
const drawWhole = "queue create --whole draws questions with all their passes"

func (b *CorrectedRun) verdictOf(o *metric.Outcome) metric.QuestionState {
	return eval.Either(b.Circular, o.Circular, o.Vanilla)
}

// correctAnswer gives what is known of a question; nil of one that is in no rate.
func (b *CorrectedRun) correctAnswer(q *eval.Question) *CorrectedAnswer {
	machine := b.scheme.Decide(q)
	verdict := b.verdictOf(&machine)
	if !verdict.IsDecided() {
		return nil
	}
	out := &CorrectedAnswer{Sample: q.Sample.Ordinal, Cluster: metric.ClusterNumber(&q.Sample), Stratum: NoText, State: StateOpen, Machine: verdictScore(verdict), Extracted: machine.Readings[0].Combined}
	failed := func(r metric.Reading) bool { return r.Failed && (r.Pass == 0 || b.Circular) }
	if slices.ContainsFunc(machine.Readings, failed) { // which is not right, whatever the others say
		return out
	}
	s := b.sortPasses(q)
	if out.Stratum = AsRead; len(s.framed) == 0 || b.isDecidedAnyway(q, &machine, &s) {
		return out
	}
	out.Stratum, out.Weight = s.name, s.weight
	switch {
	case s.open > 0:
		b.partly += OneIf(len(s.said) > 0)
		return out
	case s.missing > 0:
		out.State = StateMissing
		return out
	}
	people := b.verdictByPeople(q, &machine, func(k eval.Key) (annotate.Reading, bool) { r, ok := s.said[k]; return r, ok })
	if !people.IsDecided() {
		b.open++
		return nil
	}
	b.labels++
	out.State, out.People, out.Said = StateSaid, verdictScore(people), s.said[q.Predictions[0].Key]
	b.applyModel(q, &machine, &s, out)
	return out
}

// verdictByPeople is the verdict with what people read in place of the machine's.
func (b *CorrectedRun) verdictByPeople(q *eval.Question, machine *metric.Outcome, said func(eval.Key) (annotate.Reading, bool)) metric.QuestionState {
	with := b.scheme.DecideWithOtherReadings(q, machine, func(k eval.Key) (eval.Extraction, bool) {
		r, ok := said(k)
		if r.Kind == annotate.PickedOption {
			return eval.Extraction{Status: eval.Found, Choice: r.Choice}, ok
		}
		return eval.Extraction{Status: eval.None}, ok
	})
	return b.verdictOf(&with)
}

// applyModel puts, under a policy of one, the chance that people mean what is right in
// the place of their word.
func (b *CorrectedRun) applyModel(q *eval.Question, machine *metric.Outcome, s *sortedQuestion, out *CorrectedAnswer) {
	for k := range s.said {
		for _, f := range b.Frames {
			p, again, ok := f.basis.ReadingChance(annotate.NewItemKey(k), func(r annotate.Reading) bool {
				return b.verdictByPeople(q, machine, func(of eval.Key) (annotate.Reading, bool) { return r, of == k }) == metric.Right
			})
			if ok {
				out.People, out.Again = p, again
				b.passes += OneIf(len(s.said) > 1)
				return
			}
		}
	}
}

func verdictScore(v metric.QuestionState) float64 { return float64(OneIf(v == metric.Right)) }

// sortedQuestion is a question by what could have been labelled of it.
type sortedQuestion struct {
	name    string // of its stratum
	weight  float64
	framed  []eval.Key
	said    map[eval.Key]annotate.Reading
	missing int // passes that were drawn and stay without a say of people
	open    int // all other passes that a queue was drawn from
}

func (b *CorrectedRun) sortPasses(q *eval.Question) sortedQuestion {
	var out sortedQuestion
	passes := make([]int, len(b.Frames))
	for i := range q.Predictions {
		p := &q.Predictions[i]
		if p.Pass > 0 && !b.Circular {
			continue
		}
		at := slices.IndexFunc(b.Frames, func(f *RowFrame) bool { return f.IncludesPrediction(q, i) })
		if at < 0 {
			continue
		}
		passes[at]++
		if w := b.Frames[at].WeightOf(p.Key); w > 0 {
			b.uneven = b.uneven || b.Circular && len(q.Predictions) > 1 && !b.Frames[at].Queue.Rule.Whole
			out.weight = w
		}
		out.framed = append(out.framed, p.Key)
		switch f := b.Frames[at]; f.StateOf(p.Key, &q.Sample, false) {
		case StateSaid:
			eval.EnsureMap(&out.said)[p.Key] = f.Said[p.Key]
		case StateMissing:
			out.missing++
		case StateOpen:
			out.open++
		}
	}
	var parts []string
	for i, n := range passes {
		if n == 0 {
			continue
		}
		part := b.Frames[i].StratumOf(&q.Sample)
		if n > 1 && !b.Frames[i].Queue.Rule.Whole {
			part += fmt.Sprintf(", %d passes", n)
		}
		parts = append(parts, part)
	}
	out.name = strings.Join(parts, " and ")
	return out
}

// isDecidedAnyway reports a question that stays not right whatever people say of the
// passes that could be labelled: another pass is found and wrong.
func (b *CorrectedRun) isDecidedAnyway(q *eval.Question, machine *metric.Outcome, s *sortedQuestion) bool {
	if len(q.Predictions) == 1 {
		return false // there is no other
	}
	best := b.scheme.DecideWithOtherReadings(q, machine, func(k eval.Key) (eval.Extraction, bool) {
		at := slices.IndexFunc(q.Predictions, func(p eval.Prediction) bool { return p.Key == k })
		return eval.Extraction{Status: eval.Found, Choice: machine.Readings[at].Answer}, slices.Contains(s.framed, k)
	})
	return b.verdictOf(&best) == metric.NotRight
}
