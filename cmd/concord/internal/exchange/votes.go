package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// ImportVotes takes a judge's votes, or people's where the file names
// annotators: that shows before anything of it is written.
func ImportVotes(ctx context.Context, a *project.Project, st *store.Store, path string, o dataset.VoteOptions, people PeopleOptions) error {
	if people.Queue != "" || people.Overlap > 0 {
		return importPeople(ctx, a, st, path, people)
	}
	m := a.Progress("loading " + path)
	o.Progress = m.Bytes
	sum, err := dataset.ImportVotes(ctx, dataset.VoteSinks{
		Samples: st.Datasets(), Runs: st.Runs(), Votes: st.Votes(), Texts: st.Texts(),
	}, path, o)
	m.Done()
	switch {
	case errors.Is(err, rowfile.ErrPeoplesVotes) && o.Judge != "":
		return cli.Usage(fmt.Errorf("--judge: %w", err))
	case errors.Is(err, rowfile.ErrPeoplesVotes):
		return importPeople(ctx, a, st, path, people)
	case err != nil:
		return err
	}
	return printVotesImported(a, sum)
}

func printVotesImported(a *project.Project, s dataset.VoteSummary) error {
	if a.JSON {
		return a.WriteJSON(s)
	}
	with := "without criteria"
	if s.Criteria {
		with = "with criteria"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on %s, %s: read %d, skipped %d, added %d, unchanged %d",
		cli.Visible(strings.Join(s.Judges, ", ")), cli.Visible(string(s.Dataset)), with, s.Read, s.Skipped, s.Added, s.Unchanged)
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
		fmt.Fprintf(&b, "\n  run %d: %s%s", r.Run, cli.Visible(r.Model), made)
	}
	_, err := fmt.Fprintf(a.Out, "%s\n", &b)
	return err
}
