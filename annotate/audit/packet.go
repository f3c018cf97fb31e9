package audit

import (
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/eval"
)

// Packets tells what went out to people who are away, and what came of it, of
// which of says the dataset.
func Packets(all []packet.Packet, of func(annotate.QueueName) eval.DatasetName) []Event {
	var out [][]Event
	for i := range all {
		p := &all[i]
		if p.Here {
			continue // this project is the packet: its queue tells it
		}
		base := Event{Kind: Packet, Queue: p.Queue, Dataset: of(p.Queue)}
		made, merged, recalled := base, base, base
		made.At, made.Who = p.Made, p.By
		made.What = fmt.Sprintf("packet %s for %s: %s", p.ID, p.Who, plural(len(p.Keys), "item", "items"))
		merged.Who, recalled.Who = p.MergedBy, p.RecallBy
		merged.At, merged.What = p.Merged, fmt.Sprintf("packet %s of %s came home: %s by now", p.ID, p.Who, plural(p.Labels, "label", "labels"))
		recalled.At, recalled.What = p.Recalled, fmt.Sprintf("packet %s of %s called back", p.ID, p.Who)
		later := slices.DeleteFunc([]Event{merged, recalled}, func(e Event) bool { return e.At.IsZero() })
		slices.SortFunc(later, func(a, b Event) int { return a.At.Compare(b.At) })
		out = append(out, append([]Event{made}, later...))
	}
	return Sorted(out)
}
