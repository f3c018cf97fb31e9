package criteria

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/datasetlist"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// sampleSet holds what the list and the page share: the samples that were read, who
// works, what is being saved, and the size of the screen.
type sampleSet struct {
	keymap.Spelling

	ctx    context.Context
	deps   Deps
	theme  *widget.Theme
	viewer *widget.Viewer
	who    annotate.Annotator
	hidden hiddenCriteria

	width, height int

	datasets datasetlist.List
	wanted   eval.DatasetName // to open as soon as it is known
	dataset  eval.DatasetName // open; "": one is to be chosen
	loading  bool
	err      error
	news     int // samples more than were read

	rows   []Row
	index  map[eval.Ordinal]int
	sizes  map[eval.PictureHash]measuredPicture
	stale  map[eval.Ordinal]bool // being read again: nothing can be done on them
	done   [][]eval.Ordinal      // samples of the steps of this sitting, the last one last
	undone [][]eval.Ordinal
	saving criteria.WriterState

	// What the screen makes of rows that were read, of a set that was read again, of
	// the mark of the writer, and of a dataset that comes to the front.
	filled        func(eval.DatasetName, []Row, error) tea.Cmd
	reread        func(criteria.Set, error) tea.Cmd
	heard, chosen func() tea.Cmd
}

// outcome is what came of a command of this screen, which takes it.
type outcome struct {
	of   *sampleSet
	take func() tea.Cmd
}

var errStale = errors.New("somebody else worked on this sample: it is being read again")

func newSampleSet(ctx context.Context, d Deps) *sampleSet {
	return &sampleSet{
		ctx: ctx, deps: d, theme: d.Theme, viewer: widget.NewViewer(d.Theme),
		datasets: datasetlist.List{Theme: d.Theme, Title: "Criteria of which dataset?", Empty: "No dataset to write criteria for yet. h, then i imports a benchmark's questions:\n" +
			"  concord import dataset questions.json --name NAME\n" +
			"Criteria that exist elsewhere come by\n  concord import criteria FILE --dataset NAME"},
		index: make(map[eval.Ordinal]int), sizes: make(map[eval.PictureHash]measuredPicture), stale: make(map[eval.Ordinal]bool),
	}
}

func (m *sampleSet) nowInMillis() time.Time { return m.deps.Now().UTC().Truncate(time.Millisecond) }

// addUndo remembers what undo takes back next.
func (m *sampleSet) addUndo(samples ...eval.Ordinal) { m.done, m.undone = append(m.done, samples), nil }

// formKey names what a form is for, so that its text is there again.
func (m *sampleSet) formKey(what string, i int) string {
	return fmt.Sprint(what, " ", m.dataset, " ", m.rows[i].Sample.Ordinal)
}

// whyActRefused is why the person cannot do an act of a kind on the row at a place; "" when they can.
func (m *sampleSet) whyActRefused(at int, kind criteria.Kind) string {
	if m.stale[m.rows[at].Sample.Ordinal] {
		return errStale.Error()
	}
	if why := m.whyCriteriaHidden(&m.rows[at]); why != "" {
		return why
	}
	if err := m.rows[at].Set.CheckKindAllowed(kind, m.who); err != nil {
		return strings.TrimPrefix(err.Error(), kind.String()+": ") // the key says what it does
	}
	return ""
}

func (m *sampleSet) whyNoFailure() string {
	return action.WhyIf(m.deps.Writer.State().Err == nil, "everything is saved, or about to be")
}

func (m *sampleSet) readDatasets() tea.Cmd {
	source := m.deps.Source
	return func() tea.Msg {
		all, err := source.Datasets()
		return outcome{m, func() tea.Cmd { return m.handleDatasets(all, err) }}
	}
}

func (m *sampleSet) awaitWriterNews() tea.Cmd {
	mark, ctx := m.deps.Writer.Changed(), m.ctx
	return func() tea.Msg {
		select {
		case <-mark:
			return outcome{m, func() tea.Cmd { return tea.Batch(m.heard(), m.awaitWriterNews()) }}
		case <-ctx.Done():
			return nil
		}
	}
}

func (m *sampleSet) handleDatasets(all []eval.Dataset, err error) tea.Cmd {
	if err != nil {
		return widget.NotifyCmd(widget.Problem, "read the datasets: "+err.Error())
	}
	only := m.datasets.SetDatasets(all)
	for _, d := range all {
		if d.Name == m.dataset {
			m.news = max(0, d.Samples-len(m.rows))
		}
	}
	if m.dataset != "" && m.wanted == "" || m.loading {
		return nil
	}
	want := cmp.Or(m.wanted, only)
	m.wanted = ""
	if want == "" {
		return m.chosen()
	}
	return m.readDataset(want)
}

