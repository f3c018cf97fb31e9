package importer

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// Source reads folders and files, imports, and checks. Its methods are called beside the screen.
type Source interface {
	// ListFolder lists a folder; "" is where the program was started.
	ListFolder(ctx context.Context, path string) (Folder, error)
	// PreviewFile reads the beginning of a file, and writes nothing.
	PreviewFile(ctx context.Context, path string) (Preview, error)
	// ImportFile brings the file in; watch is told how far it has come, in bytes.
	ImportFile(ctx context.Context, o Order, watch func(read, total int64)) (Outcome, error)
	// DiagnoseConfig looks after the configuration and its endpoints.
	DiagnoseConfig(ctx context.Context) ([]Finding, error)
}

// Folder is what a folder holds: folders first, each by name, hidden ones left out.
type Folder struct {
	Path    string // absolute
	Entries []Entry
}

// Entry is a file or a folder.
type Entry struct {
	Name   string
	Folder bool
	Likely bool // its name ends as files do that can be imported
	Size   int64
	At     time.Time
}

// Preview is the beginning of a file.
type Preview struct {
	Path, Format string
	Size         int64
	Rows         []Row
	Problems     []string // of the first rows that cannot be read
	Answers      bool     // it is one of predictions
	Asks         bool     // it holds the questions
	Dataset      string   // a name to begin with
	Known        bool     // the project has a dataset of that name
	Model        string   // "" when the file names none
}

// Row is a row as it would be imported.
type Row struct {
	ID, Question, Options, Prediction string
	Truth                             bool // the file says which answer is right
	Pictures                          int
}

// Order is what is to be imported.
type Order struct {
	Path           string
	Answers        bool // predictions of Model, else questions
	Dataset, Model string
}

// Outcome is what an import did.
type Outcome struct {
	Summary  string
	Problems []string // the first rows that were left out
	Left     int      // how many rows were left out
	Next     string   // what can be done with it now
}

// Finding is one thing that was checked.
type Finding struct {
	Check, Verdict, Text, Advice string
	Good                         bool
}

// Choice is what somebody chose to begin with. The zero value is unset.
type Choice uint8

// The choices.
const (
	ChoiceUnset Choice = iota
	Demo               // look around in a demo
	Imported           // something was imported
)

// OpenConnect asks for models to be made known.
type OpenConnect struct{}

// Done is the message that leaves the screen.
type Done struct{ Choice Choice }

// Deps is what the screen is made of; all of it is needed.
type Deps struct {
	Theme  *widget.Theme
	Source Source
	Open   bool // a project is open: no demo is offered
}

// importForm says what a previewed file is, and under which names it is imported.
type importForm struct {
	theme          *widget.Theme
	preview        Preview
	kind           int // of holds
	dataset, model textinput.Model
	at             int // of the fields
}

// holds are what a file may hold.
var holds = []string{"questions", "predictions"}

func newImportForm(t *widget.Theme, p Preview) importForm {
	f := importForm{theme: t, preview: p, dataset: t.NewLineField("a name"), model: t.NewLineField("which model answered")}
	f.dataset.SetValue(p.Dataset)
	f.model.SetValue(p.Model)
	first := 1
	if p.Answers {
		f.kind = 1
		if p.Model == "" {
			first = 2
		}
	}
	form.GoToField(f.formFields(), &f.at, first)
	return f
}

func (f *importForm) holdsPredictions() bool { return f.kind == 1 }

// formFields are the lines of the form as they stand.
func (f *importForm) formFields() []form.Field {
	off := eval.Either(!f.holdsPredictions(), "of predictions", "")
	return []form.Field{
		{Label: "it holds", Names: holds, At: &f.kind},
		{Label: "dataset", Text: &f.dataset},
		{Label: "model", Off: off, Text: &f.model},
	}
}

func (f *importForm) orderOfForm() Order {
	o := Order{Path: f.preview.Path, Answers: f.holdsPredictions(), Dataset: inputName(&f.dataset)}
	if f.holdsPredictions() {
		o.Model = inputName(&f.model)
	}
	return o
}

// whyIncomplete is why it cannot be imported yet; nil when it can.
func (f *importForm) whyIncomplete() error {
	o := f.orderOfForm()
	switch {
	case len(f.preview.Rows) == 0:
		return errors.New("no row of it can be read")
	case o.Dataset == "":
		return errors.New("the dataset needs a name")
	case o.Answers && o.Model == "":
		return errors.New("say which model gave these answers")
	}
	return nil
}

func inputName(in *textinput.Model) string { return strings.TrimSpace(widget.CleanLine(in.Value())) }

// startOffer is a way to begin.
type startOffer struct {
	title, text string
	do          func(*Model) tea.Cmd
}

// listStartOffers lists the ways to begin where there is no project.
func listStartOffers() []startOffer {
	return []startOffer{
		{"Look around", "a demo: drawn images, three made-up models that answer while you watch, and a queue to label. No key, no network.", func(*Model) tea.Cmd { return sendDone(Demo) }},
		{"Import a file", "a benchmark's questions, or predictions that you have already: xlsx, TSV, CSV, parquet, JSON, logs of lmms-eval and inspect_ai. You see its first rows before anything is written.", (*Model).startFileChoice},
		{"Connect a model", "what is configured is checked by listing its models, which spends nothing; then say where another one is served.", (*Model).diagnoseConnection},
	}
}

