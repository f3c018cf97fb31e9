package alignment

import (
	"fmt"
	"slices"
	"testing"

	"concord/annotate"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

func everything(eval.Key) (bool, error) { return true, nil }

// look compares the queue of unread for a person, with the rules that read all
// as the first option and the judge.
func compared(t *testing.T, m *reporttest.Memory, who annotate.Annotator) *QueueComparison {
	t.Helper()
	c, err := CompareQueue(t.Context(), m, who, everything, Options{Queue: "q", Rules: []string{"first"}, Reader: reporttest.NewReaders("1")})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A person sees everybody's word on what they have labelled, and of the rest
// no more than that somebody differs.
func TestComparisonIsBlindBeforeTheOwnAnswer(t *testing.T) {
	m := unread()
	shown := func(who annotate.Annotator) (out []int) {
		for i, it := range compared(t, m, who).Items {
			if it.Shown {
				out = append(out, i)
			} else if it.Labels != nil || it.Compared != nil || it.Rulings != nil || it.Model != "" {
				t.Errorf("item %d tells %s: %+v", i, who, it)
			}
		}
		return out
	}
	check := func(who annotate.Annotator, want string) {
		t.Helper()
		if got := fmt.Sprint(shown(who)); got != want {
			t.Errorf("%s is shown %s, want %s", who, got, want)
		}
	}
	check("ann", "[0 1 2 4]")
	check("ben", "[0 4]")
	check("cy", "[0]") // all agree, and it takes no more labels
	check("", "[0]")
	m.AddRuling("cy", 1, 1, "B")
	check("cy", "[0 1]")
}

// What a person has answered here may still be kept from them by another queue:
// that is told apart from what they can do something about.
func TestComparisonTellsWhatIsOpenElsewhere(t *testing.T) {
	check := func(who annotate.Annotator, legible Legible, want string) {
		t.Helper()
		c, err := CompareQueue(t.Context(), unread(), who, legible, Options{Queue: "q", Rules: []string{"first"}, Reader: reporttest.NewReaders("1")})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("blind %d, waiting %d, elsewhere %d", c.Blind, c.Waiting, c.Elsewhere); got != want {
			t.Errorf("%s: %s, want %s", who, got, want)
		}
	}
	check("ann", everything, "blind 4, waiting 4, elsewhere 0")
	check("cy", everything, "blind 7, waiting 6, elsewhere 0")
	check("ann", func(eval.Key) (bool, error) { return false, nil }, "blind 8, waiting 4, elsewhere 4")
}

func TestComparisonLists(t *testing.T) {
	m := unread()
	c := compared(t, m, "ann")
	if len(c.Extractors) != 2 || c.Extractors[0].Name != "rules:first" || c.Extractors[1].Name != "gpt" || !c.Extractors[1].Judge {
		t.Fatalf("extractors %+v", c.Extractors)
	}
	check := func(c *QueueComparison, w ItemFilter, want string) {
		t.Helper()
		places, kept := c.ListItems(w)
		if got := fmt.Sprint(places, kept); got != want {
			t.Errorf("%+v: %s, want %s", w, got, want)
		}
	}
	gpt := ItemFilter{Extractor: 1, Between: PersonMachine}
	check(c, gpt, "[1 2] 0")
	check(c, ItemFilter{Extractor: 1, Between: PersonPerson}, "[4] 0")
	check(c, ItemFilter{Extractor: 1, Between: MachineMachine}, "[] 0") // one judge alone
	check(c, ItemFilter{Extractor: 1}, "[1 2 4] 0")
	gpt.Case = annotate.CaseTwo
	check(c, gpt, "[1] 0")
	check(c, ItemFilter{Extractor: 1, Any: true, People: "A", Machine: "B"}, "[1] 4")
	check(c, ItemFilter{Extractor: 1, Any: true, Annotator: "ben"}, "[0 4] 4")
	gpt.Case = 0
	gpt.Level = []string{"x", "z"}
	check(c, gpt, "[2] 0")
	check(compared(t, m, "cy"), ItemFilter{Extractor: 1}, "[1 2 4] 0") // blind, and yet listed
	check(compared(t, m, "cy"), ItemFilter{Extractor: 1, Case: annotate.CaseTwo}, "[] 3")

	before := c.ConfusionMatrix(1, false)
	if fmt.Sprint(before.People, before.Machine, before.N) != "[A none] [A B C] [[1 1 0] [0 0 1]]" || before.Compared != 3 || before.LeftOut[annotate.LeftNoConsensus] != 1 || before.Blind != 4 {
		t.Errorf("matrix %+v", before)
	}
	m.AddRuling("cy", 1, 1, "B")
	m.AddRuling("cy", 2, 0, "B")
	c = compared(t, m, "ann")
	if x := c.Extractors[1]; x.Rulings != 2 || x.After.K != 3 || x.After.N != 4 || x.Before.K != 1 || x.Before.N != 3 {
		t.Errorf("numbers %+v", x)
	}
	if x := compared(t, m, "ben").Extractors[1]; x.After.N != 0 || x.CaseTwo != (annotate.CaseTwoCauses{}) {
		t.Errorf("ben has yet to answer what was settled, and is shown %+v", x)
	}
	if x := c.Extractors[1].CaseTwo; x != (annotate.CaseTwoCauses{JudgeRight: 1}) {
		t.Errorf("disagree (Case II) %+v", x)
	}
	check(c, ItemFilter{Extractor: 1, Unadjudicated: true}, "[2] 0")
	check(c, ItemFilter{Extractor: 1, Between: PersonMachine, Cause: annotate.JudgeRight}, "[1] 0")
	if after := c.ConfusionMatrix(1, true); after.Compared != 4 {
		t.Errorf("matrix after adjudications %+v", after)
	}
}

// Adjudicators get some items on which nobody differs, too, and nothing tells these
// from the others before they have answered.
func TestSomeAgreedItemsAreAdjudicatedUnmarked(t *testing.T) {
	m := unread()
	first := m.Items["q"][0].Key
	listed := func(seed uint64) (*QueueComparison, bool) {
		m.AllQueues[0].Rule.Seed = seed
		c := compared(t, m, "cy")
		places, _ := c.ListItems(ItemFilter{Adjudicating: true})
		return c, slices.Contains(places, 0)
	}
	audited := 0
	for seed := range uint64(60) {
		c, in := listed(seed)
		if want := c.Queue.IsAudited(first); in != want || c.Items[0].Shown == want {
			t.Fatalf("seed %d: audited %v, listed %v, shown %v", seed, want, in, c.Items[0].Shown)
		}
		if in {
			audited++
			if c.Items[0].Labels != nil || c.Items[0].Model != "" {
				t.Errorf("it tells %+v", c.Items[0])
			}
		}
	}
	if audited == 0 || audited > 20 {
		t.Errorf("%d of 60 seeds audit the item", audited)
	}
}
