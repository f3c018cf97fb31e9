package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/eval/judge"
	"concord/store"
)

func (a *app) importVotesCommand() *cobra.Command {
	var o dataset.VoteOptions
	var name string
	var runs []uint
	cmd := &cobra.Command{
		Use:   "votes FILE --dataset NAME [--judge NAME]",
		Short: "Import a judge model's votes on pairs of answers",
		Long: `Imports MLLM-Bench's files of votes, in both of their forms: a list with
unique_idx, raw_answer1 and the judge's answer, and JSON lines with uid, criteria
and judge_raw. Every vote is read from the judge's raw reply, whatever the file
says it means; replies that hold none are kept and counted. The answers are those
of the models' runs on the dataset; a model that has none gets a run of the
answers in the file.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dataset, o.Read, o.Now, o.Skipped = eval.DatasetName(name), judge.Vote, a.now, a.problem
			for _, r := range runs {
				o.Runs = append(o.Runs, eval.RunID(r))
			}
			var err error
			if o.Reader, err = rulesFor(extract.Default); err != nil {
				return err
			}
			if err := readable(args[0]); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				m := a.meter("reading " + args[0])
				o.Progress = m.bytes
				sum, err := dataset.ImportVotes(cmd.Context(), dataset.VoteSinks{
					Samples: st.Datasets(), Runs: st.Runs(), Votes: st.Votes(), Texts: st.Texts(),
				}, args[0], o)
				m.done()
				if err != nil {
					return err
				}
				return a.votesImported(sum)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "dataset", "", "the dataset whose answers were voted on (required)")
	f.StringVar(&o.Judge, "judge", "", "the judge's name in reports (default: as the file names it)")
	f.UintSliceVar(&runs, "run", nil, "the models' runs, by `number`, where a model has several")
	f.BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be taken")
	a.require(cmd, "dataset")
	return cmd
}

func (a *app) votesImported(s dataset.VoteSummary) error {
	if a.json {
		return a.writeJSON(s)
	}
	with := "without criteria"
	if s.Criteria {
		with = "with criteria"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on %s, %s: read %d, skipped %d, added %d, unchanged %d",
		visible(strings.Join(s.Judges, ", ")), visible(string(s.Dataset)), with, s.Read, s.Skipped, s.Added, s.Unchanged)
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Unparsed, "unparsed"},
		{s.Differ, "read otherwise than the file states"},
		{s.OneOrder, "pairs in one order only"},
		{s.NoAnswer, "without an answer"},
		{s.OtherAnswer, "answers that differ"},
		{s.Warnings, "warnings"},
	} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.what)
		}
	}
	for _, r := range s.Runs {
		made := ""
		if r.Made {
			made = " (made of the file's answers)"
		}
		fmt.Fprintf(&b, "\n  run %d: %s%s", r.Run, visible(r.Model), made)
	}
	_, err := fmt.Fprintf(a.out, "%s\n", &b)
	return err
}
