package home

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// idle are the datasets that no run is of. They have a list of their own: who
// has just imported one finds it there, and how to go on.
func idle(all []eval.Dataset, rows []Row) []eval.Dataset {
	return slices.DeleteFunc(slices.Clone(all), func(d eval.Dataset) bool {
		return slices.ContainsFunc(rows, func(r Row) bool { return r.Run.Config.Dataset == d.Name })
	})
}

func invented(d eval.Dataset) bool { return d.Synthetic }

// set is the dataset under the cursor.
func (m *board) set() (eval.Dataset, bool) {
	if m.datasetAt.At < 0 || m.datasetAt.At >= len(m.datasets) {
		return eval.Dataset{}, false
	}
	return m.datasets[m.datasetAt.At], true
}

func datasetTable(m *board) widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "dataset", Width: 12, Grow: 3, Name: true},
			{Title: "samples", Width: 9, Right: true},
			{Title: "without an answer", Width: 17, Right: true, Least: 80},
			{Title: "from", Width: 12, Grow: 2, Name: true},
		},
		Row: func(i int) []string { return datasetCells(m, &m.datasets[i]) },
	}
}

func datasetCells(m *board, d *eval.Dataset) []string {
	sign, name := m.theme.Accent.Render("○"), widget.Line(string(d.Name))
	if !d.Complete {
		sign = m.theme.Warn.Render("!")
	}
	if d.Synthetic {
		name = mark + name
	}
	return []string{sign, name, widget.Count(d.Samples), widget.Count(d.NoTruth), widget.Line(d.Origin)}
}

// datasetDetail is what is known of a dataset, and what can be made of it.
func datasetDetail(m *board, d *eval.Dataset, width int) []string {
	t := m.theme
	out := []string{t.Section("Dataset "+widget.Line(string(d.Name)), "no run yet", false, width)}
	field := func(name, text string) { out = append(out, m.field(name, text, width)...) }
	field("samples", widget.Count(d.Samples))
	if d.NoTruth > 0 {
		field("answers", "none known of "+widget.Count(d.NoTruth)+": these enter no accuracy")
	}
	if d.Origin != "" {
		field("from", widget.Line(d.Origin))
	}
	hint := func(key, text string) {
		out = append(out, t.Key.Render(m.Spelled(key))+t.KeyText.Render(" "+text))
	}
	out = append(out, "")
	switch {
	case !d.Complete:
		out = append(out, m.styled("", "! its import has not come to its end: importing the file again goes on with it", width, t.Warn.Render)...)
	case m.starter != nil:
		hint("n", "starts a run: a model is asked its questions")
	default:
		out = append(out, m.styled("", "On the command line: concord eval --dataset "+string(d.Name)+" --model M", width, t.Text.Render)...)
	}
	if m.imports {
		hint("i", "imports a file: predictions, too, that you have already")
	}
	return out
}

// pressDataset takes a key on the list of datasets.
func pressDataset(m *Model, msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	d, ok := m.set()
	switch {
	case !ok:
	case key.Matches(msg, k.start, k.open):
		return m.composer.openFormFor(d.Name)
	case key.Matches(msg, k.pause, k.cancel, k.retry, k.judge, k.details, k.errors, k.report):
		return notify(widget.Info, m.Spelled(msg.String())+m.Keyed(" is for runs, and this dataset has none yet: {n} starts one"))
	}
	return nil
}

// datasetKeys are the bindings as they read for a dataset.
func datasetKeys(m *board, k keys) keys {
	const none = "this dataset has no run yet"
	k.open.SetHelp("enter", "new run")
	k.open = widget.When(k.open, m.starter != nil, noStarter)
	for _, b := range []*key.Binding{&k.pause, &k.cancel, &k.retry, &k.judge, &k.details, &k.errors, &k.report, &k.again} {
		*b = widget.Able(*b, none)
	}
	return k
}
