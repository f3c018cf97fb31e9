package tui

import (
	"context"
	"iter"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/home"
	"concord/tui/pairs"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/widget"
)

func (o *screenOpener) openPairForm() tea.Cmd {
	if !o.nav.can.allows(annotate.MayMakeQueues) {
		return notifyNotAllowed("the owner")
	}
	if o.deps.Pairer == nil {
		return widget.NotifyCmd(widget.Info, "no queues can be made here: the project is open read-only")
	}
	return o.nav.pushScreen(newPairForm(o.ctx, o.deps.Theme, o.deps.Pairer, o.person.who))
}

func (o *screenOpener) leavePairForm(msg pairsMade) tea.Cmd {
	cmd := o.tabs.broadcastMessage(msg)
	if msg.err != nil {
		return cmd
	}
	cmds := []tea.Cmd{cmd, widget.NotifyCmd(widget.Info, msg.said), o.tabs.queues.readQueues()}
	if o.nav.topScreen() == Screen(msg.of) {
		left, _ := o.tabs.closeTopAndRefresh()
		cmds = append(cmds, left)
	}
	return tea.Batch(cmds...)
}

func (o *screenOpener) openSamples(q samples.Query) tea.Cmd {
	return o.nav.pushScreen(samples.New(o.ctx, o.deps.Theme, o.deps.Samples, o.person.who, q))
}

// openAnswers shows predictions of a run, the first one opened.
func (o *screenOpener) openAnswers(open home.OpenAnswers) tea.Cmd {
	source, name := o.deps.Samples, eval.Either(open.Errors, "latest errors", "latest answers")
	list := samples.New(o.ctx, o.deps.Theme, source, o.person.who, samples.Query{Title: open.Title, Lists: []samples.List{{
		Name: name,
		Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
			return source.RowsOfKeys(ctx, samples.Ask{Who: who}, eval.WithNilErrors(open.Keys))
		},
	}}})
	read := o.nav.pushScreen(list)
	return func() tea.Msg { return chosenFrom{list, read()} }
}

// chosenFrom is the first page of a list whose first row has been chosen: it is opened at once.
type chosenFrom struct {
	list Screen
	page tea.Msg
}

// newSamplesQuery gives the query for the samples behind a figure of a report.
func (o *screenOpener) newSamplesQuery(open report.OpenSamples) samples.Query {
	source := o.deps.Samples
	q := samples.Query{Title: open.Title, People: open.People, Alone: open.Dataset != ""}
	for _, l := range open.Lists {
		until := eval.Either(l.Experts, "you judged it and pressed o", "")
		q.Lists = append(q.Lists, samples.List{
			Name: l.Name, Until: until,
			Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
				return source.RowsOfKeys(ctx, samples.Ask{
					Who: who, Extractor: open.Extractor, Tells: l.Tells, Experts: l.Experts, Dataset: open.Dataset,
				}, l.Keys(ctx))
			},
		})
	}
	return q
}

// openPairs shows the pairs behind a figure of a report.
func (o *screenOpener) openPairs(open report.OpenPairs) tea.Cmd {
	source := o.deps.Pairs
	q := pairs.Query{Title: open.Title, Judge: open.Ballot != nil}
	for _, l := range open.Lists {
		q.Lists = append(q.Lists, pairs.List{
			Name: l.Name,
			Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[pairs.Row, error] {
				return source.RowsOfPairs(ctx, pairs.Ask{Who: who, Ballot: open.Ballot, Tells: l.Tells}, l.Pairs)
			},
		})
	}
	return o.nav.pushScreen(pairs.New(o.ctx, o.deps.Theme, source, o.person.who, q))
}

// openReview opens the screen on which a queue is worked through.
func (o *screenOpener) openReview(c chosen) tea.Cmd {
	o.tabs.closeQueueScreens()
	if c.pairs {
		return o.nav.pushScreen(o.deps.Votes(c.queue, o.person.who))
	}
	return o.nav.pushScreen(o.deps.Review(c.queue, o.person.who))
}

// openFoundSample shows what was answered to a sample. To be in the list tells that a
// model has answered: what is not open is left out.
func (o *screenOpener) openFoundSample(s Found) tea.Cmd {
	source, finder := o.deps.Samples, o.deps.Search
	return o.openSamples(samples.Query{Title: string(s.ID) + " of " + string(s.Dataset), Lists: []samples.List{{
		Name: "answers",
		Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
			return source.RowsOfKeys(ctx, samples.Ask{Who: who, Tells: true}, finder.FirstAnswers(ctx, s.Dataset, s.Ordinal))
		},
	}}})
}

// openItemOfEntry opens the item of an entry of the second look: what is answered to it
// for who finds samples, else the queue with the item in front; for changes to criteria, the criteria.
func (o *screenOpener) openItemOfEntry(e *review.Entry) tea.Cmd {
	title := "item of queue " + string(e.Queue)
	switch {
	case e.Queue == "":
		o.tabs.criteria.OpenDataset(e.Dataset)
		return o.tabs.showTab(TabCriteria)
	case !o.nav.can.allows(annotate.MayFindSamples):
		o.tabs.closeQueueScreens()
		open := eval.Either(e.Item.Against != 0, o.deps.Votes, o.deps.Review)
		screen := open(e.Queue, o.person.who)
		if s, ok := screen.(interface{ SetFirstItem(annotate.ItemKey) }); ok {
			s.SetFirstItem(e.Item)
		}
		return o.nav.pushScreen(screen)
	case e.Item.Against != 0:
		pair := eval.Pair{Sample: e.Item.Sample, First: e.Item.Run, Second: e.Item.Against}
		return o.openPairs(report.OpenPairs{Title: title, Lists: []report.PairList{{Name: "pair", Pairs: slices.Values([]eval.Pair{pair})}}})
	}
	source := o.deps.Samples
	return o.openSamples(samples.Query{Title: title, Lists: []samples.List{{
		Name: "responses",
		Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[samples.Row, error] {
			return source.RowsOfKeys(ctx, samples.Ask{Who: who}, eval.WithNilErrors([]eval.Key{e.Item.Key}))
		},
	}}})
}
