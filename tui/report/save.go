package report

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/report/alignment"
	"concord/tui/widget"
)

// saved tells what came of saving a report.
type saved struct {
	id  uint64
	at  time.Time
	err error
}

// save keeps the report as it was computed; what of it is hidden from the person
// is saved as well.
func (m *Model) save() tea.Cmd {
	r, f := m.reader(), m.reader().figures()
	switch {
	case !r.saves:
		return widget.Send(widget.Notify{Level: widget.Info, Text: m.Keyed("{S} saves alignment: {/} goes there")})
	case f == nil || f.report.Kept == nil:
		return widget.Send(widget.Notify{Level: widget.Info, Text: "there is no report to save yet"})
	case m.who == "":
		return widget.Send(widget.Notify{Level: widget.Info, Text: m.Keyed("a saved report bears a name: press {v} and give yours")})
	}
	ctx, source, who, now, report := m.ctx, m.source, m.who, m.now, f.report
	return func() tea.Msg {
		at := now()
		s, err := alignment.SavedReport(&report, who, at)
		if err != nil {
			return saved{err: err}
		}
		id, err := source.SaveReport(ctx, s)
		return saved{id, at, err}
	}
}

// saved tells of a report that is stored, and shows it among the others.
func (m *Model) saved(msg saved) tea.Cmd {
	if msg.err != nil {
		return widget.Send(widget.Notify{Level: widget.Problem, Text: "NOT SAVED: " + msg.err.Error()})
	}
	told := widget.Send(widget.Notify{
		Level: widget.Info,
		Text:  fmt.Sprintf("saved as report %d at %s", msg.id, msg.at.Format("15:04:05")),
	})
	m.Stale()
	if !m.reader().saves {
		return told
	}
	return tea.Batch(told, m.compute())
}
