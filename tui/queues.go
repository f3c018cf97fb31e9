package tui

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/home"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// queueList stands before a review: it asks who labels, and which queue when there are several.
type queueList struct {
	keymap.Spelling

	ctx    context.Context
	theme  *widget.Theme
	source home.Source
	who    annotate.Annotator
	role   annotate.Role // what of the queues is offered
	name   widget.NamePrompt

	width, height int
	queue         annotate.QueueName // asked for, or opened last
	auto          bool               // open the queue without asking, when it is clear which
	pairs         bool               // and one of pairs is meant
	loaded        bool
	all, queues   []home.Queue // all, and those that the filter leaves
	filter        widget.Filter
	at            widget.Cursor
}

type (
	// named says who labels from now on.
	named struct{ who annotate.Annotator }
	// wantPairs asks for a new queue of pairs.
	wantPairs struct{}
	// chosen says which queue is to be worked through.
	chosen struct {
		queue annotate.QueueName
		pairs bool
	}
	// listed is what the list read.
	listed struct {
		queues []home.Queue
		err    error
	}
)

func (l *queueList) setAnnotator(who annotate.Annotator) {
	l.who = who
	l.name.OpenPrompt(who == "")
}

// enterForQueue comes in for a queue; "" for whichever there is.
func (l *queueList) enterForQueue(q annotate.QueueName) tea.Cmd {
	l.queue, l.auto, l.pairs = q, true, false
	l.filter.ClearText()
	return l.readQueues()
}

// enterForPairs comes in for whichever queue of pairs there is.
func (l *queueList) enterForPairs() tea.Cmd {
	l.queue, l.auto, l.pairs = "", true, true
	l.filter.ClearText()
	return l.readQueues()
}

// Init reads the queues.
func (l *queueList) Init() tea.Cmd { return l.readQueues() }

// Refresh reads the queues again.
func (l *queueList) Refresh() tea.Cmd { return l.readQueues() }

func (l *queueList) readQueues() tea.Cmd {
	ctx, source, who := l.ctx, l.source, l.who
	return func() tea.Msg {
		queues, err := source.Queues(ctx, who)
		return listed{queues, err}
	}
}

// Update takes a message.
func (l *queueList) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listed:
		return l.handleListed(msg)
	case tea.KeyMsg:
		if l.IsTyping() {
			return l.handleTypedKey(msg)
		}
		return l.handleKey(msg)
	}
	return nil
}

func (l *queueList) handleListed(msg listed) tea.Cmd {
	if msg.err != nil {
		if l.ctx.Err() != nil {
			return nil
		}
		return widget.NotifyCmd(widget.Problem, "read the queues: "+msg.err.Error())
	}
	l.loaded, l.all = true, msg.queues
	l.applyFilter()
	return l.openIfClear()
}

func (l *queueList) applyFilter() {
	l.queues = widget.FilterRows(&l.filter, l.all, l.makeCells)
	l.at.MoveTo(l.at.At, len(l.queues), l.visibleRows())
}

// openIfClear opens the queue when it is clear which one is meant and who labels.
func (l *queueList) openIfClear() tea.Cmd {
	if !l.auto || l.who == "" || !l.loaded {
		return nil
	}
	l.auto = false
	meant, n := -1, 0
	for i, q := range l.queues {
		switch {
		case q.Name == l.queue, l.queue == "" && l.pairs && isPairs(q):
			meant, n = i, n+1
		case l.queue == "" && !l.pairs:
			meant, n = i, len(l.queues)
		}
	}
	if n == 1 {
		l.at.MoveTo(meant, len(l.queues), l.visibleRows())
		return l.chooseQueue(l.queues[meant])
	}
	return eval.Either(l.queue != "", widget.NotifyCmd(widget.Problem, "no queue "+string(l.queue)), nil)
}

func (l *queueList) chooseQueue(q home.Queue) tea.Cmd {
	l.queue = q.Name
	return widget.SendCmd(chosen{q.Name, isPairs(q)})
}

func isPairs(q home.Queue) bool { return q.Rule.From == annotate.FromPairs }

