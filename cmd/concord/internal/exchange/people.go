package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// PeopleOptions say where people's votes go.
type PeopleOptions struct {
	Dataset eval.DatasetName
	Queue   string // "": as a row names it, else the file's name
	Overlap int    // of a queue that is made; 0: as many as people voted
	Runs    []uint
	By      annotate.Annotator
	Strict  bool

	// Design says how the pairs were drawn of all those of the file's models, from
	// outside; the zero value: they were chosen.
	Design annotate.Design
}

// ErrNoSample says that rows of a sample are lost, so that it is no random one.
var ErrNoSample = errors.New("a sample of which rows are lost is no random sample: nothing was imported")

// peopleSummary is what an import of people's votes did.
type peopleSummary struct {
	Dataset        eval.DatasetName     `json:"dataset"`
	Queues         []peopleQueue        `json:"queues"`
	Annotators     []annotate.Annotator `json:"annotators"`
	Read           int                  `json:"read"`
	Added          int                  `json:"added"`
	Unchanged      int                  `json:"unchanged"`
	Skipped        int                  `json:"skipped"`
	Contradictions int                  `json:"contradictions"` // of those skipped: the annotator has voted otherwise
	OtherOrder     int                  `json:"other_order"`    // of those skipped: the same pair once more, in the other order
	Problems       []dataset.Problem    `json:"problems"`
}

type peopleQueue struct {
	Queue    annotate.QueueName `json:"queue"`
	Made     bool               `json:"made,omitempty"`
	Items    int                `json:"items"`
	Overlap  int                `json:"overlap"`
	Criteria bool               `json:"criteria"`
}

// peopleImporter takes people's votes into queues of pairs. All rows are read and judged before anything is written.
type peopleImporter struct {
	RowCounter
	st     *store.Store
	o      PeopleOptions
	field  *facts.RunSet
	models map[string]modelRun
	sum    peopleSummary
	boxes  []*voteImporter // in the order in which the file names their queues
}

// modelRun is the run that a model's name stands for, or why there is none.
type modelRun struct {
	id  eval.RunID
	err error
}

func importPeoplesVotes(ctx context.Context, a *project.Project, st *store.Store, path string, o PeopleOptions) error {
	on, err := facts.NewRunSet(st, o.Dataset, o.Runs)
	if err != nil {
		return err
	}
	in := &peopleImporter{
		RowCounter: RowCounter{Path: path, Project: a}, st: st, o: o, field: on, models: make(map[string]modelRun),
		sum: peopleSummary{Dataset: o.Dataset, Queues: []peopleQueue{}, Annotators: []annotate.Annotator{}},
	}
	if err := in.importVotesByQueue(ctx); err != nil {
		return fmt.Errorf("import votes %s: %w", filepath.Base(path), err)
	}
	in.sum.Skipped, in.sum.Problems = in.Sum.Skipped, in.Sum.Problems
	return printPeopleImported(a, &in.sum)
}

func (in *peopleImporter) importVotesByQueue(ctx context.Context) error {
	in.Sum.Problems = []dataset.Problem{}
	for row, err := range rowfile.ReadPersonVotes(in.Path, in.o.Design.Column) {
		var bad *dataset.Problem
		if err != nil && in.o.Design.IsDeclared() && errors.As(err, &bad) {
			return fmt.Errorf("%w (%w)", err, ErrNoSample)
		}
		if err == nil {
			err = in.addRowToQueue(&row)
		}
		if err != nil {
			if err := in.skipRowUnlessStrict(row.Line, err); err != nil {
				return err
			}
		}
	}
	if len(in.boxes) == 0 {
		return errors.New("the file has no person's vote that can be taken")
	}
	for _, box := range in.boxes {
		if err := box.readOrPlanQueue(ctx); err != nil {
			return err
		}
		if err := box.addActsOfVotes(); err != nil {
			return err
		}
	}
	if err := eval.Each(in.boxes, func(box *voteImporter) error { return box.storeQueueAndActs(ctx) }); err != nil {
		return err
	}
	slices.Sort(in.sum.Annotators)
	return nil
}

// projectError is an error of the project, which is about no row.
type projectError struct{ error }

// skipRowUnlessStrict counts a row that is left out, and ends a strict import. What is about
// no row, or about all of them alike, ends every import.
func (in *peopleImporter) skipRowUnlessStrict(line int, err error) error {
	var own projectError
	var usage cli.UsageError
	switch {
	case errors.As(err, &own):
		return own.error
	case errors.As(err, &usage):
		return err
	}
	if err := in.CountSkippedRow(line, err); err != nil {
		return err
	}
	if in.o.Strict {
		return fmt.Errorf("strict: %w", err)
	}
	return nil
}

// castVote is a row whose sample and runs are known.
type castVote struct {
	row  rowfile.PersonVoteRow
	pair eval.Pair // as shown
}

