package home

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// above is what a list has above its rows: its title and its headings.
const above = 2

// has reports whether keys can move in a list. Those of the runs can, unless
// there are none and there are datasets to make one of.
func (m *board) has(f focus) bool {
	return m.count(f) > 0 || f == atRuns && (len(m.runs.all) > 0 || len(m.datasets.rows) == 0)
}

// turnFocus goes on to the next list that has rows, or to the one before.
func (m *board) turnFocus(back bool) {
	step := focus(1)
	if back {
		step = lists - 1
	}
	for range lists {
		if m.focus = (m.focus + step) % lists; m.has(m.focus) {
			return
		}
	}
}

// elsewhere reports whether there is another list to go to.
func (m *board) elsewhere() bool {
	for f := range lists {
		if f != m.focus && m.has(f) {
			return true
		}
	}
	return false
}

// nextFocus names the list that tab goes to.
func (m *board) nextFocus() string {
	for f := (m.focus + 1) % lists; f != m.focus; f = (f + 1) % lists {
		if m.has(f) {
			return shortTitles[f]
		}
	}
	return shortTitles[atQueues]
}

// room is the room of the list in which keys move. Judges are chosen beside the
// lists, whatever room those have.
func (m *board) room() widget.PaneSize {
	if m.choosing {
		return widget.NormalPane
	}
	return *m.space
}

// listWidth is the width of the lists.
func (m *board) listWidth() int {
	if !m.wide() || m.room() == widget.FullPane {
		return m.width
	}
	const rule = 3
	return m.width - rule - m.room().Leaves(m.width-m.width*62/100-rule)
}

// high is the height of a list, title and headings included; 0 of one that is
// not shown.
func (m *board) high(f focus) int {
	normal, r := m.normal(), m.room()
	switch {
	case r == widget.NormalPane:
		return normal[f]
	case r == widget.FullPane && f == m.focus:
		return m.height
	case r == widget.FullPane:
		return 0
	case f != m.focus:
		return max(r.Leaves(normal[f]), min(normal[f], above+1))
	}
	rest := m.height - gaps(m) // what the others, and the detail below, leave
	for other := range lists {
		if rest -= normal[other]; other != f {
			rest += normal[other] - m.high(other)
		}
	}
	if !m.wide() {
		rest -= r.Leaves(max(0, m.height-sum(normal)))
	}
	return max(normal[f], min(needs(m.count(f)), normal[f]+rest))
}

// normal are the heights of the lists as long as none was given more room.
func (m *board) normal() (out [lists]int) {
	high := func(f focus, least, most int) int { return min(max(least, needs(m.count(f))), max(least, most)) }
	if !m.wide() {
		out[atRuns], out[atQueues] = high(atRuns, 3, m.height/3), high(atQueues, 3, m.height/4)
		for _, f := range []focus{atDatasets, atJobs} {
			if m.count(f) > 0 {
				out[f] = high(f, 3, m.height/4)
			}
		}
		return out
	}
	out[atQueues] = high(atQueues, 4, m.height/3)
	for _, f := range []focus{atDatasets, atJobs} {
		if m.count(f) > 0 {
			out[f] = high(f, 4, m.height/4)
		}
	}
	out[atRuns] = high(atRuns, 3, m.height-sum(out)-gaps(m))
	return out
}

// gaps is how many empty lines stand between the lists.
func gaps(m *board) int {
	n := 0
	for f := atDatasets; f < lists && m.wide(); f++ {
		if f == atQueues || m.count(f) > 0 {
			n++
		}
	}
	return n
}

func sum(heights [lists]int) (n int) {
	for _, h := range heights {
		n += h
	}
	return n
}

// needs is the height of a list with all its rows; without any, of what
// says how to get some.
func needs(rows int) int {
	if rows == 0 {
		return 6
	}
	return rows + above
}

// shownRows is how many rows of a list are shown.
func (m *board) shownRows(f focus) int { return m.high(f) - above }

// barWidth is the width of the bars of progress in the lists.
func (m *board) barWidth() int {
	if m.listWidth() < 90 {
		return 7
	}
	return 12
}

func (m *board) move(by int) tea.Cmd {
	at := m.listOf(m.focus).cursor()
	before := at.At
	at.Move(by, m.count(m.focus), m.shownRows(m.focus))
	if at.At == before || m.focus != atRuns {
		return nil
	}
	return m.look()
}

// goTo moves to the run and the job that were started, once they are in the
// lists.
func (m *board) goTo() {
	if at := m.runs.find(m.wanted); m.wanted != 0 && at >= 0 {
		m.wanted = 0
		m.runs.at.Set(at, len(m.runs.rows), m.shownRows(atRuns))
	}
	if at := m.jobs.find(m.sought); m.sought != "" && at >= 0 {
		m.focus, m.sought = atJobs, ""
		m.jobs.at.Set(at, len(m.jobs.rows), m.shownRows(atJobs))
	}
}
