package models

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// Corrected is a row once people's labels are taken into account: each side's
// score over the N samples of the row, and their difference by one estimator
// (correct.EstimateDifference). Samples of which both answers are labelled count as pairs,
// the others as independent.
type Corrected struct {
	A          stat.Estimate        `json:"a"`
	B          stat.Estimate        `json:"b"`
	Difference Difference           `json:"difference"` // N is samples of which both answers are labelled
	Labels     report.CountedLabels `json:"labels"`     // of both sides
	Missing    int                  `json:"missing,omitempty"`

	queues []annotate.QueueName
}

// methodCorrected is how a corrected difference comes about.
const methodCorrected = "ppi++ difference"

// labelledRun is what labels make of a run's samples.
type labelledRun struct {
	answers []report.CorrectedAnswer
	of      *report.CorrectedRun
	refused string // why there are no labels
}

// labelCorrector finds what people say of runs, each once.
type labelCorrector struct {
	framing *report.FrameReader
	runs    map[eval.RunID]*labelledRun
}

func newCorrecting(facts report.Facts, o *report.Options) (*labelCorrector, error) {
	f, err := report.NewFraming(facts, o)
	if err != nil {
		return nil, err
	}
	return &labelCorrector{f, make(map[eval.RunID]*labelledRun)}, nil
}

// correctRun gives what labels make of a run as it was read for the comparison.
func (c *labelCorrector) correctRun(ctx context.Context, a *runAnswers) (*labelledRun, error) {
	if out := c.runs[a.run.ID]; out != nil {
		return out, nil
	}
	l, err := c.framing.FindFrames(ctx, a.run.Config.Dataset)
	if err != nil {
		return nil, err
	}
	out := &labelledRun{}
	c.runs[a.run.ID] = out
	drawn, reason := l.FramesOf(a.run.ID)
	if out.refused = reason; reason != "" {
		return out, nil
	}
	out.of, err = report.EachCorrected(ctx, c.framing, a.run, &a.decided.Source.ReadAs, a.strategy == eval.Circular, drawn,
		func(*eval.Sample) bool { return true }, func(a *report.CorrectedAnswer) { out.answers = append(out.answers, *a) })
	return out, err
}

// correctRow corrects a row.
func (c *labelCorrector) correctRow(ctx context.Context, r *Row) error {
	refuse := func(reason string) {
		none := stat.NewUndefinedEstimate(reason)
		r.Corrected = &Corrected{A: none, B: none, Difference: newDifference(none, methodCorrected)}
	}
	var scores [2]correct.Score
	out := &Corrected{}
	for i, p := range []*decidedSide{r.a, r.b} {
		if len(p.runs) > 1 {
			refuse(fmt.Sprintf("%s is several runs: name one by its number", p.distinctName()))
			return nil
		}
		l, err := c.correctRun(ctx, p.answers[0])
		if err != nil {
			return fmt.Errorf("correct %s: %w", p.distinctName(), err)
		}
		if l.refused != "" {
			refuse(p.distinctName() + ": " + l.refused)
			return nil
		}
		scores[i] = r.correctedScore(l, c.framing.Correcting)
		if reason := l.of.WhyRefused(scores[i].Corrected.Reason()); reason != "" {
			refuse(p.distinctName() + ": " + reason)
			return nil
		}
		out.Missing += scores[i].Missing
		for _, fr := range l.of.Frames {
			out.queues = append(out.queues, fr.Queue.Name)
		}
		out.Labels.Counting += l.of.Labels.Counting
		out.Labels.Waiting += l.of.Labels.Waiting
		out.Labels.More += l.of.Labels.More
	}
	out.A, out.B = scores[0].Corrected, scores[1].Corrected
	out.Difference = newDifference(correct.EstimateDifference(&scores[0], &scores[1]), methodCorrected)
	out.Difference.Interval = stat.IntervalPointwise
	if out.Difference.estimate.Sequence {
		out.Difference.Interval = stat.IntervalSequence
	}
	r.Corrected = out
	return nil
}

// correctedScore is a side's corrected score over the samples of the row.
func (r *Row) correctedScore(l *labelledRun, o *report.Correcting) correct.Score {
	strata := report.NewStrata()
	for i := range l.answers {
		a := l.answers[i]
		_, _, first := r.a.scoreOn(a.Sample)
		_, _, second := r.b.scoreOn(a.Sample)
		if !first || !second || !r.belongs(a.Sample) {
			continue
		}
		if a.Cluster == 0 {
			a.Cluster = uint64(a.Sample) + 1 // what both sides say of a sample stands together
		}
		strata.AddAnswer(&a)
	}
	return report.ScoreOf(o, strata.List(), correct.Options{High: 1, Confidence: stat.Confidence}, l.of.Labels)
}

// CorrectedNote says what a corrected difference is.
const CorrectedNote = "Corrected: prediction-powered (PPI++), each side by its own labels. Of their difference, samples of which both answers are labelled are pairs, and the others independent. Tests and ranks are of the machine's word alone."

// Corrections are the row's corrected difference, for whoever asks whether any
// row has one.
func (r *Row) Corrections() []report.NamedCorrection {
	if r.Corrected == nil {
		return nil
	}
	of := fmt.Sprintf("%s less %s, %s, split %s %s", r.a.distinctName(), r.b.distinctName(), r.Strategy, r.Split, eval.Path(r.Path))
	return []report.NamedCorrection{{Of: of, Correction: &report.Correction{
		Corrected: report.Corrected{Estimate: r.Corrected.Difference.estimate}, Queues: r.Corrected.queues,
	}}}
}
