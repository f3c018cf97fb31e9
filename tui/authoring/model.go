package authoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/drilldown"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Row is a sample that is written.
type Row struct {
	authoring.Set
	Source     string // text of the original, of a translation
	SourceHash string // of that original, as authoring.HashOriginal gives it
}

// isStale reports whether the original changed since the translation was made, or read.
func (r *Row) isStale() bool { return r.Source != "" && r.IsStale(r.SourceHash) }

// textToEdit is what somebody who edits the sample begins with: their draft, else what stands.
func (r *Row) textToEdit(who annotate.Annotator) string {
	if d := r.ChangeDraftBy(who); d != nil {
		return d.Text
	}
	return r.Text
}

// Source reads and stores. It is called in commands.
type Source interface {
	// Rows gives what is written for a dataset; "" for all.
	Rows(ctx context.Context, d eval.DatasetName) ([]Row, error)
	// Append stores an act, with the image that the text of a submitted sample names.
	Append(ctx context.Context, a authoring.Act) (authoring.Set, error)
	// Picture gives the bytes of an image.
	Picture(hash eval.PictureHash) ([]byte, error)
}

// Deps is what the page is made of. All of it is needed but Dataset, Who and Pause.
type Deps struct {
	Dataset eval.DatasetName // "": all are listed
	Theme   *widget.Theme
	Source  Source
	Who     annotate.Annotator // "": nobody has said; then nothing is written
	Now     func() time.Time
	Pause   time.Duration // without a key, after which a draft is stored; 0 is two seconds
}

// Open is the message that the page is to be opened.
type Open struct{ Dataset eval.DatasetName }

// Model is the page. Its methods are called by one goroutine at a time.
type Model struct {
	keymap.Spelling

	ctx   context.Context
	deps  Deps
	moves widget.Moves
	table action.Table

	width, height int
	loaded        bool
	err           error
	all, rows     []Row // and those that the filter leaves
	filter        widget.Filter
	at            widget.Cursor
	top           int // first line of the text that is seen

	editor  *sampleEditor
	unsaved *sampleEditor // whose text is not stored as it stands; it may have been left
	edits   int
	asking  *form.LineQuestion
	busy    bool // an act is being stored

	picture drilldown.Pictures
	drawn   eval.PictureHash // whose image that is
}

// sampleEditor is the text of a sample while it is written.
type sampleEditor struct {
	*form.Editor
	of      Row
	late    bool   // somebody else changed the sample meanwhile: nothing is stored unasked
	refused string // why it was not submitted as it stands, also once the draft is stored
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New makes the page. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	d.Pause = cmp.Or(d.Pause, 2*time.Second)
	m := &Model{ctx: ctx, deps: d, moves: widget.NewMoves()}
	m.picture.Viewer = widget.NewViewer(d.Theme)
	m.table = keyActions{m}.actionTable()
	return m
}

// Init reads what is written.
func (m *Model) Init() tea.Cmd { return m.Refresh() }

// Refresh reads it again. The row under the cursor stays there.
func (m *Model) Refresh() tea.Cmd {
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		rows, err := d.Source.Rows(ctx, d.Dataset)
		return outcome(func() tea.Cmd { return m.handleRows(rows, err, m.currentRow()) })
	}
}

// handleRows lists what was read, with the cursor on a sample.
func (m *Model) handleRows(rows []Row, err error, on *Row) tea.Cmd {
	if m.err = err; err == nil {
		m.loaded, m.all = true, rows
		m.applyFilter(on)
	}
	return m.openFrontPicture()
}

// applyFilter finds the rows that the filter leaves, and puts the cursor on one of them.
func (m *Model) applyFilter(on *Row) {
	at := m.at.At
	if m.rows = widget.FilterRows(&m.filter, m.all, makeCells); on != nil {
		if i := slices.IndexFunc(m.rows, func(r Row) bool { return r.IsSame(&on.Set) }); i >= 0 {
			at = i
		}
	}
	m.at.MoveTo(at, len(m.rows), paneHalves(m).List.Height)
}

func (m *Model) currentRow() *Row { return widget.RowAt(&m.at, m.rows) }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.MoveTo(m.at.At, len(m.rows), paneHalves(m).List.Height)
	m.asking.Resize(width)
	if m.editor != nil {
		m.editor.FitWidth(textWidth(m))
	}
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool { return m.editor != nil || m.asking != nil || m.filter.IsTyping() }

