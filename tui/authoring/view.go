package authoring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	next := action.NewFooterKey(action.First, widget.NewBinding("tab", "next field", "tab"))
	return append(action.Table{
		on("write a new one", "new", m.whyNoNew, func() tea.Cmd { return m.openNewSample(authoring.NewText, eval.Picture{}) }),
		on("edit", "edit open", m.whyNoRow, func() tea.Cmd { return m.openEditor(*m.currentRow(), m.currentRow().textToEdit(m.deps.Who)) }),
		on("accept", "accept", m.makeWhyNot(criteria.Accepted), func() tea.Cmd { return m.storeAct(m.currentRow(), criteria.Accepted, "", nil) }),
		on("request changes", "request_changes", m.makeWhyNot(criteria.RequestedChanges), func() tea.Cmd {
			return m.askLine("what to change", func(text string) tea.Cmd { return m.storeAct(m.currentRow(), criteria.RequestedChanges, text, nil) })
		}),
		on("image", "zoom", func() string { return action.WhyUnless(m.picture.HasAny(), "the sample has no image") }, func() tea.Cmd { return m.picture.ToggleFull(m.drawPicture) }),
		on("next to review", "next_unlabeled", m.whyNoRow, m.nextToReview),
		on("further text", "other", m.whyNoRow, func() tea.Cmd { m.top += max(1, paneHalves(m.Model).Detail.Height-2); return nil }),
		on("write a new one from it", "copy_sample", m.whyNoCopy, func() tea.Cmd { return m.openNewSample(m.currentRow().textToEdit(m.deps.Who), m.currentRow().Image) }),
		on("discard", "discard", m.makeWhyNot(criteria.Discarded), m.askDiscardReason),
		on("filter", "filter", nil, func() tea.Cmd { return m.filter.StartByKey("") }),
		on("refresh", "refresh", nil, m.Refresh),
		action.NewAction(writeGroup, []action.Mode{writing}, next, nil, func(string) tea.Cmd { return m.moveToNextField() }),
	}, form.NewWritingTable(writeGroup, writing, func() *form.Editor { return m.editor.Editor }, widget.NewBinding("ctrl+k", "submit", widget.SaveKey().Keys()...), m.submitForReview, m.scheduleDraftSaving)...)
}

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	return eval.Either(m.keyMode() == looking, keymap.AuthoringPicture, keymap.Authoring)
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.asking != nil:
		return []key.Binding{widget.NewBinding("enter", "save", "enter"), widget.NewBinding("esc", "back", "esc")}
	case m.filter.IsTyping():
		return widget.FilterKeys()
	case m.keyMode() == looking:
		return widget.FullPictureKeys(true)
	}
	return m.table.FooterBindings(m.keyMode(), m.width, nil, nil)
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.table.HelpGroups(reading, nil, writeGroup, readGroup, writeGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		return form.HandleLineKey(&m.asking, msg, m.SpellKey("esc"))
	case m.editor != nil:
		return m.editor.PressKey(m.table, writing, msg, m.height/2, m.scheduleDraftSaving)
	case m.filter.IsTyping():
		if m.filter.HandleKey(msg) {
			m.applyFilter(m.currentRow())
		}
		return m.openFrontPicture()
	}
	if m.keyMode() == looking && !key.Matches(msg, keymap.Authoring.BindAction("zoom")) {
		cmd, _ := m.picture.HandleFullPictureKey(msg.String(), m.width, m.height, m.drawPicture)
		return cmd
	}
	if by, ok := m.moves.MoveBy(msg, paneHalves(m).List.Height, len(m.rows)); ok {
		m.at.MoveBy(by, len(m.rows), paneHalves(m).List.Height)
		m.top = 0
		return m.openFrontPicture()
	}
	return m.table.PressAndNotify(reading, msg.String())
}

// openNewSample has a new sample written: of the dataset that is listed, or of that in front.
func (m *Model) openNewSample(text string, image eval.Picture) tea.Cmd {
	d, open := m.deps.Dataset, func(name string) tea.Cmd {
		return m.openEditor(Row{Set: authoring.Set{Dataset: eval.DatasetName(name), Image: image}}, text)
	}
	if row := m.currentRow(); row != nil {
		d = cmp.Or(d, row.Dataset)
	}
	if d == "" {
		return m.askLine("name of the dataset", open)
	}
	return open(string(d))
}

