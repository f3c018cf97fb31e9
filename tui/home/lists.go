package home

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// above is what a list has above its rows: its title and its headings.
const above = 2

// canFocus reports whether keys can move in a list. Those of the runs can, unless
// there are none and there are datasets to make one of.
func (m *projectBoard) canFocus(f listFocus) bool {
	return m.countShown(f) > 0 || f == atRuns && (len(m.runs.all) > 0 || len(m.datasets.rows) == 0)
}

// moveFocus goes on to the next list that has rows, or to the one before.
func (m *projectBoard) moveFocus(back bool) {
	step := eval.Either(back, lists-1, listFocus(1))
	for range lists {
		if m.focus = (m.focus + step) % lists; m.canFocus(m.focus) {
			return
		}
	}
}

// hasOtherList reports whether there is another list to go to.
func (m *projectBoard) hasOtherList() bool {
	for f := range lists {
		if f != m.focus && m.canFocus(f) {
			return true
		}
	}
	return false
}

// nextListTitle names the list that tab goes to.
func (m *projectBoard) nextListTitle() string {
	for f := (m.focus + 1) % lists; f != m.focus; f = (f + 1) % lists {
		if m.canFocus(f) {
			return shortTitles[f]
		}
	}
	return shortTitles[atQueues]
}

// paneSize is the room of the list in which keys move. Judges are chosen beside, whatever room lists have.
func (m *projectBoard) paneSize() widget.PaneSize {
	return eval.Either(m.choosing, widget.NormalPane, *m.space)
}

func (m *projectBoard) listWidth() int {
	if !m.isWide() || m.paneSize() == widget.FullPane {
		return m.width
	}
	const rule = 3
	return m.width - rule - m.paneSize().CellsLeft(m.width-m.width*62/100-rule)
}

// listHeight is the height of a list, title and headings included; 0 of one that is not shown.
func (m *projectBoard) listHeight(f listFocus) int {
	normal, r := m.normalHeights(), m.paneSize()
	switch {
	case r == widget.NormalPane:
		return normal[f]
	case r == widget.FullPane && f == m.focus:
		return m.height
	case r == widget.FullPane:
		return 0
	case f != m.focus:
		return max(r.CellsLeft(normal[f]), min(normal[f], above+1))
	}
	rest := m.height - countGaps(m) // what the others, and the detail below, leave
	for other := range lists {
		if rest -= normal[other]; other != f {
			rest += normal[other] - m.listHeight(other)
		}
	}
	if !m.isWide() {
		rest -= r.CellsLeft(max(0, m.height-sumHeights(normal)))
	}
	return max(normal[f], min(neededHeight(m.countShown(f)), normal[f]+rest))
}

// normalHeights are the heights of the lists as long as none was given more room.
func (m *projectBoard) normalHeights() (out [lists]int) {
	high := func(f listFocus, least, most int) int {
		return min(max(least, neededHeight(m.countShown(f))), max(least, most))
	}
	if !m.isWide() {
		out[atRuns], out[atQueues] = high(atRuns, 3, m.height/3), high(atQueues, 3, m.height/4)
		for _, f := range []listFocus{atDatasets, atJobs} {
			if m.countShown(f) > 0 {
				out[f] = high(f, 3, m.height/4)
			}
		}
		return out
	}
	out[atQueues] = high(atQueues, 4, m.height/3)
	for _, f := range []listFocus{atDatasets, atJobs} {
		if m.countShown(f) > 0 {
			out[f] = high(f, 4, m.height/4)
		}
	}
	out[atRuns] = high(atRuns, 3, m.height-sumHeights(out)-countGaps(m))
	return out
}

// countGaps counts how many empty lines stand between the lists.
func countGaps(m *projectBoard) int {
	n := 0
	for f := atDatasets; f < lists && m.isWide(); f++ {
		if f == atQueues || m.countShown(f) > 0 {
			n++
		}
	}
	return n
}

func sumHeights(heights [lists]int) int { return eval.Sum(heights[:], func(h int) int { return h }) }

// neededHeight is the height of a list with all its rows; without any, of what says how to get some.
func neededHeight(rows int) int { return eval.Either(rows == 0, 6, rows+above) }

// countShownRows counts how many rows of a list are shown.
func (m *projectBoard) countShownRows(f listFocus) int { return m.listHeight(f) - above }

func (m *projectBoard) barWidth() int { return eval.Either(m.listWidth() < 90, 7, 12) }

func (m *projectBoard) moveCursor(by int) tea.Cmd {
	at := m.listOf(m.focus).cursor()
	before := at.At
	at.MoveBy(by, m.countShown(m.focus), m.countShownRows(m.focus))
	if at.At == before || m.focus != atRuns {
		return nil
	}
	return m.readAnswers()
}

// goToStarted moves to the run and the job that were started, once they are in the lists.
func (m *projectBoard) goToStarted() {
	if at := m.runs.indexOf(m.wanted); m.wanted != 0 && at >= 0 {
		m.wanted = 0
		m.runs.at.MoveTo(at, len(m.runs.rows), m.countShownRows(atRuns))
	}
	if at := m.jobs.indexOf(m.sought); m.sought != "" && at >= 0 {
		m.focus, m.sought = atJobs, ""
		m.jobs.at.MoveTo(at, len(m.jobs.rows), m.countShownRows(atJobs))
	}
}

// drawLists draw the lists below each other.
func drawLists(m *projectBoard, width int) []string {
	t := m.theme
	var out []string
	for f := range lists {
		high := m.listHeight(f)
		if high == 0 {
			continue
		}
		if len(out) > 0 && m.isWide() {
			out = append(out, "")
		}
		table := m.listOf(f).makeTable(m)
		table.Focused = m.focus == f && !m.choosing
		out = append(out, t.DrawSection(titles[f], m.formatListNote(f), table.Focused, width))
		out = append(out, t.DrawTable(table, width, high-1)...)
	}
	return out
}

