package authoring

import (
	"cmp"
	"context"
	"errors"
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
	Source string // text of the original, of a translation
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
	theme *widget.Theme
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
	of      authoring.Set
	dataset eval.DatasetName
	source  string // text of the original, of a translation
	stored  string // the text as it is stored
	why     string // why it was not saved
	late    bool   // somebody else changed the sample meanwhile: nothing is stored unasked
}

// outcome takes what came of a command.
type outcome func() tea.Cmd

// New makes the page. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	d.Pause = cmp.Or(d.Pause, 2*time.Second)
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, moves: widget.NewMoves()}
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
	return m.readPicture()
}

// applyFilter finds the rows that the filter leaves, and puts the cursor on one of them.
func (m *Model) applyFilter(on *Row) {
	at := m.at.At
	if m.rows = widget.FilterRows(&m.filter, m.all, makeCells); on != nil {
		at = max(slices.IndexFunc(m.rows, func(r Row) bool { return isSame(&r.Set, &on.Set) }), 0)
	}
	m.at.Set(at, len(m.rows), listHeight(m))
}

// isSame reports whether two are the same sample, at whatever act.
func isSame(a, b *authoring.Set) bool {
	if len(a.Acts) == 0 || len(b.Acts) == 0 {
		return len(a.Acts) == len(b.Acts)
	}
	return a.Acts[0].Dataset == b.Acts[0].Dataset && a.Acts[0].Sample == b.Acts[0].Sample
}

func (m *Model) currentRow() *Row { return widget.RowAt(&m.at, m.rows) }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.Set(m.at.At, len(m.rows), listHeight(m))
	m.asking.Resize(width)
	if m.editor != nil {
		m.editor.FitWidth(textWidth(m))
	}
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool { return m.editor != nil || m.asking != nil || m.filter.Typing() }

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
	if m.unsaved != nil && !m.busy {
		m.storeText(m.unsaved, criteria.Drafted)()
	}
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		return msg()
	case widget.Left: // an editor, perhaps
		return m.storeDraft()
	case widget.Drawn:
		m.picture.Viewer.HandleDrawn(msg)
	}
	return nil
}

// readPicture opens the image of the row in front, where it is another one.
func (m *Model) readPicture() tea.Cmd {
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

// openEditor has a sample written: the one that was left, where its text is not stored
// yet, else as it stands.
func (m *Model) openEditor(d eval.DatasetName, of Row, text string) tea.Cmd {
	if m.editor = m.unsaved; m.editor == nil || !isSame(&m.editor.of, &of.Set) {
		m.editor = &sampleEditor{Editor: form.NewEditor(text), dataset: d, of: of.Set, source: of.Source, stored: text}
		m.editor.Area.CursorEnd()
	}
	m.editor.FitWidth(textWidth(m))
	return nil
}

// nextField moves the caret to the end of the line that begins the next field; behind
// the last comes the first.
func (e *sampleEditor) nextField() {
	lines, next := strings.Split(e.Text(), "\n"), e.Area.Line()
	for range lines {
		if next = (next + 1) % len(lines); authoring.IsField(lines[next]) {
			break
		}
	}
	for e.Area.Line() > next {
		e.Area.CursorUp()
	}
	for e.Area.Line() < next {
		e.Area.CursorDown()
	}
	e.Area.CursorEnd()
}

// storeDraft stores what is written and not stored yet; nil for nothing.
func (m *Model) storeDraft() tea.Cmd {
	if m.unsaved == nil || m.unsaved.late || m.busy {
		return nil
	}
	return m.storeText(m.unsaved, criteria.Drafted)
}

// storeText stores the text of an editor as a draft, or to be reviewed.
func (m *Model) storeText(e *sampleEditor, kind criteria.Kind) tea.Cmd {
	a := e.of.NewAct(kind, m.deps.Who, m.deps.Now())
	a.Dataset, a.Text, a.Image = e.dataset, e.Text(), e.of.Image
	m.unsaved = nil
	return m.store(a, func(set authoring.Set, err error) tea.Cmd {
		if err == nil {
			e.of, e.stored, e.why, e.late = set, a.Text, "", false
			if kind == criteria.Submitted && m.editor == e {
				m.editor = nil
			}
			return m.storeDraft() // what was typed meanwhile
		}
		if e.why = err.Error(); errors.Is(err, criteria.ErrConflict) {
			e.late, e.why = true, "somebody else changed it meanwhile, which is kept: saving once more puts this behind it"
		}
		for i := range m.all {
			if isSame(&e.of, &m.all[i].Set) {
				e.of = m.all[i].Set
			}
		}
		m.unsaved = cmp.Or(m.unsaved, e)
		return eval.Either(m.editor == e, nil, widget.NotifyCmd(widget.Problem, "NOT SAVED: "+e.why))
	})
}

// review accepts the sample in front, or requests changes.
func (m *Model) review(kind criteria.Kind, text string) tea.Cmd {
	a := m.currentRow().NewAct(kind, m.deps.Who, m.deps.Now())
	a.Text = text
	return m.store(a, func(_ authoring.Set, err error) tea.Cmd {
		if err == nil {
			return nil
		}
		return widget.NotifyCmd(widget.Problem, "NOT SAVED: "+err.Error())
	})
}

// did are the kinds of acts as they are told once they are stored.
var did = map[criteria.Kind]string{
	criteria.Drafted: "draft saved", criteria.Submitted: "submitted for review", criteria.Accepted: "accepted", criteria.RequestedChanges: "changes requested",
}

// store has an act stored, and reads all samples again.
func (m *Model) store(a authoring.Act, then func(authoring.Set, error) tea.Cmd) tea.Cmd {
	m.busy = true
	ctx, d := context.WithoutCancel(m.ctx), m.deps // whatever ends the app
	return func() tea.Msg {
		set, err := d.Source.Append(ctx, a)
		rows, readErr := d.Source.Rows(ctx, d.Dataset)
		return outcome(func() tea.Cmd {
			m.busy = false
			read := m.handleRows(rows, readErr, eval.Either(err == nil, &Row{Set: set}, m.currentRow()))
			if cmd := then(set, err); err != nil {
				return tea.Batch(read, cmd)
			}
			return tea.Batch(read, widget.NotifyCmd(widget.Info, did[a.Kind]+"  "+d.Now().Format("15:04:05")))
		})
	}
}
