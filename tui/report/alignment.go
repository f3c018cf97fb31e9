package report

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
)

// alignmentFigures are the figures of a queue, as they were computed.
type alignmentFigures struct {
	report figures.Report
	saved  []annotate.SavedReport
	at     time.Time
	stale  bool // facts have changed since
}

// saved tells what came of saving a report.
type saved struct {
	id  uint64
	at  time.Time
	err error
}

func (m *Model) aligned() *alignmentFigures { return m.byQueue[m.queueName()] }

// queueName is the queue whose alignment is shown; "" before it is known.
func (m *Model) queueName() annotate.QueueName { return m.queue }

func (m *Model) choose(q annotate.QueueName) { m.queue = q }

func (m *Model) alignmentLines() []line { return nil }

func (m *Model) emptyAlignment() string { return "" }

func (m *Model) pressAlignment(tea.KeyMsg) tea.Cmd { return nil }

func (m *Model) saved(saved) tea.Cmd { return nil }

func align(context.Context, Source, *work, annotate.QueueName, func() time.Time) computed {
	return computed{}
}
