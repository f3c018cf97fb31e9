package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/eval/dataset"
	"concord/store"
)

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
		return asUsage(fmt.Errorf("--judge: %w", err))
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
