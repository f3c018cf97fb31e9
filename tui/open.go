package tui

import (
	"context"
	"iter"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/home"
	"concord/tui/judging"
	"concord/tui/pairs"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/widget"
)

// pairsMade leaves the form of a queue that was made.
func (m *Model) pairsMade(msg pairsMade) tea.Cmd {
	cmd := m.broadcast(msg)
	if msg.err != nil {
		return cmd
	}
	cmds := []tea.Cmd{cmd, send(widget.Notify{Level: widget.Info, Text: msg.said}), m.lobby.reload()}
	if m.top() == Screen(msg.of) {
		left, _ := m.pop()
		cmds = append(cmds, left)
	}
	return tea.Batch(cmds...)
}

// startedVotes goes back to the list, to the job that has begun.
func (m *Model) startedVotes(msg judging.Started) tea.Cmd {
	m.runs.GoToJob(msg.Job)
	if m.top() != Screen(m.duels) {
		return nil
	}
	cmd, _ := m.pop()
	return cmd
}

func (m *Model) openSamples(q samples.Query) tea.Cmd {
	return m.push(samples.New(m.ctx, m.theme, m.deps.Samples, m.who, q))
}

// openAnswers shows predictions of a run, the first one opened.
func (m *Model) openAnswers(open home.OpenAnswers) tea.Cmd {
	source, name := m.deps.Samples, "latest answers"
	if open.Errors {
		name = "latest errors"
	}
	keys := func(yield func(eval.Key, error) bool) {
		for _, k := range open.Keys {
			if !yield(k, nil) {
				return
			}
		}
	}
	list := samples.New(m.ctx, m.theme, source, m.who, samples.Query{Title: open.Title, Lists: []samples.List{{
		Name: name,
		Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
			return source.Of(ctx, samples.Ask{Who: who}, keys)
		},
	}}})
	read := m.push(list)
	return func() tea.Msg { return chosenFrom{list, read()} }
}

// chosenFrom is the first page of a list in which the first row has been
// chosen before: it is opened at once.
type chosenFrom struct {
	list Screen
	page tea.Msg
}

func (c chosenFrom) open() tea.Cmd {
	return tea.Batch(c.list.Update(c.page), c.list.Update(tea.KeyMsg{Type: tea.KeyEnter}))
}

// behind is the query for the samples behind a figure of a report.
func (m *Model) behind(open report.OpenSamples) samples.Query {
	source := m.deps.Samples
	q := samples.Query{Title: open.Title, People: open.People, Alone: open.Dataset != ""}
	for _, l := range open.Lists {
		until := ""
		if l.Experts {
			until = "you judged it and pressed o"
		}
		q.Lists = append(q.Lists, samples.List{
			Name: l.Name, Until: until,
			Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
				return source.Of(ctx, samples.Ask{
					Who: who, Extractor: open.Extractor, Tells: l.Tells, Experts: l.Experts, Dataset: open.Dataset,
				}, l.Keys(ctx))
			},
		})
	}
	return q
}

// openPairs shows the pairs behind a figure of a report.
func (m *Model) openPairs(open report.OpenPairs) tea.Cmd {
	source := m.deps.Pairs
	q := pairs.Query{Title: open.Title, Judge: open.Ballot != nil}
	for _, l := range open.Lists {
		q.Lists = append(q.Lists, pairs.List{
			Name: l.Name,
			Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[pairs.Row, error] {
				return source.Of(ctx, pairs.Ask{Who: who, Ballot: open.Ballot, Tells: l.Tells}, l.Pairs)
			},
		})
	}
	return m.push(pairs.New(m.ctx, m.theme, source, m.who, q))
}

// openQueue goes to the review of a queue, over the question for a name when
// there is none yet.
func (m *Model) openQueue(q annotate.QueueName) tea.Cmd {
	m.tab = TabReview
	if len(m.stack()) > 1 && m.lobby.queue == q {
		return m.top().Refresh()
	}
	m.unwind()
	return m.lobby.enter(q)
}

// review opens the screen on which a queue is worked through.
func (m *Model) review(c chosen) tea.Cmd {
	m.leaveQueues()
	if c.pairs {
		return m.push(m.deps.Votes(c.queue, m.who))
	}
	return m.push(m.deps.Review(c.queue, m.who))
}

// openFound shows what was answered to a sample. To be in the list tells that a
// model has answered: what is not open is left out.
func (m *Model) openFound(s Found) tea.Cmd {
	source, finder := m.deps.Samples, m.deps.Finder
	return m.openSamples(samples.Query{Title: string(s.ID) + " of " + string(s.Dataset), Lists: []samples.List{{
		Name: "answers",
		Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
			return source.Of(ctx, samples.Ask{Who: who, Tells: true}, finder.Answers(ctx, s.Dataset, s.Ordinal))
		},
	}}})
}
