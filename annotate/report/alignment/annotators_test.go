package alignment

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

func letter(i int) eval.Choice { return []eval.Choice{"A", "B"}[i%2] }

func chose(c eval.Choice, spent time.Duration) annotate.Act {
	return annotate.Act{Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: c}, Spent: spent}
}

// staff is a queue of 24 items. Ann and ben say the same of all but sample 0;
// cat says the other letter from sample 12 on, at a third of their time. Dan's
// four labels come from a file, eve put one item off. Ann flagged and excluded sample 23,
// ben labelled 22 after the reveal and corrected his label on 5 at once.
func staff() *reporttest.Memory {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range 24 {
		samples = append(samples, reporttest.NewABCDSample(i, "A"))
		m.Items["q"] = append(m.Items["q"], annotate.QueueItem{Index: i, Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}), Inclusion: 1})
	}
	m.AddDataset("d", samples...)
	m.AddRun(eval.Config{Dataset: "d", Model: "m"})
	m.AllQueues = append(m.AllQueues, annotate.Queue{Name: "q", Overlap: 3, Items: 24, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}})
	for i := range 24 {
		o := eval.Ordinal(i)
		m.AddAct("ann", o, chose(letter(i), 3*time.Second))
		ben := chose(letter(i), 3*time.Second)
		switch i {
		case 0:
			ben.Reading.Choice = "B"
		case 5:
			m.AddAct("ben", o, chose("D", 3*time.Second))
			ben.Spent = time.Second / 5
		case 22:
			ben.Informed = true
		}
		m.AddAct("ben", o, ben)
		m.AddAct("cat", o, chose(letter(i+i/12), time.Second))
		if i < 4 {
			dan := chose(letter(i), 0)
			dan.Imported = true
			m.AddAct("dan", o, dan)
		}
	}
	m.AddAct("ann", 23, annotate.Act{Kind: annotate.Flagged})
	m.AddAct("ann", 23, annotate.Act{Kind: annotate.Excluded, Text: "cut off"})
	m.AddAct("eve", 5, annotate.Act{Kind: annotate.Skipped, Spent: time.Second})
	return m
}

