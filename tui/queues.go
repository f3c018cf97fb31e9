package tui

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/annotation"
	"concord/tui/home"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// queueList stands before a review: it asks who labels, and which queue when
// there are several.
type queueList struct {
	keymap.Spelling

	ctx    context.Context
	theme  *widget.Theme
	source home.Source
	who    annotate.Annotator
	role   annotate.Role // what of the queues is offered
	name   widget.NamePrompt
	open   key.Binding

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

func newQueueList(ctx context.Context, t *widget.Theme, s home.Source) *queueList {
	return &queueList{ctx: ctx, theme: t, source: s, name: t.AskName("each of your labels and votes, and keeps your place in every queue."), open: keymap.Queues.Join("open", "open")}
}

func (l *queueList) setAnnotator(who annotate.Annotator) {
	l.who = who
	l.name.Open(who == "")
}

// ofPairs reports whether a queue that is listed is of pairs.
func (l *queueList) ofPairs(name annotate.QueueName) bool {
	return slices.ContainsFunc(l.all, func(q home.Queue) bool {
		return q.Name == name && isPairs(q)
	})
}

// enter comes in for a queue; "" for whichever there is.
func (l *queueList) enter(q annotate.QueueName) tea.Cmd {
	l.queue, l.auto, l.pairs = q, true, false
	l.filter.Clear()
	return l.reload()
}

// enterPairs comes in for whichever queue of pairs there is.
func (l *queueList) enterPairs() tea.Cmd {
	l.queue, l.auto, l.pairs = "", true, true
	l.filter.Clear()
	return l.reload()
}

// Init reads the queues.
func (l *queueList) Init() tea.Cmd { return l.reload() }

// Refresh reads the queues again.
func (l *queueList) Refresh() tea.Cmd { return l.reload() }

func (l *queueList) reload() tea.Cmd {
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
		return l.take(msg)
	case tea.KeyMsg:
		if l.Typing() {
			return l.typed(msg)
		}
		return l.press(msg)
	}
	return nil
}

func (l *queueList) take(msg listed) tea.Cmd {
	if msg.err != nil {
		if l.ctx.Err() != nil {
			return nil
		}
		return send(widget.Notify{Level: widget.Problem, Text: "read the queues: " + msg.err.Error()})
	}
	l.loaded, l.all = true, msg.queues
	l.sift()
	return l.decide()
}

// sift finds the queues that the filter leaves.
func (l *queueList) sift() {
	l.queues = widget.Sift(&l.filter, l.all, l.cells)
	l.at.Set(l.at.At, len(l.queues), l.rows())
}

// decide opens the queue when it is clear which one is meant and who labels.
func (l *queueList) decide() tea.Cmd {
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
		l.at.Set(meant, len(l.queues), l.rows())
		return l.choose(l.queues[meant])
	}
	if l.queue != "" {
		return send(widget.Notify{Level: widget.Problem, Text: "no queue " + string(l.queue)})
	}
	return nil
}

func (l *queueList) choose(q home.Queue) tea.Cmd {
	l.queue = q.Name
	return send(chosen{q.Name, isPairs(q)})
}

func isPairs(q home.Queue) bool { return q.Rule.From == annotate.FromPairs }

func (l *queueList) typed(msg tea.KeyMsg) tea.Cmd {
	if l.who != "" {
		if l.filter.Press(msg) {
			l.sift()
		}
		return nil
	}
	name, cmd := l.name.Press(msg)
	if name != "" {
		return send(named{annotate.Annotator(name)})
	}
	return cmd
}

func (l *queueList) press(msg tea.KeyMsg) tea.Cmd {
	if by, ok := widget.NewMoves().By(msg, max(1, l.rows()), len(l.queues)); ok {
		l.at.Move(by, len(l.queues), l.rows())
		return nil
	}
	q, ok := widget.Under(&l.at, l.queues)
	switch name := msg.String(); name {
	case "l":
		return send(wantLabels{})
	case "/":
		l.filter.Start()
	case "c":
		return send(wantPairs{})
	case "w":
		if !ok {
			return send(wantCandidates{})
		}
		return send(wantCompare{q.Name, isPairs(q)})
	case "r", "ctrl+g", ";", "enter":
		switch {
		case !ok:
		case name == "r":
			return send(home.OpenReport{Queue: q.Name, Pairs: isPairs(q)})
		case name == "enter":
			return l.choose(q)
		default:
			return send(annotation.OpenGuideline{Queue: q.Name})
		}
	}
	return nil
}

// Resize sets the size that View fills.
func (l *queueList) Resize(width, height int) { l.width, l.height = width, height }

// Back takes the filter away. A name that was typed stays.
func (l *queueList) Back() bool {
	was := l.filter.Clear()
	l.sift()
	return was
}

// Typing reports whether the name or a filter is being typed.
func (l *queueList) Typing() bool { return l.who == "" || l.filter.Typing() }

// Click chooses the queue that is drawn at a line.
func (l *queueList) Click(_, y int) tea.Cmd {
	l.at.Click(y-2, len(l.queues), l.rows()) // the title, the headings
	return nil
}

// Copied is the name of the queue under the cursor.
func (l *queueList) Copied() (what, text string) {
	if l.at.At < len(l.queues) {
		return "the queue's name", string(l.queues[l.at.At].Name)
	}
	return "", ""
}

