package samples

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// RowResult is what became of a row. The zero value is unset: not asked.
type RowResult uint8

// The results.
const (
	ResultUnset RowResult = iota
	Right                 // found, and the truth
	Wrong                 // found, and not the truth; or not read
	Unscored              // pending, not answered, or without a truth
)

// Row is a prediction in a list: of a question the pass that decides it, or of a sealed one pass 0. It
// holds no more than Visibility allows: of a blind one only which it is.
type Row struct {
	Key        eval.Key
	Dataset    eval.DatasetName // "" in the list of a run
	Sample     eval.SampleID
	Visibility blind.Visibility
	LeftOut    bool   // all that may be told of it is that it is not in the list
	Question   string // of the sample; "" where Text is that
	Text       string // of the prediction; its beginning is enough
	Failure    string
	Reading    eval.Extraction
	Truth      eval.Choice // as shown in that pass; "" without one
	Result     RowResult
	Why        string // why it is not scored; "" otherwise
	Said       string // what people said of it; "" when nobody did
}

// List is some of the predictions behind a figure. Where it gives a verdict
// away that a prediction is in the list, those that are not open are LeftOut.
type List struct {
	Name  string
	Until string // what those wait for; "" is the person's answer
	Rows  func(ctx context.Context, who annotate.Annotator) iter.Seq2[Row, error]
}

// Query is the lists behind a figure; the first is shown first. People adds what people said to the rows.
type Query struct {
	Title  string
	Lists  []List
	People bool
	Alone  bool // they are of samples that are no run's
}

// Pass is one pass of a sample with everything that was made of it and that Visibility allows to see.
type Pass struct {
	Pass       eval.Pass
	Visibility blind.Visibility
	Options    []eval.Option // as shown in that pass
	Truth      eval.Choice   // as shown in that pass; "" without one
	Text       string
	Failure    *eval.Failure
	Readings   []blind.MachineReading
	Labels     []annotate.Label
}

// Detail is all about a sample of a run that one person may see.
type Detail struct {
	Sample         eval.SampleID
	Question, Hint string
	Options        []eval.Option // as written
	Truth          eval.Choice   // as written; "" without one
	Pictures       []eval.Picture
	Taxonomy       []string
	Blinded        bool   // Passes are pass 0 and those that the person has labelled
	Model          string // "" when sealed
	Passes         []Pass // those that were answered, in their order
}

// Ask is for whom predictions are read, and how.
type Ask struct {
	Who       annotate.Annotator
	Extractor string // "rules:NAME", a judge's name, or "" for the rules of each run
	Tells     bool   // that a prediction is among those asked for gives its verdict away
	Experts   bool   // it tells what experts say of the sample, who curate its dataset

	Dataset eval.DatasetName // of keys with run 0, which are samples alone
}

// Source reads samples, for one person, and hands over no more than that person may see, and records
// what it hands over as shown to them before it does. Who has no name has answered nothing. It is
// called in commands. What it yields is pulled a page at a time, with long rests: it must hold no
// transaction while it yields.
type Source interface {
	// RowsOfRun yields the questions of a run that are wanted (Only), each with its verdict.
	RowsOfRun(ctx context.Context, who annotate.Annotator, run eval.RunID, want func(*Row) bool) iter.Seq2[Row, error]
	// RowsOfKeys yields the predictions of the keys, or the samples where they name no run; of those of a
	// sealed sample and run one, of pass 0, or when the list tells as many that are LeftOut.
	RowsOfKeys(ctx context.Context, a Ask, keys iter.Seq2[eval.Key, error]) iter.Seq2[Row, error]
	// DetailInRun reads all about one sample of a run.
	DetailInRun(ctx context.Context, who annotate.Annotator, run eval.RunID, sample eval.Ordinal) (Detail, error)
	// SampleDetail reads all about a sample that is no run's.
	SampleDetail(ctx context.Context, who annotate.Annotator, of eval.DatasetName, sample eval.Ordinal) (Detail, error)
	// Picture reads the bytes of a picture.
	Picture(hash eval.PictureHash) ([]byte, error)
}

