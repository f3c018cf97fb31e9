package blind

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// project is queues with their items and acts, in memory.
type project struct {
	queues []annotate.Queue
	items  map[annotate.QueueName][]annotate.QueueItem
	golds  map[annotate.QueueName][]annotate.Gold
	acts   map[personActs][]annotate.Act
	folds  int // how often somebody's acts were read
	err    error
	shown  []annotate.Disclosure
}

func (p *project) List() ([]annotate.Queue, error) { return p.queues, p.err }

func (p *project) ItemsOfSample(q annotate.QueueName, o eval.Ordinal) ([]annotate.ItemKey, error) {
	var out []annotate.ItemKey
	for _, it := range p.items[q] {
		if it.Key.Sample == o {
			out = append(out, it.Key)
		}
	}
	return out, nil
}

func (p *project) Record(_ context.Context, all []annotate.Disclosure) error {
	p.shown = append(p.shown, all...)
	return p.err
}

func (p *project) GoldItems(q annotate.QueueName) ([]annotate.Gold, error) { return p.golds[q], p.err }

func (p *project) LastNumbers(q annotate.QueueName) (map[annotate.Annotator]int, error) {
	out := make(map[annotate.Annotator]int)
	for h, acts := range p.acts {
		if h.queue == q {
			out[h.who] = len(acts)
		}
	}
	return out, nil
}

func (p *project) Acts(q annotate.QueueName, who annotate.Annotator) ([]annotate.Act, error) {
	p.folds++
	return p.acts[personActs{q, who}], nil
}

func (p *project) act(q annotate.QueueName, who annotate.Annotator, kind annotate.ActKind, i int, c eval.Choice) {
	h := personActs{q, who}
	a := annotate.Act{Queue: q, Annotator: who, N: uint32(len(p.acts[h]) + 1), Item: keyOf(i), Kind: kind}
	if kind == annotate.Labelled {
		a.Reading = pick(c)
	}
	p.acts[h] = append(p.acts[h], a)
}

// deck is a project with one queue on the dataset d, of items 0 to n.
func deck(n int, edit func(*annotate.Queue)) *project {
	q := annotate.Queue{Name: "q", Rule: annotate.Rule{Dataset: "d", Runs: []eval.RunID{1}, From: annotate.FromUnparsable, Rules: "r@1"}, Overlap: 1}
	if edit != nil {
		edit(&q)
	}
	return &project{queues: []annotate.Queue{q}, items: map[annotate.QueueName][]annotate.QueueItem{"q": itemsOf(0, n)}, acts: make(map[personActs][]annotate.Act)}
}

// checkLeft holds how many items of the first queue somebody has yet to answer.
func (p *project) checkLeft(t *testing.T, who annotate.Annotator, want int) {
	t.Helper()
	q := p.queues[0]
	items := func(yield func(annotate.QueueItem, error) bool) {
		for _, it := range p.items[q.Name] {
			if !yield(it, nil) {
				return
			}
		}
	}
	if n, err := NewPolicies(p, p, p).CountUnanswered(who, q, items); n != want || err != nil {
		t.Errorf("%q has %d left, want %d (%v)", who, n, want, err)
	}
}

