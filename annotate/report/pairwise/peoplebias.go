package pairwise

import (
	"context"
	"errors"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

const (
	peopleJudge    = "people"
	peopleBiasNote = "First shown is the share of votes for an answer that went to the one shown first. People's lengths are counted over what the majority, or the person, says of a pair; votes on excluded pairs and those after the reveal do not count."
)

// countPeopleBiases counts the biases of the people of every queue of pairs: of their
// majority first.
func countPeopleBiases(ctx context.Context, facts report.VoteFacts, o *VoteOptions) ([][]*biasCounts, error) {
	ao := AgreementOptions{VoteOptions: *o}
	all, err := readPairQueues(ctx, facts, &ao)
	if err != nil {
		if errors.Is(err, eval.ErrNotFound) {
			return nil, nil // no queue of pairs
		}
		return nil, err
	}
	d, err := newComparisons(facts, *o)
	if err != nil {
		return nil, err
	}
	var out [][]*biasCounts
	for _, p := range all {
		if len(p.people) == 0 {
			continue
		}
		group := []*biasCounts{p.newBiases(d, "")}
		for _, who := range p.people {
			group = append(group, p.newBiases(d, who))
		}
		if err := p.countBiases(ctx, d, group); err != nil {
			return nil, err
		}
		out = append(out, group)
	}
	return out, nil
}

func (p *pairQueue) newBiases(d *comparisonReader, who annotate.Annotator) *biasCounts {
	row := &BiasRow{Queue: p.queue.Name, Person: who}
	row.Dataset, row.Split, row.Model, row.Anchor = p.queue.Rule.Dataset, report.AllSplits, allModels, allModels
	row.Modality, row.Input, row.Synthetic = eval.WithImage.String(), eval.SeesImage.String(), p.queue.Synthetic
	row.Judge, row.Criteria, row.Merge = peopleJudge, p.queue.Criteria, "majority"
	if who != "" {
		row.Merge = "none"
	}
	if len(p.entries) > 0 {
		first := p.entries[0].pair
		row.Run, row.AnchorRun = first.First, first.Second
		for _, e := range p.entries {
			if e.pair.First != row.Run {
				row.Run = 0
			}
			if e.pair.Second != row.AnchorRun {
				row.AnchorRun = 0
			}
		}
	}
	if row.Run != 0 {
		row.Model, row.Setting = d.runs[row.Run].Config.Model, d.runs[row.Run].Setting
	}
	if row.AnchorRun != 0 {
		row.Anchor = report.NameRun(d.runs[row.AnchorRun])
	}
	return &biasCounts{row: row, ongoing: p.ongoing}
}

// countBiases counts the pairs of the pool into the group's biases.
func (p *pairQueue) countBiases(ctx context.Context, d *comparisonReader, group []*biasCounts) error {
	for _, e := range p.entries {
		if e.filtered {
			continue
		}
		model, err := d.readResponses(ctx, d.runs[e.pair.First])
		if err != nil {
			return err
		}
		anchor, err := d.readResponses(ctx, d.runs[e.pair.Second])
		if err != nil {
			return err
		}
		more := metric.CountTokens(model[e.pair.Sample]) - metric.CountTokens(anchor[e.pair.Sample])
		for _, b := range group {
			said := p.voteOf(e, b.row.Person)
			b.row.keepQuestion(e.pair, e.path, keptQuestion{result: said.result}, ofResult[said.result])
			for who, v := range e.votes {
				if (b.row.Person == "" || b.row.Person == who) && !v.Excluded && !v.Informed {
					b.countShown(e.cluster, v.shown, false) // a person sees one order
				}
			}
			b.questions.Results[said.result]++
			b.pairs = append(b.pairs, biasPair{cluster: e.cluster})
			b.countLength(more, said.result)
		}
	}
	for _, b := range group {
		b.fillRow()
		none := stat.UndefinedRate("a person sees one order")
		b.row.Position = PositionRates{Same: none, First: none, Second: none, Other: none}
	}
	return nil
}

// voteOf is what one person says, or without a name the majority.
func (p *pairQueue) voteOf(e *queuePair, who annotate.Annotator) pairOpinion {
	if who == "" {
		return p.majorityOpinion(e)
	}
	return p.personOpinion(e, who)
}
