package annotate

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/stat"
)

func labelled(n int, readings ...Reading) AlignItem {
	it := AlignItem{Key: keyOf(n), Model: "m", Taxonomy: []string{"p", "q"}}
	for i, r := range readings {
		who := Annotator(string(rune('a' + i)))
		it.Labels = append(it.Labels, Label{Annotator: who, Item: it.Key, Reading: r})
	}
	return it
}

// fixed is an extractor that reads item i as the i-th of the extractions.
func fixed(all ...eval.Extraction) Extractor {
	return Extractor{Name: "judge", Read: func(k eval.Key) (eval.Extraction, bool) {
		e := all[k.Sample]
		return e, e.Status != eval.StatusUnset
	}}
}

func found(c eval.Choice) eval.Extraction { return eval.Extraction{Choice: c, Status: eval.Found} }

func TestAlign(t *testing.T) {
	failed := labelled(6)
	failed.Failed = true
	flagged := labelled(7, picked("A"))
	flagged.Labels[0].Flagged = true
	flagged.Excluded = true
	items := []AlignItem{
		labelled(0, picked("A"), picked("A")),
		labelled(1, picked("A")),
		labelled(2, picked("A")),
		labelled(3, refused),
		labelled(4, none),
		labelled(5, picked("A"), picked("B")),
		failed,
		flagged,
		labelled(8),
		labelled(9, picked("A")),
		labelled(10, picked("A")),
		labelled(11, picked("A"), picked("B")),
	}
	items[10].Labels[0].Informed, items[11].Labels[0].Informed = true, true
	missing := eval.Extraction{Status: eval.Missing}
	x := fixed(found("A"), found("B"), missing, missing, found("C"), found("A"),
		found("A"), found("A"), found("A"), eval.Extraction{}, found("A"), found("B"))
	row := aligned(t, items, []Extractor{x}, Basis{Policy: Majority, Undecided: Dropped})[0]
	if want := stat.NewRate(3, 6); row.Alignment != want {
		t.Errorf("alignment %+v, want %+v", row.Alignment, want)
	}
	if row.CaseOne != 2 || row.CaseTwo != 1 {
		t.Errorf("case one %d, case two %d, want 2 and 1", row.CaseOne, row.CaseTwo)
	}
	want := map[string]int{LeftFailed: 1, LeftExcluded: 1, LeftUnlabelled: 1, LeftNoConsensus: 1, LeftNoReading: 1, LeftInformed: 1}
	if !maps.Equal(row.Excluded, want) {
		t.Errorf("excluded %v, want %v", row.Excluded, want)
	}
	cells := []Confusion{{"A", "A", 1}, {"A", "B", 1}, {"A", "missing", 1}, {"B", "B", 1}, {"none", "C", 1}, {"refused", "missing", 1}}
	if !slices.Equal(row.Confusion, cells) {
		t.Errorf("confusion %v, want %v", row.Confusion, cells)
	}
	if len(row.Categories) != 2 || row.Categories[1].Alignment != row.Alignment {
		t.Errorf("categories %+v", row.Categories)
	}
	// Person b labelled items 0, 5 and 11: A, read as A; B, read as A; and B,
	// read as B.
	if b := row.People[1]; b.Name != "b" || b.Alignment != stat.NewRate(2, 3) {
		t.Errorf("person b: %+v", b)
	}
	asNone := aligned(t, items, []Extractor{x}, Basis{Policy: Majority, Undecided: CountedAsNone})[0]
	if asNone.Alignment != stat.NewRate(3, 7) || asNone.CaseOne != 3 {
		t.Errorf("undecided as none: %+v, case one %d", asNone.Alignment, asNone.CaseOne)
	}
}

func TestAlignLeavesOut(t *testing.T) {
	x := Extractor{Name: "rules:own", LeftOut: "the queue holds what it could not read"}
	row := aligned(t, []AlignItem{labelled(0, picked("A"))}, []Extractor{x}, Basis{Policy: Majority, Undecided: Dropped})[0]
	if row.Alignment.Undefined != x.LeftOut || row.Kappa.Undefined != x.LeftOut || row.AC1.Undefined != x.LeftOut {
		t.Errorf("row %+v, want all undefined", row)
	}
}