func annotators(t *testing.T, m *reporttest.Memory, o AnnotatorOptions) (report.Report, *AnnotatorsRow) {
	t.Helper()
	o.Queue = "q"
	r, err := ReportAnnotators(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, r.Rows[0].(*AnnotatorsRow)
}

func person(t *testing.T, r *AnnotatorsRow, who annotate.Annotator) *AnnotatorLine {
	t.Helper()
	i := slices.IndexFunc(r.People, func(l AnnotatorLine) bool { return l.Annotator == who })
	if i < 0 {
		t.Fatalf("no line of %s", who)
	}
	return &r.People[i]
}

// Cat agrees on samples 0 to 11 and on none of 12 to 22; 23 is excluded. Of ann
// and her on 23 items, ann says A of 12 and cat of 11: kappa is
// (12*23 - 264) / (23*23 - 264).
func TestAnnotatorsBesideEachOther(t *testing.T) {
	_, row := annotators(t, staff(), AnnotatorOptions{})
	if len(row.Pairs) != 6 {
		t.Fatalf("%d pairs of people, want 6: eve labelled nothing", len(row.Pairs))
	}
	ac := row.Pairs[1]
	if ac.A != "ann" || ac.B != "cat" || ac.Agreement != stat.NewRate(12, 23) || !maps.Equal(ac.LeftOut, map[string]int{"excluded": 1}) {
		t.Errorf("ann and cat: %+v", ac)
	}
	if math.Abs(ac.Kappa.Value-12.0/265) > 1e-12 || ac.Kappa.N != 23 || ac.AC1.N != 23 {
		t.Errorf("their coefficients: %+v, %+v", ac.Kappa, ac.AC1)
	}
	if ab := row.Pairs[0]; ab.Agreement != stat.NewRate(21, 22) || ab.LeftOut["labelled after the reveal"] != 1 {
		t.Errorf("ann and ben: %+v", ab)
	}
	all := row.Together // 0: 3 of 6 pairs; 1 to 3: 18 of 18; 4 to 11: 24 of 24; 12 to 21: 10 of 30; 22: 0 of 1
	if p := all.Percent; p.K != 55 || p.N != 79 || p.Clusters != 23 || all.Ratings != 72 || all.Items != 23 || all.LeftOut["excluded"] != 3 || all.Level != "nominal" {
		t.Errorf("all together: %+v", all)
	}
	if !all.Fleiss.Interval || !all.Alpha.Interval || all.Fleiss.Undefined != "" {
		t.Errorf("coefficients of all: %+v, %+v", all.Fleiss, all.Alpha)
	}
}

// Without cat, on sample 0 the others' majority is there for ben alone, against
// him; 1 to 3 have nine labels with their rest, 4 to 21 two each; 22 leaves ann
// alone, and 23 is excluded.
func TestAnnotatorsBesideTheOthers(t *testing.T) {
	_, row := annotators(t, staff(), AnnotatorOptions{})
	cat := person(t, row, "cat")
	if cat.Labelled != 24 || cat.Others != stat.NewRate(12, 23) || cat.Without.K != 45 || cat.Without.N != 46 || cat.Without.Clusters != 22 || cat.LeftOut["excluded"] != 1 {
		t.Errorf("cat: %+v", cat)
	}
	for i := range row.People {
		l := &row.People[i]
		n := l.Others.N
		for _, k := range l.LeftOut {
			n += k
		}
		if n != l.Labelled {
			t.Errorf("%s: %d compared or left out of %d", l.Annotator, n, l.Labelled)
		}
	}
	ann, ben, dan, eve := person(t, row, "ann"), person(t, row, "ben"), person(t, row, "dan"), person(t, row, "eve")
	// Ann's others differ wherever cat does and ben is there, and on sample 0
	// two of three say A.
	if ann.Others != stat.NewRate(12, 13) || ann.LeftOut[annotate.LeftNoConsensus] != 10 || ann.Flagged != 1 {
		t.Errorf("ann: %+v", ann)
	}
	if ben.Informed != 1 || dan.Imported != 4 || dan.Others != stat.NewRate(4, 4) || eve.Skipped != 1 || eve.Others.N != 0 {
		t.Errorf("ben %+v\ndan %+v\neve %+v", ben, dan, eve)
	}
	own := person(t, must(annotators(t, staff(), AnnotatorOptions{Undecided: annotate.OwnClass})), "ann")
	if own.Others != stat.NewRate(12, 23) {
		t.Errorf("undecided as a class of its own: %+v", own.Others)
	}
	one := person(t, must(annotators(t, staff(), AnnotatorOptions{Policy: annotate.Unanimous})), "ann")
	if one.Others != stat.NewRate(11, 12) || one.LeftOut[annotate.LeftNoConsensus] != 11 {
		t.Errorf("unanimous: %+v", one)
	}
}

func must(_ report.Report, r *AnnotatorsRow) *AnnotatorsRow { return r }

func TestAnnotatorsTime(t *testing.T) {
	_, row := annotators(t, staff(), AnnotatorOptions{Listed: 2})
	ann, ben, cat, dan := person(t, row, "ann").Time, person(t, row, "ben").Time, person(t, row, "cat").Time, person(t, row, "dan").Time
	if ann.Items != 24 || *ann.Median != 3 || *ann.Lower != 3 || ann.Total != 72 || *ann.PerHour != 1200 {
		t.Errorf("ann: %+v", ann)
	}
	if ben.Items != 23 || ben.Total != 69 || ben.LeftOut[annotate.LeftInformed] != 1 {
		t.Errorf("ben: %+v", ben)
	}
	if cat.Same == nil || *cat.Same != (SameSpeed{24, 1, 3}) || *ann.Same != (SameSpeed{24, 3, 2}) {
		t.Errorf("on the same items: %+v, %+v", cat.Same, ann.Same)
	}
	if dan.Median != nil || dan.LeftOut[leftImported] != 4 {
		t.Errorf("dan: %+v", dan)
	}
	if len(row.Slowest) != 2 || *row.Slowest[0].Median != 3 || row.Slowest[0].Index != 0 || row.Slowest[0].Timed != 3 {
		t.Errorf("slowest: %+v", row.Slowest)
	}
	if row.InDispute != 12 || len(row.Contested) != 2 || row.Contested[0].Index != 22 || row.Contested[1].Index != 12 || row.Contested[0].Sample == "" {
		t.Errorf("contested: %d, %+v", row.InDispute, row.Contested)
	}
}

func TestPointers(t *testing.T) {
	r, row := annotators(t, staff(), AnnotatorOptions{})
	if len(row.Outliers) != 2 || row.Outliers[0].Kind != Differs || row.Outliers[1].Kind != Hurries {
		t.Fatalf("pointers: %+v", row.Outliers)
	}
	for i, want := range []string{
		"cat agrees with the others less often than they do among themselves (52.2 %, 95 % CI 33.0 to 70.8, n 23, against 97.8 %, n 46): worth talking over the guideline together.",
		"cat takes 1.0 s an item where the others take 3.0 s (medians over the same 24 items).",
	} {
		if p := row.Outliers[i]; p.Annotator != "cat" || p.Text != want {
			t.Errorf("%s, want %s", p.Text, want)
		}
	}
	few := AnnotatorLine{Others: stat.NewRate(0, 19), Without: stat.NewRate(40, 40), Time: Speed{Same: &SameSpeed{19, 1, 9}}}
	near := AnnotatorLine{Others: stat.NewRate(9600, 10000), Without: stat.NewRate(9900, 10000), Time: Speed{Same: &SameSpeed{20, 1, 2}}}
	if got := slices.Concat(few.findOutliers(), near.findOutliers()); len(got) != 0 {
		t.Errorf("pointed out: %+v", got)
	}
	w := r.PublicReport().Rows[0].(*AnnotatorsRow)
	if len(w.Pairs)+len(w.Contested)+len(w.Slowest) != 0 || len(w.Outliers) != 1 || person(t, w, "cat").Others.N != 0 || person(t, w, "cat").Labelled != 24 {
		t.Errorf("what is left of a whole row: %+v", w)
	}
	if person(t, row, "cat").Others.N != 23 {
		t.Error("a whole row took numbers from the one that it was made of")
	}
}

func TestDrillAnnotators(t *testing.T) {
	m := staff()
	_, row := annotators(t, m, AnnotatorOptions{})
	check := func(s report.Selection, want ...eval.Ordinal) {
		t.Helper()
		if got := samplesOf(t, m, row, s); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", s, got, want)
		}
	}
	check(report.Selection{Which: report.Disagree, Part: FigureParams{Person: "ann", Other: "ben"}}, 0)
	check(report.Selection{Which: Excluded, Part: FigureParams{Person: "ann", Other: "ben"}}, 22, 23)
	check(report.Selection{Which: report.Disagree, Part: FigureParams{Person: "cat"}}, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)
	check(report.Selection{Which: Excluded, Part: FigureParams{Person: "cat", Reason: "excluded"}}, 23)
	check(report.Selection{Which: report.Agree, Part: FigureParams{Person: "dan"}}, 0, 1, 2, 3)
	check(report.Selection{Which: report.Disagree}, 0, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)
}