// waitsForReview reports whether a sample waits for a review of this person.
func (m *Model) waitsForReview(r Row) bool {
	_, err := r.WithAct(newAct(m, &r, criteria.Accepted, ""))
	return err == nil
}

// isOutOfDate reports whether a translation was accepted whose original changed since.
func isOutOfDate(r Row) bool { return r.State == criteria.Approved && r.isStale() }

// nextToReview goes to the next sample that waits for this person; behind the last comes the first.
func (m keyActions) nextToReview() tea.Cmd {
	for i := range m.rows {
		if at := (m.at.At + 1 + i) % len(m.rows); m.waitsForReview(m.rows[at]) {
			m.at.MoveTo(at, len(m.rows), paneHalves(m.Model).List.Height)
			return m.openFrontPicture()
		}
	}
	return widget.NotifyCmd(widget.Info, "nothing waits for your review")
}

// askDiscardReason asks why what is written is discarded, which the log keeps.
func (m keyActions) askDiscardReason() tea.Cmd {
	row := *m.currentRow()
	what := eval.Either(row.ChangeDraftBy(m.deps.Who) != nil, "your draft", "sample "+widget.CleanLine(string(row.ID)))
	return m.askLine("why discard "+what, func(text string) tea.Cmd {
		if m.unsaved != nil && m.unsaved.of.IsSame(&row.Set) {
			m.unsaved = nil
		}
		return m.storeAct(&row, criteria.Discarded, text, nil)
	})
}

// askLine asks for a line of text.
func (m *Model) askLine(name string, does func(string) tea.Cmd) tea.Cmd {
	m.asking = form.NewLineQuestion(m.deps.Theme, name, m.width, does)
	return nil
}

// Why something cannot be done now; "" when it can.

func (m keyActions) whyNoName() string {
	return cmp.Or(action.WhyIf(m.deps.Who == "", "say who you are first: {ctrl+w}"), action.WhyIf(!m.loaded, "the samples are being read"))
}

// whyNoNew says why no sample can be begun: what is translated has originals elsewhere.
func (m keyActions) whyNoNew() string {
	row := m.currentRow()
	return cmp.Or(m.whyNoName(), action.WhyIf(row != nil && row.Original != "", "translations are made by concord translate"))
}

func (m keyActions) whyNoCopy() string { return cmp.Or(m.whyNoRow(), m.whyNoNew()) }

func (m keyActions) whyNoRow() string {
	return cmp.Or(action.WhyIf(m.currentRow() == nil, "nothing is listed"), m.whyNoName())
}

// makeWhyNot says why an act of a kind cannot come next on the sample in front.
func (m keyActions) makeWhyNot(kind criteria.Kind) func() string {
	return func() string {
		why := cmp.Or(m.whyNoRow(), action.WhyIf(m.busy, "the act before is being saved"))
		if why != "" {
			return why
		}
		_, err := m.currentRow().WithAct(newAct(m.Model, m.currentRow(), kind, "-"))
		return action.WhyIf(err != nil, fmt.Sprint(err))
	}
}

// beside is the width from which on an original stands beside the text that is written.
const beside = 72

// paneHalves are the rooms of the list, which leaves most of a small screen to the text.
func paneHalves(m *Model) widget.Halves {
	return widget.SplitListAndDetail(m.width, m.height-1, min(len(m.rows)+1, (m.height-1)/3))
}

// textWidth is that of the text that is written: half of the screen beside an original.
func textWidth(m *Model) int {
	half := m.editor != nil && m.editor.of.Source != "" && m.width >= beside
	return max(8, min(eval.Either(half, m.width/2, m.width)-4, 100))
}

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	return widget.DrawScreen(m.width, m.height, func() []string { return drawLines(m) })
}

