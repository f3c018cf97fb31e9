package blind

import (
	"fmt"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// hidesCriteria reports whether a queue keeps criteria from the person: one of
// pairs that shows none, in which they have voted. A person who has not voted is
// no annotator of it yet, and may be the one who writes the criteria.
func (q *queueView) hidesCriteria() bool {
	return q.Rule.From == annotate.FromPairs && !q.Criteria && len(q.own.Labels) > 0
}

// HidesCriteria reports whether any sample's criteria are kept from the person.
func (p *Policy) HidesCriteria() bool {
	return slices.ContainsFunc(p.queues, func(q queueView) bool { return q.hidesCriteria() })
}

// CriteriaHiddenBy names the queue that keeps a sample's criteria from the person
// until they have voted on its pairs; "" when none does. Votes without criteria
// are compared with votes with them, so they have to be given without.
func (p *Policy) CriteriaHiddenBy(o eval.Ordinal) (annotate.QueueName, error) {
	for i := range p.queues {
		q := &p.queues[i]
		if !q.hidesCriteria() {
			continue
		}
		items, err := p.stored.OfSample(q.Name, o)
		if err != nil {
			return "", fmt.Errorf("find pairs of queue %s on sample %d: %w", q.Name, o, err)
		}
		if slices.ContainsFunc(items, q.open) {
			return q.Name, nil
		}
	}
	return "", nil
}
