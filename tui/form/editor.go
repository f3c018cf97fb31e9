package form

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/action"
	"concord/tui/widget"
)

// Editor is a long text while it is written, with what was written before.
type Editor struct {
	Area  textarea.Model
	Began string // the text as it began, or is stored
	Why   string // why it is not saved; a change takes it away
	trail editHistory
	top   int // the first line that is seen
}

// NewEditor begins with a text, at its top.
func NewEditor(text string) *Editor {
	e := &Editor{Area: widget.NewTextArea("")}
	e.Area.CharLimit = 0 // HandleKey says what has no room, and what is there stays whole
	e.Area.SetValue(widget.EscapeControls(text))
	e.Began = e.Text() // tabs are spaces here
	e.Area.Focus()
	for e.Area.Line() > 0 { // one reads from the top
		e.Area.CursorUp()
	}
	e.Area.CursorStart()
	return e
}

// Text is what stands there now.
func (e *Editor) Text() string { return e.Area.Value() }

// FitWidth gives the text the width that it is shown in: up and down move by lines as they are seen.
func (e *Editor) FitWidth(width int) {
	e.Area.SetWidth(width + 1)
	e.Area.SetHeight(200)
}

// HandleKey takes a key that is text or moves the caret, by pages of so many rows, and
// reports whether it may have changed the text.
func (e *Editor) HandleKey(msg tea.KeyMsg, page int) bool {
	if !msg.Paste && (msg.Type == tea.KeyPgUp || msg.Type == tea.KeyPgDown) {
		for range max(1, page) {
			if msg.Type == tea.KeyPgUp {
				e.Area.CursorUp()
			} else {
				e.Area.CursorDown()
			}
		}
		return false
	}
	letters := widget.EscapeControls(string(msg.Runes))
	if e.Why = whyTooLong(e.Text(), letters, widget.LongestText); e.Why != "" {
		return false
	}
	e.trail.recordEdit(&e.Area, msg, func() {
		if msg.Paste || len(msg.Runes) > 1 {
			e.Area.InsertString(letters)
			return
		}
		msg.Runes = []rune(letters)
		e.Area, _ = e.Area.Update(msg)
	})
	return true
}

// whyTooLong says why letters find no room behind a text; "" where they do.
func whyTooLong(text, letters string, most int) string {
	n := utf8.RuneCountInString(letters)
	if n == 0 || utf8.RuneCountInString(text)+n <= most {
		return ""
	}
	return fmt.Sprintf("a text has at most %d characters: none of the %d was put in", most, n)
}

// NewWritingTable are the keys of a page while a text is written in its editor. changed
// follows a change of the text; the editor keeps the text when it is left.
func NewWritingTable(group string, mode action.Mode, of func() *Editor, save key.Binding, saves, changed func() tea.Cmd) action.Table {
	in := func(b key.Binding, do func() tea.Cmd) action.Action {
		return action.NewAction(group, []action.Mode{mode}, action.NewFooterKey(action.First, b), nil, func(string) tea.Cmd { return do() })
	}
	step := func(goes func(*Editor) bool, none string) func() tea.Cmd {
		return func() tea.Cmd {
			if !goes(of()) {
				return widget.NotifyCmd(widget.Info, none)
			}
			return changed()
		}
	}
	return action.Table{
		in(save, saves),
		in(widget.NewBinding("ctrl+z", "back", "ctrl+z"), step((*Editor).Undo, "nothing was written before this")),
		in(widget.NewBinding("ctrl+y", "forth", "ctrl+y"), step((*Editor).Redo, "nothing to do again")),
		in(widget.NewBinding("esc", "leave, keep it", "esc"), func() tea.Cmd { return nil }),
	}
}

// PressKey takes a key while the text is written: what is none of the page's own is text.
func (e *Editor) PressKey(t action.Table, mode action.Mode, msg tea.KeyMsg, page int, changed func() tea.Cmd) tea.Cmd {
	if !msg.Paste {
		if o := t.PressKey(mode, msg.String()); o.Found {
			return o.Cmd
		}
	}
	if !e.HandleKey(msg, page) {
		return nil
	}
	return tea.Batch(changed(), WarnHiddenCharacters(string(msg.Runes)))
}

// WarnHiddenCharacters says how many characters of a text an editor leaves out, since nobody sees them.
func WarnHiddenCharacters(text string) tea.Cmd {
	hidden := eval.Count([]rune(text), func(r rune) bool {
		return !strings.ContainsRune("\n\r\t", r) && (unicode.IsControl(r) || widget.EscapeControls(string(r)) == "\ufffd")
	})
	if hidden == 0 {
		return nil
	}
	return widget.NotifyCmd(widget.Problem, fmt.Sprintf("left out of the text that is edited: %d characters that are not seen", hidden))
}

// Undo goes back a step, and reports whether there was one.
func (e *Editor) Undo() bool { return e.trail.undoOrRedo(&e.Area, &e.trail.past, &e.trail.future) }

// Redo does the last step again that was taken back, and reports whether there was one.
func (e *Editor) Redo() bool { return e.trail.undoOrRedo(&e.Area, &e.trail.future, &e.trail.past) }

