package report

import (
	"fmt"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
)

// ExcludedItem is an item of a queue that a curator took out of all figures, and
// why.
type ExcludedItem struct {
	Queue   annotate.QueueName `json:"queue"`
	Run     eval.RunID         `json:"run"`
	Against eval.RunID         `json:"against,omitempty"` // of a pair: the other run
	Sample  eval.SampleID      `json:"sample"`
	Pass    eval.Pass          `json:"pass"`
	Reason  string             `json:"reason"`
	By      annotate.Annotator `json:"by"`
	At      time.Time          `json:"at"`
}

// ExcludedItems lists the exclusions that stand in a queue, by what stands of everybody's
// acts in it.
func ExcludedItems(facts Facts, q *annotate.Queue, states map[annotate.Annotator]annotate.State) ([]ExcludedItem, error) {
	var out []ExcludedItem
	for _, x := range annotate.ExclusionsOf(states) {
		s, err := facts.Sample(q.Rule.Dataset, x.Item.Sample)
		if err != nil {
			return nil, fmt.Errorf("read sample of excluded item %s: %w", x.Item, err)
		}
		out = append(out, ExcludedItem{
			Queue: q.Name, Run: x.Item.Run, Against: x.Item.Against, Sample: s.ID, Pass: x.Item.Pass, Reason: x.Reason, By: x.By, At: x.At,
		})
	}
	return out, nil
}

// namedExclusions is how many exclusions a note names.
const namedExclusions = 10

// LeaveOut lists excluded items beside the report's figures: as data, and in a note.
func (r *Report) LeaveOut(items []ExcludedItem) {
	if len(items) == 0 {
		return
	}
	r.Exclusions = append(r.Exclusions, items...)
	var names []string
	for i, x := range items {
		if i == namedExclusions {
			names = append(names, fmt.Sprintf("and %d more", len(items)-i))
			break
		}
		names = append(names, fmt.Sprintf("sample %s of run %d in queue %s (%s; %s)", x.Sample, x.Run, x.Queue, x.Reason, x.By))
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Excluded by curators: %s: %s.", Plural(len(items), "item"), strings.Join(names, ", ")))
}
