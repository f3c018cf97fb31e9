package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	figures "concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/tui/widget"
)

// alignmentFigures are the figures of a queue, as they were computed.
type alignmentFigures struct {
	report figures.Report
	notes  []string // what has to be known beside them
	veiled string   // why parts and items are not shown; "" when they are
	at     time.Time
	stale  bool // facts have changed since
}

// saved tells what came of saving a report.
type saved struct {
	id  uint64
	at  time.Time
	err error
}

// aligned is what is shown of alignment; nil before it was computed.
func (m *Model) aligned() *alignmentFigures { return m.byQueue[m.queue] }

// align computes the alignment of a queue, the first when none is named.
func align(
	ctx context.Context, s Source, w *work, who annotate.Annotator, queue annotate.QueueName, now func() time.Time,
) computed {
	queues, err := s.Queues()
	if err != nil {
		return computed{of: w, err: fmt.Errorf("list queues: %w", err)}
	}
	queues = slices.DeleteFunc(slices.Clone(queues), func(q annotate.Queue) bool { return q.ForLabels() != nil })
	if len(queues) == 0 {
		return computed{of: w, align: &alignmentFigures{at: now()}}
	}
	at := max(0, slices.IndexFunc(queues, func(q annotate.Queue) bool { return q.Name == queue }))
	queue = queues[at].Name
	r, err := alignment.Alignment(ctx, s, alignment.Options{Queue: queue, Progress: w.tell})
	if err != nil {
		return computed{of: w, err: err}
	}
	f := &alignmentFigures{report: r, at: now(), notes: r.Notes}
	f.notes = f.notes[:max(0, len(r.Notes)-len(savedReports(r)))] // those of saved reports come last
	if f.veiled, err = veiled(ctx, s, who, queue); err != nil {
		return computed{of: w, err: err}
	}
	if f.veiled != "" {
		f.report = r.Whole()
		f.notes = append([]string{f.veiled}, f.notes...)
	}
	return computed{of: w, queues: queues, queue: queue, align: f}
}

// veiled is why a person sees no more of a queue's alignment than its rates:
// the parts and the items behind them may tell how an item was labelled that
// they have yet to answer.
func veiled(ctx context.Context, s Source, who annotate.Annotator, q annotate.QueueName) (string, error) {
	n, err := s.Left(ctx, who, q)
	if err != nil || n == 0 {
		return "", err
	}
	return "people, levels and items are hidden until you have answered all: " + widget.Plural(n, "item") + " left", nil
}

func (m *Model) pressAlignment(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	switch {
	case key.Matches(msg, k.queueNext):
		return m.otherQueue(1)
	case key.Matches(msg, k.queuePrev):
		return m.otherQueue(-1)
	case key.Matches(msg, k.save):
		return m.save()
	case key.Matches(msg, k.bars):
		m.charted = !m.charted
		m.at = widget.Cursor{}
		m.rebuild()
		return nil
	case key.Matches(msg, k.differ) && m.queue != "":
		return send(OpenCompare{m.queue})
	}
	m.pressLevels(msg)
	return nil
}

// otherQueue goes to the alignment of another queue.
func (m *Model) otherQueue(by int) tea.Cmd {
	n := len(m.queues)
	if n == 0 {
		return nil
	}
	at := slices.IndexFunc(m.queues, func(q annotate.Queue) bool { return q.Name == m.queue })
	m.queue = m.queues[(max(at, 0)+by+n)%n].Name
	m.at = widget.Cursor{}
	m.rebuild()
	return m.Enter()
}

// save keeps the report as it is shown.
func (m *Model) save() tea.Cmd {
	f := m.aligned()
	switch {
	case f == nil || m.queue == "":
		return send(widget.Notify{Level: widget.Info, Text: "there are no figures to save yet"})
	case m.who == "":
		return send(widget.Notify{Level: widget.Info, Text: m.Keyed("a saved report bears a name: press {v} and give yours")})
	}
	ctx, source, who, now, r := m.ctx, m.source, m.who, m.now, f.report
	return func() tea.Msg {
		at := now()
		s, err := alignment.SavedReport(&r, who, at)
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
		return send(widget.Notify{Level: widget.Problem, Text: "NOT SAVED: " + msg.err.Error()})
	}
	told := send(widget.Notify{
		Level: widget.Info,
		Text:  fmt.Sprintf("saved as report %d at %s", msg.id, msg.at.Format("15:04:05")),
	})
	if m.section != alignmentSection {
		m.Stale()
		return told
	}
	return tea.Batch(told, m.compute())
}

// queueLine says which queue is shown, and what has to be known of it.
func (m *Model) queueLine() string {
	if m.section != alignmentSection || m.queue == "" {
		return ""
	}
	t := m.theme
	out := "  " + t.Faint.Render("queue ") + t.Strong.Render(widget.Line(string(m.queue)))
	if n := len(m.queues); n > 1 {
		at := slices.IndexFunc(m.queues, func(q annotate.Queue) bool { return q.Name == m.queue })
		out += t.Faint.Render(fmt.Sprintf(" (%d of %d, %s next)", at+1, n, m.Spelled("n")))
	}
	f := m.aligned()
	if f == nil {
		return out
	}
	for _, row := range f.report.Rows {
		if a, ok := row.(*alignment.Row); ok && a.Saved == 0 {
			out += t.Faint.Render("  consensus: " + a.Policy + ", undecided: " + a.Undecided)
			break
		}
	}
	for _, n := range f.notes {
		out += t.Warn.Render("  ! " + widget.Line(n))
	}
	return out
}

func (m *Model) emptyAlignment() string {
	if m.queue == "" {
		return m.Keyed("No queues yet. {v}, then {l@queues} makes one of what the rules could not read; people label it,\nand this page says how far the machine reads as they do.")
	}
	return m.Keyed("No item of this queue yet. It grows while a run goes on, which the runs ({h}) show.")
}