func look(t *testing.T, p *project, who annotate.Annotator, o eval.Ordinal) *View {
	t.Helper()
	policy, err := NewPolicies(p, p, p).NewPolicy(who, "d")
	if err != nil {
		t.Fatal(err)
	}
	v, err := policy.ViewSample(o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func read(string) bool    { return false }
func notRead(string) bool { return true }

func TestPolicyHidesWhatIsToBeAnswered(t *testing.T) {
	check := func(p *project, who annotate.Annotator, k eval.Key, want Visibility) {
		t.Helper()
		if got := look(t, p, who, k.Sample).VisibilityOf(k, read); got != want {
			t.Errorf("%s sees %s as %s, want %s", who, k, got, want)
		}
	}
	k := func(run eval.RunID, i int, pass eval.Pass) eval.Key {
		return eval.Key{Run: run, Sample: eval.Ordinal(i), Pass: pass}
	}
	p := deck(3, nil)
	p.act("q", "ada", annotate.Labelled, 0, "A")
	check(p, "ada", k(1, 0, 0), AllVisible)
	check(p, "ada", k(1, 1, 0), TextHidden)
	check(p, "ada", k(1, 1, 2), TruthHidden) // another pass of the same sample
	check(p, "ada", k(9, 1, 0), TruthHidden) // another model on it
	check(p, "ada", k(1, 7, 0), AllVisible)  // no item is about it
	check(p, "bo", k(1, 0, 0), TextHidden)   // has labelled nothing
	check(p, "", k(1, 0, 0), TextHidden)
	p.act("q", "ada", annotate.TookBack, 0, "")
	p.acts[personActs{"q", "ada"}][1].Target = 1
	check(p, "ada", k(1, 0, 0), TextHidden)

	p = deck(3, nil) // others answer an item, and it is asked no more
	p.act("q", "ada", annotate.Labelled, 0, "A")
	p.act("q", "bo", annotate.Labelled, 1, "A")
	p.act("q", "bo", annotate.Labelled, 2, "A")
	check(p, "ada", k(1, 1, 0), AllVisible)
	check(p, "eve", k(1, 1, 0), TextHidden)
	p.queues[0].Overlap = 2
	check(p, "ada", k(1, 1, 0), TextHidden)

	p = deck(0, nil) // a pair, and a sample alone
	p.items["q"] = []annotate.QueueItem{
		{Key: annotate.ItemKey{Key: k(1, 0, 0), Against: 2}},
		{Key: annotate.NewItemKey(k(0, 1, 0))},
	}
	check(p, "ada", k(1, 0, 0), TextHidden)
	check(p, "ada", k(2, 0, 0), TextHidden)
	check(p, "ada", k(3, 0, 0), TruthHidden)
	check(p, "ada", k(1, 1, 0), TruthHidden)

	p = deck(3, func(q *annotate.Queue) { q.Rule.Dataset = "another" })
	check(p, "ada", k(1, 1, 0), AllVisible)
	p = deck(3, func(q *annotate.Queue) { q.Rule.Runs = nil }) // of whatever run
	check(p, "ada", k(1, 1, 0), TextHidden)
}

func TestPolicyKnowsWhatAQueueWillBring(t *testing.T) {
	p := deck(1, func(q *annotate.Queue) { q.Growing, q.Rule.Rate, q.Rule.Seed = true, 0.5, 7 })
	p.act("q", "ada", annotate.Labelled, 0, "A")
	p.act("q", "ada", annotate.Labelled, 0, "A")
	drawn := 0
	for i := range 100 {
		k := eval.Key{Run: 1, Sample: eval.Ordinal(i)}
		v := look(t, p, "ada", k.Sample)
		if !v.HidesTruth() {
			t.Fatalf("a queue grows, and the ground truth about %s is shown", k)
		}
		want := TruthHidden
		if p.queues[0].Rule.DrawsByRate(annotate.NewItemKey(k)) && i > 0 {
			want = TextHidden
			drawn++
		}
		if got := v.VisibilityOf(k, notRead); got != want {
			t.Errorf("unread %s is %s, want %s", k, got, want)
		}
		if got := v.VisibilityOf(k, read); got != TruthHidden {
			t.Errorf("%s, which the rules read, is %s", k, got)
		}
		k.Run = 2
		if got := v.VisibilityOf(k, notRead); got != TruthHidden {
			t.Errorf("%s, of a run that does not feed the queue, is %s", k, got)
		}
	}
	if drawn == 0 {
		t.Error("nothing is drawn")
	}
	p.queues[0].Growing = false
	if look(t, p, "ada", 5).HidesTruth() {
		t.Error("a queue that grows no more seals what it does not hold")
	}
}

func TestLabelsAreShownAfterOnesOwn(t *testing.T) {
	p := deck(2, func(q *annotate.Queue) { q.Overlap = 3 })
	p.act("q", "bo", annotate.Labelled, 0, "B")
	p.act("q", "bo", annotate.Labelled, 1, "B")
	p.act("q", "ada", annotate.Labelled, 0, "A")
	check := func(who annotate.Annotator, i int, want string) {
		t.Helper()
		k := keyOf(i).Key
		got := ""
		for _, l := range look(t, p, who, k.Sample).VisibleLabels(k) {
			got += fmt.Sprintf("%s:%s ", l.Annotator, l.Reading.Choice)
		}
		if got != want {
			t.Errorf("%s is shown %q of item %d, want %q", who, got, i, want)
		}
	}
	check("ada", 0, "ada:A bo:B ")
	check("ada", 1, "")
	check("bo", 0, "bo:B ada:A ")
	check("eve", 0, "")
	check("", 0, "")
}

func TestOfAHiddenSampleOnlyPass0AndOnesOwnAreThere(t *testing.T) {
	p := deck(0, nil)
	for pass := range eval.Pass(4) {
		p.items["q"] = append(p.items["q"], annotate.QueueItem{Index: int(pass), Key: annotate.NewItemKey(eval.Key{Run: 1, Pass: pass})})
	}
	p.acts[personActs{"q", "ada"}] = []annotate.Act{{N: 1, Kind: annotate.Labelled, Item: annotate.NewItemKey(eval.Key{Run: 1, Pass: 2}), Reading: pick("A")}}
	v := look(t, p, "ada", 0)
	var got []eval.Pass
	for pass := range eval.Pass(4) {
		if v.ShowsPrediction(eval.Key{Run: 1, Pass: pass}) {
			got = append(got, pass)
		}
	}
	if !slices.Equal(got, []eval.Pass{0, 2}) {
		t.Errorf("passes %v are there", got)
	}
}

func TestPolicyReadsActsOnce(t *testing.T) {
	p := deck(3, nil)
	p.act("q", "ada", annotate.Labelled, 0, "A")
	p.act("q", "bo", annotate.Labelled, 1, "A")
	policies := NewPolicies(p, p, p)
	for range 5 {
		if _, err := policies.NewPolicy("ada", "d"); err != nil {
			t.Fatal(err)
		}
	}
	if p.folds != 2 {
		t.Errorf("acts of two people were read %d times", p.folds)
	}
	p.act("q", "ada", annotate.Labelled, 1, "A")
	policy, err := policies.NewPolicy("ada", "d")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := policy.ViewSample(1); err != nil || v.HidesTruth() {
		t.Errorf("a new label does not count: %v", err)
	}
	p.err = eval.ErrNotFound
	if _, err := policies.NewPolicy("ada", "d"); err == nil {
		t.Error("a policy over queues that cannot be read")
	}
}

// What others read in the items, and in which order they did, changes
// nothing of what is seen of items that are open.
func TestVisibilitiesDoNotDependOnWhatOthersSaid(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := deck(8, nil), deck(8, nil)
		a.queues[0].Overlap = 1 + r.IntN(3)
		b.queues[0].Overlap = a.queues[0].Overlap
		for range r.IntN(20) {
			who, i := []annotate.Annotator{"ada", "bo", "eve"}[r.IntN(3)], r.IntN(8)
			mine, theirs := eval.Choice("A"), eval.Choice("B")
			if who == "ada" {
				theirs = mine
			}
			a.act("q", who, annotate.Labelled, i, mine)
			b.act("q", who, annotate.Labelled, i, theirs)
		}
		for i := range 8 {
			k := keyOf(i).Key
			va, vb := look(t, a, "ada", k.Sample), look(t, b, "ada", k.Sample)
			visible := va.VisibilityOf(k, read)
			if visible != vb.VisibilityOf(k, read) {
				t.Fatalf("seed %d: the visible of %s depends on what others said", seed, k)
			}
			if visible == TextHidden && len(va.VisibleLabels(k))+len(vb.VisibleLabels(k)) > 0 {
				t.Fatalf("seed %d: labels on the blind %s are shown", seed, k)
			}
		}
	}
}

func TestLeftIsWhatIsOpen(t *testing.T) {
	p := deck(4, nil)
	p.act("q", "ada", annotate.Labelled, 0, "A")
	p.act("q", "bo", annotate.Labelled, 1, "B")
	check := func(who annotate.Annotator, want int) {
		t.Helper()
		p.checkLeft(t, who, want)
	}
	check("ada", 2)
	check("eve", 4)
	check("", 4)
	p.act("q", "ada", annotate.Labelled, 2, "A")
	p.act("q", "ada", annotate.Labelled, 3, "A")
	check("ada", 0)
}

func TestWithoutAQueueOnlyTheOthersHide(t *testing.T) {
	p := deck(1, nil)
	second := p.queues[0]
	second.Name = "second"
	p.queues = append(p.queues, second)
	if v := look(t, p, "ada", 0); !v.HidesTruth() || v.WithoutQueue("q").HidesTruth() || !v.WithoutQueue("second").HidesTruth() {
		t.Error("a queue left aside seals, or one that is not does not")
	}
	p.items["second"] = itemsOf(0, 1)
	if v := look(t, p, "ada", 0); !v.WithoutQueue("q").HidesTruth() {
		t.Error("an open item of another queue does not seal")
	}
}

// Who settles an item as its adjudicator has answered it, and nothing else.
func TestARulingIsAnAnswerOfItsOwnItem(t *testing.T) {
	p := deck(2, func(q *annotate.Queue) { q.Overlap = 2 })
	p.act("q", "ada", annotate.Labelled, 0, "A")
	p.act("q", "bo", annotate.Labelled, 0, "B")
	k := keyOf(0).Key
	if v := look(t, p, "cy", 0); v.VisibilityOf(k, read) != TextHidden || len(v.VisibleLabels(k)) != 0 || len(v.VisibleRulings(k)) != 0 {
		t.Error("shown before the adjudication")
	}
	p.act("q", "cy", annotate.Ruled, 0, "")
	v := look(t, p, "cy", 0)
	if v.VisibilityOf(k, read) != AllVisible || len(v.VisibleLabels(k)) != 2 || len(v.VisibleRulings(k)) != 1 {
		t.Errorf("after the adjudication: %s, labels %v, adjudications %v", v.VisibilityOf(k, read), v.VisibleLabels(k), v.VisibleRulings(k))
	}
	if v := look(t, p, "cy", 1); v.VisibilityOf(keyOf(1).Key, read) != TextHidden {
		t.Error("an adjudication opens another item")
	}
	if v := look(t, p, "ada", 0); len(v.VisibleRulings(k)) != 1 || len(v.VisibleLabels(k)) != 2 {
		t.Error("who labelled it is not shown the adjudication")
	}
	if v := look(t, p, "eve", 0); len(v.VisibleRulings(k)) != 0 {
		t.Error("an adjudication is shown to who has not answered")
	}
}

// A policy knows the same of an item as a session does, and shows no more people
// on one whose answer is known than on any other.
func TestPolicyOfWhatItemsWant(t *testing.T) {
	p := deck(4, func(q *annotate.Queue) { q.Overlap, q.Extra, q.GoldItems = 2, 1, 1 })
	p.golds = map[annotate.QueueName][]annotate.Gold{"q": {{Key: keyOf(2), Reading: pick("A")}}}
	for i, second := range []eval.Choice{"A", "B", "A"} {
		p.act("q", "ann", annotate.Labelled, i, "A")
		p.act("q", "bob", annotate.Labelled, i, second)
	}
	p.act("q", "cy", annotate.Labelled, 3, "A")
	check := func(who annotate.Annotator, want int) {
		t.Helper()
		p.checkLeft(t, who, want)
	}
	check("cy", 2)  // the contested one, and the known one
	check("ann", 1) // the fourth
	p.act("q", "cy", annotate.Labelled, 2, "B")
	p.act("q", "cy", annotate.Labelled, 1, "A")
	check("cy", 0)
	policy, err := NewPolicies(p, p, p).NewPolicy("ann", "d")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 3, 2} {
		v, err := policy.ViewSample(keyOf(i).Sample)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(v.VisibleLabels(keyOf(i).Key)); got != want {
			t.Errorf("item %d shows %d labels, want %d", i, got, want)
		}
	}
}
