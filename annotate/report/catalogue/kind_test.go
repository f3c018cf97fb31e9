package catalogue

import (
	"slices"
	"testing"

	"concord/annotate"
)

// Files of reports are named by their kinds, so that no two have one name.
func TestNamesAreUnique(t *testing.T) {
	labels := annotate.Queue{Name: "q", Rule: annotate.Rule{From: annotate.FromAll}}
	pairs := annotate.Queue{Name: "p", Rule: annotate.Rule{From: annotate.FromPairs}}
	seen := make(map[string]bool)
	for _, k := range slices.Concat(OfRuns(), OfVotes(), OfQueue(&labels, "q"), OfQueue(&pairs, "p")) {
		if seen[k.Name] || k.Title == "" || k.Build == nil {
			t.Errorf("%+v", k)
		}
		seen[k.Name] = true
	}
	if got := OfQueue(&pairs, "p"); len(got) != 1 {
		t.Errorf("%d reports on a queue of pairs, want 1", len(got))
	}
}
