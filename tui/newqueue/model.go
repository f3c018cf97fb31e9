package newqueue

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
	"concord/tui/keymap"
	"concord/tui/widget"
)

// populations and sizes are what the form offers, in its order.
var (
	populations = [...]annotate.From{annotate.FromUnparsable, annotate.FromDisagreements, annotate.FromWrong, annotate.FromAll}
	sizes       = [...]string{"percent", "number", "all"}
)

const (
	sizeShare = iota
	sizeNumber
	sizeAll
)

// Model is the form. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	cancel context.CancelFunc
	deps   Deps
	theme  *widget.Theme
	keys   form.Keys

	width, height  int
	stock          Stock
	loaded, making bool
	trouble        string

	at                     int
	dataset, run           form.NamePick
	runsOf                 string // the dataset whose runs are offered
	from, size             int
	share, number, overlap form.NumberField
	name, guideline        string
	named                  bool // somebody typed the name

	drawing form.EstimateUpdater[Order, Drawn]
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New makes the form. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, deps: d, theme: d.Theme, keys: form.NewKeys().WithStartKey("make the queue"), size: sizeAll}
	m.share, m.number, m.overlap = form.NumberField{Step: 5, Most: 100}, form.NumberField{Step: 10}, form.NumberField{Most: 99}
	m.share.SetNumber(10)
	m.number.SetNumber(100)
	m.overlap.SetNumber(1)
	m.drawing = form.EstimateUpdater[Order, Drawn]{Ctx: ctx, Spec: m.orderOfForm, WhyNot: m.whyEmpty, Estimate: d.Source.PreviewDraw}
	return m
}

// Init reads what there is to draw from.
func (m *Model) Init() tea.Cmd {
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		s, err := source.LoadFormChoices(ctx)
		return outcome(func() tea.Cmd { return m.handleStockRead(s, err) })
	}
}

// Close ends what is under way.
func (m *Model) Close() { m.cancel() }

// Refresh draws the preview anew, unless one is under way: answers may have come.
func (m *Model) Refresh() tea.Cmd {
	if !m.loaded || m.making || !m.drawing.HasCurrentEstimate() {
		return nil
	}
	return m.drawing.EstimateNow()
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.width, m.height = width, height }

// GoBack takes a filter away, if there is one.
func (m *Model) GoBack() bool { return m.currentField().ClearFilter() }

// IsTyping is always on: letters are text here.
func (m *Model) IsTyping() bool { return true }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		return msg()
	default:
		cmd, _ := m.drawing.Update(msg)
		return cmd
	}
}

func (m *Model) handleStockRead(s Stock, err error) tea.Cmd {
	if err != nil {
		m.trouble = err.Error()
		return nil
	}
	m.loaded, m.stock = true, s
	m.dataset.SetNames(eval.Map(m.stock.Pools, func(p DatasetPool) string { return string(p.Dataset) }))
	m.dataset.Choose(string(m.deps.Dataset))
	m.offerRunsOfDataset()
	for _, r := range m.chosenPool().Runs {
		if r.ID == m.deps.Run {
			m.run.Choose(r.Name)
		}
	}
	m.suggestName()
	return m.drawing.EstimateNow()
}

func (m *Model) chosenPool() DatasetPool {
	p, _ := eval.FirstWanted(m.stock.Pools, func(p DatasetPool) bool { return string(p.Dataset) == m.dataset.Value() })
	return p
}

// everyRun stands for all runs of a dataset.
const everyRun = "every model"

// suggestName gives the queue a name that is free, until somebody types one.
func (m *Model) suggestName() {
	if m.named {
		return
	}
	base := populations[m.from].DisplayName()
	m.name = base
	for i := 2; slices.Contains(m.stock.Taken, annotate.QueueName(m.name)); i++ {
		m.name = fmt.Sprintf("%s-%d", base, i)
	}
}

