package authoring

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// The modes: samples are looked at, one is written, or an image fills the screen.
const (
	reading action.Mode = iota
	writing
	looking
)

func (m *Model) keyMode() action.Mode {
	return eval.Either(m.editor != nil, writing, eval.Either(m.picture.IsFull(), looking, reading))
}

// The groups of the help page.
const (
	readGroup  = "Written samples"
	writeGroup = "While a sample is written"
)

// keyActions is what the keys of the page do.
type keyActions struct{ *Model }

func (m keyActions) actionTable() action.Table {
	on := func(words, name string, why func() string, do func() tea.Cmd) action.Action {
		b := action.NewFooterKey(action.First, keymap.Authoring.BindJoined(words, strings.Fields(name)...))
		return action.NewAction(readGroup, []action.Mode{reading}, b, why, func(string) tea.Cmd { return do() })
	}
	in := func(words string, do func() tea.Cmd, keys ...string) action.Action {
		b := action.NewFooterKey(action.First, widget.NewBinding(keys[0], words, keys...))
		return action.NewAction(writeGroup, []action.Mode{writing}, b, nil, func(string) tea.Cmd { return do() })
	}
	return action.Table{
		on("write a new one", "new", m.whyNoName, func() tea.Cmd { return m.openNew(authoring.NewText) }),
		on("edit", "edit open", m.whyNoRow, func() tea.Cmd {
			row := m.currentRow()
			return m.openEditor(row.Acts[0].Dataset, *row, row.Text)
		}),
		on("accept", "accept", m.whyNoReview, func() tea.Cmd { return m.review(criteria.Accepted, "") }),
		on("request changes", "request_changes", m.whyNoReview, func() tea.Cmd {
			return m.ask("what to change", func(text string) tea.Cmd { return m.review(criteria.RequestedChanges, text) })
		}),
		on("image", "zoom", func() string { return action.WhyUnless(m.picture.HasAny(), "the sample has no image") }, func() tea.Cmd { return m.picture.ToggleFull(m.drawPicture) }),
		on("next to review", "next_unlabeled", m.whyNoRow, m.nextToReview),
		on("further text", "other", m.whyNoRow, func() tea.Cmd { m.top += max(1, detailHeight(m.Model)-2); return nil }),
		on("write a new one from it", "copy_sample", m.whyNoRow, func() tea.Cmd { return m.openNew(m.currentRow().Text) }),
		on("filter", "filter", nil, func() tea.Cmd { return m.filter.StartByKey("") }),
		on("refresh", "refresh", nil, m.Refresh),
		in("submit", m.submit, widget.SaveKey().Keys()...),
		in("next field", func() tea.Cmd { m.editor.nextField(); return nil }, "tab"),
		in("back", func() tea.Cmd { return m.noteEdit(m.editor.Undo()) }, "ctrl+z"),
		in("forth", func() tea.Cmd { return m.noteEdit(m.editor.Redo()) }, "ctrl+y"),
		in("keep draft", func() tea.Cmd { return nil }, "esc"),
	}
}

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	return eval.Either(m.keyMode() == looking, keymap.AuthoringPicture, keymap.Authoring)
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.asking != nil:
		return []key.Binding{widget.NewBinding("enter", "save", "enter"), widget.NewBinding("esc", "discard", "esc")}
	case m.filter.Typing():
		return widget.FilterKeys()
	case m.keyMode() == looking:
		return widget.LookKeys(true)
	}
	return m.table.Footer(m.keyMode(), m.width, nil, nil)
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.table.HelpGroups(reading, nil, writeGroup, readGroup, writeGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		cmd, given := m.asking.HandleKey(msg, m.SpellKey("esc"))
		if given {
			m.asking = nil
		}
		return cmd
	case m.editor != nil:
		if o := m.table.PressKey(writing, msg.String()); !msg.Paste && o.Found {
			return o.Cmd
		}
		return m.noteEdit(m.editor.HandleKey(msg, m.height/2))
	case m.filter.Typing():
		if m.filter.HandleKey(msg) {
			m.applyFilter(m.currentRow())
		}
		return m.readPicture()
	}
	if m.keyMode() == looking && !key.Matches(msg, keymap.Authoring.BindAction("zoom")) {
		cmd, _ := m.picture.HandleFullPictureKey(msg.String(), m.width, m.height, m.drawPicture)
		return cmd
	}
	if by, ok := m.moves.MoveBy(msg, listHeight(m), len(m.rows)); ok {
		m.at.MoveBy(by, len(m.rows), listHeight(m))
		m.top = 0
		return m.readPicture()
	}
	return m.table.PressAndNotify(reading, msg.String())
}

