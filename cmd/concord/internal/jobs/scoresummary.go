package jobs

import (
	"fmt"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
)

// ScoringSummary is what became of a scoring order, as `concord judge scores`
// prints it.
type ScoringSummary struct {
	Dataset eval.DatasetName `json:"dataset"`
	Judge   string           `json:"judge"`
	Runs    []runScores      `json:"runs"`
	jobSummary
}

// runScores is what a judge makes of one run. A mean is over Scored.
type runScores struct {
	Run      eval.RunID         `json:"run"`
	Model    string             `json:"model"`
	Scored   int                `json:"scored"`
	Unparsed int                `json:"unparsed"`
	Failed   int                `json:"failed"`
	Values   [eval.TopScore]int `json:"values"` // answers by score, from 1
	Mean     *float64           `json:"mean"`   // null: nothing is scored
}

func (s *scoring) summary(p eval.Progress, ended error) (ScoringSummary, error) {
	out := ScoringSummary{
		Dataset: s.order.Dataset, Judge: s.order.Judge, Runs: []runScores{},
		jobSummary: jobSummaryOf(p, ended, &s.Tally, s.missing),
	}
	for _, r := range s.runs {
		all, err := s.Factory.Store.Scores().Counts(r.ID)
		if err != nil {
			return out, err
		}
		one := runScores{Run: r.ID, Model: r.Config.Model}
		for _, c := range all {
			if c.Judge == s.order.Judge {
				one.fill(&c.Counts)
			}
		}
		out.Runs = append(out.Runs, one)
	}
	return out, nil
}

func (r *runScores) fill(c *eval.ScoreCounts) {
	r.Scored, r.Unparsed, r.Failed = c.Scored(), c.Values[0], c.Failures
	sum := 0
	for i := range r.Values {
		r.Values[i] = c.Values[i+1]
		sum += (i + 1) * r.Values[i]
	}
	if r.Scored > 0 {
		mean := float64(sum) / float64(r.Scored)
		r.Mean = &mean
	}
}

// print says what became of a scoring order: one object for scripts, else a
// few lines.
func (s *scoring) print(p eval.Progress, ended error) error {
	sum, err := s.summary(p, ended)
	if err != nil {
		return err
	}
	if s.Factory.JSON {
		return s.Factory.WriteJSON(sum)
	}
	_, err = fmt.Fprint(s.Factory.Out, sum.text())
	return err
}

// text is the summary for people.
func (s *ScoringSummary) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scores of %s on %s: %s\n%s", cli.Visible(s.Judge), cli.Visible(string(s.Dataset)), s.done("score"), s.calls("score"))
	for _, r := range s.Runs {
		if r.Mean != nil {
			fmt.Fprintf(&b, "  run %-5d %s: mean score %.2f of %d\n", r.Run, cli.Visible(r.Model), *r.Mean, r.Scored)
		}
	}
	b.WriteString(s.omitted("answer"))
	b.WriteString(s.spent())
	return b.String()
}