// orderOfForm is the queue as it stands in the form.
func (m *Model) orderOfForm() Order {
	run, _ := eval.FirstWanted(m.chosenPool().Runs, func(r Run) bool { return r.Name == m.run.Value() })
	o := Order{
		Name: annotate.QueueName(strings.TrimSpace(m.name)), Dataset: eval.DatasetName(m.dataset.Value()),
		From: populations[m.from], Overlap: max(1, int(m.overlap.Value())), Guideline: strings.TrimSpace(m.guideline),
		Run: run.ID, By: m.deps.Who,
	}
	switch m.size {
	case sizeShare:
		o.Sample = fmt.Sprintf("%d%%", max(1, int(m.share.Value())))
	case sizeNumber:
		o.Sample = fmt.Sprint(max(1, int(m.number.Value())))
	}
	return o
}

func (m *Model) createQueue() tea.Cmd {
	o := m.orderOfForm()
	switch {
	case o.Name == "":
		m.trouble = "the queue needs a name"
	case slices.Contains(m.stock.Taken, o.Name):
		m.trouble = "there is a queue of that name, and a queue is frozen once it is made: choose another name"
	}
	if m.trouble != "" {
		m.at = slices.IndexFunc(m.formFields(), func(f form.Field) bool { return f.Line == &m.name })
		return nil
	}
	m.making = true
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		said, err := source.CreateQueue(ctx, o)
		if err != nil {
			return outcome(func() tea.Cmd {
				m.making, m.trouble = false, err.Error()
				return nil
			})
		}
		return Made{o.Name, said}
	}
}

// whyEmpty says why nothing can be drawn; "" when something can.
func (m *Model) whyEmpty() string {
	return eval.Either(m.loaded && len(m.stock.Pools) == 0, "no answers are in this project yet", "")
}

// Bindings are the bindings that matter now.
func (m *Model) Bindings() []key.Binding {
	if !m.loaded || m.whyEmpty() != "" {
		return []key.Binding{m.keys.Back}
	}
	return m.keys.KeysOfField(m.currentField())
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	k := m.keys
	return []widget.Group{{Title: "A queue to label", Keys: append([]key.Binding{k.Start}, append(k.HelpKeys(), k.Back)...)}}
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	if !m.loaded || m.making || m.whyEmpty() != "" {
		return nil
	}
	if msg.Type == tea.KeyEnter {
		return m.createQueue()
	}
	was := m.orderOfForm()
	if !form.StepField(m.formFields(), &m.at, msg) && m.currentField().HandleKey(msg) {
		m.trouble = ""
	}
	return m.drawing.EstimateIfChanged(was)
}

// formFields are the lines of the form as they stand.
func (m *Model) formFields() []form.Field {
	many := form.Field{Figure: &m.number, Note: "predictions"}
	switch m.size {
	case sizeShare:
		many = form.Field{Figure: &m.share, Note: "% of them"}
	case sizeAll:
		many.Off = "of a percentage or a number"
	}
	names := eval.Map(populations[:], func(p annotate.From) string {
		return eval.Either(p == annotate.FromAll, "all answers", p.DisplayName())
	})
	return []form.Field{
		{Label: "dataset", Pick: &m.dataset, Then: m.offerRunsOfDataset},
		{Label: "model", Pick: &m.run},
		{Label: "which", Names: names, At: &m.from, Then: m.suggestName},
		{Label: "sample size", Names: sizes[:], At: &m.size},
		many,
		{Label: "annotators", Figure: &m.overlap, Note: "per item"},
		{Label: "name", Line: &m.name, Most: 60, Note: "a name", Then: func() { m.named = true }},
		{Label: "guideline", Line: &m.guideline, Most: 400, Note: "a text file; without one the standard guideline"},
	}
}

// currentField is the one that keys go to.
func (m *Model) currentField() *form.Field { return &m.formFields()[m.at] }

// offerRunsOfDataset offers the runs of another dataset.
func (m *Model) offerRunsOfDataset() {
	if m.runsOf != m.dataset.Value() {
		m.runsOf = m.dataset.Value()
		m.run.SetNames(append([]string{everyRun}, eval.Map(m.chosenPool().Runs, func(r Run) string { return r.Name })...))
	}
}
