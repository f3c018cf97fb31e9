package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// Pairer makes queues of pairs.
type Pairer interface {
	// Fields are the datasets on which two models or more have answered.
	Fields(ctx context.Context) ([]Field, error)
	// MakePairs draws a queue and says what came of it.
	MakePairs(ctx context.Context, o PairOrder) (said string, err error)
}

// Field is a dataset with the models that have answered it; of a model that
// did so several times, each run by a name of its own.
type Field struct {
	Dataset eval.DatasetName
	Models  []string
}

// PairOrder is a queue of pairs as it is wanted.
type PairOrder struct {
	Name     annotate.QueueName
	Dataset  eval.DatasetName
	Models   []string // empty: all
	Anchor   string   // "": the one that judges' votes tell
	Sample   string   // how many samples, as queue create's --sample; "": all
	Per      string   // as its --per
	Overlap  int
	Criteria bool
	By       annotate.Annotator
}

// The lines of the form.
const (
	lineName = iota
	lineDataset
	lineModels
	lineAnchor
	lineNumber
	lineOf
	lineOverlap
	lineCriteria
	lineCount
)

var lineNames = [lineCount]string{"name", "dataset", "models", "anchor", "how many", "samples", "people each", "criteria"}

// ofNames are what a number of samples is of; the first takes them all.
var ofNames = []string{"all", "in all", "of each group of the finest level", "of each group of the coarsest level"}

// pairForm is where a queue of pairs is put together.
type pairForm struct {
	ctx    context.Context
	theme  *widget.Theme
	pairer Pairer
	who    annotate.Annotator

	width, height   int
	loaded, making  bool
	trouble         string
	fields          []Field
	at              int
	name            string
	dataset, model  form.Pick
	anchor, of      int // anchor: 0 is the one that judges' votes tell
	chosen          []string
	number, overlap form.Figure
	criteria        bool
}

type (
	fieldsRead struct {
		of     *pairForm
		fields []Field
		err    error
	}
	pairsMade struct {
		of   *pairForm
		name annotate.QueueName
		said string
		err  error
	}
)

func newPairForm(ctx context.Context, t *widget.Theme, p Pairer, who annotate.Annotator) *pairForm {
	f := &pairForm{ctx: ctx, theme: t, pairer: p, who: who, of: 2, criteria: true, name: "votes"}
	f.number.Set(1)
	f.overlap.Set(2)
	return f
}

// Init reads what there is to compare.
func (f *pairForm) Init() tea.Cmd {
	return func() tea.Msg {
		fields, err := f.pairer.Fields(f.ctx)
		return fieldsRead{f, fields, err}
	}
}

// Update takes a message.
func (f *pairForm) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case fieldsRead:
		if msg.of == f {
			f.take(msg)
		}
	case pairsMade:
		if msg.of == f {
			f.making = false
			if msg.err != nil {
				f.trouble = msg.err.Error()
			}
		}
	case tea.KeyMsg:
		if f.loaded && !f.making && len(f.fields) > 0 {
			return f.press(msg)
		}
	}
	return nil
}

func (f *pairForm) take(msg fieldsRead) {
	f.loaded, f.fields = true, msg.fields
	if msg.err != nil {
		f.trouble = msg.err.Error()
	}
	var names []string
	for _, d := range f.fields {
		names = append(names, string(d.Dataset))
	}
	f.dataset.SetNames(names)
	f.model.SetNames(f.models())
}

// models are those of the chosen dataset.
func (f *pairForm) models() []string {
	for _, d := range f.fields {
		if string(d.Dataset) == f.dataset.Value() {
			return d.Models
		}
	}
	return nil
}

func (f *pairForm) press(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEnter:
		return f.make()
	case tea.KeyUp, tea.KeyShiftTab:
		f.at = (f.at + lineCount - 1) % lineCount
		return nil
	case tea.KeyDown, tea.KeyTab:
		f.at = (f.at + 1) % lineCount
		return nil
	default:
	}
	f.trouble = ""
	f.edit(msg)
	return nil
}

// edit changes the line under the cursor.
func (f *pairForm) edit(msg tea.KeyMsg) {
	turns := 0
	switch msg.Type {
	case tea.KeyLeft:
		turns = -1
	case tea.KeyRight, tea.KeySpace:
		turns = 1
	default:
	}
	switch f.at {
	case lineName:
		switch {
		case msg.Type == tea.KeyBackspace && f.name != "":
			r := []rune(f.name)
			f.name = string(r[:len(r)-1])
		case msg.Type == tea.KeyRunes && len(f.name) < 60:
			f.name += widget.Line(string(msg.Runes))
		}
	case lineDataset:
		if f.dataset.Press(msg) {
			f.chosen, f.anchor = nil, 0
			f.model.SetNames(f.models())
		}
	case lineModels:
		if msg.Type == tea.KeySpace {
			f.toggle(f.model.Value())
			return
		}
		f.model.Press(msg)
	case lineAnchor:
		n := len(f.models()) + 1
		f.anchor = (f.anchor + turns + n) % n
	case lineNumber:
		f.number.Press(msg)
	case lineOf:
		f.of = (f.of + turns + len(ofNames)) % len(ofNames)
	case lineOverlap:
		f.overlap.Press(msg)
	case lineCriteria:
		f.criteria = f.criteria != (turns != 0)
	}
}

