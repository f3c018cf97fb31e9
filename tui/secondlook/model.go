package secondlook

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Model is the page. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx   context.Context
	deps  Deps
	theme *widget.Theme
	moves widget.Moves
	table action.Table

	width, height int
	reading       int // answers to earlier reads are late
	loaded        bool
	err           error
	all           List
	rows          []Row // that the filters leave
	kind          annotate.Matter
	resolved      bool // entries that are resolved are listed, too
	filter        widget.Filter
	at            widget.Cursor

	asking *form.LineQuestion // a text is typed; nil: none
	busy   bool               // a decision is being stored
	past   [][]annotate.Act
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New makes the page. It reads nothing yet. ctx is that of the app: what is being
// stored when the page is left is stored.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, moves: widget.NewMoves()}
	m.table = keyActions{m}.actionTable()
	return m
}

// Init reads the entries.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads them again.
func (m *Model) Refresh() tea.Cmd {
	m.reading++
	ctx, d, n := m.ctx, m.deps, m.reading
	return func() tea.Msg {
		list, err := d.Source.ListVisibleEntries(ctx, d.Who)
		return outcome(func() tea.Cmd {
			if n != m.reading {
				return nil
			}
			if m.err = err; err == nil {
				m.loaded, m.all = true, list
				m.applyFilter()
			}
			return nil
		})
	}
}

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.MoveTo(m.at.At, len(m.rows), m.listHeight())
	m.asking.Resize(width)
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool { return m.asking != nil || m.filter.IsTyping() }

// GoBack leaves the text that is typed, the filter, or the kind.
func (m *Model) GoBack() bool {
	switch {
	case m.asking != nil:
		m.asking = nil
	case m.filter.ClearText():
		m.applyFilter()
	case m.kind != annotate.MatterUnset:
		m.kind = annotate.MatterUnset
		m.applyFilter()
	default:
		return false
	}
	return true
}

// CopyText gives the text in front.
func (m *Model) CopyText() (what, text string) {
	row := m.currentRow()
	if row == nil {
		return "", ""
	}
	return "the entry", row.Matter.String() + " " + string(row.Sample) + " " + row.Text
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return action.HandleMsg[outcome](msg, m.handleKey) }

// applyFilter finds the rows that the filters leave. The row in front stays there.
func (m *Model) applyFilter() {
	var was Row
	if row := m.currentRow(); row != nil {
		was = *row
	}
	rows := eval.Select(m.all.Rows, func(r Row) bool {
		return (m.kind == annotate.MatterUnset || r.Matter == m.kind) && (m.resolved || r.Closed == nil)
	})
	m.rows = widget.FilterRows(&m.filter, rows, makeCells)
	at := slices.IndexFunc(m.rows, func(r Row) bool {
		return r.Matter == was.Matter && r.Of == was.Of && r.Item == was.Item && r.Queue == was.Queue
	})
	if at < 0 {
		at = m.at.At
	}
	m.at.MoveTo(at, len(m.rows), m.listHeight())
}

// currentRow is the row under the cursor; nil without one.
func (m *Model) currentRow() *Row { return widget.RowAt(&m.at, m.rows) }

// handleDecided follows a decision that was stored.
func (m *Model) handleDecided(did []annotate.Act, undo bool, err error) tea.Cmd {
	m.busy = false
	if err != nil {
		return tea.Batch(widget.NotifyCmd(widget.Problem, "NOT SAVED: "+err.Error()), m.Refresh())
	}
	said := "undone: " + widget.FormatPlural(len(did), "act")
	if !undo {
		if len(did) > 0 {
			m.past = append(m.past, did)
		}
		said = "saved: " + widget.FormatPlural(len(did), "act") + "  " + m.deps.Now().Format("15:04:05") + "  " + m.SpellKey("ctrl+z") + " undo"
	}
	return tea.Batch(widget.NotifyCmd(widget.Info, said), m.Refresh())
}

// threadLines is how many lines the thread of the item in front has below a long list.
const threadLines = 8

// listHeight is how many lines the table has.
func (m *Model) listHeight() int { return max(2, m.height-m.threadHeight()-4) }

func (m *Model) threadHeight() int {
	return eval.Either(m.height < 16, 0, max(min(threadLines, m.height/3), m.height-7-max(2, len(m.rows))))
}

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string { return widget.DrawScreen(m.width, m.height, m.drawLines) }

