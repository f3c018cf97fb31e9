package criteria

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// hidden are the samples whose criteria one person is not to see yet, each
// with the queue that says so.
type hidden struct {
	known   bool
	who     annotate.Annotator
	dataset eval.DatasetName
	queues  map[eval.Ordinal]annotate.QueueName
}

// veiled is what was found out about that.
type veiled struct {
	of     *collection
	hidden hidden
	err    error
}

// veil finds out what the person is not to see. Until that is known they see
// no criteria.
func (m *collection) veil() tea.Cmd {
	m.hidden.known = false
	find, ctx := m.deps.Hidden, m.ctx
	if find == nil || m.dataset == "" || m.who == "" {
		return nil
	}
	h := hidden{known: true, who: m.who, dataset: m.dataset}
	return func() tea.Msg {
		var err error
		h.queues, err = find(ctx, h.who, h.dataset)
		return veiled{m, h, err}
	}
}

func (m *collection) takeVeil(msg veiled) tea.Cmd {
	if msg.err != nil {
		return widget.Tell(widget.Problem, "find out which criteria are yours to see: "+msg.err.Error())
	}
	if msg.hidden.who == m.who && msg.hidden.dataset == m.dataset {
		m.hidden = msg.hidden
	}
	return nil
}

// unseen is why a row's criteria are not shown to the person; "" when they
// are. Who has written or reviewed them knows them.
func (m *collection) unseen(r *Row) string {
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
		return fmt.Sprintf("queue %s hides these criteria until you have voted on the sample", widget.Line(string(q)))
	}
	return ""
}