// addRowToQueue looks up what a row is about, and puts it into the box of its queue.
func (in *peopleImporter) addRowToQueue(row *rowfile.PersonVoteRow) error {
	s, err := in.st.Datasets().SampleByID(in.o.Dataset, row.Sample)
	if errors.Is(err, eval.ErrNotFound) {
		return fmt.Errorf("the dataset %s has no sample %.80s", in.o.Dataset, row.Sample)
	}
	if err != nil {
		return projectError{err}
	}
	var runs [2]eval.RunID
	for i, model := range row.Models {
		if runs[i], err = in.runOfModel(model); err != nil {
			return err
		}
		p, err := in.st.Runs().Prediction(eval.Key{Run: runs[i], Sample: s.Ordinal})
		switch {
		case errors.Is(err, eval.ErrNotFound), err == nil && p.Failure != nil:
			return fmt.Errorf("run %d has no answer of %.80s to sample %.80s: a vote on it is not taken", runs[i], model, row.Sample)
		case err != nil:
			return projectError{err}
		}
	}
	box := in.importForQueue(row)
	box.casts = append(box.casts, castVote{*row, eval.Pair{Sample: s.Ordinal, First: runs[0], Second: runs[1]}})
	return nil
}

func (in *peopleImporter) runOfModel(model string) (eval.RunID, error) {
	m := eval.GetOrAdd(in.models, model, func() modelRun {
		run, err := in.field.FindRunOfModel(model)
		return modelRun{run.ID, err}
	})
	return m.id, m.err
}

// importForQueue is where the votes of the queue that a row is for are gathered.
func (in *peopleImporter) importForQueue(row *rowfile.PersonVoteRow) *voteImporter {
	base := filepath.Base(in.Path)
	name := annotate.QueueName(cmp.Or(in.o.Queue, row.Queue, strings.TrimSuffix(base, filepath.Ext(base))))
	if b, ok := eval.FirstWanted(in.boxes, func(b *voteImporter) bool { return b.queue.Name == name }); ok {
		return b
	}
	b := &voteImporter{in: in, hands: newActStreams(in.st, name)}
	b.queue.Name = name
	in.boxes = append(in.boxes, b)
	return b
}

func printPeopleImported(a *project.Project, s *peopleSummary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on %s: read %d, skipped %d, added %d, unchanged %d", cli.EscapeControls(cli.FormatCount(len(s.Annotators), "annotator")),
		cli.EscapeControls(string(s.Dataset)), s.Read, s.Skipped, s.Added, s.Unchanged)
	b.WriteString(joinNonZeroCounts(wordedCount{s.Contradictions, "contradict an earlier vote"}, wordedCount{s.OtherOrder, "on a pair in its other order"}))
	if s.Added == 0 && s.Unchanged > 0 {
		b.WriteString(": nothing added, all of it is there already")
	}
	for _, q := range s.Queues {
		made, with := eval.Either(q.Made, " (made of the file's pairs)", ""), eval.Either(q.Criteria, "with criteria", "without criteria")
		fmt.Fprintf(&b, "\n  queue %s: %s %s, overlap %d%s", cli.EscapeControls(string(q.Queue)), cli.FormatCount(q.Items, "pair"), with, q.Overlap, made)
	}
	return a.PrintResult(s, "%s\n", &b)
}

// ImportVotes takes a judge's votes, or people's where the file names
// annotators: that shows before anything of it is written.
func ImportVotes(ctx context.Context, a *project.Project, st *store.Store, path string, o dataset.VoteOptions, people PeopleOptions) error {
	if people.Queue != "" || people.Overlap > 0 || people.Design.IsDeclared() {
		return importPeoplesVotes(ctx, a, st, path, people)
	}
	m := a.NewProgress("loading " + path)
	o.Progress = m.ShowBytes
	sum, err := dataset.ImportVotes(ctx, dataset.VoteSinks{Samples: st.Datasets(), Runs: st.Runs(), Votes: st.Votes(), Texts: st.Texts()}, path, o)
	m.RemoveBar()
	switch {
	case errors.Is(err, rowfile.ErrPeoplesVotes) && o.Judge != "":
		return cli.NewUsageError(fmt.Errorf("--judge: %w", err))
	case errors.Is(err, rowfile.ErrPeoplesVotes):
		return importPeoplesVotes(ctx, a, st, path, people)
	case err != nil:
		return err
	}
	return printVotesImported(a, sum)
}

func printVotesImported(a *project.Project, s dataset.VoteSummary) error {
	with := eval.Either(s.Criteria, "with criteria", "without criteria")
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on %s, %s: read %d, skipped %d, added %d, unchanged %d",
		cli.EscapeControls(strings.Join(s.Judges, ", ")), cli.EscapeControls(string(s.Dataset)), with, s.Read, s.Skipped, s.Added, s.Unchanged)
	b.WriteString(joinNonZeroCounts(wordedCount{s.Unparsed, "unparsed"}, wordedCount{s.Differ, "read otherwise than the file states"}, wordedCount{s.OneOrder, "pairs in one order only"},
		wordedCount{s.NoAnswer, "without an answer"}, wordedCount{s.OtherAnswer, "answers that differ"}, wordedCount{s.Warnings, "warnings"}))
	for _, r := range s.Runs {
		made := eval.Either(r.Made, " (made of the file's answers)", "")
		fmt.Fprintf(&b, "\n  run %d: %s%s", r.Run, cli.EscapeControls(r.Model), made)
	}
	return a.PrintResult(s, "%s\n", &b)
}