func drawLines(m *Model) []string {
	switch t := m.deps.Theme; {
	case m.editor != nil:
		return drawEditor(m, m.editor)
	case m.picture.IsFull():
		return m.picture.Viewer.PictureLines(m.picture.PictureInFront(), m.width, m.height)
	default:
		name := eval.Either(m.deps.Dataset == "", "", " of "+widget.CutWidth(widget.CleanLine(string(m.deps.Dataset)), max(8, m.width/3)))
		note := ""
		if waits, stale := eval.Count(m.all, m.waitsForReview), eval.Count(m.all, isOutOfDate); waits > 0 {
			note = fmt.Sprintf("%d for you to review", waits) + eval.Either(stale > 0, fmt.Sprintf(", %d stale", stale), "")
		}
		head := t.DrawSection("Written samples"+name, note, true, m.width)
		h := paneHalves(m)
		out := append([]string{head}, t.DrawHalves(h, drawList(m, h.List.Width, h.List.Height), drawDetail(m, h.Detail.Width, h.Detail.Height))...)
		if line := t.DrawFilter(&m.filter, m.width); line != "" {
			out = append(widget.FitBox(out, m.width, m.height-1), line)
		}
		return m.asking.DrawQuestionBelow(t, out, m.width, m.height)
	}
}

// stateWords are how a state is listed.
var stateWords = map[criteria.State]string{criteria.Draft: "draft", criteria.InReview: "in review", criteria.ChangesRequested: "changes", criteria.Approved: "accepted"}

func stateWord(r *Row) string { return eval.Either(isOutOfDate(*r), "stale", stateWords[r.State]) }

func drawList(m *Model, width, height int) []string {
	switch {
	case m.err != nil:
		return m.deps.Theme.Bad.WrapStyled(" ", "✗ "+m.err.Error(), width-1)
	case !m.loaded:
		return []string{" " + m.deps.Theme.Faint.Render("reading…")}
	}
	return m.deps.Theme.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "sample", Width: 6},
			{Title: "state", Width: 9},
			{Title: "dataset", Width: 10, Least: eval.Either(m.deps.Dataset == "", 50, 1000)},
			{Title: "by", Width: 8, Least: 45},
			{Title: "question", Width: 10, Grow: 1},
		},
		Rows: len(m.rows), Cursor: m.at, Focused: true, Empty: eval.Either(m.filter.IsOn(), "no sample has these words", m.SpellText("nothing yet; {n} writes")),
		Row: func(i int) []string { return makeCells(&m.rows[i]) },
	}, width, height)
}

func makeCells(r *Row) []string {
	question, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "Question:"), "\n")
	return eval.Map([]string{string(r.ID), stateWord(r), string(r.Dataset), describeAuthors(&r.Set), question}, widget.CleanLine)
}

// describeAuthors names who wrote a sample, the model that translated it first.
func describeAuthors(s *authoring.Set) string {
	names := eval.Map(s.Authors, func(who annotate.Annotator) string { return string(who) })
	return strings.Join(eval.Either(s.Model != "", append([]string{s.Model}, names...), names), ", ")
}

// drawDetail draws the sample in front, and its image where there is room.
func drawDetail(m *Model, width, height int) []string {
	t, row := m.deps.Theme, m.currentRow()
	if row == nil || height == 0 {
		return nil
	}
	lines, rows := drawSample(m, row, width), max(1, height-1)
	m.top = eval.Either(m.top >= len(lines), 0, m.top)
	end := min(m.top+rows, len(lines))
	note := stateWord(row) + ", by " + widget.CleanLine(describeAuthors(&row.Set))
	note = eval.Either(len(lines) > rows, fmt.Sprintf("lines %d-%d of %d", m.top+1, end, len(lines)), note)
	out := append([]string{t.DrawSection("Sample "+widget.CleanLine(string(row.ID)), note, false, width)}, lines[m.top:end]...)
	if room := height - len(lines) - 2; m.picture.HasAny() && room >= leastPicture {
		out = append(append(out, ""), m.picture.Viewer.PictureLines(m.picture.PictureInFront(), width, room)...)
	}
	return out
}

// leastPicture is how many lines an image below a text has at least.
const leastPicture = 4