// GoBack leaves the image, the text that is asked for or written, or the filter.
func (m *Model) GoBack() bool {
	switch {
	case m.picture.IsFull():
		m.picture.Full = false
	case m.asking != nil:
		m.asking = nil
	case m.editor != nil:
		m.editor = nil
	case m.filter.ClearText():
		m.applyFilter(m.currentRow())
	default:
		return false
	}
	return true
}

// Close stores what is written as a draft.
func (m *Model) Close() { m.KeepDraft() }

// KeepDraft stores what is written as a draft.
func (m *Model) KeepDraft() {
	if keep := m.storeUnsavedDraft(); keep != nil {
		keep()
	}
}

// storeUnsavedDraft stores what is written and not stored yet. Where it may not stand behind what
// others did, it is the draft of a new sample; a translation has no other place.
func (m *Model) storeUnsavedDraft() tea.Cmd {
	if m.unsaved == nil || m.busy {
		return nil
	}
	e := m.unsaved
	if e.late && e.of.Original != "" {
		return widget.NotifyCmd(widget.Problem, "NOT SAVED: "+e.Why)
	}
	if e.late {
		e.of = Row{Set: authoring.Set{Dataset: e.of.Dataset, Image: e.of.Image}}
	}
	return m.storeAct(&e.of, criteria.Drafted, e.Text(), e)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		return msg()
	case widget.Left: // an editor, perhaps
		return m.storeDraftUnlessLate()
	case widget.Drawn:
		m.picture.Viewer.HandleDrawn(msg)
	}
	return nil
}

// openFrontPicture opens the image of the row in front, where it is another one.
func (m *Model) openFrontPicture() tea.Cmd {
	row := m.currentRow()
	if row == nil || row.Image.Hash == m.drawn {
		return m.drawPicture()
	}
	pic, d := row.Image, m.deps
	if m.drawn, m.picture.Gallery = pic.Hash, (widget.Gallery{}); pic.Hash == "" {
		return nil
	}
	return func() tea.Msg {
		gallery := drilldown.LoadPictures(d.Theme, []eval.Picture{pic}, d.Source.Picture)
		return outcome(func() tea.Cmd {
			if m.drawn == pic.Hash {
				m.picture.Gallery = gallery
			}
			return m.drawPicture()
		})
	}
}

// openEditor has a sample written: the one that was left, where its text is not stored yet, else as it stands.
func (m *Model) openEditor(of Row, text string) tea.Cmd {
	var keep tea.Cmd
	if m.editor = m.unsaved; m.editor == nil || !m.editor.of.IsSame(&of.Set) {
		if m.unsaved != nil && m.busy {
			m.editor = nil
			return widget.NotifyCmd(widget.Info, "the draft is being saved: press it again")
		}
		keep = tea.Batch(m.storeUnsavedDraft(), form.WarnHiddenCharacters(text))
		m.editor = &sampleEditor{Editor: form.NewEditor(text), of: of}
		m.editor.Area.CursorEnd()
	}
	m.editor.FitWidth(textWidth(m))
	return keep
}

// moveToNextField moves the caret to the end of the line that begins the next field; behind the last comes the first.
func (m *Model) moveToNextField() tea.Cmd {
	area := &m.editor.Area
	lines, next := strings.Split(m.editor.Text(), "\n"), area.Line()
	for range lines {
		if next = (next + 1) % len(lines); authoring.IsFieldLine(lines[next]) {
			break
		}
	}
	for move := eval.Either(next < area.Line(), area.CursorUp, area.CursorDown); area.Line() != next; {
		move()
	}
	area.CursorEnd()
	return nil
}

// scheduleDraftSaving has a text that was changed stored as a draft once no key has come for a while.
func (m *Model) scheduleDraftSaving() tea.Cmd {
	m.editor.Why, m.editor.refused = eval.Either(m.editor.late, changedMeanwhile, ""), ""
	m.unsaved = eval.Either(m.editor.Text() == m.editor.Began, nil, m.editor)
	m.edits++
	edits := m.edits
	return tea.Tick(m.deps.Pause, func(time.Time) tea.Msg {
		return outcome(func() tea.Cmd { return eval.Either(edits == m.edits, m.storeDraftUnlessLate, noCmd)() })
	})
}

func noCmd() tea.Cmd { return nil }

// storeDraftUnlessLate stores what is written and not stored yet; nil for nothing.
func (m *Model) storeDraftUnlessLate() tea.Cmd {
	if m.unsaved == nil || m.unsaved.late {
		return nil
	}
	return m.storeUnsavedDraft()
}