func (l *queueList) handleTypedKey(msg tea.KeyMsg) tea.Cmd {
	if l.who != "" {
		if l.filter.HandleKey(msg) {
			l.applyFilter()
		}
		return nil
	}
	name, cmd := l.name.HandleKey(msg)
	return eval.Either(name != "", widget.SendCmd(named{annotate.Annotator(name)}), cmd)
}

func (l *queueList) handleKey(msg tea.KeyMsg) tea.Cmd {
	if by, ok := widget.NewMoves().MoveBy(msg, max(1, l.visibleRows()), len(l.queues)); ok {
		l.at.MoveBy(by, len(l.queues), l.visibleRows())
		return nil
	}
	return newQueueBounds(l, true).PressKey(msg.String())
}

// newQueueBounds gives all that keys of the list do now; footer has them in few words.
func newQueueBounds(l *queueList, footer bool) *action.Bounds {
	q, ok := widget.RowUnder(&l.at, l.queues)
	none := action.WhyUnless(ok, "there is no queue yet")
	send := func(msg tea.Msg) func(string) tea.Cmd { return func(string) tea.Cmd { return widget.SendCmd(msg) } }
	words := func(few, all string) string { return eval.Either(footer, few, all) }
	differs := eval.Either(ok, send(wantCompare{q.Name, isPairs(q)}), send(wantCandidates{}))
	return &action.Bounds{Place: keymap.Queues, Spell: &l.Spelling, Own: map[string]key.Binding{"choose": widget.NewBinding("↑↓", "choose", "up", "down")}, All: map[string]action.Bound{
		"open":           {Says: "open", Why: none, Do: func(string) tea.Cmd { return l.chooseQueue(q) }},
		"new_queue":      {Do: send(wantLabels{})},
		"report":         {Says: words("report", ""), Why: none, Do: send(home.OpenReport{Queue: q.Name, Pairs: isPairs(q)})},
		"guideline_page": {Says: words("guideline", l.guidelineVerb()), Why: none, Do: send(annotation.OpenGuideline{Queue: q.Name})},
		"workshop":       {Says: words("judge workshop", ""), Why: none, Do: send(home.OpenWorkshop{Queue: q.Name})},
		"what_differs":   {Says: words("disagreements", ""), Do: differs},
		"filter":         {Do: func(string) tea.Cmd { l.filter.StartTyping(); return nil }},
		"new_pairs":      {Do: send(wantPairs{})},
		"top":            {Says: "first"}, "bottom": {Says: "last"},
	}}
}

// Resize sets the size that View fills.
func (l *queueList) Resize(width, height int) { l.width, l.height = width, height }

// GoBack takes the filter away. A name that was typed stays.
func (l *queueList) GoBack() bool {
	was := l.filter.ClearText()
	l.applyFilter()
	return was
}

// IsTyping reports whether the name or a filter is being typed.
func (l *queueList) IsTyping() bool { return l.who == "" || l.filter.IsTyping() }

// HandleClick chooses the queue that is drawn at a line.
func (l *queueList) HandleClick(_, y int) tea.Cmd {
	l.at.SelectAt(y-2, len(l.queues), l.visibleRows()) // the title, the headings
	return nil
}

// CopyText gives the name of the queue under the cursor.
func (l *queueList) CopyText() (what, text string) {
	if l.at.At < len(l.queues) {
		return "the queue's name", string(l.queues[l.at.At].Name)
	}
	return "", ""
}

// KeymapPlace is where the screen's keys are in the keymap.
func (l *queueList) KeymapPlace() keymap.Place { return keymap.Queues }

// Bindings are the bindings that matter now.
func (l *queueList) Bindings() []key.Binding {
	if l.filter.IsTyping() {
		return widget.FilterKeys()
	}
	if l.IsTyping() {
		return l.name.Bindings()
	}
	return newQueueBounds(l, true).Bindings(l.filterByRole("open", "new_queue", "report", "guideline_page", "what_differs", "workshop", "filter", "new_pairs", "choose")...)
}

func (l *queueList) guidelineVerb() string {
	return eval.Either(l.role.May(annotate.MayGuide), "its guideline, to read and to write", "its guideline")
}

// HelpGroups is the page of all bindings.
func (l *queueList) HelpGroups() []widget.Group {
	return []widget.Group{{Title: "Queues", Keys: newQueueBounds(l, false).Bindings(
		l.filterByRole("open", "report", "guideline_page", "what_differs", "workshop", "new_queue", "new_pairs", "filter", "up", "down", "top", "bottom")...)}}
}

