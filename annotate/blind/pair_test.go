package blind

import (
	"testing"

	"concord/annotate"
	"concord/eval"
)

// Nobody sees what others or judges voted on a sample of which they have a
// pair before them, nor reads its answers elsewhere.
func TestVotesAreHiddenBeforeOnesOwn(t *testing.T) {
	p := deck(0, func(q *annotate.Queue) { q.Rule.From, q.Overlap = annotate.FromPairs, 2 })
	p.items["q"] = []annotate.QueueItem{{Key: onPair}, {Key: annotate.ItemKey{Key: eval.Key{Run: 3, Sample: 7}, Against: 2}}}
	bob := vote(1, eval.Answer2, false)
	bob.Annotator = "bob"
	p.acts[personActs{"q", "bob"}] = []annotate.Act{bob}
	check := func(who annotate.Annotator, shows bool, votes int, sights ...Visibility) {
		t.Helper()
		v := look(t, p, who, 7)
		seen := collectSaid(v, func(it annotate.ItemKey) bool { return it.Against != 0 }, (*queuePart).visibleOthers,
			func(s *annotate.State) map[annotate.ItemKey]annotate.Label { return s.Labels })
		if v.ShowsVotes() != shows || len(seen) != votes {
			t.Errorf("%s: votes shown %v, %d of them", who, v.ShowsVotes(), len(seen))
		}
		for run, want := range sights {
			k := eval.Key{Run: eval.RunID(run + 1), Sample: 7}
			if got := v.VisibilityOf(k, read); got != want {
				t.Errorf("%s sees %s as %s, want %s", who, k, got, want)
			}
			if len(v.VisibleLabels(k)) != 0 {
				t.Errorf("%s: votes among the labels of %s", who, k)
			}
		}
	}
	check("ann", false, 0, TextHidden, TextHidden, TextHidden)
	check("bob", false, 1, TextHidden, TextHidden, TextHidden) // by the first answer of the pair voted on, the anchor's would be known
	second := bob
	second.N, second.Item = 2, p.items["q"][1].Key
	p.acts[personActs{"q", "bob"}] = append(p.acts[personActs{"q", "bob"}], second)
	check("bob", true, 2, AllVisible, AllVisible, AllVisible)
	p.acts[personActs{"q", "ann"}] = []annotate.Act{vote(1, eval.Answer1, true)}
	check("ann", false, 2, TextHidden, TextHidden, TextHidden)
}

func TestCriteriaAreKeptFromWhoVotesWithoutThem(t *testing.T) {
	check := func(p *project, who annotate.Annotator, o eval.Ordinal, want annotate.QueueName) {
		t.Helper()
		policy, err := NewPolicies(p, p, p).NewPolicy(who, "d")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := policy.CriteriaHiddenBy(o); got != want || err != nil || want != "" && !policy.HidesCriteria() {
			t.Errorf("%s and sample %d: %q, %v, want %q", who, o, got, err, want)
		}
	}
	pairs := func(q *annotate.Queue) { q.Rule.From, q.Overlap = annotate.FromPairs, 2 }
	p := deck(3, pairs)
	p.act("q", "ada", annotate.Labelled, 0, "A")
	check(p, "ada", 0, "") // has voted on it
	check(p, "ada", 1, "q")
	check(p, "ada", 7, "") // no pair of the queue
	check(p, "bo", 1, "")  // has not begun, and may write criteria
	p = deck(3, func(q *annotate.Queue) { pairs(q); q.Criteria = true })
	p.act("q", "ada", annotate.Labelled, 0, "A")
	check(p, "ada", 1, "")
	p = deck(3, nil)
	p.act("q", "ada", annotate.Labelled, 0, "A")
	check(p, "ada", 1, "")
}