// NewRunQuery gives the query for the samples of a run.
func NewRunQuery(s Source, run eval.RunID, title string) Query {
	list := func(name string, want func(*Row) bool) List {
		return List{Name: name, Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[Row, error] {
			return s.RowsOfRun(ctx, who, run, want)
		}}
	}
	return Query{Title: title, Lists: []List{
		list("all", nil),
		list("right", func(r *Row) bool { return r.Result == Right }),
		list("wrong", func(r *Row) bool { return r.Result == Wrong }),
		list("unparsed", func(r *Row) bool { return r.Failure == "" && r.Reading.IsUnparsable() }),
		list("failed", func(r *Row) bool { return r.Failure != "" }),
		list("not scored", func(r *Row) bool { return r.Result == Unscored }),
	}}
}

// FilterRows yields the rows that are wanted; nil wants all. Whether one that is not
// open is among the wanted ones is not to be told: all those are left out.
func FilterRows(rows iter.Seq2[Row, error], want func(*Row) bool) iter.Seq2[Row, error] {
	if want == nil {
		return rows
	}
	return eval.Filter(rows, func(r *Row) bool {
		if r.Visibility != blind.AllVisible {
			*r = Row{LeftOut: true}
		}
		return r.LeftOut || want(r)
	})
}

// Model is the screen.
type Model struct {
	*drilldown.Screen[Row, *sampleDetail]
}

type keys struct {
	drilldown.Keys
	prevPass, nextPass key.Binding
}

func newKeys() *keys {
	return &keys{
		Keys:     drilldown.NewKeys("sample", "next list, other part"),
		prevPass: widget.NewBinding("←", "pass before", "left"),
		nextPass: widget.NewBinding("→", "next pass", "right"),
	}
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	k := newKeys()
	choices := eval.Map(q.Lists, func(l List) drilldown.ListChoice[Row] {
		return drilldown.NewListChoice(l.Name, "blind until "+cmp.Or(l.Until, "you have answered"), who, l.Rows)
	})
	face := rowDrawer{t, &q}
	return &Model{drilldown.NewScreen(ctx, t, drilldown.RowKind[Row, *sampleDetail]{
		Row: "sample", Keys: &k.Keys, Own: []key.Binding{k.nextPass, k.prevPass},
		Footer: []key.Binding{widget.NewBinding("←→", "passes", "left"), widget.NewBinding("↑↓", "scroll", "up")},
		Place:  keymap.Samples, Picture: keymap.SamplesPicture,
		Open: func(row Row, f drilldown.PageFrame) (*sampleDetail, tea.Cmd) {
			d := &sampleDetail{PageFrame: f, keys: k, source: s, row: row}
			return d, func() tea.Msg { return d.loadDetail(who) }
		},
	}, drilldown.RowFormat[Row]{
		Title: q.Title, Columns: face.listColumns, Cells: face.makeCells, LeftOut: func(r *Row) bool { return r.LeftOut }, Detail: face.drawDetail,
	}, choices)}
}

// CopyText gives the answer of the shown pass as the model gave it, or why there is
// none; on the list, the sample's id.
func (m *Model) CopyText() (what, text string) {
	d := m.Page
	switch {
	case d == nil && m.List.CurrentRow() != nil:
		return "the sample's id", string(m.List.CurrentRow().Sample)
	case d == nil:
		return "", ""
	case d.at < len(d.Passes):
		p := &d.Passes[d.at]
		switch {
		case !p.Visibility.ShowsText():
			return "", ""
		case p.Failure != nil:
			return "the error", p.Failure.Error()
		}
		return "the response", p.Text
	}
	return "the question", d.Question
}

// rowDrawer draws the rows of a query.
type rowDrawer struct {
	theme *widget.Theme
	query *Query
}

