package annotate

import (
	"math/rand/v2"
	"testing"

	"concord/eval"
)

func TestWants(t *testing.T) {
	vote := func(v eval.Vote, swapped bool) Reading { return Reading{Verdict: Voted, Vote: v, Swapped: swapped} }
	check := func(overlap, extra int, want int, said ...Reading) {
		t.Helper()
		q := Queue{Overlap: overlap, Extra: extra}
		var c Crowd
		for _, r := range said {
			c.Join(r)
		}
		if got := q.Wants(c.Differ(), false); got != want || c.People != len(said) {
			t.Errorf("overlap %d, extra %d, %v: wants %d of %d people, want %d", overlap, extra, said, got, c.People, want)
		}
		for _, r := range said {
			c.Leave(r)
		}
		if c.People != 0 || c.Sides != 0 || len(c.Classes) > 0 {
			t.Errorf("all have left, and there is %+v", c)
		}
	}
	none, refused := Reading{Verdict: SaidNone}, Reading{Verdict: SaidRefused}
	check(2, 0, 2)
	check(2, 1, 2, pick("A"), pick("A"))
	check(2, 1, 3, pick("A"), pick("B"))
	check(2, 0, 2, pick("A"), pick("B"))
	check(2, 1, 2, none, refused) // neither is one option
	check(2, 1, 3, pick("A"), none)
	check(3, 2, 5, pick("A"), pick("A"), pick("B"))
	check(2, 1, 2, vote(eval.Answer1, false), vote(eval.Answer2, true)) // the same answer
	check(2, 1, 3, vote(eval.Answer1, false), vote(eval.Answer1, true))
	check(2, 1, 2, vote(eval.SituationOne, false), vote(eval.SituationTwo, true)) // neither is preferred
	check(2, 1, 3, Reading{Verdict: Scored, Score: 4}, Reading{Verdict: Scored, Score: 5})
	if q := (Queue{Overlap: 1}); q.Wants(false, true) != Everybody {
		t.Error("an item whose answer is known does not want everybody")
	}
}

func TestStrew(t *testing.T) {
	check := func(n, drawnGolds, others int, share float64, wantAdded int) {
		t.Helper()
		var items []QueueItem
		var golds []Gold
		for i := range n {
			items = append(items, QueueItem{Index: i, Key: keyOf(i), Inclusion: 0.5})
			if i < drawnGolds {
				golds = append(golds, Gold{Key: keyOf(i), Reading: pick("A")})
			}
		}
		for i := range others {
			golds = append(golds, Gold{Key: keyOf(n + i), Reading: pick("A")})
		}
		out, in := Strew(items, golds, share, 3)
		if len(out) != n+wantAdded || len(in) != drawnGolds+wantAdded {
			t.Fatalf("%d of %d: %d items, %d golds, want %d more", others, n, len(out), len(in), wantAdded)
		}
		at := 0
		gaps := make(map[int]bool)
		last := -1
		for i, it := range out {
			switch {
			case it.Index != i:
				t.Errorf("item %d has index %d", i, it.Index)
			case it.Inclusion == 0:
				gaps[i-last] = true
				last = i
			case it.Key != keyOf(at):
				t.Fatalf("item %d: %s, want %s: the others keep their order", i, it.Key, keyOf(at))
			default:
				at++
			}
		}
		if wantAdded > 8 && len(gaps) < 4 {
			t.Errorf("they come at even distances: %v", gaps)
		}
		for i := range 4 { // any quarter holds about its share
			known := 0
			for _, it := range out[i*len(out)/4 : (i+1)*len(out)/4] {
				if it.Inclusion == 0 {
					known++
				}
			}
			if drift := known - wantAdded/4; drift < -2 || drift > 2 {
				t.Errorf("quarter %d holds %d of %d", i, known, wantAdded)
			}
		}
	}
	check(90, 0, 50, 0.1, 10)
	check(90, 9, 50, 0.1, 0) // 9 of 90 are known already
	check(90, 3, 50, 0.1, 7)
	check(90, 0, 4, 0.1, 4) // there are no more
	check(900, 0, 500, 0.2, 225)
	check(0, 0, 5, 0.1, 0)
	check(10, 0, 0, 0.1, 0)
}