// formatListNote stands beside the title of a list: how many, what the mark means, and at
// the list with the focus what all of them are narrowed down to.
func (m *projectBoard) formatListNote(f listFocus) string {
	shown, all := m.listOf(f).countRows()
	out := eval.Either(m.filter.IsOn(), widget.FormatCount(shown)+" of ", "") + widget.FormatCount(all)
	if below := shown - m.listOf(f).cursor().Top - m.listHeight(f) + above; below > 0 {
		out += ", " + widget.FormatCount(below) + " more below"
	}
	if m.listOf(f).hasSynthetic() {
		out += "  " + mark + " synthetic"
	}
	if text := m.theme.DrawFilter(&m.filter, max(24, m.listWidth()/2)); text != "" && m.focus == f {
		out += "  " + text
	}
	return out
}

// applyFilter finds what the filter leaves of the lists.
func (m *projectBoard) applyFilter() {
	for f := range lists {
		m.listOf(f).applyFilter(m)
	}
	m.clampCursors()
	if !m.canFocus(m.focus) && (m.focus != atRuns || !m.filter.IsOn()) {
		if m.focus = atRuns; !m.canFocus(atRuns) {
			m.focus = atDatasets
		}
	}
}

// clampCursors keeps the cursors within the lists.
func (m *projectBoard) clampCursors() {
	for f := range lists {
		m.listOf(f).cursor().MoveBy(0, m.countShown(f), m.countShownRows(f))
	}
}

// handleFilterKey takes a key while the filter is typed: the lists follow.
func (m *projectBoard) handleFilterKey(msg tea.KeyMsg) tea.Cmd {
	if !m.filter.HandleKey(msg) {
		return nil
	}
	m.applyFilter()
	if m.focus == atRuns && m.countShown(atRuns) == 0 && m.filter.IsOn() { // to where something is left
		m.moveFocus(false)
	}
	return m.readAnswers()
}

// clearFilter shows everything again, and reports whether there was a filter.
func (m *projectBoard) clearFilter() bool {
	was := m.filter.ClearText()
	m.applyFilter()
	return was
}

// listFocus is the list that keys move in. Lists stand below each other in this order.
type listFocus uint8

const (
	atRuns listFocus = iota
	atDatasets
	atJobs
	atQueues
	lists
)

// titles are what the lists are called, and shortTitles what tab calls them.
var (
	titles      = [lists]string{"Runs", "Datasets without a run", "Judge runs", "Queues"}
	shortTitles = [lists]string{"runs", "datasets", "judgings", "queues"}
)

// filteredList is rows of a kind: all of them, and those that the filter leaves.
type filteredList[R any, K comparable] struct {
	all, rows []R
	at        widget.Cursor
	id        func(R) K
	made      func(R) bool                     // it is synthetic
	table     func(*projectBoard) widget.Table // its columns, and what to do without rows
	cells     func(*projectBoard, *R) []string // of a row, as it is drawn
}

// lister is a list, whatever its rows are.
type lister interface {
	cursor() *widget.Cursor
	countRows() (shown, all int)
	hasSynthetic() bool
	applyFilter(m *projectBoard)
	makeTable(m *projectBoard) widget.Table
}

func (l *filteredList[R, K]) currentRow() (R, bool) { return widget.RowUnder(&l.at, l.rows) }

func (l *filteredList[R, K]) cursor() *widget.Cursor      { return &l.at }
func (l *filteredList[R, K]) countRows() (shown, all int) { return len(l.rows), len(l.all) }
func (l *filteredList[R, K]) hasSynthetic() bool          { return slices.ContainsFunc(l.rows, l.made) }

// indexOf is the place of a row among those that are shown; -1: it is not.
func (l *filteredList[R, K]) indexOf(id K) int {
	return slices.IndexFunc(l.rows, func(r R) bool { return l.id(r) == id })
}

// applyFilter finds what the filter leaves. The cursor stays at what is under it, where that is left:
// neither news nor a filter that is typed moves it to something else.
func (l *filteredList[R, K]) applyFilter(m *projectBoard) {
	was, ok := l.currentRow()
	l.rows = widget.FilterRows(&m.filter, l.all, func(r *R) []string { return l.cells(m, r) })
	if at := l.indexOf(l.id(was)); ok && at >= 0 {
		l.at.At = at
	}
}

func (l *filteredList[R, K]) makeTable(m *projectBoard) widget.Table {
	table := l.table(m)
	table.Rows, table.Cursor = len(l.rows), l.at
	table.Row = func(i int) []string { return l.cells(m, &l.rows[i]) }
	return table
}

// projectLists is the rows of the lists.
type projectLists struct {
	runs     filteredList[Row, eval.RunID]
	datasets filteredList[eval.Dataset, eval.DatasetName] // without a run
	jobs     filteredList[job.Row, job.ID]
	queues   filteredList[Queue, annotate.QueueName]
}

func (s *projectLists) listOf(f listFocus) lister {
	return [...]lister{&s.runs, &s.datasets, &s.jobs, &s.queues}[f]
}

// countShown counts how many rows of a list are shown.
func (s *projectLists) countShown(f listFocus) int {
	n, _ := s.listOf(f).countRows()
	return n
}

// hasAnyRows reports whether anything is listed, whatever the filter leaves.
func (s *projectLists) hasAnyRows() bool {
	for f := range lists {
		if _, all := s.listOf(f).countRows(); all > 0 {
			return true
		}
	}
	return false
}