// View draws the question.
func (l *queueList) View() string {
	return widget.DrawScreen(l.width, l.height, func() []string { return drawQueues(l) })
}

func drawQueues(l *queueList) []string {
	t := l.theme
	switch {
	case l.who == "":
		return l.name.DrawLines(t, l.width, l.height)
	case !l.loaded:
		return []string{"", t.Faint.Render("  loading the queues…")}
	}
	h := l.paneHalves()
	lines := []string{t.DrawSection("Which queue?", formatQueueNote(l, h.List.Width), true, h.List.Width)}
	lines = append(lines, t.DrawTable(l.makeTable(), h.List.Width, h.List.Height-1)...)
	return t.DrawHalves(h, lines, drawQueueDetail(l, h.Detail.Width, h.Detail.Height))
}

// paneHalves are the rooms of the list and of the detail of the queue in front.
func (l *queueList) paneHalves() widget.Halves {
	return widget.SplitListAndDetail(max(0, l.width), max(0, l.height), max(4, len(l.queues)+2))
}

// visibleRows is how many queues are seen: without the title and the headings.
func (l *queueList) visibleRows() int { return max(1, l.paneHalves().List.Height-2) }

// drawQueueDetail draws what is known of the queue in front, with its guideline.
func drawQueueDetail(l *queueList, width, height int) []string {
	q, ok := widget.RowUnder(&l.at, l.queues)
	if !ok || height == 0 {
		return nil
	}
	out := append(home.DrawQueueDetail(l.theme, &l.Spelling, &q, width), home.DrawQueueGuideline(l.theme, &q, width)...)
	return l.theme.AddKeysBelow(out, width, height, l.SpellKey, l.Bindings())
}

func (l *queueList) makeTable() widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "queue", Width: 16, Grow: 2, Name: true},
			{Title: "dataset", Width: 10, Grow: 1, Name: true},
			{Title: "of", Width: 13, Least: 70},
			{Title: "items", Width: 7, Right: true},
			{Title: "yours", Width: 7, Right: true},
			{Title: "", Width: 12, Least: 64},
		},
		Rows:   len(l.queues),
		Row:    func(i int) []string { return l.makeCells(&l.queues[i]) },
		Cursor: l.at, Focused: true, Empty: l.describeEmpty(),
	}
}

func (l *queueList) makeCells(q *home.Queue) []string {
	return []string{
		widget.CleanLine(string(q.Name)), widget.CleanLine(string(q.Rule.Dataset)), q.Rule.From.String(),
		widget.FormatCount(q.Items), widget.FormatCount(q.Labelled), l.theme.DrawBar(12, widget.ShareOf(q.Labelled, q.Items)),
	}
}

// formatQueueNote gives how many queues there are, and what they are narrowed down to.
func formatQueueNote(l *queueList, width int) string {
	n := eval.Either(l.filter.IsOn(), widget.FormatCount(len(l.queues))+" of ", "") + widget.FormatPlural(len(l.all), "queue")
	if f := l.theme.DrawFilter(&l.filter, max(24, width/2)); f != "" {
		n += "  " + f
	}
	return n
}

func (l *queueList) describeEmpty() string {
	if l.filter.IsOn() {
		return "Nothing is left by the filter: esc shows everything again."
	}
	if !l.role.May(annotate.MayMakeQueues) {
		return "No queues yet: an owner of the project makes them."
	}
	return l.SpellText("No queues yet. {l} makes one of answers to label, such as those that the rules could not read;\n" +
		"{c} one of pairs of answers to vote on.")
}

// filterByRole leaves out the names of what is not for the role.
func (l *queueList) filterByRole(names ...string) []string {
	needs := map[string]annotate.Permission{
		"new_queue": annotate.MayMakeQueues, "new_pairs": annotate.MayMakeQueues, "what_differs": annotate.MayAdjudicate, "workshop": annotate.MayRun, "report": annotate.MayReadReports,
	}
	return slices.DeleteFunc(names, func(name string) bool { return needs[name] != 0 && !l.role.May(needs[name]) })
}