// The score moves only after every tenth label and by whole blocks of five, and
// the first label of an item is the one that counts.
func TestChecks(t *testing.T) {
	const n = 60
	rng := rand.New(rand.NewPCG(1, 2))
	var items []QueueItem
	var golds []Gold
	known := make(map[ItemKey]bool)
	for i := range n {
		items = append(items, QueueItem{Index: i, Key: keyOf(i)})
		if i%4 == 1 {
			golds = append(golds, Gold{Key: keyOf(i), Reading: pick("A")})
			known[keyOf(i)] = true
		}
	}
	open := Opening{Queue: Queue{Name: "q", Overlap: 1, Golds: len(golds)}, Annotator: "ann", Items: items, Hidden: Hide(golds, nil)}
	s, err := NewSession(open)
	if err != nil {
		t.Fatal(err)
	}
	first, labelled := 0, 0
	var right []bool
	for range n {
		_, k, _ := s.Current()
		before := s.Checks()
		c := eval.Choice("A")
		if rng.IntN(3) == 0 {
			c = "B"
		}
		s.Label(pick(c), 0)
		labelled++
		if known[k] {
			right = append(right, c == "A")
			first++
		}
		if got := s.Checks(); got != before && (labelled%10 > 0 || got.N%5 > 0) {
			t.Errorf("after %d labels: %+v", labelled, got)
		}
		before = s.Checks()
		s.Undo() // to try another answer tells nothing
		s.Label(pick("C"), 0)
		if s.Checks() != before {
			t.Errorf("another answer to %s moved the score", k)
		}
	}
	k := 0
	for _, r := range right {
		if r {
			k++
		}
	}
	if got := s.Checks(); got.N != 15 || got.K != k || first != 15 {
		t.Errorf("%+v of %d known, %d right", got, first, k)
	}
	open.Acts = s.acts
	again, err := NewSession(open)
	if err != nil || again.Checks() != s.Checks() {
		t.Errorf("opened again: %+v, %v", again.Checks(), err)
	}
}

// Everybody is offered an item whose answer is known, and one on which others
// differ is offered to the extra person; nobody else.
func TestSessionOffersWhatItemsWant(t *testing.T) {
	var items []QueueItem
	for i := range 4 {
		items = append(items, QueueItem{Index: i, Key: keyOf(i)})
	}
	crowd := func(said ...Reading) (c Crowd) {
		for _, r := range said {
			c.Join(r)
		}
		return c
	}
	others := map[ItemKey]Crowd{
		keyOf(0): crowd(pick("A"), pick("A")),
		keyOf(1): crowd(pick("A"), pick("B")),
		keyOf(2): crowd(pick("A"), pick("A")), // known
		keyOf(3): crowd(pick("A"), pick("B"), pick("C")),
	}
	count := make(map[ItemKey]int)
	for k, c := range others {
		count[k] = c.People
	}
	s, err := NewSession(Opening{
		Queue: Queue{Name: "q", Overlap: 2, Extra: 1}, Annotator: "cy", Items: items, Others: count,
		Hidden: Hide([]Gold{{Key: keyOf(2), Reading: pick("A")}}, others),
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

// A veil knows the same of an item as a session does, and shows no more people
// on one whose answer is known than on any other.
func TestVeilOfWhatItemsWant(t *testing.T) {
	p := deck(4, func(q *Queue) { q.Overlap, q.Extra, q.Golds = 2, 1, 1 })
	p.golds = map[QueueName][]Gold{"q": {{Key: keyOf(2), Reading: pick("A")}}}
	for i, second := range []eval.Choice{"A", "B", "A"} {
		p.act("q", "ann", Labelled, i, "A")
		p.act("q", "bob", Labelled, i, second)
	}
	p.act("q", "cy", Labelled, 3, "A")
	check := func(who Annotator, want int) {
		t.Helper()
		p.checkLeft(t, who, want)
	}
	check("cy", 2)  // the contested one, and the known one
	check("ann", 1) // the fourth
	p.act("q", "cy", Labelled, 2, "B")
	p.act("q", "cy", Labelled, 1, "A")
	check("cy", 0)
	veil, err := NewVeils(p, p).For("ann", "d")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 3, 2} {
		v, err := veil.Sample(keyOf(i).Sample)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(v.Labels(keyOf(i).Key)); got != want {
			t.Errorf("item %d shows %d labels, want %d", i, got, want)
		}
	}
}

// An item that was added since its answer is known enters no rate, neither that
// of the consensus nor that of any person, and is counted as left out.
func TestAddedItemsEnterNoRate(t *testing.T) {
	label := func(i int, who Annotator, c eval.Choice) Label {
		return Label{Annotator: who, Item: keyOf(i), Reading: pick(c)}
	}
	items := []AlignItem{
		{Key: keyOf(0), Labels: []Label{label(0, "ann", "A"), label(0, "bob", "A")}},
		{Key: keyOf(1), Gold: true, Labels: []Label{label(1, "ann", "B"), label(1, "bob", "B")}, Ruling: &Ruling{Reading: pick("B")}},
	}
	x := Extractor{Name: "x", Read: func(eval.Key) (eval.Extraction, bool) { return found("A"), true }}
	for _, p := range []Policy{Majority, Adjudicated} {
		row := Align(items, []Extractor{x}, Basis{Policy: p, Undecided: Dropped})[0]
		if row.Alignment.N != 1 || row.Alignment.K != 1 || row.Excluded[LeftGold] != 1 {
			t.Errorf("%s: %+v, excluded %v", p, row.Alignment, row.Excluded)
		}
		for _, s := range row.People {
			if s.Alignment.N != 1 {
				t.Errorf("%s: %s has %d items", p, s.Name, s.Alignment.N)
			}
		}
	}
}
