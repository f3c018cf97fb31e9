package pairwise

import (
	"testing"

	"concord/annotate/report"
	"concord/eval"
)

// openings checks what the figures of a report open: of a rate its own pairs
// first, of a count as many.
func openings(t *testing.T, name string, r report.Report, err error, want int) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got := 0
	for _, tb := range r.Tables() {
		for _, line := range tb.Rows {
			for i := range line {
				c := &line[i]
				b := report.BehindOf(c)
				if b == nil {
					continue
				}
				got++
				if !b.Pairs {
					t.Errorf("%s: %s is not of pairs", name, tb.Columns[i].Name)
				}
				column := tb.Columns[i].Name
				n, all := make([]int, len(b.Picks)), 0
				for j, p := range b.Picks {
					for range report.PairsBehindRow(p.Row, p.Selection) {
						n[j]++
					}
					if j < b.Parts {
						all += n[j]
					}
				}
				votes := 1 // on one pair
				if r.Name == "bias" && !b.People && (column == "longer_preferred" || column == "undecided" || column == "equal_length") {
					votes = 2
				}
				if k, ok := c.Count(); ok && (k < all || k > votes*all) {
					t.Errorf("%s: %s %d opens %v", name, column, k, n)
				}
				exact := column == "agreement" || column == "win_rate" || column == "changed" || column == "longer_preferred"
				if rate, ok := c.Rate(); ok && exact && (rate.K < n[0] || rate.K > votes*n[0] || rate.N > votes*all) {
					t.Errorf("%s: %s %d/%d opens %v", name, column, rate.K, rate.N, n)
				}
			}
		}
	}
	if got != want {
		t.Errorf("%s: %d cells open something, want %d", name, got, want)
	}
}

func TestEveryCellOpensItsPairs(t *testing.T) {
	p, _, _ := newPoll()
	votes, err := ReportVotes(t.Context(), p, VoteOptions{})
	openings(t, "votes", votes, err, 14)
	bias, err := ReportBias(t.Context(), p, VoteOptions{})
	openings(t, "bias", bias, err, 9)
	repeats, err := ReportRepeats(t.Context(), p, VoteOptions{})
	openings(t, "repeats", repeats, err, 3)
	panel := newPanel()
	agreement, err := ReportAgreement(t.Context(), panel, AgreementOptions{})
	openings(t, "agreement", agreement, err, 289)
	people, err := ReportPeople(t.Context(), panel, AgreementOptions{})
	openings(t, "people", people, err, 72)
	both, err := ReportBias(t.Context(), panel, VoteOptions{})
	openings(t, "bias of people", both, err, 115)

	for _, row := range report.SelectRows[*BiasRow](both.Rows) {
		if by := row.newOpener(); by.People != (row.Queue != "") || (by.Ballot == nil) != by.People {
			t.Errorf("%s: %+v", row.placeTitle(), by)
		}
	}
	if b := votes.Rows[0].(*VotesRow).newOpener(votes.Rows[0]).Ballot; b == nil || b.Input != eval.SeesImage || b.Judge == "" {
		t.Errorf("the judge is not named: %+v", b)
	}
}

// What only those may see who have voted on all of a queue is in no table of the
// others, and the others open nothing of what people said.
func TestWholeTablesLeavePeopleOut(t *testing.T) {
	panel := newPanel()
	both, err := ReportBias(t.Context(), panel, VoteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	agreement, err := ReportAgreement(t.Context(), panel, AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	people, err := ReportPeople(t.Context(), panel, AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []report.Report{both, agreement, people} {
		for _, tb := range r.PublicReport().Tables() {
			for _, line := range tb.Rows {
				for i := range line {
					for _, who := range []string{"ann", "bob", "cat", "dan"} {
						if line[i].String() == who {
							t.Errorf("%s names %s", tb.Name, who)
						}
					}
					if b := report.BehindOf(&line[i]); r.Name != "bias" && b != nil && !b.People {
						t.Errorf("%s: %s opens what people said", tb.Name, tb.Columns[i].Name)
					}
				}
			}
		}
	}
}
