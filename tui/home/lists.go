package home

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// above is what a list has above its rows: its title and its headings.
const above = 2

// hasRows reports whether keys can move in a list. Those of the runs can, unless
// there are none and there are datasets to make one of.
func (m *projectBoard) hasRows(f listFocus) bool {
	return m.countShown(f) > 0 || f == atRuns && (len(m.runs.all) > 0 || len(m.datasets.rows) == 0)
}

// focusNext goes on to the next list that has rows, or to the one before.
func (m *projectBoard) focusNext(back bool) {
	step := listFocus(1)
	if back {
		step = lists - 1
	}
	for range lists {
		if m.focus = (m.focus + step) % lists; m.hasRows(m.focus) {
			return
		}
	}
}

// hasOtherList reports whether there is another list to go to.
func (m *projectBoard) hasOtherList() bool {
	for f := range lists {
		if f != m.focus && m.hasRows(f) {
			return true
		}
	}
	return false
}

// nextFocus names the list that tab goes to.
func (m *projectBoard) nextFocus() string {
	for f := (m.focus + 1) % lists; f != m.focus; f = (f + 1) % lists {
		if m.hasRows(f) {
			return shortTitles[f]
		}
	}
	return shortTitles[atQueues]
}

// paneSize is the room of the list in which keys move. Judges are chosen beside the
// lists, whatever room those have.
func (m *projectBoard) paneSize() widget.PaneSize {
	if m.choosing {
		return widget.NormalPane
	}
	return *m.space
}

// listWidth lists the width of the lists.
func (m *projectBoard) listWidth() int {
	if !m.isWide() || m.paneSize() == widget.FullPane {
		return m.width
	}
	const rule = 3
	return m.width - rule - m.paneSize().SizeLeft(m.width-m.width*62/100-rule)
}

// listHeight lists the height of a list, title and headings included; 0 of one that is
// not shown.
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
		return max(r.SizeLeft(normal[f]), min(normal[f], above+1))
	}
	rest := m.height - countGaps(m) // what the others, and the detail below, leave
	for other := range lists {
		if rest -= normal[other]; other != f {
			rest += normal[other] - m.listHeight(other)
		}
	}
	if !m.isWide() {
		rest -= r.SizeLeft(max(0, m.height-sumHeights(normal)))
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

func sumHeights(heights [lists]int) (n int) {
	for _, h := range heights {
		n += h
	}
	return n
}

// neededHeight is the height of a list with all its rows; without any, of what
// says how to get some.
func neededHeight(rows int) int {
	if rows == 0 {
		return 6
	}
	return rows + above
}

// countShownRows counts how many rows of a list are shown.
func (m *projectBoard) countShownRows(f listFocus) int { return m.listHeight(f) - above }

// barWidth is the width of the bars of progress in the lists.
func (m *projectBoard) barWidth() int {
	if m.listWidth() < 90 {
		return 7
	}
	return 12
}

func (m *projectBoard) moveCursor(by int) tea.Cmd {
	at := m.listOf(m.focus).cursor()
	before := at.At
	at.MoveBy(by, m.countShown(m.focus), m.countShownRows(m.focus))
	if at.At == before || m.focus != atRuns {
		return nil
	}
	return m.readAnswers()
}

// goTo moves to the run and the job that were started, once they are in the
// lists.
func (m *projectBoard) goTo() {
	if at := m.runs.indexOf(m.wanted); m.wanted != 0 && at >= 0 {
		m.wanted = 0
		m.runs.at.Set(at, len(m.runs.rows), m.countShownRows(atRuns))
	}
	if at := m.jobs.indexOf(m.sought); m.sought != "" && at >= 0 {
		m.focus, m.sought = atJobs, ""
		m.jobs.at.Set(at, len(m.jobs.rows), m.countShownRows(atJobs))
	}
}
