package pairwise

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

// panel is what four people and two judges, with criteria and without, say of 20 pairs: 10
// samples by two models against an anchor. M prefers the model, A the anchor, 1 and 2 are the
// situations, a point is no vote. A person's f is on an excluded pair, i given after the reveal. A judge
// has a vote of each order: ? does not parse, ! failed, - was not asked.
//
//	pair  people    X with X without  Y with Y without   majority
const panel = `
	 0    M M M M   MM MM   MM MM    M
	 1    M M M A   MM AA   MM AA    M
	 2    M M A 1   MM AA   -- --    M
	 3    M A M A   MM MM   MM MM    unable: two each
	 4    M 1 1 A   MM MM   MM --    unable: one each
	 5    A A A A   AA AA   MM AA    A
	 6    A A A M   AA MM   AA A-    A
	 7    A A 1 2   AA AA   AA A-    A: no more are unable than prefer it
	 8    M 1 1 2   MM MM   MM MM    unable: three
	 9    M M M .   M? MM   MM MM    M
	10    M M . .   M! MM   AA MM    M
	11    M . . .   MM MM   MM AA    M
	12    . . . .   MM MM   MM MM    nobody voted
	13    fM M M M  MM MM   MM MM    excluded
	14    iM iM . . MM MM   MM MM    after the reveal
	15    iM A A M  AA AA   MA AA    A: of three votes
	16    A A A A   MA AA   AA AA    A
	17    A A A A   11 AA   AA AA    A
	18    M M M M   AA MM   MM MM    M
	19    M M M A   M1 MM   MM 2M    M
`

var panelVote = map[byte]eval.Vote{
	'M': eval.Answer1, 'A': eval.Answer2, '1': eval.SituationOne, '2': eval.SituationTwo,
	'?': eval.VoteUnset, '!': eval.VoteUnset,
}

const (
	panelAnchor = eval.RunID(1)
	panelQueue  = annotate.QueueName("q")
)

func newPanel() *reporttest.Votes {
	p := &reporttest.Votes{Memory: reporttest.New()}
	var samples []eval.Sample
	for i := range 10 {
		samples = append(samples, eval.Sample{ID: eval.SampleID("0123456789"[i : i+1]), Kind: eval.KindOpen, Taxonomy: []string{[]string{"L", "K"}[i%2]}})
	}
	p.AddDataset("d", samples...)
	for _, model := range []string{"anchor", "one", "two"} {
		run := p.AddRun(eval.Config{Dataset: "d", Model: model, Modality: eval.WithImage, Strategy: eval.Vanilla})
		for o := range eval.Ordinal(10) {
			p.AddResponse(run, o, 0, strings.Repeat(" long", map[string]int{"anchor": 5}[model]+4*int(run-1)))
		}
	}
	p.AllQueues = []annotate.Queue{{Name: panelQueue, Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs, Anchor: panelAnchor}, Overlap: 4}}
	for i, line := range strings.Split(strings.TrimSpace(panel), "\n") {
		seat(p, i, strings.Fields(line)[1:])
	}
	// The criteria of sample 0 were revised after ann and X had seen them.
	p.Sets = []criteria.Set{{Dataset: "d", Sample: 0, Revisions: []criteria.Revision{{Hash: "old"}, {Hash: "new"}}}}
	return p
}

