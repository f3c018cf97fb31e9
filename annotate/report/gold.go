package report

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// KnownAnswersOf are the items of a queue whose answer is known, with it.
func KnownAnswersOf(facts Facts, q *annotate.Queue) (map[annotate.ItemKey]annotate.Reading, error) {
	if q.GoldItems == 0 {
		return nil, nil
	}
	all, err := facts.GoldItems(q.Name)
	if err != nil {
		return nil, fmt.Errorf("read known answers of queue %s: %w", q.Name, err)
	}
	out := make(map[annotate.ItemKey]annotate.Reading, len(all))
	for _, g := range all {
		out[g.Key] = g.Reading
	}
	return out, nil
}

// IsAdded reports whether an item was not drawn, but added since its answer is
// known: it stands for nothing but itself, and enters no figure.
func IsAdded(golds map[annotate.ItemKey]annotate.Reading, it *annotate.QueueItem) bool {
	_, known := golds[it.Key]
	return known && it.Inclusion == 0
}

// checked is how everybody together did on the items of a queue whose answer is
// known.
func checked(ctx context.Context, facts Facts, q *annotate.Queue, golds map[annotate.ItemKey]annotate.Reading) (out stat.Count, err error) {
	if len(golds) == 0 {
		return out, nil
	}
	acts := make(map[annotate.Annotator][]annotate.Act)
	for a, err := range facts.QueueActs(ctx, q.Name) {
		if err != nil {
			return out, fmt.Errorf("read acts on queue %s: %w", q.Name, err)
		}
		acts[a.Annotator] = append(acts[a.Annotator], a)
	}
	for _, own := range acts {
		out.Merge(annotate.Checked(own, golds))
	}
	return out, nil
}

// AddedTo are the items that were added to a queue since their answer is known.
func AddedTo(ctx context.Context, facts Facts, q *annotate.Queue) (map[annotate.ItemKey]bool, error) {
	golds, err := KnownAnswersOf(facts, q)
	if err != nil || len(golds) == 0 {
		return nil, err
	}
	out := make(map[annotate.ItemKey]bool)
	for it, err := range facts.QueueItems(ctx, q.Name) {
		if err != nil {
			return nil, fmt.Errorf("read items of queue %s: %w", q.Name, err)
		}
		if IsAdded(golds, &it) {
			out[it.Key] = true
		}
	}
	return out, nil
}

// LearningNotes says what in a queue was not drawn, and how many people its items
// were given to.
func LearningNotes(q *annotate.Queue, added int) []string {
	var notes []string
	if q.GoldItems > 0 {
		notes = append(notes, fmt.Sprintf("Everybody labels the items whose answer is known (%s). Of these, drawn and counted as others are: %s; added, and left out as %q: %s.",
			table.Grouped(q.GoldItems), table.Grouped(q.GoldItems-added), annotate.LeftGold, table.Grouped(added)))
	}
	if q.Extra > 0 {
		notes = append(notes, fmt.Sprintf("Items on which the first %d people did not all say the same were given to up to %d more, without their knowing: what people say of an item is from all their labels, and a person's own rates are over more such items the more they were asked for. Some items on which they all said the same were given to as many more, so that being asked tells nothing: what these say of them is left out of everything.", q.Wanted(), q.Extra))
	}
	return notes
}
