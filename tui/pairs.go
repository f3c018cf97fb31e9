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
	// FormFields are the datasets on which two models or more have answered.
	FormFields(ctx context.Context) ([]Field, error)
	// DrawPairQueue draws a queue and says what came of it.
	DrawPairQueue(ctx context.Context, o PairOrder) (said string, err error)
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

// ofNames are what a number of samples is of; the first takes them all.
var ofNames = []string{"all", "in all", "of each group of the finest level", "of each group of the coarsest level"}

// pairForm is where a queue of pairs is put together.
type pairForm struct {
	ctx    context.Context
	theme  *widget.Theme
	pairer Pairer
	who    annotate.Annotator

	width, height              int
	loaded, making             bool
	trouble                    string
	offered                    []Field
	at                         int // of the fields
	name                       string
	dataset, model, anchor, of form.NamePick
	chosen                     []string
	number, overlap            form.NumberField
	criteria                   bool
}

// anyAnchor stands for the anchor that nobody chose.
const anyAnchor = "the one that judges' votes tell"

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

// inFields says in words of the form where the command line has flags.
var inFields = strings.NewReplacer("with --model or --anchor", "in the fields models or anchor", "with --anchor", "in the field anchor")

func newPairForm(ctx context.Context, t *widget.Theme, p Pairer, who annotate.Annotator) *pairForm {
	f := &pairForm{ctx: ctx, theme: t, pairer: p, who: who, criteria: true, name: "votes"}
	f.of.SetNames(ofNames)
	f.of.Choose(ofNames[2])
	f.number.SetNumber(1)
	f.overlap.SetNumber(2)
	return f
}

// Init reads what there is to compare.
func (f *pairForm) Init() tea.Cmd {
	return func() tea.Msg {
		fields, err := f.pairer.FormFields(f.ctx)
		return fieldsRead{f, fields, err}
	}
}

// Update takes a message.
func (f *pairForm) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case fieldsRead:
		if msg.of == f {
			f.handleFieldsRead(msg)
		}
	case pairsMade:
		if msg.of == f {
			f.making = false
			if msg.err != nil {
				f.trouble = inFields.Replace(msg.err.Error())
			}
		}
	case tea.KeyMsg:
		if f.loaded && !f.making && len(f.offered) > 0 {
			return f.handleKey(msg)
		}
	}
	return nil
}

func (f *pairForm) handleFieldsRead(msg fieldsRead) {
	f.loaded, f.offered = true, msg.fields
	if msg.err != nil {
		f.trouble = msg.err.Error()
	}
	f.dataset.SetNames(eval.Map(f.offered, func(d Field) string { return string(d.Dataset) }))
	f.offerModels()
}

// offerModels offers the models of the chosen dataset.
func (f *pairForm) offerModels() {
	f.chosen = nil
	f.model.SetNames(f.modelsOfDataset())
	f.anchor.SetNames(append([]string{anyAnchor}, f.modelsOfDataset()...))
}

// formFields are the lines of the form as they stand.
func (f *pairForm) formFields() []form.Field {
	every := eval.Either(f.of.Value() == ofNames[0], "every sample", "")
	return []form.Field{
		{Label: "name", Line: &f.name, Most: 60},
		{Label: "dataset", Pick: &f.dataset, Then: f.offerModels},
		{Label: "models", Pick: &f.model, Taken: &f.chosen, Note: "all"},
		{Label: "anchor", Pick: &f.anchor},
		{Label: "how many", Figure: &f.number, Off: every},
		{Label: "samples", Pick: &f.of},
		{Label: "people each", Figure: &f.overlap},
		{Label: "criteria", On: &f.criteria, Note: "shown to who votes"},
	}
}

// modelsOfDataset are those of the chosen dataset.
func (f *pairForm) modelsOfDataset() []string {
	d, _ := eval.FirstWanted(f.offered, func(d Field) bool { return string(d.Dataset) == f.dataset.Value() })
	return d.Models
}

func (f *pairForm) handleKey(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyEnter {
		return f.makeQueue()
	}
	if fields := f.formFields(); !form.StepField(fields, &f.at, msg) {
		f.trouble = ""
		fields[f.at].HandleKey(msg)
	}
	return nil
}

// orderOfForm is the queue as it stands in the form.
func (f *pairForm) orderOfForm() PairOrder {
	o := PairOrder{
		Name: annotate.QueueName(strings.TrimSpace(f.name)), Dataset: eval.DatasetName(f.dataset.Value()),
		Models: f.chosen, Overlap: max(1, int(f.overlap.Value())), Criteria: f.criteria, By: f.who,
		Anchor: eval.Either(f.anchor.Value() == anyAnchor, "", f.anchor.Value()),
	}
	n := max(1, int(f.number.Value()))
	switch slices.Index(ofNames, f.of.Value()) {
	case 1:
		o.Sample = fmt.Sprint(n)
	case 2:
		o.Per = fmt.Sprintf("finest:%d", n)
	case 3:
		o.Per = fmt.Sprintf("1:%d", n)
	}
	return o
}

func (f *pairForm) makeQueue() tea.Cmd {
	o := f.orderOfForm()
	if o.Name == "" {
		f.trouble = "the queue needs a name"
		return nil
	}
	f.making, f.trouble = true, ""
	return func() tea.Msg {
		said, err := f.pairer.DrawPairQueue(f.ctx, o)
		return pairsMade{f, o.Name, said, err}
	}
}

// Resize sets the size that View fills.
func (f *pairForm) Resize(width, height int) { f.width, f.height = width, height }

// Refresh reads nothing: what is being typed stays.
func (f *pairForm) Refresh() tea.Cmd { return nil }

// GoBack has no level to leave.
func (f *pairForm) GoBack() bool { return false }

// IsTyping is always on: letters are text here.
func (f *pairForm) IsTyping() bool { return true }

// Bindings are the bindings that matter now.
func (f *pairForm) Bindings() []key.Binding {
	return form.NewKeys().WithStartKey("make the queue").KeysOfField(&f.formFields()[f.at])
}

// HelpGroups is the page of all bindings.
func (f *pairForm) HelpGroups() []widget.Group {
	return []widget.Group{{Title: "A queue of pairs", Keys: f.Bindings()}}
}

// View draws the form.
func (f *pairForm) View() string { return widget.DrawScreen(f.width, f.height, f.drawLines) }

func (f *pairForm) drawLines() []string {
	t := f.theme
	lines := []string{t.DrawSection("New queue of pairs", "two answers to one question, to vote on", true, f.width)}
	switch {
	case !f.loaded:
		lines = append(lines, t.Faint.Render("  loading what there is to compare…"))
	case len(f.offered) == 0 && f.trouble == "":
		lines = append(lines, "  "+t.Text.Render("No dataset has answers of two models yet."))
	case len(f.offered) > 0:
		lines = append(lines, form.DrawFields(t, f.formFields(), f.at, f.width)...)
	}
	lines = append(lines, "")
	switch {
	case f.trouble != "":
		lines = append(lines, form.WrapIndented(f.width, t.Bad.Render, "✗ "+f.trouble)...)
	case f.making:
		lines = append(lines, form.WrapIndented(f.width, t.Faint.Render, "drawing…")...)
	}
	return t.AddLegendBelow(lines, f.width, f.height)
}