// drawPicture has the image in front drawn for the room that it has.
func (m *Model) drawPicture() tea.Cmd {
	row, cols, rows := m.currentRow(), m.width, m.height
	if row == nil || !m.picture.HasAny() {
		return nil
	}
	if h := paneHalves(m); !m.picture.Full {
		cols, rows = h.Detail.Width, h.Detail.Height-len(drawSample(m, row, h.Detail.Width))-2
	}
	if !m.picture.Full && rows < leastPicture {
		return nil
	}
	return m.picture.Viewer.DrawPicture(m.picture.PictureInFront(), cols, rows)
}

// drawSample draws what became of a sample, the original of a translation, and the text.
func drawSample(m *Model, row *Row, width int) []string {
	t, out := m.deps.Theme, drawWantedChanges(m, &row.Set, width)
	if row.State == criteria.Approved {
		out = append(out, t.Good.Render(" accepted by "+widget.CleanLine(string(row.Reviewer))))
	}
	if row.isStale() {
		out = append(out, t.Warn.WrapStyled(" ", "the original changed since; "+eval.Either(row.State == criteria.Approved, m.SpellText("{y} accepts it as still true, {e} corrects it, concord translate makes a new draft"), "read it beside the original as it is now"), width-1)...)
	}
	out = append(out, drawDrafts(m, &row.Set, width)...)
	if row.Source != "" {
		out = append(append(out, drawSampleText(m, row.Source, width)...), t.Faint.Render(" translated:"))
	}
	return append(out, drawSampleText(m, row.Text, width)...)
}

// drawWantedChanges draws what a reviewer wants changed.
func drawWantedChanges(m *Model, s *authoring.Set, width int) []string {
	if s.Wants == "" {
		return nil
	}
	return m.deps.Theme.Warn.WrapStyled(" ", string(s.Reviewer)+" wants changed: "+widget.CleanLine(s.Wants), width-1)
}

// drawDrafts draws who is writing a change to what was submitted.
func drawDrafts(m *Model, s *authoring.Set, width int) (out []string) {
	for _, d := range s.Drafts {
		text := widget.CleanLine(string(d.Who)) + " has a draft of a change"
		if d.Who == m.deps.Who {
			text = m.SpellText("you have a draft of a change: {e} continues it, {d} discards it")
		}
		if slices.ContainsFunc(s.Acts[d.N:], func(a authoring.Act) bool { return a.Kind == criteria.Submitted }) {
			text += "; the sample has changed since"
		}
		out = append(out, m.deps.Theme.Warn.WrapStyled(" ", text, width-1)...)
	}
	return out
}

// drawSampleText draws a text with the names of its fields marked.
func drawSampleText(m *Model, text string, width int) (out []string) {
	for line := range strings.SplitSeq(text, "\n") {
		for i, l := range widget.WrapText(line, max(8, width-2)) {
			if name, rest, ok := strings.Cut(l, ":"); ok && i == 0 && authoring.IsFieldLine(line) {
				l = m.deps.Theme.Faint.Render(name+":") + rest
			}
			out = append(out, " "+l)
		}
	}
	return out
}

// drawEditor draws the text that is written, beside or below its original.
func drawEditor(m *Model, e *sampleEditor) []string {
	t := m.deps.Theme
	name := eval.Either(e.of.ID == "", "A new sample", "Sample "+widget.CleanLine(string(e.of.ID)))
	out := append([]string{t.DrawSection(name+" of "+widget.CleanLine(string(e.of.Dataset)), "being written", true, m.width)}, drawWantedChanges(m, &e.of.Set, m.width)...)
	written := func(above int) []string {
		note := eval.Either(e.of.State > criteria.Draft, "what was submitted stays as it is until you submit this; {esc} keeps your draft of a change",
			"a field a line; {tab} goes to the next one; {esc} keeps a draft")
		return e.DrawAboveNote(t, textWidth(m), m.height-above, m.busy, m.SpellText(note))
	}
	switch half := m.width/2 - 4; {
	case e.of.Source == "":
	case m.width >= beside:
		return append(out, t.DrawBeside(drawSampleText(m, e.of.Source, half), written(len(out)), half, m.width, m.height-len(out))...)
	default:
		original := drawSampleText(m, e.of.Source, m.width)
		out = append(out, original[:min(len(original), m.height/3)]...)
	}
	return append(out, written(len(out))...)
}
