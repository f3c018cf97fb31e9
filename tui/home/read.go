package home

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
)

// readRequest is what is to be read.
type readRequest struct {
	ctx    context.Context
	source Source
	ledger job.Source
	who    annotate.Annotator
	run    eval.RunID // 0: the first
	errors bool
}

func (a readRequest) loadRows() loaded {
	rows, err := a.source.Runs(a.ctx)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	queues, err := a.source.Queues(a.ctx, a.who)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	sets, err := a.source.Datasets(a.ctx)
	if err != nil {
		return loaded{looked: looked{err: err}}
	}
	var work []job.Row
	if a.ledger != nil {
		if work, err = a.ledger.Jobs(a.ctx); err != nil {
			return loaded{looked: looked{err: err}}
		}
	}
	if a.run == 0 && len(rows) > 0 {
		a.run = rows[0].Run.ID
	}
	return loaded{a.loadAnswers(), rows, datasetsWithoutRuns(sets, rows), work, queues, a.nextStep()}
}

// nextStep gives the next step of a source that knows one.
func (a readRequest) nextStep() string {
	if s, ok := a.source.(interface{ NextStep() (string, error) }); ok {
		if text, err := s.NextStep(); err == nil {
			return text
		}
	}
	return ""
}

func (a readRequest) loadAnswers() looked {
	out := looked{of: a.run, errors: a.errors}
	if a.run == 0 {
		return out
	}
	read := a.source.Latest
	if a.errors {
		read = a.source.Failures
	}
	out.latest, out.err = read(a.ctx, a.who, a.run, many)
	return out
}

// loaded is what a command read.
type loaded struct {
	looked
	rows     []Row
	datasets []eval.Dataset // without a run
	jobs     []job.Row
	queues   []Queue
	next     string
}

// looked is the answers or errors of one run.
type looked struct {
	of     eval.RunID
	errors bool
	latest []Answer
	err    error
}

// steered is what came of steering a run.
type steered struct {
	text string
	err  error
}

// outcome takes what was read in a command.
type outcome func() tea.Cmd

// second tells that a second has gone by while runs were at work.
type second struct{}

// many is how many of the latest answers are read.
const many = 50

// datasetsWithoutRuns are the datasets that no run is of. They have a list of their own: who
// has just imported one finds it there, and how to go on.
func datasetsWithoutRuns(all []eval.Dataset, rows []Row) []eval.Dataset {
	return slices.DeleteFunc(slices.Clone(all), func(d eval.Dataset) bool {
		return slices.ContainsFunc(rows, func(r Row) bool { return r.Run.Config.Dataset == d.Name })
	})
}
