package annotate

import "testing"

// Everybody is offered an item whose answer is known, and one on which others
// differ is offered to the extra person; nobody else.
func TestSessionOffersWhatItemsWant(t *testing.T) {
	var items []QueueItem
	for i := range 4 {
		items = append(items, QueueItem{Index: i, Key: s_keyOf(i)})
	}
	crowd := func(said ...Reading) (c Crowd) {
		for _, r := range said {
			c.Join(r)
		}
		return c
	}
	others := map[ItemKey]Crowd{
		s_keyOf(0): crowd(s_pick("A"), s_pick("A")),
		s_keyOf(1): crowd(s_pick("A"), s_pick("B")),
		s_keyOf(2): crowd(s_pick("A"), s_pick("A")), // known
		s_keyOf(3): crowd(s_pick("A"), s_pick("B"), s_pick("C")),
	}
	count := make(map[ItemKey]int)
	for k, c := range others {
		count[k] = c.People
	}
	s, err := NewSession(Opening{
		Queue: Queue{Name: "q", Overlap: 2, Extra: 1}, Annotator: "cy", Items: items, Others: count,
		Hidden: Hide([]Gold{{Key: s_keyOf(2), Reading: s_pick("A")}}, others),
	})
	if err != nil {
		t.Fatal(err)
	}
	var offered []int
	for i := range s.Len() {
		s.Goto(i)
		at, _, _ := s.Current()
		offered = append(offered, at)
	}
	if len(offered) != 2 || offered[0] != 1 || offered[1] != 2 {
		t.Errorf("offered %v, want 1 and 2", offered)
	}
}
