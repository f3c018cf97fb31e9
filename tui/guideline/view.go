package guideline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// beside is the width from which the versions stand beside the text, and listWidth what they have then.
const (
	beside    = 100
	listWidth = 36
	listRows  = 4 // of versions over the text
)

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string { return widget.DrawScreen(m.width, m.height, m.drawLines) }

func (m *Model) drawLines() []string {
	t := m.theme
	name := "Guideline of " + widget.CutWidth(widget.CleanLine(string(m.deps.Queue)), max(8, m.width/3))
	var lines []string
	switch {
	case m.err != nil:
		lines = append([]string{t.DrawSection(name, "", true, m.width), ""}, t.Bad.WrapStyled(" ", "✗ "+m.err.Error(), m.width-1)...)
	case !m.loaded:
		lines = append(lines, t.DrawSection(name, "", true, m.width), "", " "+t.Faint.Render("reading…"))
	case m.editor != nil:
		lines = append(lines, t.DrawSection(name, fmt.Sprintf("version %d, being written", m.versionInForce().Version+1), true, m.width))
		lines = append(lines, m.editor.DrawAboveNote(t, textWidth(m), m.height-1, m.editor.busy, "Labels keep the version that they were made under; every version is kept.")...)
	default:
		lines = append(lines, widget.JoinEnds(t.Title.Render(name)+t.Faint.Render("  "+describeVersion(m)), describeStored(m), m.width))
		lines = append(lines, drawPage(m, m.height-1)...)
	}
	return lines
}

func describeVersion(m *Model) string {
	n := len(m.history.Versions)
	switch {
	case n == 0:
		return "none yet: the standard one"
	case m.at == n-1:
		return fmt.Sprintf("version %d, in force", m.history.Versions[m.at].Version)
	}
	return fmt.Sprintf("version %d of %d, in force no more", m.history.Versions[m.at].Version, n)
}

// describeStored says that what was written here is durable.
func describeStored(m *Model) string {
	if m.saved.IsZero() {
		return ""
	}
	return m.theme.Good.Render("saved "+m.saved.Local().Format("15:04:05")) + " "
}

func textWidth(m *Model) int {
	w := m.width - 4
	if m.width >= beside && m.editor == nil {
		w -= listWidth + 3
	}
	return max(8, min(w, 90))
}

// textRows is how many lines of the text are seen.
func textRows(m *Model) int {
	rows := m.height - 3
	if m.width < beside && m.editor == nil {
		rows -= min(listRows, len(m.history.Versions)) + 1
	}
	return max(1, rows)
}

// drawPage draws the versions and the one in view.
func drawPage(m *Model, height int) []string {
	if m.width >= beside {
		return m.theme.DrawBeside(drawVersions(m, listWidth, height), m.theme.AddLegendBelow(drawVersion(m, m.width-listWidth-3, height), m.width-listWidth-3, height), listWidth, m.width, height)
	}
	out := drawVersions(m, m.width, listRows+1)
	return append(out, drawVersion(m, m.width, height-len(out))...)
}

// drawVersions draws the list of them, the newest first.
func drawVersions(m *Model, width, height int) []string {
	t, all := m.theme, m.history.Versions
	cursor := widget.Cursor{}
	cursor.MoveTo(len(all)-1-m.at, len(all), height-1)
	return t.DrawTable(widget.Table{
		Columns: []widget.Column{{Title: "version", Width: 7, Right: true}, {Title: "written", Width: 16}, {Title: "by", Width: 6, Grow: 1}},
		Rows:    len(all), Cursor: cursor, Focused: true,
		Empty: m.SpellText("none yet; {e} writes the first"),
		Row: func(i int) []string {
			g := &all[len(all)-1-i]
			when := eval.Either(g.At.IsZero(), "", g.At.Local().Format("2006-01-02 15:04"))
			return []string{fmt.Sprint(g.Version), when, widget.CleanLine(string(g.By))}
		},
	}, width, min(height, max(1, len(all))+1))
}

// drawVersion draws the version in view, from where it was scrolled to.
func drawVersion(m *Model, width, height int) []string {
	t := m.theme
	lines := widget.WrapText(m.textInView(), textWidth(m))
	if _, begun := m.deps.Drafts.DraftForQueue(m.deps.Queue); begun {
		lines = append([]string{t.Warn.Render(m.SpellText("A next version has been begun: {e} continues it.")), ""}, lines...)
	}
	rows := max(1, height-1)
	m.top = max(0, min(m.top, len(lines)-rows))
	note := eval.Either(len(lines) > rows, fmt.Sprintf("lines %d-%d of %d", m.top+1, m.top+rows, len(lines)), "")
	shown := eval.Map(lines[m.top:min(len(lines), m.top+rows)], func(l string) string { return " " + l })
	return append([]string{t.DrawSection("Text", note, true, width)}, shown...)
}