// Two people who saw the answers in different order and prefer the same one.
func TestAnnotatorsOfPairs(t *testing.T) {
	m := staff()
	m.Acts["q"], m.AllQueues[0].Rule.From = nil, annotate.FromPairs
	for i := range m.Items["q"] {
		m.Items["q"][i].Key.Against = 2
	}
	vote := func(who annotate.Annotator, o eval.Ordinal, v eval.Vote, swapped bool) {
		m.AddAct(who, o, annotate.Act{
			Kind: annotate.Labelled, Item: annotate.ItemKey{Against: 2}, Spent: time.Second,
			Reading: annotate.Reading{Kind: annotate.Voted, Vote: v, Swapped: swapped},
		})
	}
	vote("ann", 0, eval.Answer1, false)
	vote("ben", 0, eval.Answer2, true)
	vote("ann", 1, eval.SituationOne, false)
	vote("ben", 1, eval.SituationTwo, true)
	vote("ann", 2, eval.Answer2, false)
	vote("ben", 2, eval.Answer2, true)
	m.SkipRest("ann", "ben")
	_, row := annotators(t, m, AnnotatorOptions{})
	if len(row.Pairs) != 1 || row.Pairs[0].Agreement != stat.NewRate(2, 3) || !row.Votes {
		t.Errorf("votes %t: %+v", row.Votes, row.Pairs)
	}
	got := slices.Collect(report.PairsBehindRow(row, report.Selection{Which: report.Disagree, Part: FigureParams{Person: "ann", Other: "ben"}}))
	if len(got) != 1 || got[0] != (eval.Pair{Sample: 2, First: 1, Second: 2}) {
		t.Errorf("behind their disagreement: %+v", got)
	}
}