// noteEdit has a text that was changed stored as a draft once no key has come for a while.
func (m *Model) noteEdit(changed bool) tea.Cmd {
	if !changed {
		return nil
	}
	m.unsaved = m.editor
	m.editor.why = eval.Either(m.editor.late, m.editor.why, "")
	if m.editor.Text() == m.editor.stored {
		m.unsaved = nil
	}
	m.edits++
	edits := m.edits
	return tea.Tick(m.deps.Pause, func(time.Time) tea.Msg {
		return outcome(func() tea.Cmd {
			if edits != m.edits {
				return nil
			}
			return m.storeDraft()
		})
	})
}

// submit hands the text in for review, unless something is wrong with it.
func (m keyActions) submit() tea.Cmd {
	e := m.editor
	_, _, err := authoring.ParseText(e.Text())
	switch {
	case m.busy:
		return widget.NotifyCmd(widget.Info, "the draft is being saved: press it again")
	case err != nil:
		e.why = err.Error()
		return nil
	case e.Text() == e.of.Text && (e.of.State == criteria.InReview || e.of.State == criteria.Approved):
		e.why = "nothing has been changed"
		return nil
	}
	return m.storeText(e, criteria.Submitted)
}

// openNew has a new sample written: of the dataset that is listed, or of that in front.
func (m *Model) openNew(text string) tea.Cmd {
	d := m.deps.Dataset
	if row := m.currentRow(); row != nil {
		d = cmp.Or(d, row.Acts[0].Dataset)
	}
	if d == "" {
		return m.ask("name of the dataset", func(name string) tea.Cmd { return m.openEditor(eval.DatasetName(name), Row{}, text) })
	}
	return m.openEditor(d, Row{}, text)
}

// waits reports whether a sample waits for a review of this person.
func (m *Model) waits(r Row) bool { return r.State == criteria.InReview && !r.IsOwn(m.deps.Who) }

// nextToReview goes to the next sample that waits for this person; behind the last comes
// the first.
func (m keyActions) nextToReview() tea.Cmd {
	for i := range m.rows {
		if at := (m.at.At + 1 + i) % len(m.rows); m.waits(m.rows[at]) {
			m.at.Set(at, len(m.rows), listHeight(m.Model))
			return m.readPicture()
		}
	}
	return widget.NotifyCmd(widget.Info, "nothing waits for your review")
}

// ask asks for a line of text.
func (m *Model) ask(name string, does func(string) tea.Cmd) tea.Cmd {
	m.asking = form.AskLine(m.theme, name, m.width, does)
	return nil
}

// Why something cannot be done now; "" when it can.

func (m keyActions) whyNoName() string {
	return cmp.Or(action.WhyIf(m.deps.Who == "", "say who you are first"), action.WhyIf(!m.loaded, "the samples are being read"))
}

func (m keyActions) whyNoRow() string {
	return cmp.Or(action.WhyIf(m.currentRow() == nil, "nothing is listed"), m.whyNoName())
}

func (m keyActions) whyNoReview() string {
	if why := m.whyNoRow(); why != "" {
		return why
	}
	row := m.currentRow()
	return cmp.Or(action.WhyIf(m.busy, "the act before is being saved"), action.WhyIf(row.State != criteria.InReview, "it is not in review"),
		action.WhyIf(row.IsOwn(m.deps.Who), "somebody else reviews what you wrote"))
}

// beside is the width from which on the list stands beside the text.
const beside = 72

func listWidth(m *Model) int {
	return eval.Either(m.width >= beside, min(m.width*2/5, 60), m.width)
}

