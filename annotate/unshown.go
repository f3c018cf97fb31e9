package annotate

import (
	"fmt"
	"slices"

	"concord/eval"
)

// hidesCriteria reports whether a queue keeps criteria from the person: one of pairs
// that shows none, in which they have voted. Who has not is no annotator of it
// yet, and may be the one who writes them.
func (q *queueView) hidesCriteria() bool {
	return q.Rule.From == FromPairs && !q.Criteria && len(q.own.Labels) > 0
}

// HidesCriteria reports whether any sample's criteria are kept from the person.
func (v *VisibilityPolicy) HidesCriteria() bool {
	return slices.ContainsFunc(v.queues, func(q queueView) bool { return q.hidesCriteria() })
}

// CriteriaHiddenBy is the queue that keeps a sample's criteria from the person until
// they have voted on its pairs; "" when none does. Votes without criteria are
// compared with those with them, and would be no such votes.
func (v *VisibilityPolicy) CriteriaHiddenBy(o eval.Ordinal) (QueueName, error) {
	for i := range v.queues {
		q := &v.queues[i]
		if !q.hidesCriteria() {
			continue
		}
		items, err := v.stored.OfSample(q.Name, o)
		if err != nil {
			return "", fmt.Errorf("find pairs of queue %s on sample %d: %w", q.Name, o, err)
		}
		if slices.ContainsFunc(items, q.open) {
			return q.Name, nil
		}
	}
	return "", nil
}
