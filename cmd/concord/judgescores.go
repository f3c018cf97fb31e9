package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/eval"
	"concord/store"
)

// errandFlags are those of every errand.
type errandFlags struct {
	budget   budget
	effort   effort
	estimate bool
}

func (f *errandFlags) add(fs *pflag.FlagSet, facts, of string) {
	fs.IntVar(&f.effort.Concurrency, "concurrency", 0, facts+" asked for at once (default: as configured)")
	f.budget.add(fs, of)
	fs.BoolVar(&f.estimate, "estimate", false, "only say how many calls it takes and what they cost")
}

func (f *errandFlags) read() (err error) {
	if f.effort.Concurrency < 0 {
		return usageError{fmt.Errorf("--concurrency %d: want 0 or more", f.effort.Concurrency)}
	}
	f.effort.Budget, err = f.budget.read()
	return err
}

func newJudgeScoresCmd(a *app) *cobra.Command {
	var o scoringOrder
	var f errandFlags
	var name string
	var runs []uint
	cmd := &cobra.Command{
		Use:   "scores --dataset NAME --judge NAME",
		Short: "Have a judge model score open answers from 1 to 5",
		Long: `Asks a judge model how similar each open answer is to its question's reference,
from 1 (completely wrong) to 5 (completely right; MMBench, App. D.2), and keeps
every reply. The same command goes on where it stopped and asks for nothing that
there is a score for. What an endpoint refused for its content stays as it is,
unless --retry-failed asks it again; a reply that is not a score is asked for
again with a hint, and then kept as unparsed.

Failed answers and questions without a reference are left out and counted.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := need(cmd, "dataset", "judge"); err != nil {
				return err
			}
			if err := f.read(); err != nil {
				return err
			}
			o.Dataset = eval.DatasetName(name)
			for _, r := range runs {
				o.Runs = append(o.Runs, eval.RunID(r))
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				l, err := newLab(a, st)
				if err != nil {
					return err
				}
				s, err := l.scoring(cmd.Context(), &o)
				if err != nil {
					return err
				}
				return l.carryOut(cmd.Context(), s, f.effort, f.estimate)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "dataset", "", "the dataset that was answered (required)")
	fs.StringSliceVar(&o.Models, "model", nil, "only answers of this model, by `name`; repeatable")
	fs.UintSliceVar(&runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&o.Judge, "judge", "", "`name` of a judge in the configuration (required)")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	f.add(fs, "scores", "this judge's scores")
	return cmd
}

// scoringSummary is what became of a scoring order, as `concord judge scores`
// prints it.
type scoringSummary struct {
	Dataset eval.DatasetName `json:"dataset"`
	Judge   string           `json:"judge"`
	Runs    []runScores      `json:"runs"`
	errandSummary
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

func (s *scoring) summary(p eval.Progress, ended error) (scoringSummary, error) {
	out := scoringSummary{
		Dataset: s.order.Dataset, Judge: s.order.Judge, Runs: []runScores{},
		errandSummary: errandSummaryOf(p, ended, &s.Tally, s.missing),
	}
	for _, r := range s.runs {
		all, err := s.lab.st.Scores().Counts(r.ID)
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
	if s.lab.json {
		return s.lab.writeJSON(sum)
	}
	_, err = fmt.Fprint(s.lab.out, sum.text())
	return err
}

// text is the summary for people.
func (s *scoringSummary) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scores of %s on %s: %s\n%s", visible(s.Judge), visible(string(s.Dataset)), s.done("score"), s.calls("score"))
	for _, r := range s.Runs {
		if r.Mean != nil {
			fmt.Fprintf(&b, "  run %-5d %s: mean score %.2f of %d\n", r.Run, visible(r.Model), *r.Mean, r.Scored)
		}
	}
	b.WriteString(s.omitted("answer"))
	b.WriteString(s.spent())
	return b.String()
}