// seat enters what is said of one pair. Half of the queue's items have the
// anchor first, and so do half of the people see it.
func seat(p *reporttest.Votes, i int, said []string) {
	pair := eval.Pair{Sample: eval.Ordinal(i % 10), First: panelAnchor + 1 + eval.RunID(i/10), Second: panelAnchor}
	key := annotate.ItemKey{Key: eval.Key{Run: pair.First, Sample: pair.Sample}, Against: pair.Second}
	if i%2 == 1 {
		key.Run, key.Against = key.Against, key.Run
	}
	p.Items[panelQueue] = append(p.Items[panelQueue], annotate.QueueItem{Index: i, Key: key})
	for j, who := range []annotate.Annotator{"ann", "bob", "cat", "dan"} {
		vote, flagged := strings.CutPrefix(said[j], "f")
		vote, informed := strings.CutPrefix(vote, "i")
		if vote == "." {
			continue
		}
		v := annotate.PersonVote{
			Queue: panelQueue, Annotator: who, Pair: pair, Vote: panelVote[vote[0]], Excluded: flagged, Informed: informed, Criteria: "new",
		}
		if who == "ann" {
			v.Criteria = "old"
		}
		if who == "cat" || who == "dan" {
			v.Pair, v.Vote = pair.Swapped(), v.Vote.Swapped()
		}
		p.People = append(p.People, v)
	}
	for j, votes := range said[4:8] {
		b := eval.Ballot{Judge: []string{"X", "Y"}[j/2], Criteria: j%2 == 0, Input: eval.SeesImage}
		for order := range votes {
			if votes[order] == '-' {
				continue
			}
			f := eval.Preference{Pair: pair, Ballot: b, Vote: panelVote[votes[order]]}
			if order == 1 {
				f.Pair, f.Vote = pair.Swapped(), f.Vote.Swapped()
			}
			if votes[order] == '!' {
				f.Failure = &eval.Failure{Kind: eval.FailureTransient}
			}
			if b.Criteria {
				f.Text = map[string]string{"X": "old", "Y": "new"}[b.Judge]
			}
			p.Prefs = append(p.Prefs, f)
		}
	}
}

func agreementOf(t *testing.T, r *report.Report, person annotate.Annotator, judge string, with bool) *AgreementRow {
	t.Helper()
	for _, row := range r.Rows {
		if a := row.(*AgreementRow); a.Person == person && a.Judge == judge && a.Criteria == with {
			return a
		}
	}
	t.Fatalf("no row of %q, %s, %t", person, judge, with)
	return nil
}

