package curate

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/widget"
)

// datasetList is the datasets to choose from, and the one that is being opened.
type datasetList struct {
	ctx      context.Context
	source   Source
	journal  Journal
	theme    *widget.Theme
	datasets []eval.Dataset
	known    bool // the datasets were read
	shelf    widget.Cursor
	wanted   eval.DatasetName // to open as soon as it is known
	loading  eval.DatasetName // being opened; "": none
	err      error            // why it cannot be
	size     *layout
}

// take shows the datasets that were read, those alone that are complete, and is
// the one to be opened; "" when there is none.
func (ds *datasetList) take(all []eval.Dataset) (want eval.DatasetName) {
	ds.known, ds.datasets = true, nil
	for _, d := range all {
		if d.Complete {
			ds.datasets = append(ds.datasets, d)
		}
	}
	ds.resize()
	if ds.wanted == "" && len(ds.datasets) == 1 {
		return ds.datasets[0].Name
	}
	return ds.wanted
}

func (ds *datasetList) resize() {
	ds.shelf.Set(ds.shelf.At, len(ds.datasets), ds.size.shelfHeight())
}

// press takes a key while a dataset is chosen, and is the one that was; "" when
// none was.
func (ds *datasetList) press(msg tea.KeyMsg) eval.DatasetName {
	if by, ok := widget.NewMoves().By(msg, ds.size.shelfHeight(), len(ds.datasets)); ok {
		ds.shelf.Move(by, len(ds.datasets), ds.size.shelfHeight())
		return ""
	}
	if msg.Type == tea.KeyEnter && ds.loading == "" && ds.shelf.At < len(ds.datasets) {
		return ds.datasets[ds.shelf.At].Name
	}
	return ""
}

// shelfLines are the datasets to choose from.
func (ds *datasetList) shelfLines() []string {
	t := ds.theme
	switch {
	case ds.err != nil:
		out := []string{""}
		for _, l := range widget.Wrap("The dataset cannot be opened: "+ds.err.Error(), max(1, ds.size.width-2)) {
			out = append(out, " "+t.Bad.Render(l))
		}
		return out
	case ds.loading != "" || !ds.known:
		return []string{"", t.Faint.Render("  loading the candidates…")}
	}
	table := widget.Table{
		Columns: []widget.Column{{Title: "dataset", Width: 20, Grow: 2, Name: true}, {Title: "samples", Width: 9, Right: true}, {Title: "from", Width: 10, Grow: 1, Name: true}},
		Rows:    len(ds.datasets), Cursor: ds.shelf, Focused: true,
		Row: func(i int) []string {
			d := ds.datasets[i]
			return []string{widget.Line(string(d.Name)), widget.Count(d.Samples), widget.Line(d.Origin)}
		},
		Empty: "No dataset to curate yet. h, then i imports the pool of samples:\n  concord import dataset FILE --name NAME",
	}
	return append([]string{"", t.Section("Curate which dataset?", widget.Plural(len(ds.datasets), "dataset"), true, ds.size.width)},
		t.Table(table, ds.size.width, max(0, ds.size.height-2))...)
}

// read reads which datasets there are.
func (ds *datasetList) read() tea.Cmd {
	source := ds.source
	return func() tea.Msg {
		all, err := source.Datasets()
		return shelved{ds, all, err}
	}
}

// open reads a dataset, once what waits is saved: a board that was opened before
// would not know of it. What is refused waits for that very board.
func (ds *datasetList) open(d eval.DatasetName, who annotate.Annotator) tea.Cmd {
	ds.loading, ds.wanted, ds.err = d, "", nil
	ctx, source, journal := ds.ctx, ds.source, ds.journal
	stream := curation.Stream{Dataset: d, Expert: who}
	return func() tea.Msg {
		if err := journal.Sync(ctx, stream); err != nil && !errors.Is(err, annotate.ErrConflict) {
			return opened{of: ds, who: who, name: d, err: err}
		}
		o, err := source.Open(ctx, d, who)
		return opened{ds, who, d, o, err}
	}
}

type (
	// shelved is the datasets that were read.
	shelved struct {
		of       *datasetList
		datasets []eval.Dataset
		err      error
	}
	// opened is a dataset that was read.
	opened struct {
		of   *datasetList
		who  annotate.Annotator
		name eval.DatasetName
		open Opening
		err  error
	}
)