// Source reads and writes guidelines. Its methods are called beside the screen.
type Source interface {
	// History gives all versions of a queue's guideline.
	History(ctx context.Context, q annotate.QueueName) (History, error)
	// StoreVersion makes a version the one in force, and returns once it is stored. It
	// gives annotate.ErrConflict when somebody else wrote one meanwhile.
	StoreVersion(ctx context.Context, q annotate.QueueName, g annotate.Guideline) error
	// Draft gives what a person had written of the next version when it was kept last; "" for nothing.
	Draft(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (string, error)
	// KeepDraft keeps it; an empty text removes it.
	KeepDraft(ctx context.Context, q annotate.QueueName, who annotate.Annotator, text string) error
}

// History is what there is of a queue's guideline.
type History struct {
	Versions []annotate.Guideline // the one in force last; none where it has none
	Pairs    bool                 // people vote on pairs
	Scores   bool                 // people score open answers
}

// Written is the message that a version is in force, or why it is not.
type Written struct {
	Queue     annotate.QueueName
	Guideline annotate.Guideline
	Err       error
	Elsewhere bool // somebody wrote it in another session
}

// Drafts are texts that somebody has begun to write, by queue. The zero value has none.
type Drafts struct{ texts map[annotate.QueueName]string }

// DraftForQueue is the draft for a queue.
func (d *Drafts) DraftForQueue(q annotate.QueueName) (string, bool) {
	text, ok := d.texts[q]
	return text, ok
}

// QueuesWithDraft are the queues with a draft.
func (d *Drafts) QueuesWithDraft() []annotate.QueueName { return slices.Sorted(maps.Keys(d.texts)) }

func (d *Drafts) setDraft(q annotate.QueueName, text string) {
	if d.texts == nil {
		d.texts = make(map[annotate.QueueName]string)
	}
	d.texts[q] = text
}

// DropStored drops a draft that has become a version.
func (d *Drafts) DropStored(q annotate.QueueName, text string) {
	if strings.TrimSpace(d.texts[q]) == text {
		delete(d.texts, q)
	}
}

// Deps is what the page is made of. All of it is needed but Who, Barred and Pause.
type Deps struct {
	Queue  annotate.QueueName
	Who    annotate.Annotator // "": nobody has said; then nothing is written
	Barred string             // why this person only reads; "": they write, too
	Theme  *widget.Theme
	Source Source
	Drafts *Drafts
	Now    func() time.Time
	Pause  time.Duration // without a key, after which a draft is kept beyond the process; 0 is a second
}

// The modes of the page: a version is read, or the next one written.
const (
	reading action.Mode = iota
	writing
)

func (m *Model) keyMode() action.Mode { return eval.Either(m.editor != nil, writing, reading) }

// The groups of the help page.
const (
	readGroup  = "The guideline"
	writeGroup = "While it is written"
)

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys but those of moves and of texts.
func (m keyActions) actionTable() action.Table {
	on := func(b key.Binding, why func() string, do func(string) tea.Cmd) action.Action {
		return action.NewAction(readGroup, []action.Mode{reading}, action.NewFooterKey(action.First, b), why, do)
	}
	return append(action.Table{
		on(keymap.Guideline.BindAction("edit"), func() string { return m.SpellText(m.whyNoWrite()) }, m.openEditor),
		on(keymap.Guideline.BindAction("older"), func() string { return action.WhyIf(m.at <= 0, "there is no older version") }, m.showVersion(-1)),
		on(keymap.Guideline.BindAction("newer"), func() string { return action.WhyIf(m.at >= len(m.history.Versions)-1, "this is the newest version") }, m.showVersion(1)),
	}, form.NewWritingTable(writeGroup, writing, func() *form.Editor { return m.editor.Editor }, widget.SaveKey(), m.storeVersion, m.keepDraftLater)...)
}

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Guideline }

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	out := m.table.FooterBindings(m.keyMode(), m.width, nil, nil)
	if m.editor == nil {
		out = append(out, widget.NewBinding("↑↓", "scroll", "up", "down"))
	}
	return out
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.table.HelpGroups(reading, nil, writeGroup, readGroup, writeGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}

// whyNoWrite is why nothing can be written; "" when it can. It names keys in braces.
func (m keyActions) whyNoWrite() string {
	switch {
	case !m.loaded:
		return "the guideline is being read"
	case m.deps.Barred != "":
		return m.deps.Barred
	case m.deps.Who == "":
		return "say who you are first: {ctrl+w}"
	case utf8.RuneCountInString(m.textInView()) > widget.LongestText:
		return "the guideline is too long to be written here; in a shell: concord queue guideline NAME --set FILE"
	}
	return ""
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch e := m.editor; {
	case e != nil && e.busy:
		return nil
	case e != nil:
		return e.PressKey(m.table, writing, msg, textRows(m)-1, m.keepDraftLater)
	}
	if by, ok := m.moves.MoveBy(msg, max(1, textRows(m)-1), 1<<20); ok {
		m.top = max(0, m.top+by) // drawing holds it within the text
		return nil
	}
	return m.table.PressAndNotify(reading, msg.String())
}

func (m keyActions) showVersion(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		m.at, m.top = m.at+by, 0
		return nil
	}
}