// Of the majority nobody voted on 12, 13 is flagged, 14 after the reveal, and
// people are undecided on 3, 4 and 8. That leaves 14 pairs.
func TestAgreement(t *testing.T) {
	r, err := ReportAgreement(t.Context(), newPanel(), AgreementOptions{})
	if err != nil || len(r.Rows) != 4*5 {
		t.Fatalf("%d rows, %v", len(r.Rows), err)
	}
	check := func(person annotate.Annotator, judge string, with bool, k, n int, left LeftOut) {
		t.Helper()
		row := agreementOf(t, &r, person, judge, with)
		if row.Agreement.K != k || row.Agreement.N != n || row.LeftOut != left {
			t.Errorf("%q, %s, %t: %d of %d, %+v", person, judge, with, row.Agreement.K, row.Agreement.N, row.LeftOut)
		}
		sum := n
		for _, why := range reasonsLeftOut {
			sum += *row.LeftOut.counterOf(why)
		}
		if sum != 20 || row.Pairs != 20 || row.Majority != (person == "") {
			t.Errorf("%q, %s, %t: %d pairs of %d are accounted for", person, judge, with, sum, row.Pairs)
		}
	}
	people := LeftOut{PeopleLeftOut: PeopleLeftOut{NotVoted: 1, Excluded: 1, Informed: 1}, PeopleUndecided: 3}
	// X with criteria: 9 unparsed, 10 failed, 16 tied, 17 a situation; of 10, 18 differs.
	left := people
	left.Unparsed, left.Failed, left.JudgeUndecided = 1, 1, 2
	check("", "X", true, 9, 10, left)
	// X without: 1, 2 and 6 differ.
	check("", "X", false, 11, 14, people)
	// Y with: 2 not asked, 15 tied; 5 and 10 differ.
	left = people
	left.NotAsked, left.JudgeUndecided = 1, 1
	check("", "Y", true, 10, 12, left)
	// Y without: 2 not asked; 1 and 11 differ.
	left = people
	left.NotAsked = 1
	check("", "Y", false, 11, 13, left)
	// ann is decided on all 16 that count, where X has no vote on 9, 10, 16, 17.
	check("ann", "X", true, 11, 12, LeftOut{PeopleLeftOut: PeopleLeftOut{NotVoted: 1, Excluded: 1, Informed: 2}, Unparsed: 1, Failed: 1, JudgeUndecided: 2})
	// dan: no vote on 9 to 12 and 14, undecided on 2, 7 and 8; of the other 12 Y
	// with criteria is tied on 15 and differs on 1, 3, 4, 5, 6 and 19.
	check("dan", "Y", true, 5, 11, LeftOut{PeopleLeftOut: PeopleLeftOut{NotVoted: 5}, PeopleUndecided: 3, JudgeUndecided: 1})

	row := agreementOf(t, &r, "", "Y", false)
	if row.OneOrder != 2 || row.StaleJudge != 0 || row.StalePeople != 2 || row.TooFew != 4 {
		t.Errorf("%+v", row) // one order of 6 and 7; ann's old criteria on 0 and 10; fewer than four votes on 9, 10, 11 and 15
	}
	if row := agreementOf(t, &r, "", "X", true); row.StaleJudge != 1 || row.TooFew != 2 || row.Baseline.K != 6 || row.Baseline.N != 10 {
		t.Errorf("%+v", row) // of 0, 1, 2, 11, 18, 19 people prefer the model
	}
	// Everybody voted on 17 of 20; with X unparsed and failed on 9 and 10, 15
	// remain: the 9, and none of 3, 4, 8 (X decides), 16, 17 (people do), 18.
	if row := agreementOf(t, &r, "", "X", true); row.WithUndecided.K != 9 || row.WithUndecided.N != 15 {
		t.Errorf("%+v", row.WithUndecided)
	}
}