// readDataset reads a dataset, once what waits is saved: a set that was read before would not know of it.
func (m *sampleSet) readDataset(d eval.DatasetName) tea.Cmd {
	m.loading, m.err = true, nil
	ctx, source, writer := m.ctx, m.deps.Source, m.deps.Writer
	return func() tea.Msg {
		var rows []Row
		err := writer.Flush(ctx)
		if err == nil {
			rows, err = source.Rows(ctx, d)
		}
		return outcome{m, func() tea.Cmd { return m.filled(d, rows, err) }}
	}
}

func (m *sampleSet) rereadSet(o eval.Ordinal) tea.Cmd {
	source, d := m.deps.Source, m.dataset
	return func() tea.Msg {
		set, err := source.Set(d, o)
		return outcome{m, func() tea.Cmd { return m.reread(set, err) }}
	}
}

func (m *sampleSet) readChosenDataset() tea.Cmd {
	if d, ok := m.datasets.CurrentDataset(); ok && !m.loading {
		return m.readDataset(d.Name)
	}
	return nil
}

func (m *sampleSet) retrySaving() tea.Cmd {
	m.deps.Writer.RetryParked()
	return nil
}

func (m *sampleSet) makeFreshID(old eval.SampleID) string {
	taken := eval.IndexBy(m.rows, func(r Row) (eval.SampleID, bool) { return r.Sample.ID, true })
	for n := 1; ; n++ {
		if id := fmt.Sprintf("%s-r%d", old, n); !taken[eval.SampleID(id)] {
			return id
		}
	}
}

// findSpareSample finds a sample that was added for a discarded one and stands in for none:
// the program ended before that was said, or it was undone.
func (m *sampleSet) findSpareSample(old eval.SampleID) (eval.Sample, bool) {
	used := make(map[eval.SampleID]bool)
	for i := range m.rows {
		if r := m.rows[i].Set.Removed; r != nil {
			used[r.By] = true
		}
	}
	for i := range slices.Backward(m.rows) {
		s := &m.rows[i].Sample
		if n, ours := strings.CutPrefix(string(s.ID), string(old)+"-r"); ours && !used[s.ID] && m.rows[i].Set.Removed == nil {
			if _, err := strconv.ParseUint(n, 10, 32); err == nil {
				return *s, true
			}
		}
	}
	return eval.Sample{}, false
}

// hiddenCriteria are the samples whose criteria one person is not to see yet, each with the queue that says so.
type hiddenCriteria struct {
	known   bool
	who     annotate.Annotator
	dataset eval.DatasetName
	queues  map[eval.Ordinal]annotate.QueueName
}

// readHiddenSamples finds out what the person is not to see. Until that is known they see no criteria.
func (m *sampleSet) readHiddenSamples() tea.Cmd {
	m.hidden.known = false
	find, ctx := m.deps.Hidden, m.ctx
	if find == nil || m.dataset == "" || m.who == "" {
		return nil
	}
	h := hiddenCriteria{known: true, who: m.who, dataset: m.dataset}
	return func() tea.Msg {
		var err error
		h.queues, err = find(ctx, h.who, h.dataset)
		return outcome{m, func() tea.Cmd { return m.handleHiddenSamples(h, err) }}
	}
}

func (m *sampleSet) handleHiddenSamples(h hiddenCriteria, err error) tea.Cmd {
	if err != nil {
		return widget.NotifyCmd(widget.Problem, "find out which criteria are yours to see: "+err.Error())
	}
	if h.who == m.who && h.dataset == m.dataset {
		m.hidden = h
	}
	return nil
}

// whyCriteriaHidden is why a row's criteria are not shown to the person; "" when they
// are. Who has written or reviewed them knows them.
func (m *sampleSet) whyCriteriaHidden(r *Row) string {
	if m.deps.Hidden == nil || slices.ContainsFunc(r.Set.History.Acts, func(a criteria.Act) bool {
		return a.Who == m.who && a.Kind != criteria.Assigned && a.Kind != criteria.TypeSet
	}) {
		return ""
	}
	h := &m.hidden
	if !h.known || h.who != m.who || h.dataset != m.dataset {
		return "finding out whether these criteria are yours to see…"
	}
	if q := h.queues[r.Sample.Ordinal]; q != "" {
		return fmt.Sprintf("queue %s hides these criteria until you have voted on the sample", widget.CleanLine(string(q)))
	}
	return ""
}