func detailWidth(m *Model) int {
	return eval.Either(m.width >= beside, m.width-listWidth(m)-3, m.width)
}

func listHeight(m *Model) int {
	return max(2, eval.Either(m.width >= beside, m.height-1, (m.height-1)/3))
}

func detailHeight(m *Model) int {
	return max(1, eval.Either(m.width >= beside, m.height-1, m.height-1-listHeight(m)))
}

// textWidth is that of the text that is written: half of the screen beside an original.
func textWidth(m *Model) int {
	half := m.editor != nil && m.editor.source != "" && m.width >= beside
	return max(8, min(eval.Either(half, m.width/2, m.width)-4, 100))
}

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	return widget.DrawScreen(m.width, m.height, func() []string { return drawLines(m) })
}

func drawLines(m *Model) []string {
	switch t := m.theme; {
	case m.editor != nil:
		return drawEditor(m, m.editor)
	case m.picture.IsFull():
		return m.picture.Viewer.PictureLines(m.picture.PictureInFront(), m.width, m.height)
	default:
		name := eval.Either(m.deps.Dataset == "", "", " of "+widget.CutWidth(widget.CleanLine(string(m.deps.Dataset)), max(8, m.width/3)))
		waits := eval.Count(m.all, m.waits)
		head := t.DrawSection("Written samples"+name, eval.Either(waits > 0, fmt.Sprintf("%d for you to review", waits), ""), true, m.width)
		list := drawList(m)
		if m.width >= beside {
			list = t.DrawBeside(t.AddLegendBelow(list, listWidth(m), m.height-1), drawDetail(m), listWidth(m), m.width, m.height-1)
		} else {
			list = append(widget.FitBox(list, m.width, listHeight(m)), drawDetail(m)...)
		}
		out := append([]string{head}, list...)
		if line := t.DrawFilter(&m.filter, m.width); line != "" {
			out = append(widget.FitBox(out, m.width, m.height-1), line)
		}
		return m.asking.DrawBelow(t, out, m.width, m.height)
	}
}

// stateWords are how a state is listed.
var stateWords = map[criteria.State]string{criteria.Draft: "draft", criteria.InReview: "in review", criteria.ChangesRequested: "changes", criteria.Approved: "accepted"}

func drawList(m *Model) []string {
	switch {
	case m.err != nil:
		return m.theme.Bad.WrapStyled(" ", "✗ "+m.err.Error(), listWidth(m)-1)
	case !m.loaded:
		return []string{" " + m.theme.Faint.Render("reading…")}
	}
	return m.theme.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "sample", Width: 6}, {Title: "state", Width: 9}, {Title: "dataset", Width: 10, Least: eval.Either(m.deps.Dataset == "", 50, 1000)},
			{Title: "by", Width: 8, Least: 45}, {Title: "question", Width: 10, Grow: 1},
		},
		Rows: len(m.rows), Cursor: m.at, Focused: true, Empty: eval.Either(m.filter.IsOn(), "no sample has these words", m.SpellText("nothing yet; {n} writes")),
		Row: func(i int) []string { return makeCells(&m.rows[i]) },
	}, listWidth(m), listHeight(m))
}

func makeCells(r *Row) []string {
	question, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "Question:"), "\n")
	return eval.Map([]string{string(r.ID), stateWords[r.State], string(r.Acts[0].Dataset), describeAuthors(&r.Set), question}, widget.CleanLine)
}

// describeAuthors names who wrote a sample, the model that translated it first.
func describeAuthors(s *authoring.Set) string {
	names := eval.Map(s.Authors, func(who annotate.Annotator) string { return string(who) })
	return strings.Join(eval.Either(s.Model != "", append([]string{s.Model}, names...), names), ", ")
}