// submitForReview hands the text in for review, unless something is wrong with it.
func (m *Model) submitForReview() tea.Cmd {
	e := m.editor
	_, err := authoring.ParseText(e.Text())
	twin := eval.Find(m.all, func(r *Row) bool {
		return r.Dataset == e.of.Dataset && r.ID != e.of.ID && r.State > criteria.Draft && r.Text == e.Text() && r.Image == e.of.Image && r.Original == ""
	})
	if err == nil && twin != nil {
		err = fmt.Errorf("sample %s says the same: change this one, or discard it", twin.ID)
	}
	switch {
	case m.busy:
		return widget.NotifyCmd(widget.Info, "the draft is being saved: press it again")
	case err != nil:
		e.Why, e.refused = err.Error(), err.Error()
		return nil
	case e.Text() == e.of.Text && (e.of.State == criteria.InReview || e.of.State == criteria.Approved):
		e.Why = "nothing has been changed"
		return nil
	}
	return m.storeAct(&e.of, criteria.Submitted, e.Text(), e)
}

// did are the kinds of acts as they are told once they are stored.
var did = map[criteria.Kind]string{
	criteria.Drafted: "draft saved", criteria.Submitted: "submitted for review", criteria.Accepted: "accepted", criteria.RequestedChanges: "changes requested",
	criteria.Discarded: "discarded",
}

// newAct gives the next act on a sample by who sits here, who has read the original beside it.
func newAct(m *Model, of *Row, kind criteria.Kind, text string) authoring.Act {
	a := of.NewAct(kind, m.deps.Who, m.deps.Now())
	a.Text, a.Of = text, of.SourceHash
	return a
}

// storeAct has an act on a sample stored, with the text of an editor where there is one, and reads all samples again.
func (m *Model) storeAct(of *Row, kind criteria.Kind, text string, e *sampleEditor) tea.Cmd {
	m.busy = true
	a := newAct(m, of, kind, text)
	if e != nil {
		m.unsaved, a.Image = nil, of.Image
	}
	ctx, d := context.WithoutCancel(m.ctx), m.deps // whatever ends the app
	return func() tea.Msg {
		set, err := d.Source.Append(ctx, a)
		rows, readErr := d.Source.Rows(ctx, d.Dataset)
		return outcome(func() tea.Cmd {
			m.busy = false
			read := m.handleRows(rows, readErr, eval.Either(err == nil, &Row{Set: set}, m.currentRow()))
			now := eval.Find(m.all, func(r *Row) bool { return r.IsSame(&of.Set) })
			switch {
			case err != nil:
				if e != nil && kind == criteria.Submitted {
					e.refused = err.Error()
				}
				return tea.Batch(read, m.explainUnsaved(e, err, now))
			case e != nil:
				e.of.Set, e.Began, e.Why, e.late = set, a.Text, e.refused, false
				m.editor = eval.Either(a.Kind == criteria.Submitted && m.editor == e, nil, m.editor)
				read = tea.Batch(read, m.storeDraftUnlessLate()) // what was typed meanwhile
			}
			return tea.Batch(read, widget.NotifyCmd(widget.Info, did[a.Kind]+"  "+d.Now().Format("15:04:05")))
		})
	}
}

const (
	changedMeanwhile   = "somebody else changed it meanwhile, which is kept: saving once more puts this behind it, leaving makes a new sample of it"
	discardedMeanwhile = "it was discarded meanwhile: saving once more, or leaving, makes a new sample of this"
)

// explainUnsaved says why an act is not stored. The text of an editor stays, to be stored
// behind what stands now, or as a new sample where nothing does.
func (m *Model) explainUnsaved(e *sampleEditor, err error, now *Row) tea.Cmd {
	if e == nil {
		return widget.NotifyCmd(widget.Problem, "NOT SAVED: "+err.Error())
	}
	m.unsaved = cmp.Or(m.unsaved, e)
	e.Why = err.Error()
	e.late = e.late || errors.Is(err, authoring.ErrAnswered)
	if errors.Is(err, criteria.ErrConflict) {
		e.late, e.Why = true, eval.Either(now == nil, discardedMeanwhile, changedMeanwhile)
	}
	switch {
	case now != nil:
		e.of = *now
	case e.late && e.of.Original == "":
		e.of = Row{Set: authoring.Set{Dataset: e.of.Dataset, Image: e.of.Image}}
	}
	return eval.Either(m.editor == e, nil, widget.NotifyCmd(widget.Problem, "NOT SAVED: "+e.Why))
}