func (m *Model) startFileChoice() tea.Cmd {
	m.step = atFolder
	return m.readFolder("")
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch m.step {
	case atMenu:
		return m.handleMenuKey(msg)
	case atFolder:
		return m.handleFolderKey(msg)
	case atPreview:
		return m.handleFormKey(msg)
	case atEnd:
		if key.Matches(msg, m.keys.finish) {
			return sendDone(Imported)
		}
		if key.Matches(msg, m.keys.other) {
			return m.startFileChoice()
		}
		scrollLines(m, msg)
	case atCheck:
		if key.Matches(msg, m.keys.again) {
			return m.diagnoseConnection()
		}
		if key.Matches(msg, m.keys.connect) {
			return func() tea.Msg { return OpenConnect{} }
		}
		scrollLines(m, msg)
	case atWork:
	}
	return nil
}

func scrollLines(m *Model, msg tea.KeyMsg) {
	if by, ok := m.keys.moves.MoveBy(msg, max(1, m.size.height-4), 1<<20); ok {
		m.top = max(0, m.top+by)
	}
}

func (m *Model) handleMenuKey(msg tea.KeyMsg) tea.Cmd {
	all := listStartOffers()
	if by, ok := m.keys.moves.MoveBy(msg, len(all), len(all)); ok {
		m.menu = max(0, min(m.menu+by, len(all)-1))
		return nil
	}
	if key.Matches(msg, m.keys.take) {
		return all[m.menu].do(m)
	}
	return nil
}

// handleFolderKey goes through a folder. Letters narrow it down, so only keys without one move.
func (m *Model) handleFolderKey(msg tea.KeyMsg) tea.Cmd {
	n, rows := len(m.files.shown), m.size.visibleRows()
	switch msg.Type {
	case tea.KeyUp:
		m.files.at.MoveBy(-1, n, rows)
	case tea.KeyDown:
		m.files.at.MoveBy(1, n, rows)
	case tea.KeyPgUp, tea.KeyCtrlU:
		m.files.at.MoveBy(-rows, n, rows)
	case tea.KeyPgDown, tea.KeyCtrlD:
		m.files.at.MoveBy(rows, n, rows)
	case tea.KeyHome:
		m.files.at.MoveTo(0, n, rows)
	case tea.KeyEnd:
		m.files.at.MoveTo(n-1, n, rows)
	case tea.KeyLeft:
		return openParent(m)
	case tea.KeyBackspace:
		if m.files.filter == "" {
			return openParent(m)
		}
		runes := []rune(m.files.filter)
		m.files.applyFilter(string(runes[:len(runes)-1]))
	case tea.KeyEnter, tea.KeyRight:
		return m.openEntry()
	case tea.KeyRunes, tea.KeySpace:
		m.files.applyFilter(m.files.filter + string(msg.Runes))
	default:
	}
	return nil
}

// openParent goes to the folder above.
func openParent(m *Model) tea.Cmd {
	if above := filepath.Dir(m.files.folder.Path); above != m.files.folder.Path {
		return m.readFolder(above)
	}
	return nil
}

// openEntry opens the folder, or looks into the file, under the cursor; a whole path may be typed, too.
func (m *Model) openEntry() tea.Cmd {
	if isPath(m.files.filter) {
		return m.previewFile(strings.TrimSpace(m.files.filter))
	}
	e, ok := m.files.currentEntry()
	if !ok || m.reading {
		return nil
	}
	path := filepath.Join(m.files.folder.Path, e.Name)
	if e.Folder {
		return m.readFolder(path)
	}
	return m.previewFile(path)
}

func isPath(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || filepath.IsAbs(text)
}

func (m *Model) handleFormKey(msg tea.KeyMsg) tea.Cmd {
	fields := m.form.formFields()
	if msg.Type == tea.KeyEnter {
		if m.err = m.form.whyIncomplete(); m.err != nil {
			return nil
		}
		return m.importFile()
	}
	if m.err = nil; !form.StepField(fields, &m.form.at, msg) {
		fields[m.form.at].HandleKey(msg)
	}
	return nil
}

// fileChooser is the folder in which a file is chosen, and the name that is typed.
type fileChooser struct {
	folder Folder
	shown  []int // of the folder's entries, those that the filter leaves
	filter string
	at     widget.Cursor
	size   *screenSize
}

// currentEntry is what is under the cursor; false where nothing is.
func (ch *fileChooser) currentEntry() (e Entry, ok bool) {
	if ch.at.At >= len(ch.shown) {
		return e, false
	}
	return ch.folder.Entries[ch.shown[ch.at.At]], true
}

// applyFilter leaves the entries whose names hold the filter.
func (ch *fileChooser) applyFilter(filter string) {
	const longest = 4096
	if len(filter) > longest {
		return
	}
	ch.filter, ch.shown = filter, ch.shown[:0]
	want := strings.ToLower(filter)
	likely := -1
	for i, e := range ch.folder.Entries {
		if isPath(filter) || !strings.Contains(strings.ToLower(e.Name), want) {
			continue
		}
		if likely < 0 && e.Likely {
			likely = len(ch.shown)
		}
		ch.shown = append(ch.shown, i)
	}
	ch.at.MoveTo(max(0, likely), len(ch.shown), ch.size.visibleRows())
}
