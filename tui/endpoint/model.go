package endpoint

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// formStep is how far somebody has come.
type formStep uint8

const (
	atServer formStep = iota
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
	step          formStep
	at            int // of the fields
	servers       []Server
	server        form.NamePick
	url, key      textinput.Model

	seq     int // of the listing that is waited for
	asking  bool
	listed  []string
	model   form.NamePick // among those listed
	chosen  []string
	typed   string // the name of a model that is not listed
	unasked error  // why the server could not be asked
	err     error  // why the last thing did not work
}

// outcome takes what came of a command.
type outcome func()

// New makes the screen. It reads nothing yet.
func New(ctx context.Context, d Deps) *Model {
	ctx, cancel := context.WithCancel(ctx)
	m := &Model{ctx: ctx, cancel: cancel, deps: d, theme: d.Theme}
	m.url, m.key = d.Theme.NewLineField("http://localhost:8000/v1"), d.Theme.NewLineField("none: the server wants no key")
	return m
}

// Close ends what is under way.
func (m *Model) Close() { m.cancel() }

// Init reads which servers there are to begin with.
func (m *Model) Init() tea.Cmd {
	ctx, source := m.ctx, m.deps.Source
	return func() tea.Msg {
		s, err := source.ListServers(ctx)
		return outcome(func() { m.handleServers(s, err) })
	}
}

// Refresh has nothing to read again.
func (m *Model) Refresh() tea.Cmd { return nil }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) { m.width, m.height = width, height }

// formFields are the lines of the form as they stand.
func (m *Model) formFields() []form.Field {
	return []form.Field{
		{Label: "server", Pick: &m.server, Then: m.fillKnownFields},
		{Label: "address", Text: &m.url},
		{Label: "key is in", Text: &m.key},
	}
}

// IsTyping reports whether keys are text: they always may be.
func (m *Model) IsTyping() bool { return true }

// GoBack leaves one step.
func (m *Model) GoBack() bool {
	m.err = nil
	switch {
	case m.step == atServer && m.asking:
		m.seq, m.asking = m.seq+1, false
	case m.step == atModels && (m.model.ClearFilter() || m.typed != ""):
		m.typed = ""
	case m.step == atModels:
		m.step = atServer
	default:
		return false
	}
	return true
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handleKey(msg)
	case outcome:
		msg()
	}
	return nil
}

func (m *Model) handleServers(servers []Server, err error) {
	m.servers, m.err = servers, err
	names := eval.Map(m.servers, func(s Server) string { return s.Name })
	m.server.SetNames(names)
	m.fillKnownFields()
}

// fillKnownFields puts what is known of the chosen server into the fields.
func (m *Model) fillKnownFields() {
	for _, s := range m.servers {
		if s.Name == m.server.Value() {
			m.url.SetValue(s.URL)
			m.key.SetValue(s.KeyEnv)
		}
	}
}

// serverOfForm is the server as it stands in the form.
func (m *Model) serverOfForm() Server {
	return Server{Name: m.server.Value(), URL: inputValue(&m.url), KeyEnv: inputValue(&m.key)}
}

func inputValue(in *textinput.Model) string { return strings.TrimSpace(widget.CleanLine(in.Value())) }

// requestModelList has the server list its models.
func (m *Model) requestModelList() tea.Cmd {
	s := m.serverOfForm()
	if m.err = nil; s.URL == "" {
		m.err = errors.New("the server needs an address")
		return nil
	}
	m.seq++
	m.asking = true
	ctx, source, seq := m.ctx, m.deps.Source, m.seq
	return func() tea.Msg {
		models, err := source.ListModels(ctx, s)
		return outcome(func() {
			if seq == m.seq {
				m.handleModels(models, err)
			}
		})
	}
}

func (m *Model) handleModels(models []string, err error) {
	m.asking, m.step, m.unasked = false, atModels, err
	m.listed, m.chosen, m.typed = models, nil, ""
	m.model.SetNames(m.listed)
	if len(m.listed) == 1 {
		m.chosen = slices.Clone(m.listed)
	}
}