func TestAgreementCoefficients(t *testing.T) {
	r, err := ReportAgreement(t.Context(), newPanel(), AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// X with criteria: both M 5, both A 4, people M and X A 1. Agreement 0.9, by
	// chance 0.6 * 0.5 + 0.4 * 0.5.
	row := agreementOf(t, &r, "", "X", true)
	if math.Abs(row.Kappa.Value-0.8) > 1e-12 || row.Kappa.N != 10 {
		t.Errorf("%+v", row.Kappa)
	}
	// AC1: by chance 2 * 0.55 * 0.45.
	if math.Abs(row.AC1.Value-(0.9-0.495)/(1-0.495)) > 1e-12 {
		t.Errorf("%+v", row.AC1)
	}
}

// What criteria do (Table 6): over the pairs on which people and both ways of
// the judge decided.
func TestCriteriaEffect(t *testing.T) {
	p := newPanel()
	r, err := ReportAgreement(t.Context(), p, AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(judge string, with, without, n int, exact float64, only [3]int) {
		t.Helper()
		row := agreementOf(t, &r, "", judge, true)
		x := row.Effect
		if x.With.K != with || x.Without.K != without || x.With.N != n || x.Without.N != n || math.Abs(x.McNemar.Exact-exact) > 0.02 {
			t.Errorf("%s: %+v", judge, x)
		}
		if got := [3]int{x.OnlyWith, x.OnlyWithout, x.Neither}; got != only || n+got[0]+got[1]+got[2] != 20 {
			t.Errorf("%s: %v, want %v", judge, got, only)
		}
		if want := float64(with-without) / float64(n); math.Abs(x.Difference.Value-want) > 1e-12 || x.Difference.Low >= want || x.Difference.High <= want {
			t.Errorf("%s: %+v", judge, x.Difference)
		}
		if agreementOf(t, &r, "", judge, false).Effect != nil {
			t.Errorf("%s: an effect in the row without criteria", judge)
		}
	}
	// X: right with criteria alone on 1, 2 and 6, without alone on 18, both on 0,
	// 5, 7, 11, 15, 19: 2 * (1 + 4) / 16 by signs. Without alone on 9, 10, 16, 17.
	check("X", 9, 7, 10, 0.625, [3]int{0, 4, 6})
	// Y: with alone on 1 and 11, without alone on 5 and 10. Without alone is
	// compared on 15; neither on 2.
	check("Y", 10, 10, 12, 1, [3]int{0, 1, 7})

	row := agreementOf(t, &r, "", "X", true)
	open := func(s report.Selection) (out []eval.Pair) { return slices.Collect(report.PairsBehindRow(row, s)) }
	if got := open(report.Selection{Which: WithRight}); !slices.Equal(got, []eval.Pair{{Sample: 1, First: 2, Second: 1}, {Sample: 2, First: 2, Second: 1}, {Sample: 6, First: 2, Second: 1}}) {
		t.Errorf("%v", got)
	}
	if got := open(report.Selection{Which: JudgeUnparsed, Level: []string{"K"}}); !slices.Equal(got, []eval.Pair{{Sample: 9, First: 2, Second: 1}}) {
		t.Errorf("%v", got)
	}
	if got := open(report.Selection{Which: report.Disagree}); !slices.Equal(got, []eval.Pair{{Sample: 8, First: 3, Second: 1}}) {
		t.Errorf("%v", got)
	}
}

func TestAgreementOptions(t *testing.T) {
	p := newPanel()
	one := AgreementOptions{VoteOptions: VoteOptions{Model: "one", Judge: "X", Anchor: "anchor"}, Queue: panelQueue}
	r, err := ReportAgreement(t.Context(), p, one)
	if err != nil || len(r.Rows) != 10 {
		t.Fatal(len(r.Rows), err)
	}
	// Of the pairs 0 to 9: nobody is left out but 3, 4, 8; 9 is unparsed.
	if row := agreementOf(t, &r, "", "X", true); row.LeftOut.Filtered != 10 || row.Agreement.N != 6 || row.LeftOut.PeopleUndecided != 3 {
		t.Errorf("%+v", row)
	}
	if _, err := ReportAgreement(t.Context(), p, AgreementOptions{Queue: "none"}); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
	r, err = ReportAgreement(t.Context(), p, AgreementOptions{VoteOptions: VoteOptions{Judge: "nobody"}})
	if err != nil || len(r.Rows) != 0 || !strings.Contains(r.Notes[0], "no judge has voted") {
		t.Errorf("%+v %v", r, err)
	}
}

// Who has yet to vote sees no figure of one person.
func TestWholeLeavesPeopleOut(t *testing.T) {
	p := newPanel()
	a, err := ReportAgreement(t.Context(), p, AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReportPeople(t.Context(), p, AgreementOptions{})
	if err != nil || len(a.PublicReport().Rows) != 4 || len(b.PublicReport().Rows) != 0 {
		t.Errorf("%d %d %v", len(a.PublicReport().Rows), len(b.PublicReport().Rows), err)
	}
}

func TestPeople(t *testing.T) {
	r, err := ReportPeople(t.Context(), newPanel(), AgreementOptions{})
	if err != nil || len(r.Rows) != 6 {
		t.Fatal(len(r.Rows), err)
	}
	check := func(a, b annotate.Annotator, k, n, all, allN int, left PeopleLeftOut) {
		t.Helper()
		i := slices.IndexFunc(r.Rows, func(row report.Row) bool { return row.(*PeopleRow).A == a && row.(*PeopleRow).B == b })
		row := r.Rows[i].(*PeopleRow)
		if row.Agreement.K != k || row.Agreement.N != n || row.AllClasses.K != all || row.AllClasses.N != allN || row.LeftOut != left || row.Undecided != allN-n {
			t.Errorf("%s and %s: %+v", a, b, row)
		}
	}
	// bob and cat: 10, 11, 12, 14 without a vote of both; they differ on 2, 3 and
	// 7, and on 4, 7 and 8 one is undecided: both say situation one of 4 and 8.
	check("bob", "cat", 11, 13, 13, 16, PeopleLeftOut{NotVoted: 4})
	// cat and dan: alike on 0, 5, 13, 16, 17, 18; undecided on 2, 4, 7 and 8.
	check("cat", "dan", 6, 11, 6, 15, PeopleLeftOut{NotVoted: 5})
	// ann and bob: 11 and 12 without a vote, 13 flagged, 14 and 15 after the
	// reveal; they differ on 3, and bob is undecided on 4 and 8.
	check("ann", "bob", 12, 13, 12, 15, PeopleLeftOut{NotVoted: 2, Excluded: 1, Informed: 2})
}

func TestPeoplesBias(t *testing.T) {
	p := newPanel()
	r, err := ReportBias(t.Context(), p, VoteOptions{Anchor: "anchor"})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[annotate.Annotator]*BiasRow{}
	for _, row := range r.Rows {
		if b := row.(*BiasRow); b.Queue != "" {
			rows[b.Person] = b
		}
	}
	if len(rows) != 5 {
		t.Fatal(rows)
	}
	// cat saw the anchor first and prefers it on 2, 5, 6, 15, 16 and 17 of 13.
	if b := rows["cat"]; b.FirstShown.K != 6 || b.FirstShown.N != 13 || b.Position.Same.Undefined == "" {
		t.Errorf("%+v", b)
	}
	// The answers have 4 tokens (model one), 8 (two), 5 (anchor): of one the
	// anchor's is longer, which the majority prefers on 5, 6, 7 of 0, 1, 2, 5, 6,
	// 7, 9; of two the model's, preferred on 10, 11, 18, 19 and not on 15, 16, 17.
	if b := rows[""]; b.Longer.K != 3+4 || b.Longer.N != 14 || b.Undecided != 3 || b.Incomplete != 3 || b.Judge != peopleJudge {
		t.Errorf("%+v", b)
	}
	if got := slices.Collect(report.PairsBehindRow(rows[""], report.Selection{Which: NeitherWon})); len(got) != 3 || got[0] != (eval.Pair{Sample: 3, First: 2, Second: 1}) {
		t.Errorf("%v", got)
	}
	p.Prefs = nil
	if r, err := ReportBias(t.Context(), p, VoteOptions{}); err != nil || len(r.Rows) != 5 {
		t.Errorf("without judges: %d, %v", len(r.Rows), err)
	}
}

func TestAgreementInEveryFormat(t *testing.T) {
	p := newPanel()
	p.People[0].Annotator = "a\x1b[2Jnn"
	for _, build := range []func() (report.Report, error){
		func() (report.Report, error) { return ReportAgreement(t.Context(), p, AgreementOptions{}) },
		func() (report.Report, error) { return ReportPeople(t.Context(), p, AgreementOptions{}) },
		func() (report.Report, error) { return ReportBias(t.Context(), p, VoteOptions{Anchor: "anchor"}) },
	} {
		r, err := build()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []table.Format{table.FormatTable, table.FormatJSON, table.FormatCSV, table.FormatMarkdown, table.FormatLaTeX} {
			var b bytes.Buffer
			if err := report.RenderReport(&b, r, f, 80); err != nil || b.Len() == 0 || strings.ContainsRune(b.String(), 0x1b) {
				t.Errorf("%s as %s: %v\n%s", r.Name, f, err, &b)
			}
			if f == table.FormatJSON && !json.Valid(b.Bytes()) {
				t.Errorf("%s", &b)
			}
		}
	}
}

// All four are of one mind on 0, 5, 16, 17 and 18, all who voted on 9, 10 and
// 11; X decides 0, 5 and 11 as they do and 18 otherwise, and nothing of the
// others. Two situations are one class here.
func TestAgreementPolicies(t *testing.T) {
	of := func(u annotate.Undecided) *AgreementRow {
		t.Helper()
		r, err := ReportAgreement(t.Context(), newPanel(), AgreementOptions{Policy: annotate.Unanimous, Undecided: u})
		if err != nil {
			t.Fatal(err)
		}
		row := agreementOf(t, &r, "", "X", true)
		l := row.LeftOut
		if sum := row.Agreement.N + l.NotVoted + l.Excluded + l.Informed + l.PeopleUndecided + l.NotAsked + l.Failed + l.Unparsed + l.JudgeUndecided; sum != 20 {
			t.Errorf("%s: %d pairs compared or left out, want 20", u, sum)
		}
		return row
	}
	dropped, tie, own := of(annotate.Dropped), of(annotate.CountedAsNone), of(annotate.OwnClass)
	if dropped.Agreement.K != 3 || dropped.Agreement.N != 4 || dropped.LeftOut.PeopleUndecided != 9 || dropped.Policy != "unanimous" || dropped.Undecided != "dropped" {
		t.Errorf("dropped: %+v, %+v", dropped.Agreement, dropped.LeftOut)
	}
	if tie.Agreement != dropped.WithUndecided || tie.Undecided != "tie" || tie.LeftOut.PeopleUndecided != 0 {
		t.Errorf("as a tie: %+v, want %+v", tie.Agreement, dropped.WithUndecided)
	}
	if own.Agreement.K != 3 || own.Agreement.N != tie.Agreement.N || own.Undecided != "own" {
		t.Errorf("as a class of its own: %+v", own.Agreement)
	}
}

// A judge that votes as everybody else does may take the place of a person, and one
// that is tested on too few pairs is not.
func TestReportReplacing(t *testing.T) {
	for _, c := range []struct {
		models int
		people []string
		judge  string
		beats  float64
		passes bool
	}{
		{4, []string{"M", "M", "A"}, "MM", 1, true},
		{4, []string{"M", "M", "M"}, "AA", 0, false},
		{4, []string{"1", "1", "1"}, "22", 0, false}, // kinds of ties are told apart
		{2, []string{"M", "M", "M"}, "MM", -1, false},
	} {
		p := &reporttest.Votes{Memory: reporttest.New()}
		p.AddDataset("d", slices.Repeat([]eval.Sample{{Kind: eval.KindOpen}}, 10)...)
		for i := range c.models + 1 {
			run := p.AddRun(eval.Config{Dataset: "d", Model: string(rune('a' + i)), Modality: eval.WithImage, Strategy: eval.Vanilla})
			for o := range eval.Ordinal(10) {
				p.AddResponse(run, o, 0, "x")
			}
		}
		p.AllQueues = []annotate.Queue{{Name: panelQueue, Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs, Anchor: panelAnchor}, Overlap: 3}}
		for i := range 10 * c.models {
			seat(p, i, append(slices.Clone(c.people), ".", c.judge, "--", "--", "--"))
		}
		r, err := ReportReplacing(t.Context(), p, AgreementOptions{VoteOptions: VoteOptions{Judge: "X"}}, 0.2)
		if err != nil || len(r.Rows) == 0 {
			t.Fatal(len(r.Rows), err)
		}
		row := r.Rows[0].(*report.ReplacingRow)
		if row.N != 10*c.models || row.Passes != c.passes || (row.WinningRate.Undefined != "") != (c.beats < 0) || c.beats >= 0 && row.WinningRate.Value != c.beats {
			t.Errorf("%v beside %s: %+v", c.people, c.judge, row)
		}
	}
	if _, err := ReportReplacing(t.Context(), newPanel(), AgreementOptions{VoteOptions: VoteOptions{Judge: "nobody"}}, 0.2); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
}