func TestLabelsHash(t *testing.T) {
	items := []AlignItem{labelled(0, picked("A"), picked("B")), labelled(1, none)}
	labels := slices.Concat(items[0].Labels, items[1].Labels)
	hash := HashLabels(labels)
	turned := slices.Clone(labels)
	slices.Reverse(turned)
	for i := range turned {
		turned[i].At, turned[i].Note = time.Unix(int64(i), 0), "later"
	}
	if HashLabels(turned) != hash {
		t.Error("order, time and notes change the hash")
	}
	differ := func(what string, change func(*Label)) {
		t.Helper()
		other := slices.Clone(labels)
		change(&other[0])
		if HashLabels(other) == hash {
			t.Errorf("%s does not change the hash", what)
		}
	}
	differ("a choice", func(l *Label) { l.Reading.Choice = "C" })
	differ("a verdict", func(l *Label) { l.Reading = refused })
	differ("a person", func(l *Label) { l.Annotator = "z" })
	differ("an item", func(l *Label) { l.Item.Pass = 1 })
	differ("a look", func(l *Label) { l.Informed = true })
	differ("an exclusion", func(l *Label) { l.Excluded = true })
	flagged := slices.Clone(labels)
	flagged[0].Flagged = true
	if HashLabels(flagged) != hash {
		t.Error("a flag changes the hash")
	}
	if HashLabels(labels[:2]) == hash {
		t.Error("a label less does not change the hash")
	}
}

func TestStale(t *testing.T) {
	gpt := JudgeID{Name: "gpt@home", Prompts: []string{"p"}, Settings: []string{"s"}, Readings: "r"}
	with := func(change func(*JudgeID)) []string {
		j := gpt
		change(&j)
		return []string{j.String()}
	}
	saved := SavedReport{LabelsHash: "h", RulingsHash: "g", Rules: []string{"concord@1"}, Judges: []string{gpt.String()}}
	check := func(want string, change func(*Inputs)) {
		t.Helper()
		now := saved.Inputs()
		change(&now)
		var got []string
		for _, c := range saved.StaleChanges(now) {
			got = append(got, c.String())
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%+v: %q, want %q", now, s, want)
		}
	}
	check("", func(*Inputs) {})
	check("", func(in *Inputs) {
		in.Rules = append([]string{"mmstar@1"}, in.Rules...)
		in.Judges = append(in.Judges, JudgeID{Name: "new"}.String())
	})
	check("labels changed", func(in *Inputs) { in.LabelsHash = "i" })
	check("adjudications changed", func(in *Inputs) { in.RulingsHash = "i" })
	check("rules changed: concord from 1 to 2", func(in *Inputs) { in.Rules = []string{"concord@2"} })
	check("judge changed: gpt@home (prompt)", func(in *Inputs) {
		in.Judges = with(func(j *JudgeID) { j.Prompts = []string{"p", "q"} })
	})
	check("judge changed: gpt@home (settings)", func(in *Inputs) {
		in.Judges = with(func(j *JudgeID) { j.Settings = []string{"t"} })
	})
	check("judge changed: gpt@home (readings)", func(in *Inputs) {
		in.Judges = with(func(j *JudgeID) { j.Readings = "x" })
	})
	check("labels changed; rules changed: concord is gone; judge changed: gpt@home is gone", func(in *Inputs) {
		*in = Inputs{LabelsHash: "i", RulingsHash: "g"}
	})
	saved.RulingsHash = "" // from before there were any
	check("", func(in *Inputs) { in.RulingsHash = "g" })
}

