package session

import (
	"testing"

	"concord/annotate"
)

// Everybody is offered an item whose answer is known, and one on which others
// differ is offered to the extra person; nobody else.
func TestSessionOffersWhatItemsWant(t *testing.T) {
	var items []annotate.QueueItem
	for i := range 4 {
		items = append(items, annotate.QueueItem{Index: i, Key: keyOf(i)})
	}
	crowd := func(said ...annotate.Reading) (c annotate.Crowd) {
		for _, r := range said {
			c.AddLabel(r)
		}
		return c
	}
	others := map[annotate.ItemKey]annotate.Crowd{
		keyOf(0): crowd(pick("A"), pick("A")),
		keyOf(1): crowd(pick("A"), pick("B")),
		keyOf(2): crowd(pick("A"), pick("A")), // known
		keyOf(3): crowd(pick("A"), pick("B"), pick("C")),
	}
	count := make(map[annotate.ItemKey]int)
	for k, c := range others {
		count[k] = c.People
	}
	s, err := New(Opening{
		Queue: annotate.Queue{Name: "q", Overlap: 2, Extra: 1}, Annotator: "cy", Items: items, Others: count,
		Hidden: NewHidden([]annotate.Gold{{Key: keyOf(2), Reading: pick("A")}}, others),
	})
	if err != nil {
		t.Fatal(err)
	}
	var offered []int
	for i := range s.Walk.Len() {
		s.Walk.ShowPosition(i)
		at, _, _ := s.Walk.Current()
		offered = append(offered, at)
	}
	if len(offered) != 2 || offered[0] != 1 || offered[1] != 2 {
		t.Errorf("offered %v, want 1 and 2", offered)
	}
}