func (m *Model) drawLines() []string {
	t := m.theme
	out := []string{t.DrawSection("Second look", formatCounts(m), true, m.width), drawFilterLine(m)}
	switch {
	case m.err != nil:
		out = append(out, "  "+t.Bad.Render("✗ "+widget.CleanLine(m.err.Error())))
	case !m.loaded:
		out = append(out, "  "+t.Faint.Render("reading…"))
	default:
		out = append(out, t.DrawTable(makeTable(m), m.width, m.listHeight())...)
	}
	if n := m.threadHeight(); n > 0 && m.loaded {
		out = t.AddKeysBelow(append(widget.FitBox(out, m.width, m.height-n-1), drawThread(m, n)...), m.width, m.height-1, m.SpellKey, m.Bindings())
		out = t.AddLegendBelow(out, m.width, m.height-1)
	}
	return m.asking.DrawQuestionBelow(t, out, m.width, m.height)
}

func formatCounts(m *Model) string {
	if !m.loaded {
		return ""
	}
	open := eval.Count(m.all.Rows, func(r Row) bool { return r.Closed == nil })
	out := widget.FormatCount(open) + " open"
	out += eval.Either(m.all.Hidden > 0, ", "+widget.FormatCount(m.all.Hidden)+" shown once you have answered", "")
	return out
}

func drawFilterLine(m *Model) string {
	t, parts := m.theme, []string{}
	for _, k := range append([]annotate.Matter{annotate.MatterUnset}, annotate.AllMatters()...) {
		name := eval.Either(k == annotate.MatterUnset, "all", k.String())
		name = eval.Either(k == m.kind, t.Accent.Render("[")+t.Strong.Render(name)+t.Accent.Render("]"), t.Faint.Render(" "+name+" "))
		parts = append(parts, name)
	}
	if line := t.DrawFilter(&m.filter, m.width); line != "" {
		return line
	}
	return widget.FitWidth(strings.Join(parts, ""), m.width)
}

func makeTable(m *Model) widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "kind", Width: 12},
			{Title: "queue", Width: 8, Grow: 1, Name: true, Least: 60},
			{Title: "item", Width: 5, Right: true},
			{Title: "sample", Width: 8, Grow: 1, Least: 90},
			{Title: "by", Width: 8},
			{Title: "when", Width: 5, Least: 100},
			{Title: "text", Width: 20, Grow: 4},
		},
		Rows: len(m.rows), Cursor: m.at, Focused: true,
		Empty: "Nothing asks for a second look here.",
		Row:   func(i int) []string { return makeCells(&m.rows[i]) },
	}
}

func makeCells(r *Row) []string {
	number := eval.Either(r.Number > 0, strconv.Itoa(r.Number), "–")
	text := widget.CleanLine(r.Text)
	if r.Closed != nil {
		text = "✓ " + widget.CleanLine(string(r.Closed.By.Who)) + " " + text
	}
	return []string{
		matterMark(r.Matter) + " " + r.Matter.String(), widget.CleanLine(string(r.Queue)), number, widget.CleanLine(string(r.Sample)),
		widget.CleanLine(string(r.Of.Who)), formatTime(r.At, "15:04"), text,
	}
}

// matterMark is a sign of a kind.
func matterMark(k annotate.Matter) string {
	return map[annotate.Matter]string{
		annotate.FlagMatter: "⚑", annotate.NoteMatter: "✎", annotate.CommentMatter: "“", annotate.DisagreementMatter: "≠",
		annotate.GoldMatter: "✗", annotate.ExclusionMatter: "−", annotate.ChangesMatter: "↺",
	}[k]
}

func formatTime(when time.Time, layout string) string {
	return eval.Either(when.IsZero(), "", when.Local().Format(layout))
}

// drawThread draws all that was said of the item in front, oldest first; the newest if not all fits.
func drawThread(m *Model, height int) []string {
	t, row := m.theme, m.currentRow()
	if row == nil {
		return []string{t.DrawSection("Thread", "", false, m.width)}
	}
	var lines []string
	for i := range m.all.Rows {
		e := &m.all.Rows[i]
		if e.Item == row.Item && e.Queue == row.Queue && e.Dataset == row.Dataset {
			lines = append(lines, drawRemarks(m, &e.Entry)...)
		}
	}
	if over := len(lines) - height; over > 0 {
		lines = lines[over:]
	}
	name := "sample " + widget.CutWidth(widget.CleanLine(string(row.Sample)), max(8, m.width/3))
	if row.Number > 0 {
		name = "item " + strconv.Itoa(row.Number) + ", " + name
	}
	return append([]string{t.DrawSection("Thread", name, false, m.width)}, lines...)
}

func drawRemarks(m *Model, e *review.Entry) []string {
	head := formatTime(e.At, "2006-01-02 15:04") + " " + string(e.Of.Who) + " " + e.Matter.String()
	head += eval.Either(e.Text != "", ": "+e.Text, "")
	if c := e.Closed; c != nil {
		head += "  ✓ resolved by " + string(c.By.Who)
		head += eval.Either(c.Text != "", ": "+c.Text, "")
	}
	return m.theme.Text.WrapStyled(" ", widget.CleanLine(head), m.width)
}
