package draw

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/sample"
	"concord/eval"
	"concord/store"
)

// pairPopulation is the population of a queue of pairs: the answers of each model
// beside the anchor's, on every sample that both have answered.
type pairPopulation struct {
	*comparedRuns
	st       *store.Store
	wanted   map[eval.SampleID]bool // empty: all
	leftOut  map[string]int         // why -> pairs
	anchored map[eval.Ordinal]string
	removed  map[eval.Ordinal]bool
	written  map[eval.Ordinal]bool // samples with criteria
}

func newPairing(st *store.Store, r *annotate.Rule, m *comparedRuns) *pairPopulation {
	return &pairPopulation{
		comparedRuns: m, st: st, leftOut: make(map[string]int),
		wanted:   eval.Index(r.IDs, func(id eval.SampleID) (eval.SampleID, bool) { return id, true }),
		anchored: make(map[eval.Ordinal]string), removed: make(map[eval.Ordinal]bool), written: make(map[eval.Ordinal]bool),
	}
}

// readAnchor finds what the anchor has answered, and what curators made of the
// samples.
func (p *pairPopulation) readAnchor(ctx context.Context) error {
	for q, err := range p.st.Runs().Questions(ctx, p.anchor) {
		if err != nil {
			return err
		}
		p.anchored[q.Sample.Ordinal] = whyUnanswered(&q, p.anchor.Config.Model)
	}
	for set, err := range p.st.Criteria().All(ctx, p.anchor.Config.Dataset) {
		if err != nil {
			return err
		}
		p.removed[set.Sample] = set.Removed != nil
		p.written[set.Sample] = len(set.Criteria()) > 0
	}
	return nil
}

// whyUnanswered is why a question has no answer that could be voted on; "" when
// it has one.
func whyUnanswered(q *eval.Question, model string) string {
	at := slices.IndexFunc(q.Predictions, func(p eval.Prediction) bool { return p.Pass == 0 })
	switch {
	case at < 0:
		return "no answer by " + model
	case q.Predictions[at].Failure != nil:
		return "call of " + model + " failed"
	}
	return ""
}

const discardedSample = "discarded sample"

func (p *pairPopulation) eachCandidate(ctx context.Context) iter.Seq2[sample.Candidate, error] {
	return func(yield func(sample.Candidate, error) bool) {
		for _, run := range p.models {
			for q, err := range p.st.Runs().Questions(ctx, run) {
				if err != nil {
					yield(sample.Candidate{}, err)
					return
				}
				if c, ok := p.makeCandidate(run, &q); ok && !yield(c, nil) {
					return
				}
			}
		}
	}
}

// makeCandidate makes the pair of a run's answer and the anchor's, or false, and
// counted, where there is none.
func (p *pairPopulation) makeCandidate(run eval.Run, q *eval.Question) (c sample.Candidate, ok bool) {
	if len(p.wanted) > 0 && !p.wanted[q.Sample.ID] {
		return c, false
	}
	why := p.anchored[q.Sample.Ordinal]
	if own := whyUnanswered(q, run.Config.Model); own != "" {
		why = own
	}
	if p.removed[q.Sample.Ordinal] {
		why = discardedSample
	}
	if why != "" {
		p.leftOut[why]++
		return c, false
	}
	return sample.Candidate{
		Key: eval.Key{Run: run.ID, Sample: q.Sample.Ordinal}, Against: p.anchor.ID,
		Sample: q.Sample.ID, Taxonomy: q.Sample.Taxonomy,
	}, true
}

// describeLeftOut says which pairs were left out, and why; "" when none was.
func (p *pairPopulation) describeLeftOut(before string) string {
	parts := eval.Map(slices.Sorted(maps.Keys(p.leftOut)), func(why string) string {
		return fmt.Sprintf("%d (%s)", p.leftOut[why], why)
	})
	if len(parts) == 0 {
		return ""
	}
	return before + strings.Join(parts, ", ")
}

// countSamples counts how many samples the items are about, and how many of these have
// no criteria.
func (p *pairPopulation) countSamples(items []annotate.QueueItem) (n, bare int) {
	seen := make(map[eval.Ordinal]bool)
	for _, it := range items {
		if o := it.Key.Sample; !seen[o] {
			seen[o] = true
			if !p.written[o] {
				bare++
			}
		}
	}
	return len(seen), bare
}