// People differ on one of three items: dropped, taken as none of the options,
// or a class that no machine gives, not even one that gives none.
func TestUndecidedPolicies(t *testing.T) {
	items := []AlignItem{labelled(0, picked("A"), picked("B")), labelled(1, picked("A"), picked("A")), labelled(2, none, none)}
	silent, sure := eval.Extraction{Status: eval.Missing}, found("A")
	check := func(u Undecided, first eval.Extraction, want stat.Rate, one, open int) {
		t.Helper()
		row := aligned(t, items, []Extractor{fixed(first, sure, silent)}, Basis{Policy: Majority, Undecided: u})[0]
		if row.Alignment != want || row.CaseOne != one || row.CaseTwo != 0 || row.CaseOpen != open {
			t.Errorf("%s, %s first: %+v, case one %d, open %d; want %+v, %d and %d",
				u, first.Status, row.Alignment, row.CaseOne, row.CaseOpen, want, one, open)
		}
	}
	check(Dropped, silent, stat.NewRate(2, 2), 0, 0)
	check(CountedAsNone, silent, stat.NewRate(3, 3), 0, 0)
	check(CountedAsNone, sure, stat.NewRate(2, 3), 1, 0)
	check(OwnClass, silent, stat.NewRate(2, 3), 0, 1)
	check(OwnClass, sure, stat.NewRate(2, 3), 0, 1)
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
		row := aligned(t, items, []Extractor{x}, Basis{Policy: p, Undecided: Dropped})[0]
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

// A ruling moves figures under Adjudicated alone, and splits Case II by who
// was right.
func TestRulingsCountWhenAdjudicatedIsAskedFor(t *testing.T) {
	label := func(who Annotator, c eval.Choice) Label { return Label{Annotator: who, Reading: pick(c)} }
	said := map[eval.Ordinal]eval.Choice{0: "A", 1: "B", 2: "B", 3: "C"}
	items := []AlignItem{
		{Key: keyOf(0), Labels: []Label{label("ann", "A"), label("ben", "A")}},
		{Key: keyOf(1), Labels: []Label{label("ann", "A"), label("ben", "A")}, Ruling: &Ruling{Reading: pick("B")}},
		{Key: keyOf(2), Labels: []Label{label("ann", "A"), label("ben", "B")}, Ruling: &Ruling{Reading: pick("B")}},
		{Key: keyOf(3), Labels: []Label{label("ann", "A"), label("ben", "A")}},
	}
	x := []Extractor{{Name: "gpt", Read: func(k eval.Key) (eval.Extraction, bool) {
		return eval.Extraction{Status: eval.Found, Choice: said[k.Sample]}, true
	}}}
	before := aligned(t, items, x, Basis{Policy: Majority, Undecided: Dropped})[0]
	if before.Alignment.K != 1 || before.Alignment.N != 3 || before.CaseTwo != 2 {
		t.Errorf("before: %+v", before)
	}
	want := CaseTwoCauses{JudgeRight: 1, Open: 1}
	if s := before.Adjudicated; s == nil || s.Items != 2 || s.Alignment.K != 3 || s.Alignment.N != 4 || s.CaseTwo != want {
		t.Errorf("adjudicated: %+v", s)
	}
	after := aligned(t, items, x, Basis{Policy: Adjudicated, Undecided: Dropped})[0]
	if after.Alignment != before.Adjudicated.Alignment || after.CaseTwo != 1 || after.Adjudicated.CaseTwo != want {
		t.Errorf("after: %+v", after)
	}
}

// No extractor says how right an answer is: a score is compared with none.
func TestScoresAreNotAligned(t *testing.T) {
	items := []AlignItem{labelled(0, picked("A")), labelled(1, scored(5)), labelled(2, refused, scored(1))}
	row := aligned(t, items, []Extractor{fixed(found("A"), found("A"), found("B"))}, Basis{Policy: Majority, Undecided: CountedAsNone})[0]
	if row.Alignment != stat.NewRate(1, 1) || row.Excluded[LeftScored] != 2 || len(row.Excluded) != 1 {
		t.Errorf("%+v", row)
	}
	if a := row.People[0]; a.Alignment != stat.NewRate(1, 2) || len(row.People) != 1 {
		t.Errorf("people %+v", row.People)
	}
	four, five := labelled(0, scored(4)).Labels, labelled(0, scored(5)).Labels
	if HashLabels(four) == HashLabels(five) {
		t.Error("a score does not change the hash")
	}
}

// Of 200 items 180 are agreed on, of which a tenth is adjudicated at random, and
// one of these was wrong alike: the estimate has 10 wrong agreements and the 5 of
// the 20 disagreements in which the machine is right.
func TestAdjudicatedShare(t *testing.T) {
	var items []AlignItem
	for i := range 200 {
		it := labelled(i, picked("A"))
		if i >= 180 {
			it = labelled(i, picked("B"))
		}
		truth := picked("A")
		if i == 0 || i >= 185 {
			truth = picked("B")
		}
		if it.Audited = i%10 == 0; it.Audited || i >= 180 {
			it.Ruling = &Ruling{Reading: truth}
		}
		items = append(items, it)
	}
	x := Extractor{Name: "x", Read: func(eval.Key) (eval.Extraction, bool) { return found("A"), true }}
	of := func() *Adjudication {
		return aligned(t, items, []Extractor{x}, Basis{Policy: Adjudicated})[0].Adjudicated
	}
	a := of()
	want := (180*17.0/18 + 5) / 200
	if e := a.Estimate; math.Abs(e.Value-want) > 1e-9 || e.Low > want-0.05 || e.High < want+0.01 || a.Audited != 18 || a.Rulings != 18 {
		t.Errorf("%+v, want %v", a, want)
	}
	items[10].Ruling = nil
	if e := of().Estimate; !strings.Contains(e.WhyUndefined(), "1 of the 18 agreements of the random share are not adjudicated") {
		t.Errorf("%+v", e)
	}
	items = items[:100]
	items[10].Ruling = &Ruling{Reading: picked("A")}
	for i := range items {
		items[i].Audited = i%20 == 0
	}
	if e := of().Estimate; !strings.Contains(e.WhyUndefined(), "it takes 10") {
		t.Errorf("%+v", e)
	}
}
