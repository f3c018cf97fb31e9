package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/eval/judge"
	"concord/store"
)

func newImportVotesCmd(a *app) *cobra.Command {
	var o dataset.VoteOptions
	var people peopleOptions
	var name string
	var runs []uint
	cmd := &cobra.Command{
		Use:   "votes FILE --dataset NAME [--judge NAME] [--queue NAME]",
		Short: "Import votes on pairs of answers, a judge model's or people's",
		Long: `Imports MLLM-Bench's files of votes, in both of their forms: a list with
unique_idx, raw_answer1 and the judge's answer, and JSON lines with uid, criteria
and judge_raw. Every vote is read from the judge's raw reply, whatever the file
says it means; replies that hold none are kept and counted. The answers are those
of the models' runs on the dataset; a model that has none gets a run of the
answers in the file.

People's votes are JSON lines, CSV, TSV or xlsx with sample, model_1, model_2,
annotator and vote (answer1, answer2, situation_one, situation_two, or the model
that is preferred), and optionally criteria (true or false), criteria_hash,
confidence, note, at and more of what export votes writes. They go into a queue of
pairs, which is made of the file's pairs where there is none of that name, and
frozen. A pair is one item in whichever order it was shown: somebody's second
vote on it is reported, and the first one kept.`,
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
			people.dataset, people.runs, people.strict, people.by = o.Dataset, runs, o.Strict, annotate.Annotator(userName())
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				return importVotes(cmd.Context(), a, st, args[0], o, people)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "dataset", "", "the dataset whose answers were voted on (required)")
	f.StringVar(&o.Judge, "judge", "", "the judge's name in reports (default: as the file names it)")
	f.UintSliceVar(&runs, "run", nil, "the models' runs, by `number`, where a model has several")
	f.StringVar(&people.queue, "queue", "", "of people's votes: the queue of pairs that takes them (default: as a row names it, else the file's name)")
	f.IntVar(&people.overlap, "overlap", 0, "of people's votes: how many people may vote on a pair of a queue that is made (default: as many as the file names)")
	f.BoolVar(&o.Strict, "strict", false, "fail at the first row that cannot be taken")
	a.require(cmd, "dataset")
	return cmd
}

// importVotes takes a judge's votes, or people's where the file names
// annotators: that shows before anything of it is written.
func importVotes(ctx context.Context, a *app, st *store.Store, path string, o dataset.VoteOptions, people peopleOptions) error {
	if people.queue != "" || people.overlap > 0 {
		return importPeople(ctx, a, st, path, people)
	}
	m := a.meter("reading " + path)
	o.Progress = m.bytes
	sum, err := dataset.ImportVotes(ctx, dataset.VoteSinks{
		Samples: st.Datasets(), Runs: st.Runs(), Votes: st.Votes(), Texts: st.Texts(),
	}, path, o)
	m.done()
	switch {
	case errors.Is(err, dataset.ErrPeoplesVotes) && o.Judge != "":
		return usageError{fmt.Errorf("--judge: %w", err)}
	case errors.Is(err, dataset.ErrPeoplesVotes):
		return importPeople(ctx, a, st, path, people)
	case err != nil:
		return err
	}
	return printVotesImported(a, sum)
}

func printVotesImported(a *app, s dataset.VoteSummary) error {
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
