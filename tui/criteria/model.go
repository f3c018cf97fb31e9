package criteria

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*sampleSet

	browser sampleBrowser
	reader  pageReader
	asker   formAsker

	table     action.Table
	name      widget.NamePrompt
	listening bool
	disputed  bool // the rows that are read next are narrowed down to those with disagreements
}

// New makes the screen. It reads nothing before Enter.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	c := newSampleSet(ctx, d)
	m := &Model{
		sampleSet: c, asker: formAsker{sampleSet: c, kept: make(map[string][]string)},
		browser: sampleBrowser{sampleSet: c, list: newSampleList(), hays: make(map[eval.Ordinal]string)},
		reader:  pageReader{sampleSet: c, lost: make(map[eval.Ordinal][]criteria.Criterion), mark: make(map[eval.Ordinal]pendingTicks)},
		name:    d.Theme.NewNamePrompt("everything you write and review, and nobody reviews what they wrote themselves."),
	}
	m.table = actionTable(m)
	c.filled, c.reread, c.heard, c.chosen = m.handleDatasetRead, m.replaceSet, m.takeWriterState, m.browser.readOverview
	return m
}

// SetAnnotator says who works.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who != "" && who != m.who { // what was begun is the other one's
		m.done, m.undone = nil, nil
		m.asker.kept, m.reader.mark = make(map[string][]string), make(map[eval.Ordinal]pendingTicks)
	}
	m.who = who
	m.name.OpenPrompt(who == "")
	m.browser.recountTasks()
}

// OpenDataset has a dataset opened once the screen is seen.
func (m *Model) OpenDataset(d eval.DatasetName) { m.wanted = d }

// OpenDisputed does so with the criteria alone on which people differ.
func (m *Model) OpenDisputed(d eval.DatasetName) {
	m.OpenDataset(cmp.Or(d, m.dataset)) // read anew, also where it is shown
	m.disputed = true
}

// Init reads the datasets.
func (m *Model) Init() tea.Cmd { return m.Enter() }

// Enter comes in: the screen reads which datasets there are.
func (m *Model) Enter() tea.Cmd {
	if m.deps.Source == nil {
		return nil
	}
	cmds := []tea.Cmd{m.readDatasets(), m.readHiddenSamples()}
	if !m.listening {
		m.listening = true
		cmds = append(cmds, m.awaitWriterNews())
	}
	return tea.Batch(cmds...)
}

// Refresh looks whether the open dataset has grown; the list itself stays as it is until it is asked for.
func (m *Model) Refresh() tea.Cmd {
	if m.deps.Source == nil || !m.datasets.Known {
		return nil
	}
	cmds := []tea.Cmd{m.readDatasets(), m.reader.drawPicture()}
	if h := &m.hidden; !h.known || h.who != m.who {
		cmds = append(cmds, m.readHiddenSamples())
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		if msg.of == m.sampleSet {
			return msg.take()
		}
	case typingPaused:
		return saveAfterPause(m, msg)
	case widget.Drawn:
		if m.viewer.HandleDrawn(msg) {
			return m.reader.drawPicture()
		}
	}
	return nil
}

func (m *Model) handleDatasetRead(d eval.DatasetName, rows []Row, err error) tea.Cmd {
	m.loading, m.err = false, err
	if err != nil {
		return widget.NotifyCmd(widget.Problem, fmt.Sprintf("read dataset %s: %v", d, err))
	}
	if m.dataset != d {
		m.browser.list, m.reader.page, m.asker.form, m.done, m.undone = newSampleList(), nil, nil, nil, nil
	}
	m.dataset, m.rows, m.news = d, rows, 0
	clear(m.index)
	clear(m.stale)
	clear(m.browser.hays)
	for i := range m.rows {
		m.index[m.rows[i].Sample.Ordinal] = i
	}
	if m.reader.page != nil && m.reader.page.editor == nil {
		if i, ok := m.index[m.reader.page.sample]; ok {
			m.reader.page.at = i
		} else {
			m.reader.page = nil
		}
	}
	opening := m.disputed
	if opening {
		m.disputed, m.browser.list.state = false, len(stateFilterNames())-1
	}
	m.browser.recountGroups()
	m.browser.rebuildList()
	if first := slices.IndexFunc(m.browser.list.lines, func(x listLine) bool { return x.group < 0 }); opening && first >= 0 {
		m.browser.moveCursorTo(m.browser.list.lines[first].row) // from where one key opens it
	}
	return tea.Batch(m.browser.measureVisiblePictures(), m.readHiddenSamples())
}

// takeWriterState takes up where the writer stands, and reads again what it refused.
func (m *Model) takeWriterState() tea.Cmd {
	refused := m.deps.Writer.TakeRefused()
	m.saving = m.deps.Writer.State()
	var cmds []tea.Cmd
	for _, r := range refused {
		a := r.Acts[0]
		i, ok := m.index[a.Sample]
		if !ok || a.Dataset != m.dataset {
			cmds = append(cmds, widget.NotifyCmd(widget.Problem, fmt.Sprintf("NOT SAVED: %s on a sample of %s: %v", describeAct(&a), a.Dataset, r.Err)))
			continue
		}
		m.stale[a.Sample] = true
		if p := m.reader.page; p != nil && p.editor != nil && p.sample == a.Sample {
			p.editor.sure, p.editor.trouble = false, r.Err.Error()
		}
		cmds = append(cmds, m.rereadSet(a.Sample),
			widget.NotifyCmd(widget.Problem, fmt.Sprintf("NOT SAVED: %s on sample %s: %v. What is shown is read again", describeAct(&a), m.rows[i].Sample.ID, r.Err)))
	}
	if p := m.reader.page; p != nil && p.editor != nil && p.editor.again && m.saving.Err == nil { // else the next pause tries again
		submitDraft(m, false)
	}
	return tea.Batch(cmds...)
}

// replaceSet puts a set that was read again in its place.
func (m *Model) replaceSet(set criteria.Set, err error) tea.Cmd {
	i, ok := m.index[set.Sample]
	if !ok || set.Dataset != m.dataset {
		return nil
	}
	if err != nil {
		return widget.NotifyCmd(widget.Problem, "read the criteria again: "+err.Error())
	}
	delete(m.stale, set.Sample)
	m.rows[i].Set = set
	m.browser.recountGroups()
	if p := m.reader.page; p != nil && p.editor != nil && p.at == i {
		submitDraft(m, true)
	}
	return nil
}

// KeepDraft hands what is being typed to the writer; the root asks for it before it ends.
func (m *Model) KeepDraft() {
	if m.reader.page != nil && m.reader.page.editor != nil {
		submitDraft(m, true)
	}
}