// KeyPlace is where the screen's keys are in the keymap.
func (l *queueList) KeyPlace() keymap.Place { return keymap.Queues }

// Keys are the bindings that matter now.
func (l *queueList) Keys() []key.Binding {
	if l.filter.Typing() {
		return widget.FilterKeys()
	}
	if l.Typing() {
		return l.name.Keys()
	}
	open := l.open
	const none = "there is no queue yet"
	open = widget.When(open, len(l.queues) > 0, none)
	report := widget.When(keymap.Queues.Join("report", "report"), len(l.queues) > 0, none)
	guide := widget.When(keymap.Queues.Join("guideline", "guideline_page"), len(l.queues) > 0, none)
	return l.offered([]key.Binding{open, keymap.Queues.Bind("new_queue"), report, guide, keymap.Queues.Join("disagreements", "what_differs"), keymap.Queues.Bind("filter"), keymap.Queues.Bind("new_pairs"), widget.Bind("↑↓", "choose", "up")})
}

// guideline is what one does with a queue's.
func (l *queueList) guideline() string {
	if l.role.May(annotate.MayGuide) {
		return "its guideline, to read and to write"
	}
	return "its guideline"
}

// Help is the page of all bindings.
func (l *queueList) Help() []widget.Group {
	return []widget.Group{{Title: "Queues", Keys: l.offered([]key.Binding{
		l.open, keymap.Queues.Bind("report"), keymap.Queues.Join(l.guideline(), "guideline_page"), keymap.Queues.Bind("what_differs"), keymap.Queues.Bind("new_queue"), keymap.Queues.Bind("new_pairs"), keymap.Queues.Bind("filter"), keymap.Queues.Bind("up"), keymap.Queues.Bind("down"),
		keymap.Queues.Join("first", "top"), keymap.Queues.Join("last", "bottom"),
	})}}
}

// View draws the question.
func (l *queueList) View() string {
	t := l.theme
	var lines []string
	switch {
	case l.who == "":
		lines = l.name.Lines(t, l.width, l.height)
	case !l.loaded:
		lines = []string{"", t.Faint.Render("  loading the queues…")}
	default:
		h := l.halves()
		lines = append(lines, t.Section("Which queue?", queueNote(l, h.List.Width), true, h.List.Width))
		lines = append(lines, t.Table(l.table(), h.List.Width, h.List.Height-1)...)
		lines = t.Halves(h, lines, queueDetail(l, h.Detail.Width, h.Detail.Height))
	}
	return strings.Join(widget.Block(lines, max(0, l.width), max(0, l.height)), "\n")
}

// halves are the rooms of the list and of the detail of the queue in front.
func (l *queueList) halves() widget.Halves {
	return widget.NewHalves(max(0, l.width), max(0, l.height), max(4, len(l.queues)+2))
}

// rows is how many queues are seen: without the title and the headings.
func (l *queueList) rows() int { return max(1, l.halves().List.Height-2) }

// queueDetail is what is known of the queue in front, with its guideline.
func queueDetail(l *queueList, width, height int) []string {
	q, ok := widget.Under(&l.at, l.queues)
	if !ok || height == 0 {
		return nil
	}
	out := append(home.QueueDetail(l.theme, &l.Spelling, &q, width), home.GuidelineLines(l.theme, &q, width)...)
	return l.theme.KeysBelow(out, width, height, l.Spelled, l.Keys())
}

func (l *queueList) table() widget.Table {
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
		Row:    func(i int) []string { return l.cells(&l.queues[i]) },
		Cursor: l.at, Focused: true, Empty: l.empty(),
	}
}

func (l *queueList) cells(q *home.Queue) []string {
	share := 0.0
	if q.Items > 0 {
		share = float64(q.Labelled) / float64(q.Items)
	}
	return []string{
		widget.Line(string(q.Name)), widget.Line(string(q.Rule.Dataset)), q.Rule.From.String(),
		widget.Count(q.Items), widget.Count(q.Labelled), l.theme.Bar(12, share),
	}
}

// queueNote is how many queues there are, and what they are narrowed down to.
func queueNote(l *queueList, width int) string {
	n := widget.Plural(len(l.all), "queue")
	if l.filter.On() {
		n = widget.Count(len(l.queues)) + " of " + n
	}
	if f := l.theme.Filter(&l.filter, max(24, width/2)); f != "" {
		n += "  " + f
	}
	return n
}

// empty says what to do when no queue is listed.
func (l *queueList) empty() string {
	if l.filter.On() {
		return "Nothing is left by the filter: esc shows everything again."
	}
	if !l.role.May(annotate.MayMakeQueues) {
		return "No queues yet: an owner of the project makes them."
	}
	return l.Keyed("No queues yet. {l} makes one of answers to label, such as those that the rules could not read;\n" +
		"{c} one of pairs of answers to vote on.")
}

// offered leaves out the keys of what is not for the role.
func (l *queueList) offered(all []key.Binding) []key.Binding {
	var out []key.Binding
	for _, b := range all {
		switch name := b.Keys()[0]; {
		case (name == "l" || name == "c") && !l.role.May(annotate.MayMakeQueues), name == "w" && !l.role.May(annotate.MayAdjudicate), name == "r" && !l.role.May(annotate.MayReadReports):
		default:
			out = append(out, b)
		}
	}
	return out
}