func TestAnnotatorsInEveryFormat(t *testing.T) {
	r, _ := annotators(t, staff(), AnnotatorOptions{})
	check := func(f table.Format, want ...string) {
		t.Helper()
		var out bytes.Buffer
		if err := report.RenderReport(&out, r, f, 0); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s has no %q:\n%s", f, w, &out)
			}
		}
	}
	check(table.FormatTable, "people among themselves", "52.2% (n 23)", "1.0 s [1.0, 1.0]", "worth talking over", "Disagreements: 12 of 24 items.")
	check(table.FormatJSON, `"with_others": {`, `"kind": "hurries"`, `"median_s": 3`, `"median_s": null`, `"contested_items": 12`)
	check(table.FormatCSV, "pair,ann,cat,0.5217391304347826", "with_others_excluded,cat,,", "differs,cat,")
	check(table.FormatMarkdown, "| cat |")
	check(table.FormatLaTeX, `\begin{tabular}`)
	if _, err := ReportAnnotators(t.Context(), staff(), AnnotatorOptions{Queue: "other"}); err == nil {
		t.Error("a queue that is not there was reported")
	}
}

// Of four items with two people each, gold 0 is known and drawn, gold 4 was
// added. Ben got 0 wrong first and corrected it. On 1 and 2 ann and ben differ,
// so cat was asked: she stands beside ann or ben on no item that everybody gets.
func TestAnnotatorsKnownAnswersAndExtra(t *testing.T) {
	m := reporttest.New()
	var samples []eval.Sample
	for i := range 5 {
		samples = append(samples, reporttest.NewABCDSample(i, "A"))
		it := annotate.QueueItem{Index: i, Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}), Inclusion: 1}
		if i == 4 {
			it.Inclusion = 0
		}
		m.Items["q"] = append(m.Items["q"], it)
	}
	m.AddDataset("d", samples...)
	m.AddRun(eval.Config{Dataset: "d", Model: "m"})
	m.AllQueues = append(m.AllQueues, annotate.Queue{Name: "q", Overlap: 2, Extra: 1, GoldItems: 2, Items: 5, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}})
	m.GoldItemsOf = map[annotate.QueueName][]annotate.Gold{"q": {
		{Key: m.Items["q"][0].Key, Reading: chose("A", 0).Reading}, {Key: m.Items["q"][4].Key, Reading: chose("A", 0).Reading},
	}}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	say := func(who annotate.Annotator, o eval.Ordinal, c eval.Choice) {
		a := chose(c, time.Second)
		at = at.Add(time.Minute)
		a.At = at
		m.AddAct(who, o, a)
	}
	say("ben", 0, "B")
	for o, c := range []eval.Choice{"A", "B", "B", "A", "A"} {
		say("ann", eval.Ordinal(o), "A")
		say("ben", eval.Ordinal(o), c)
	}
	for o, c := range []eval.Choice{"A", "B", "A"} {
		say("cat", eval.Ordinal(o), c)
	}

	r, row := annotators(t, m, AnnotatorOptions{})
	for who, want := range map[annotate.Annotator]stat.Rate{"ann": stat.NewRate(2, 2), "ben": stat.NewRate(1, 2), "cat": stat.NewRate(1, 1)} {
		if got := person(t, row, who).Known; got == nil || *got != want {
			t.Errorf("known answers of %s: %+v, want %+v", who, got, want)
		}
	}
	check := func(at int, want stat.Rate, left map[string]int) {
		t.Helper()
		if p := row.Pairs[at]; p.Agreement != want || !maps.Equal(p.LeftOut, left) {
			t.Errorf("%s and %s: %+v without %v, want %+v without %v", p.A, p.B, p.Agreement, p.LeftOut, want, left)
		}
	}
	check(0, stat.NewRate(2, 4), map[string]int{annotate.LeftGold: 1})
	check(1, stat.NewRate(1, 1), map[string]int{leftAsked: 2})
	check(2, stat.NewRate(1, 1), map[string]int{leftAsked: 2})
	all := row.Together // 0: 3 of 3 pairs, 1 and 2: 0 of 1, 3: 1 of 1
	if p := all.Percent; p.K != 4 || p.N != 6 || p.Clusters != 4 || !maps.Equal(all.LeftOut, map[string]int{annotate.LeftGold: 2, leftAsked: 2}) {
		t.Errorf("all together: %+v without %v", all.Percent, all.LeftOut)
	}
	if got := r.PublicReport().Rows[0].(*AnnotatorsRow).People[0].Known; got.N != 0 || got.Undefined != unseen {
		t.Errorf("a screen before all is answered shows known answers: %+v", got)
	}
}