// drawDetail draws the sample in front, and its image where there is room.
func drawDetail(m *Model) []string {
	row, width, rows := m.currentRow(), detailWidth(m), detailHeight(m)-1
	if row == nil {
		return []string{m.theme.DrawSection("Sample", "", false, width)}
	}
	lines := drawSample(m, row)
	m.top = eval.Either(m.top >= len(lines), 0, m.top)
	end := min(m.top+rows, len(lines))
	note := stateWords[row.State] + ", by " + widget.CleanLine(describeAuthors(&row.Set))
	if len(lines) > rows {
		note = fmt.Sprintf("lines %d-%d of %d", m.top+1, end, len(lines))
	}
	out := append([]string{m.theme.DrawSection("Sample "+widget.CleanLine(string(row.ID)), note, false, width)}, lines[m.top:end]...)
	if room := pictureRows(m, len(lines)); room > 0 {
		out = append(append(out, ""), m.picture.Viewer.PictureLines(m.picture.PictureInFront(), width, room)...)
	}
	return out
}

// pictureRows is how many lines below so many of a text the image has.
func pictureRows(m *Model, lines int) int {
	room := detailHeight(m) - lines - 2
	return eval.Either(m.picture.HasAny() && room >= 4, room, 0)
}

// drawPicture has the image in front drawn for the room that it has.
func (m *Model) drawPicture() tea.Cmd {
	row, cols, rows := m.currentRow(), m.width, m.height
	if row != nil && !m.picture.IsFull() {
		cols, rows = detailWidth(m), pictureRows(m, len(drawSample(m, row)))
	}
	if row == nil || !m.picture.HasAny() || rows < 1 {
		return nil
	}
	return m.picture.Viewer.DrawPicture(m.picture.PictureInFront(), cols, rows)
}

// drawSample draws what became of a sample, the original of a translation, and the text.
func drawSample(m *Model, row *Row) []string {
	t, width := m.theme, detailWidth(m)
	var out []string
	if row.Wants != "" {
		out = t.Warn.WrapStyled(" ", string(row.Reviewer)+" wants changed: "+widget.CleanLine(row.Wants), width-1)
	}
	if row.State == criteria.Approved {
		out = append(out, t.Good.Render(" accepted by "+widget.CleanLine(string(row.Reviewer))))
	}
	if row.Source != "" {
		out = append(append(out, drawText(m, row.Source, width)...), t.Faint.Render(" translated:"))
	}
	return append(out, drawText(m, row.Text, width)...)
}

// drawText draws a text with the names of its fields marked.
func drawText(m *Model, text string, width int) (out []string) {
	for line := range strings.SplitSeq(text, "\n") {
		for i, l := range widget.WrapText(line, max(8, width-2)) {
			if name, rest, ok := strings.Cut(l, ":"); ok && i == 0 && authoring.IsField(line) {
				l = m.theme.Faint.Render(name+":") + rest
			}
			out = append(out, " "+l)
		}
	}
	return out
}

// drawEditor draws the text that is written, beside or below its original, and why it
// was not saved.
func drawEditor(m *Model, e *sampleEditor) []string {
	t := m.theme
	style, text := t.Faint, m.SpellText("a field a line; {tab} goes to the next one; {esc} keeps a draft")
	switch {
	case m.busy:
		style, text = t.Warn, "saving…"
	case e.why != "":
		style, text = t.Bad, "✗ "+e.why
	case e.of.Wants != "":
		style, text = t.Warn, string(e.of.Reviewer)+" wants changed: "+widget.CleanLine(e.of.Wants)
	}
	foot := style.WrapStyled(" ", text, m.width-1)
	name := eval.Either(e.of.ID == "", "A new sample", "Sample "+widget.CleanLine(string(e.of.ID)))
	out := []string{t.DrawSection(name+" of "+widget.CleanLine(string(e.dataset)), "being written", true, m.width)}
	rows, half := max(1, m.height-2-len(foot)), m.width/2-4
	if e.source == "" {
		return append(append(append(out, e.DrawLines(t, textWidth(m), rows)...), ""), foot...)
	}
	if m.width >= beside {
		out = append(out, t.DrawBeside(drawText(m, e.source, half), e.DrawLines(t, textWidth(m), rows), half, m.width, rows)...)
		return append(append(out, ""), foot...)
	}
	original := drawText(m, e.source, m.width)
	original = original[:min(len(original), rows/2)]
	return append(append(append(append(out, original...), e.DrawLines(t, textWidth(m), rows-len(original))...), ""), foot...)
}