func (m rowDrawer) listColumns(width int) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "sample", Width: max(12, min(28, width/6)), Name: true},
		{Title: "pass", Width: 4, Right: true},
		{Title: "extracted", Width: 9},
		{Title: "ground truth", Width: max(6, min(12, width/5))},
		{Title: "method", Width: 16, Least: 110},
		{Title: "response", Width: 10, Grow: 1},
	}
	if m.query.Alone {
		columns = []widget.Column{columns[0], columns[1], columns[4], {Title: "question", Width: 10, Grow: 1}}
	}
	if m.query.People {
		columns[4] = widget.Column{Title: "people", Width: 14}
	}
	return columns
}

const blindText = "blind until you have answered"

func (m rowDrawer) makeCells(r *Row) []string {
	t := m.theme
	sample, pass := widget.CleanLine(string(r.Sample)), fmt.Sprint(r.Key.Pass)
	if !r.Visibility.ShowsText() {
		return []string{t.Faint.Render("◇"), sample, pass, "", "", "", t.Faint.Render(blindText)}
	}
	other, verdict := eval.Either(r.Truth == "", t.Faint.Render("–"), widget.CleanLine(string(r.Truth))), resultText(t, r)
	if m.query.People { // it is about people's word, not the truth
		other, verdict = widget.CleanLine(r.Said), " "
	}
	if r.Visibility == blind.TruthHidden && !m.query.People {
		other, verdict = t.Faint.Render("blind"), t.Faint.Render("◇")
	}
	answer := widget.CleanLine(widget.HeadOfText(r.Text))
	if m.query.Alone {
		return []string{" ", sample, other, answer}
	}
	if r.Failure != "" {
		answer = t.Bad.Render("✗ " + widget.CleanLine(r.Failure))
	}
	if r.Why != "" {
		answer = t.Warn.Render(widget.CleanLine(r.Why)) + "  " + answer
	}
	return []string{verdict, sample, pass, extractionText(t, r.Reading), other, widget.CleanLine(r.Reading.Method), answer}
}

// drawDetail draws what the row in front says, as far as it may be seen.
func (m rowDrawer) drawDetail(r *Row, width int) []string {
	t := m.theme
	s := widget.Sheet{Theme: t, Width: width, Out: []string{t.DrawSection("Sample "+widget.CleanLine(string(r.Sample)), "", false, width)}}
	if !r.Visibility.ShowsText() {
		s.AddText(t.Faint.Render, blindText)
		return s.Out
	}
	columns, cells := m.listColumns(width), m.makeCells(r)
	for i, c := range columns[2:] {
		if text := ansi.Strip(cells[i+2]); c.Grow == 0 && text != "" {
			s.AddField(c.Title, text)
		}
	}
	if r.Why != "" {
		s.AddWarning(r.Why)
	}
	if r.Question != "" {
		s.Out = append(s.Out, "", t.DrawSection("question", "", false, width))
		s.AddText(t.Text.Render, drilldown.CutLongText(r.Question))
	}
	s.Out = append(s.Out, "", t.DrawSection(columns[len(columns)-1].Title, "", false, width))
	if r.Failure != "" {
		s.AddText(t.Bad.Render, "✗ "+r.Failure)
	}
	s.AddText(t.Text.Render, drilldown.CutLongText(r.Text))
	return s.Out
}

func resultText(t *widget.Theme, r *Row) string {
	switch r.Result {
	case Right:
		return t.Good.Render("✓")
	case Wrong:
		return t.Bad.Render("✗")
	case Unscored:
		return t.Warn.Render("?")
	case ResultUnset:
	}
	return " "
}

func extractionText(t *widget.Theme, e eval.Extraction) string {
	if e.IsFound() {
		return "→ " + widget.CleanLine(string(e.Choice))
	}
	return eval.Either(e.Status == eval.StatusUnset, "", t.Warn.Render(e.Status.String()))
}