// DrawLines draws so many rows of the text, among them the one with the caret.
func (e *Editor) DrawLines(t *widget.Theme, width, rows int) []string {
	all, at := widget.WrapWithCaret(&e.Area, true, width)
	e.top = max(0, min(max(min(e.top, at), at-rows+1), len(all)-rows)) // the caret stays in sight
	out := eval.Map(all[e.top:min(len(all), e.top+rows)], func(l string) string { return t.Accent.Render(" ┃ ") + l })
	for len(out) < rows {
		out = append(out, "")
	}
	return out
}

// DrawAboveNote draws rows of the text, and below it a note: why it is not saved goes first.
func (e *Editor) DrawAboveNote(t *widget.Theme, width, rows int, saving bool, note string) []string {
	style := t.Faint
	switch {
	case saving:
		style, note = t.Warn, "saving…"
	case e.Why != "":
		style, note = t.Bad, "✗ "+e.Why
	}
	foot := style.WrapStyled(" ", note, width+3)
	return append(append(e.DrawLines(t, width, max(1, rows-1-len(foot))), ""), foot...)
}

// LineQuestion is a line of text that a page asks for, below what it shows.
type LineQuestion struct {
	name string
	area textinput.Model
	does func(text string) tea.Cmd
}

// NewLineQuestion asks for a text, with which does is done.
func NewLineQuestion(t *widget.Theme, name string, width int, does func(text string) tea.Cmd) *LineQuestion {
	q := &LineQuestion{name: name, does: does, area: t.NewLineField("")}
	q.area.CharLimit = 2000
	q.Resize(width)
	q.area.Focus()
	return q
}

// Resize sets the width of the page.
func (q *LineQuestion) Resize(width int) {
	if q != nil {
		q.area.Width = max(8, width-24)
	}
}

// HandleLineKey takes a key of a question, which ends once a text is given.
func HandleLineKey(of **LineQuestion, msg tea.KeyMsg, back string) (cmd tea.Cmd) {
	q := *of
	text := strings.TrimSpace(q.area.Value())
	why := whyTooLong(q.area.Value(), string(msg.Runes), q.area.CharLimit)
	switch {
	case why != "":
		return widget.NotifyCmd(widget.Problem, why)
	case msg.Type != tea.KeyEnter:
		q.area, cmd = q.area.Update(msg)
		return cmd
	case text == "":
		return widget.NotifyCmd(widget.Info, "type a text, or press "+back)
	}
	*of = nil
	return q.does(text)
}

// DrawQuestionBelow draws the question as the last line of a page.
func (q *LineQuestion) DrawQuestionBelow(t *widget.Theme, lines []string, width, height int) []string {
	if q == nil {
		return lines
	}
	return append(widget.FitBox(lines, width, height-1), widget.FitWidth(" "+t.Title.Render(q.name)+" "+q.area.View(), width))
}

// longest is how many steps can be taken back.
const longest = 200

// editKind is what a key does to a text. Letters of one word are one step, so is what is deleted in a row.
type editKind uint8

const (
	deedNone editKind = iota
	deedWord
	deedSpace
	deedCut
	deedWhole // a step by itself
)

// textState is a text with its caret.
type textState struct {
	text        string
	row, column int
}

// editHistory is how a text came about.
type editHistory struct {
	past, future []textState
	last         editKind
}

func newTextState(a *textarea.Model) textState {
	info := a.LineInfo()
	return textState{a.Value(), a.Line(), info.StartColumn + info.ColumnOffset}
}

// restoreText puts a text back, with its caret.
func restoreText(a *textarea.Model, m textState) {
	a.SetValue(m.text)
	for range strings.Count(m.text, "\n") + len(m.text) {
		if a.Line() <= m.row {
			break
		}
		a.CursorUp()
	}
	a.SetCursor(m.column)
}

func editKindOf(msg tea.KeyMsg) editKind {
	switch {
	case msg.Paste || len(msg.Runes) > 1 || msg.Type == tea.KeyEnter:
		return deedWhole
	case msg.Type == tea.KeySpace:
		return deedSpace
	case msg.Type == tea.KeyRunes && !msg.Alt:
		return deedWord
	}
	return deedCut
}

// recordEdit changes the text by a key, and remembers what it was where a step
// begins. A key that only moves the caret ends the step.
func (tr *editHistory) recordEdit(a *textarea.Model, msg tea.KeyMsg, change func()) {
	before := newTextState(a)
	change()
	d := editKindOf(msg)
	on := d == tr.last || d == deedSpace && tr.last == deedWord
	switch {
	case a.Value() == before.text:
		tr.last = deedNone
		return
	case d == deedWhole, !on:
		tr.past = append(tr.past, before)
		tr.past = tr.past[max(0, len(tr.past)-longest):]
	}
	tr.last, tr.future = d, nil
}

// undoOrRedo goes back or forth a step, and reports whether there was one.
func (tr *editHistory) undoOrRedo(a *textarea.Model, from, to *[]textState) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, newTextState(a))
	restoreText(a, (*from)[n-1])
	*from, tr.last = (*from)[:n-1], deedNone
	return true
}
