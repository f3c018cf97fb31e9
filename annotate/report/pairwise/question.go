package pairwise

import (
	"context"
	"fmt"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// question is one question of a comparison with both answers.
type question struct {
	metric.Asked
	sample        eval.Sample
	model, anchor string // answers, where both are there
}

// discard leaves out the samples that curators discarded: what stands in for
// them is a question of the dataset, they are none any more.
func (d *comparisons) discard(ctx context.Context, on eval.DatasetName) error {
	gone, err := report.DiscardedSamples(ctx, d.facts, on)
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		d.gone[on] = gone
		d.notes = append(d.notes, fmt.Sprintf("Discarded samples of %s are left out (%d).", on, len(gone)))
	}
	return nil
}

// questions goes through the questions of a comparison's dataset, with the votes that
// stand: of several on one pair the last one that reads, by sequence.
func (d *comparisons) questions(ctx context.Context, c *contested, each func(*question)) error {
	votes, err := d.votes(ctx, c)
	if err != nil {
		return err
	}
	anchor, err := d.texts(ctx, c.anchor)
	if err != nil {
		return err
	}
	for q, err := range d.facts.Questions(ctx, c.model) {
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
		if d.gone[c.model.Config.Dataset][q.Sample.Ordinal] {
			continue
		}
		b := question{sample: q.Sample}
		model, has := report.Answer(&q)
		other, hasOther := anchor[q.Sample.Ordinal]
		b.model, b.anchor, b.Answered, b.Path = model, other, has && hasOther, q.Sample.Taxonomy
		b.Cluster = metric.Wider(&q.Sample)
		if v := votes[q.Sample.Ordinal]; v != nil {
			for i := range v {
				if v[i] == nil {
					continue
				}
				b.Orders++
				b.Failed = b.Failed || !v[i].Reads()
			}
			b.First, b.Second = standing(v[0]), standing(v[1])
		}
		each(&b)
	}
	return nil
}

func standing(p *eval.Preference) eval.Vote {
	if p == nil || !p.Reads() {
		return eval.VoteUnset
	}
	return p.Vote
}

// votes are those that stand, by sample: with the model's answer first, and
// second.
func (d *comparisons) votes(ctx context.Context, c *contested) (map[eval.Ordinal]*[2]*eval.Preference, error) {
	out := make(map[eval.Ordinal]*[2]*eval.Preference)
	all, err := report.StandingVotes(ctx, d.facts, c.Comparison)
	if err != nil {
		return nil, err
	}
	for pair, p := range all {
		if out[pair.Sample] == nil {
			out[pair.Sample] = &[2]*eval.Preference{}
		}
		out[pair.Sample][report.OneIf(pair.First != c.model.ID)] = p
	}
	return out, nil
}

// texts are a run's answers by sample, read once for all comparisons.
func (d *comparisons) texts(ctx context.Context, run eval.Run) (map[eval.Ordinal]string, error) {
	if have := d.answers[run.ID]; have != nil {
		return have, nil
	}
	out := make(map[eval.Ordinal]string)
	for q, err := range d.facts.Questions(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		if text, ok := report.Answer(&q); ok {
			out[q.Sample.Ordinal] = text
		}
	}
	d.answers[run.ID] = out
	return out, nil
}
