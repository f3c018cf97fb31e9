package endpoint

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/widget"
)

// step is how far somebody has come.
type step uint8

const (
	atServer step = iota
	atModels
	atWork // the models are being written
)

// Model is the screen. Its methods are called by one goroutine at a time.
type Model struct {
	ctx           context.Context
	cancel        context.CancelFunc
	deps          Deps
	theme         *widget.Theme
	width, height int
	step          step
	at            int // of the fields
	servers       []Server
	server        form.Pick
	url, key      textinput.Model

	seq     int // of the listing that is waited for
	asking  bool
	listed  []string
	model   form.Pick // among those listed
	chosen  []string
	typed   string // the name of a model that is not listed
	unasked error  // why the server could not be asked
	err     error  // why the last thing did not work
}

// The messages by which commands answer. of is the screen that asked.
type (
	known struct {
		of      *Model
		servers []Server
		err     error
	}
	heard struct {
		of     *Model
		seq    int
		models []string
		err    error
	}
	failed struct {
		of  *Model
		err error
	}
)

// New makes the screen. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, deps: d, theme: d.Theme}
	m.url, m.key = d.Theme.Input("http://localhost:8000/v1"), d.Theme.Input("none: the server wants no key")
	return m
}

// Close ends what is under way.
func (m *Model) Close() { m.cancel() }

// Init reads which servers there are to begin with.
func (m *Model) Init() tea.Cmd {
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		s, err := source.Servers(ctx)
		return known{m, s, err}
	}
}

// Refresh has nothing to read again.
func (m *Model) Refresh() tea.Cmd { return nil }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.width, m.height = width, height }

// fields are the lines of the form as they stand.
func (m *Model) fields() []form.Field {
	return []form.Field{
		{Label: "server", Pick: &m.server, Then: m.fill},
		{Label: "address", Text: &m.url},
		{Label: "key is in", Text: &m.key},
	}
}

// Typing reports whether keys are text: they always may be.
func (m *Model) Typing() bool { return true }

// Back leaves one step.
func (m *Model) Back() bool {
	m.err = nil
	switch {
	case m.step == atServer && m.asking:
		m.seq, m.asking = m.seq+1, false
	case m.step == atModels && (m.model.Clear() || m.typed != ""):
		m.typed = ""
	case m.step == atModels:
		m.step = atServer
	default:
		return false
	}
	return true
}

// Update takes a message. Answers that were meant for another screen are not
// this one's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case known:
		if msg.of == m {
			m.take(msg)
		}
	case heard:
		if msg.of == m && msg.seq == m.seq {
			m.hear(msg)
		}
	case failed:
		if msg.of == m {
			m.step, m.err = atModels, msg.err
		}
	}
	return nil
}

func (m *Model) take(msg known) {
	m.servers, m.err = msg.servers, msg.err
	var names []string
	for _, s := range m.servers {
		names = append(names, s.Name)
	}
	m.server.SetNames(names)
	m.fill()
}

// fill puts what is known of the chosen server into the fields.
func (m *Model) fill() {
	for _, s := range m.servers {
		if s.Name == m.server.Value() {
			m.url.SetValue(s.URL)
			m.key.SetValue(s.KeyEnv)
		}
	}
}

// wanted is the server as it stands in the form.
func (m *Model) wanted() Server {
	return Server{Name: m.server.Value(), URL: value(&m.url), KeyEnv: value(&m.key)}
}

func value(in *textinput.Model) string { return strings.TrimSpace(widget.Line(in.Value())) }

// ask has the server list its models.
func (m *Model) ask() tea.Cmd {
	s := m.wanted()
	if m.err = nil; s.URL == "" {
		m.err = errors.New("the server needs an address")
		return nil
	}
	m.seq++
	m.asking = true
	ctx, source, seq := m.ctx, m.deps.Source, m.seq
	return func() tea.Msg {
		models, err := source.List(ctx, s)
		return heard{m, seq, models, err}
	}
}

func (m *Model) hear(msg heard) {
	m.asking, m.step, m.unasked = false, atModels, msg.err
	m.listed, m.chosen, m.typed = msg.models, nil, ""
	m.model.SetNames(m.listed)
	if len(m.listed) == 1 {
		m.chosen = slices.Clone(m.listed)
	}
}