func (f *pairForm) toggle(name string) {
	if i := slices.Index(f.chosen, name); i >= 0 {
		f.chosen = slices.Delete(f.chosen, i, i+1)
	} else if name != "" {
		f.chosen = append(f.chosen, name)
	}
}

// order is the queue as it stands in the form.
func (f *pairForm) order() PairOrder {
	o := PairOrder{
		Name: annotate.QueueName(strings.TrimSpace(f.name)), Dataset: eval.DatasetName(f.dataset.Value()),
		Models: f.chosen, Overlap: max(1, int(f.overlap.Value())), Criteria: f.criteria, By: f.who,
	}
	if f.anchor > 0 {
		o.Anchor = f.models()[f.anchor-1]
	}
	n := max(1, int(f.number.Value()))
	switch f.of {
	case 1:
		o.Sample = fmt.Sprint(n)
	case 2:
		o.Per = fmt.Sprintf("finest:%d", n)
	case 3:
		o.Per = fmt.Sprintf("1:%d", n)
	}
	return o
}

func (f *pairForm) make() tea.Cmd {
	o := f.order()
	if o.Name == "" {
		f.trouble = "the queue needs a name"
		return nil
	}
	f.making, f.trouble = true, ""
	return func() tea.Msg {
		said, err := f.pairer.MakePairs(f.ctx, o)
		return pairsMade{f, o.Name, said, err}
	}
}

// Resize sets the size that View fills.
func (f *pairForm) Resize(width, height int) { f.width, f.height = width, height }

// Refresh reads nothing: what is being typed stays.
func (f *pairForm) Refresh() tea.Cmd { return nil }

// Back has no level to leave.
func (f *pairForm) Back() bool { return false }

// Typing is always on: letters are text here.
func (f *pairForm) Typing() bool { return true }

// Keys are the bindings that matter now.
func (f *pairForm) Keys() []key.Binding {
	keys := []key.Binding{
		widget.Bind("enter", "make the queue", "enter"), widget.Bind("↑↓", "field", "up"),
		widget.Bind("←→", "change", "left"), widget.Bind("esc", "back", "esc"),
	}
	if f.at == lineModels {
		keys = slices.Insert(keys, 1, widget.Bind("space", "take in or out", "space"))
	}
	return keys
}

// Help is the page of all bindings.
func (f *pairForm) Help() []widget.Group {
	return []widget.Group{{Title: "A queue of pairs", Keys: f.Keys()}}
}

// View draws the form.
func (f *pairForm) View() string {
	t := f.theme
	lines := []string{"", t.Section("New queue of pairs", "two answers to one question, to vote on", true, f.width)}
	switch {
	case !f.loaded:
		lines = append(lines, t.Faint.Render("  loading what there is to compare…"))
	case len(f.fields) == 0 && f.trouble == "":
		lines = append(lines, "  "+t.Text.Render("No dataset has answers of two models yet."))
	case len(f.fields) > 0:
		for i := range lineCount {
			mark := "  "
			if i == f.at {
				mark = t.Key.Render("› ")
			}
			lines = append(lines, mark+t.Field(lineNames[i], f.value(i), 12))
		}
	}
	say := func(style func(...string) string, text string) {
		for _, l := range widget.Wrap(text, max(1, f.width-4)) {
			lines = append(lines, "  "+style(l))
		}
	}
	lines = append(lines, "")
	switch {
	case f.trouble != "":
		say(t.Bad.Render, "✗ "+f.trouble)
	case f.making:
		say(t.Faint.Render, "drawing…")
	}
	return strings.Join(widget.Block(lines, max(0, f.width), max(0, f.height)), "\n")
}

// value is what stands in a line.
func (f *pairForm) value(i int) string {
	faint := f.theme.Faint.Render
	switch i {
	case lineName:
		return widget.Line(f.name) + "▏"
	case lineDataset:
		return widget.Line(f.dataset.Value())
	case lineModels:
		return f.taken()
	case lineAnchor:
		if f.anchor == 0 {
			return faint("the one that judges' votes tell")
		}
		return widget.Line(f.models()[f.anchor-1])
	case lineNumber:
		if f.of == 0 {
			return faint("every sample")
		}
		return f.number.Text()
	case lineOf:
		return ofNames[f.of]
	case lineOverlap:
		return f.overlap.Text()
	}
	if f.criteria {
		return "shown"
	}
	return "hidden"
}

// taken is the models that are taken in, with the one under the cursor.
func (f *pairForm) taken() string {
	out := f.theme.Faint.Render("all")
	if len(f.chosen) > 0 {
		out = widget.Line(strings.Join(f.chosen, ", "))
	}
	if f.at == lineModels {
		box := "☐ "
		if slices.Contains(f.chosen, f.model.Value()) {
			box = "☒ "
		}
		out += "   " + f.theme.Accent.Render(box+widget.Line(f.model.Value()))
	}
	return out
}
