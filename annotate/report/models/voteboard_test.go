package models

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// polled is a project with votes.
type polled struct {
	*reporttest.Memory
	votes  []eval.Preference
	people []annotate.PersonVote
}

func (p *polled) Comparisons(context.Context) ([]eval.ComparisonProgress, error) {
	var out []eval.ComparisonProgress
	seen := make(map[eval.Comparison]bool)
	for i := range p.votes {
		if c := p.votes[i].Comparison(); !seen[c] {
			seen[c] = true
			out = append(out, eval.ComparisonProgress{Comparison: c})
		}
	}
	return out, nil
}

func (p *polled) Votes(_ context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	return func(yield func(eval.Preference, error) bool) {
		for _, v := range p.votes {
			if v.Comparison() == c && !yield(v, nil) {
				return
			}
		}
	}
}

func (p *polled) SettingsByHash(setup string) ([]byte, error) { return []byte(setup), nil }

func (p *polled) PeoplesVotes(context.Context, eval.DatasetName) ([]annotate.PersonVote, error) {
	return p.people, nil
}

func (p *polled) CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return func(func(criteria.Set, error) bool) {}
}

// tournament has a judge vote on all pairs of three models in both orders: a is
// better than b, and b than c. People vote on the first half.
func tournament(samples int) *polled {
	all := func(int) bool { return true }
	p := &polled{Memory: project(samples, all, all, all)}
	r := rand.New(rand.NewPCG(1, 2))
	strength := []float64{0, 0.8, 0, -0.8}
	for o := range eval.Ordinal(samples) {
		for first := eval.RunID(1); first <= 3; first++ {
			for second := eval.RunID(1); second <= 3; second++ {
				if first == second {
					continue
				}
				vote := eval.Answer2
				switch won := 1 / (1 + math.Exp(strength[second]-strength[first])); {
				case r.Float64() < 0.1:
					vote = eval.SituationOne
				case r.Float64() < won:
					vote = eval.Answer1
				}
				pair := eval.Pair{Sample: o, First: first, Second: second}
				p.votes = append(p.votes, eval.Preference{Pair: pair, Ballot: eval.Ballot{Judge: "j", Input: eval.SeesImage}, Vote: vote})
				if int(o) < samples/2 {
					p.people = append(p.people, annotate.PersonVote{Annotator: "ann", Pair: pair, Vote: vote, At: time.Unix(1, 0), Excluded: o == 0, Informed: o == 1})
				}
			}
		}
	}
	return p
}

func TestVoteBoard(t *testing.T) {
	p := tournament(120)
	r, err := ReportVoteBoard(t.Context(), p, VotesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 6 {
		t.Fatalf("%d rows, want three of the judge and three of people", len(r.Rows))
	}
	sum := 0.0
	for i, model := range []string{"a", "b", "c"} {
		row := r.Rows[i].(*VoteRow)
		sum += row.Score.Value
		if row.Model != model || row.Voter != "j" || row.Rank.Value != i+1 || *row.Rank.Low != i+1 || *row.Rank.High != i+1 || row.Best != (i == 0) {
			t.Errorf("row %d: %s by %s, rank %s, best %v", i, row.Model, row.Voter, row.Rank, row.Best)
		}
		if row.Votes != 480 || row.Score.N != 120 || row.Score.Low >= row.Score.Value || row.Score.High <= row.Score.Value {
			t.Errorf("%+v", row)
		}
		if got := reporttest.CountKeys(t, row.KeysBehind(t.Context(), p, report.Selection{})); got != 120 {
			t.Errorf("%d samples behind %s, want 120", got, model)
		}
		if people := r.Rows[i+3].(*VoteRow); people.Model != model || people.Voter != People || people.Score.N != 58 {
			t.Errorf("%+v", people)
		}
	}
	if math.Abs(sum) > 1e-9 {
		t.Errorf("strengths add up to %v", sum)
	}
	for i, row := range r.Sheets[1].Rows { // people's: a model's answers beside both of the others
		b := report.BehindOf(&row[3])
		if b == nil || !b.Pairs || !b.People || b.Ballot != nil || report.BehindOf(&row[4]) == nil {
			t.Fatalf("line %d opens %+v", i, b)
		}
		n := 0
		for p := range report.PairsBehindRow(b.Picks[0].Row, b.Picks[0].Selection) {
			if n++; p.First != eval.RunID(i+1) || p.Second == p.First {
				t.Errorf("line %d opens %v", i, p)
			}
		}
		if n != 2*58 {
			t.Errorf("line %d opens %d pairs, want %d", i, n, 2*58)
		}
	}
	if b := report.BehindOf(&r.Sheets[0].Rows[0][3]); b == nil || b.People || b.Ballot == nil || b.Ballot.Judge != "j" {
		t.Errorf("a judge's strength opens %+v", b)
	}
	if text := strings.Join(r.Notes, "\n"); !strings.Contains(text, "left out are 6 excluded, 6 given after the reveal") {
		t.Errorf("votes left out are not named:\n%s", text)
	}
	again, err := ReportVoteBoard(t.Context(), p, VotesOptions{Judge: "j"})
	if err != nil || len(again.Rows) != 3 || again.Rows[0].(*VoteRow).Score != r.Rows[0].(*VoteRow).Score {
		t.Errorf("the same seed draws otherwise: %+v, %v", again.Rows, err)
	}
}

// Without a loss no strength is finite: the note names who is apart.
func TestVoteBoardRefuses(t *testing.T) {
	p := tournament(4)
	for i := range p.votes {
		v := &p.votes[i]
		v.Vote = eval.Answer2
		if v.First < v.Second {
			v.Vote = eval.Answer1
		}
	}
	_, err := ReportVoteBoard(t.Context(), p, VotesOptions{Judge: "j"})
	if !errors.Is(err, eval.ErrNotFound) || !strings.Contains(err.Error(), "(a; b; c)") {
		t.Errorf("%v", err)
	}
	if _, err := ReportVoteBoard(t.Context(), p, VotesOptions{Judge: "nobody"}); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// Votes of one judge under two settings are two rankings, which say in what.
func TestVoteBoardTellsSettingsOfJudge(t *testing.T) {
	p := tournament(60)
	for i := range p.votes {
		p.votes[i].Setup = `{"params":{"temperature":0}}`
		again := p.votes[i]
		again.Repeat, again.Setup = 1, `{"params":{"temperature":1}}`
		p.votes = append(p.votes, again)
	}
	r, err := ReportVoteBoard(t.Context(), p, VotesOptions{Judge: "j"})
	if err != nil || len(r.Rows) != 6 {
		t.Fatalf("%d rows, %v: want three by each setting", len(r.Rows), err)
	}
	for i, want := range []string{`"temperature":0`, `"temperature":1`} {
		if row := r.Rows[3*i].(*VoteRow); !strings.Contains(row.Asked, want) || !strings.Contains(r.Sheets[i].Title, want) || row.Votes != 240 {
			t.Errorf("ranking %d: setting %q, title %q, %d votes", i, row.Asked, r.Sheets[i].Title, row.Votes)
		}
	}
}