// taken are the models to write down.
func (m *Model) taken() []string {
	out := slices.Clone(m.chosen)
	if name := strings.TrimSpace(m.typed); name != "" && !slices.Contains(out, name) {
		out = append(out, name)
	}
	return out
}

// write writes the models down; without a choice, the one under the cursor.
func (m *Model) write() tea.Cmd {
	models := m.taken()
	if len(models) == 0 && m.model.Value() != "" {
		models = []string{m.model.Value()}
	}
	if m.err = nil; len(models) == 0 {
		m.err = errors.New("type the name of a model, as the server calls it")
		return nil
	}
	m.step = atWork
	ctx, source, s := m.ctx, m.deps.Source, m.wanted()
	return func() tea.Msg {
		said, err := source.Write(ctx, s, models)
		if err != nil {
			return failed{m, err}
		}
		return Done{said}
	}
}

// press takes a key.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.step == atWork || m.asking:
		return nil
	case m.step == atModels:
		return m.pressModels(msg)
	}
	m.err = nil
	switch fields := m.fields(); {
	case msg.Type == tea.KeyEnter:
		return m.ask()
	case !form.Step(fields, &m.at, msg):
		fields[m.at].Press(msg)
	}
	return nil
}

func (m *Model) pressModels(msg tea.KeyMsg) tea.Cmd {
	m.err = nil
	switch {
	case msg.Type == tea.KeyEnter:
		return m.write()
	case len(m.listed) == 0:
		m.spelling().Press(msg)
	case msg.Type == tea.KeyUp:
		m.model.Move(-1)
	case msg.Type == tea.KeyDown:
		m.model.Move(1)
	case msg.Type == tea.KeySpace:
		m.chosen = form.Toggle(m.chosen, m.model.Value())
		m.model.Clear()
	case msg.Type == tea.KeyLeft, msg.Type == tea.KeyRight:
	default:
		m.model.Press(msg)
	}
	return nil
}

// spelling is where a model's name is typed that no list has.
func (m *Model) spelling() *form.Field { return &form.Field{Label: "model", Line: &m.typed, Most: 200} }

// keys are those of the list of models.
func keys() form.Keys {
	k := form.NewKeys().Starting("write it down")
	k.Fields.SetHelp("↑↓", "choose")
	k.Type.SetHelp("a-z", "a model's name")
	return k
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := keys()
	switch {
	case m.asking || m.step == atWork:
		return []key.Binding{widget.Bind("esc", "stop waiting", "esc")}
	case m.step == atModels && len(m.listed) == 0:
		return []key.Binding{k.Start, k.Type, k.Back}
	case m.step == atModels:
		return []key.Binding{k.Start, k.Toggle, k.Fields, k.Filter, k.Back}
	}
	k = form.NewKeys().Starting("list its models")
	return k.Of(&m.fields()[m.at])
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	list, k := form.NewKeys().Starting("list its models"), keys()
	return []widget.Group{
		{Title: "A server", Keys: []key.Binding{list.Start, list.Fields, list.Change}},
		{Title: "Its models", Keys: []key.Binding{k.Start, k.Toggle, k.Fields, k.Filter, k.Type, k.Back}},
	}
}

// Source asks servers and writes them down. Its methods are called beside the
// screen.
type Source interface {
	// Servers are those to begin with, the likeliest first.
	Servers(ctx context.Context) ([]Server, error)
	// List has a server list its models; that spends nothing.
	List(ctx context.Context, s Server) ([]string, error)
	// Write puts the server and the models into the configuration, and says
	// what was written where.
	Write(ctx context.Context, s Server, models []string) (said string, err error)
}

// Server is where models are served.
type Server struct {
	Name   string
	URL    string
	KeyEnv string // the variable that holds the key; "" for a server that wants none
}

// Done is the message that models were made known.
type Done struct{ Said string }

// Deps is what the screen is made of; all of it is needed.
type Deps struct {
	Theme  *widget.Theme
	Source Source
}