func (m *Model) chosenModels() []string {
	out := slices.Clone(m.chosen)
	if name := strings.TrimSpace(m.typed); name != "" && !slices.Contains(out, name) {
		out = append(out, name)
	}
	return out
}

// writeModelsToConfig writes the models down; without a choice, the one under the cursor.
func (m *Model) writeModelsToConfig() tea.Cmd {
	models := m.chosenModels()
	if len(models) == 0 && m.model.Value() != "" {
		models = []string{m.model.Value()}
	}
	if m.err = nil; len(models) == 0 {
		m.err = errors.New("type the name of a model, as the server calls it")
		return nil
	}
	m.step = atWork
	ctx, source, s := m.ctx, m.deps.Source, m.serverOfForm()
	return func() tea.Msg {
		said, err := source.AddServerToConfig(ctx, s, models)
		if err != nil {
			return outcome(func() { m.step, m.err = atModels, err })
		}
		return Done{said}
	}
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.step == atWork || m.asking:
		return nil
	case m.step == atModels:
		return m.handleModelKey(msg)
	}
	m.err = nil
	switch fields := m.formFields(); {
	case msg.Type == tea.KeyEnter:
		return m.requestModelList()
	case !form.StepField(fields, &m.at, msg):
		fields[m.at].HandleKey(msg)
	}
	return nil
}

func (m *Model) handleModelKey(msg tea.KeyMsg) tea.Cmd {
	m.err = nil
	switch {
	case msg.Type == tea.KeyEnter:
		return m.writeModelsToConfig()
	case len(m.listed) == 0:
		m.nameLine().HandleKey(msg)
	case msg.Type == tea.KeyUp:
		m.model.MoveChoice(-1)
	case msg.Type == tea.KeyDown:
		m.model.MoveChoice(1)
	case msg.Type == tea.KeySpace:
		m.chosen = form.ToggleName(m.chosen, m.model.Value())
		m.model.ClearFilter()
	case msg.Type == tea.KeyLeft, msg.Type == tea.KeyRight:
	default:
		m.model.HandleKey(msg)
	}
	return nil
}

// nameLine is where a model's name is typed that no list has.
func (m *Model) nameLine() *form.Field { return &form.Field{Label: "model", Line: &m.typed, Most: 200} }

// newKeys gives those of the list of models.
func newKeys() form.Keys {
	k := form.NewKeys().WithStartKey("write it down")
	k.Fields.SetHelp("↑↓", "choose")
	k.Type.SetHelp("a-z", "a model's name")
	return k
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	k := newKeys()
	switch {
	case m.asking || m.step == atWork:
		return []key.Binding{widget.NewBinding("esc", "stop waiting", "esc")}
	case m.step == atModels && len(m.listed) == 0:
		return []key.Binding{k.Start, k.Type, k.Back}
	case m.step == atModels:
		return []key.Binding{k.Start, k.Toggle, k.Fields, k.Filter, k.Back}
	}
	k = form.NewKeys().WithStartKey("list its models")
	return k.KeysOfField(&m.formFields()[m.at])
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	list, k := form.NewKeys().WithStartKey("list its models"), newKeys()
	return []widget.Group{
		{Title: "A server", Keys: []key.Binding{list.Start, list.Fields, list.Change}},
		{Title: "Its models", Keys: []key.Binding{k.Start, k.Toggle, k.Fields, k.Filter, k.Type, k.Back}},
	}
}

// Source asks servers and writes them down. Its methods are called beside the screen.
type Source interface {
	// ListServers are those to begin with, the likeliest first.
	ListServers(ctx context.Context) ([]Server, error)
	// ListModels has a server list its models; that spends nothing.
	ListModels(ctx context.Context, s Server) ([]string, error)
	// AddServerToConfig puts the server and the models into the configuration, and says what was written where.
	AddServerToConfig(ctx context.Context, s Server, models []string) (said string, err error)
}

// Server is where models are served.
type Server struct {
	Name, URL string
	KeyEnv    string // the variable that holds the key; "" for a server that wants none
}

// Done is the message that models were made known.
type Done struct{ Said string }

// Deps is what the screen is made of; all of it is needed.
type Deps struct {
	Theme  *widget.Theme
	Source Source
}
