package report

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	keymap.Spelling

	ctx    context.Context
	theme  *widget.Theme
	source Source
	now    func() time.Time
	who    annotate.Annotator

	width, height int
	readers       []*pageReader // one a page, in the order of the pages
	at            int           // the page that is shown
	wanted        eval.RunID
	finding       *reportFinder // the list of all reports is open; nil: it is not

	work    *computation // the computation under way
	stopped bool         // the last one was stopped by hand
	err     error
}

// New makes the screen. now gives the times that it shows.
func New(ctx context.Context, t *widget.Theme, s Source, now func() time.Time) *Model {
	m := &Model{ctx: ctx, theme: t, source: s, now: now}
	m.readers = append(m.readers, eval.Map(makePages(catalogue.AllKinds()), func(p reportPage) *pageReader {
		return &pageReader{reportPage: p, drawn: p.bars, by: make(map[request]*pageFigures)}
	})...)
	return m
}

// SetAnnotator says who looks, and who saves reports.
func (m *Model) SetAnnotator(who annotate.Annotator) {
	if m.who == who {
		return
	}
	m.who = who
	for _, r := range m.readers {
		if r.hides != nil { // somebody else may not see them
			clear(r.by)
		}
	}
	if m.work != nil && m.readers[m.work.at].hides != nil {
		m.work.cancel()
		m.work = nil
	}
}

// MarkStale tells that facts have changed. The figures stay until they are asked for again.
func (m *Model) MarkStale() {
	for _, r := range m.readers {
		for _, f := range r.by {
			f.stale = true
		}
	}
	if m.work != nil {
		m.work.stale = true
	}
}

// Init computes what is shown.
func (m *Model) Init() tea.Cmd { return m.Enter() }

// Refresh leaves the figures as they are: they must not change under the reader.
func (m *Model) Refresh() tea.Cmd { return nil }

// Enter computes what is shown when it is not there or no longer true.
func (m *Model) Enter() tea.Cmd {
	if f := m.currentReader().shownFigures(); m.work != nil || f != nil && !f.stale {
		return nil
	}
	return m.startComputing()
}

// currentReader is where somebody is in the shown page.
func (m *Model) currentReader() *pageReader { return m.readers[m.at] }

// indexOfPage is the place of a page, the first without one of that name.
func indexOfPage(all []*pageReader, name string) int {
	return max(0, slices.IndexFunc(all, func(r *pageReader) bool { return r.name == name }))
}

// ShowRunOrQueue goes to a run's accuracy, or to a queue's alignment when it is named.
func (m *Model) ShowRunOrQueue(run eval.RunID, queue annotate.QueueName) tea.Cmd {
	if queue != "" {
		return m.showPageAbout(alignmentPage, string(queue))
	}
	m.at, m.wanted = indexOfPage(m.readers, accuracyPage), run
	m.currentReader().asked.place = allDatasets // it may be of another one
	m.goToWanted()
	return m.Enter()
}

// ShowAgreement goes to how far judges and people vote alike on a queue of pairs.
func (m *Model) ShowAgreement(queue annotate.QueueName) tea.Cmd {
	return m.showPageAbout(agreementPage, string(queue))
}

// ShowVotes goes to who wins by votes on a dataset.
func (m *Model) ShowVotes(d eval.DatasetName) tea.Cmd { return m.showPageAbout(votesPage, string(d)) }

// showPageAbout goes to a page about a dataset or a queue.
func (m *Model) showPageAbout(page, place string) tea.Cmd {
	at := indexOfPage(m.readers, page)
	m.readers[at].asked.place = place
	return m.goToPage(at)
}

// PageNames are the names of all reports that the screen shows.
func (m *Model) PageNames() []string {
	return eval.FilterMap(m.readers, func(r *pageReader) (string, bool) { return r.name, !r.none })
}

// ShowPage goes to a report by its name.
func (m *Model) ShowPage(name string) tea.Cmd { return m.goToPage(indexOfPage(m.readers, name)) }

// goToPage goes to a page.
func (m *Model) goToPage(at int) tea.Cmd {
	m.at, m.wanted, m.finding, m.stopped = at, 0, nil, false
	if m.work == nil {
		m.err = nil
	}
	m.currentReader().readerSpot = readerSpot{}
	return m.Enter()
}

// goToWanted goes to the run that was asked for, once it is there.
func (m *Model) goToWanted() {
	f := m.currentReader().shownFigures()
	if m.wanted == 0 || m.currentReader().name != accuracyPage || f == nil {
		return
	}
	if row, ok := f.rowOfRun(m.wanted); ok {
		m.currentReader().row, m.wanted = row, 0
	}
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case computed:
		return m.handleComputed(msg)
	case ticked:
		if msg.of == m.work && m.work != nil {
			return m.work.tickProgress()
		}
	case kept:
		return m.handleStored(msg)
	}
	return nil
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	if m.finding != nil {
		at, chosen := m.finding.handleKey(msg)
		if chosen {
			return m.goToPage(at)
		}
		return nil
	}
	if m.currentReader().moveOrRedraw(msg, m.newCanvas().listHeight()) {
		return nil
	}
	return keyActions{m}.newBoundActions().PressKey(msg.String())
}

// IsTyping reports whether keys are text: those that find reports by name.
func (m *Model) IsTyping() bool { return m.finding != nil }

// GoBack leaves the list of all reports, or stops a computation, and reports whether there was one.
func (m *Model) GoBack() bool {
	if m.finding != nil {
		m.finding = nil
		return true
	}
	if m.work == nil {
		return false
	}
	m.work.cancel()
	m.work = nil
	m.stopped = true
	return true
}

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Report }

// kept tells what came of saving or exporting a report.
type kept struct {
	said string
	err  error
}

// saveReport keeps the report as it was computed; what of it is hidden from the person is saved as well.
func (m *Model) saveReport() tea.Cmd {
	switch {
	case !m.currentReader().isSavable():
		return widget.NotifyCmd(widget.Info, m.SpellText("there is no figure to save yet: {S} saves alignment and corrected scores, once people have labeled ({/} goes there)"))
	case m.who == "":
		return widget.NotifyCmd(widget.Info, m.SpellText("a saved report bears a name: press {v} and give yours"))
	}
	ctx, source, who, now, report := m.ctx, m.source, m.who, m.now, m.currentReader().shownFigures().report
	return func() tea.Msg {
		at := now()
		s, err := figures.NewSavedReport(&report, who, at)
		if err != nil {
			return kept{err: err}
		}
		id, err := source.SaveReport(ctx, s)
		return kept{fmt.Sprintf("saved as report %d at %s", id, at.Format("15:04:05")), err}
	}
}

// exportReport writes the report as it is shown for papers and browsers.
func exportReport(source Source, f *pageFigures) tea.Cmd {
	if f == nil || f.countRows() == 0 {
		return widget.NotifyCmd(widget.Info, "there is no report to write yet")
	}
	report := f.report
	if f.hidden != "" {
		report = report.PublicReport()
	}
	return func() tea.Msg {
		files, err := source.ExportReport(report)
		return kept{"wrote " + strings.Join(files, " and "), err}
	}
}

// handleStored tells of a report that is stored or written, and shows it among the others.
func (m *Model) handleStored(msg kept) tea.Cmd {
	if msg.err != nil {
		return widget.SendCmd(widget.Notify{Level: widget.Problem, Text: "NOT SAVED: " + msg.err.Error()})
	}
	m.MarkStale()
	return tea.Batch(widget.NotifyCmd(widget.Info, msg.said), m.startComputing())
}
