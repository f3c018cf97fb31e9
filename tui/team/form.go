package team

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/form"
	"concord/tui/widget"
)

// changeForm is what a change is made of that needs more than a key.
type changeForm struct {
	does       ChangeKind
	who        annotate.Annotator // who is changed; "": as it is typed
	was        annotate.Role
	at         int // of the fields
	name, line textinput.Model
	role       int // of roles
	err        error
}

// roles are those that can be given.
var roles = func() (out []string) {
	for r := annotate.RoleAnnotator; r <= annotate.RoleOwner; r++ {
		out = append(out, r.String())
	}
	return out
}()

// formFields are the lines of the form as they stand.
func (f *changeForm) formFields() []form.Field {
	name := form.Field{Label: "name", Text: &f.name}
	line := form.Field{Label: "public key", Text: &f.line}
	role := form.Field{Label: "role", Names: roles, At: &f.role}
	switch f.does {
	case Admit:
		return []form.Field{name, line, role}
	case AddKey:
		return []form.Field{line}
	case GiveRole, DropKey, ChangeUnset:
	}
	return []form.Field{role}
}

// longestKey is how many characters a key and its comment have at most.
const longestKey = 16 << 10

// openForm opens a form, as it was left where somebody left it.
func (m *Model) openForm(does ChangeKind) tea.Cmd {
	if m.history.busy {
		return widget.NotifyCmd(widget.Info, "the change before is being stored")
	}
	var who annotate.Annotator
	f := &changeForm{does: does, name: m.theme.NewLineField("as they are called in the project"), line: m.theme.NewLineField("ssh-ed25519 AAAA… as in ~/.ssh/id_ed25519.pub")}
	one := m.people.currentMember()
	switch does {
	case Admit:
		if one != nil && one.Role == annotate.RoleUnset {
			f.name.SetValue(string(one.Name))
		}
	case AddKey, GiveRole:
		who = one.Name
	case DropKey, ChangeUnset:
	}
	if kept := m.drafts[does]; kept != nil && kept.who == who {
		m.form = kept
		return nil
	}
	f.who, f.line.CharLimit = who, longestKey
	if who != "" {
		f.was = one.Role
		f.role = max(0, slices.Index(roles, one.Role.String()))
	}
	form.GoToField(f.formFields(), &f.at, 0)
	m.form = f
	return nil
}

func (m *Model) handleFormKey(msg tea.KeyMsg) tea.Cmd {
	f := m.form
	switch fields := f.formFields(); {
	case m.history.busy:
	case msg.Type == tea.KeyEnter:
		return m.submitForm()
	case !form.StepField(fields, &f.at, msg):
		f.err = nil
		fields[f.at].HandleKey(msg)
	}
	return nil
}

func (m *Model) submitForm() tea.Cmd {
	f := m.form
	c := Change{What: f.does, Who: f.who, Key: strings.TrimSpace(f.line.Value())}
	c.Role, _ = annotate.ParseRole(roles[f.role])
	f.err = nil
	switch f.does {
	case Admit:
		if c.Who = annotate.Annotator(strings.TrimSpace(f.name.Value())); c.Who == "" {
			f.err = errors.New("they need a name")
			return nil
		}
	case GiveRole:
		if c.Was = f.was; c.Role == f.was {
			f.err = errors.New("that is their role already")
			return nil
		}
		c.Key = ""
	case AddKey, DropKey, ChangeUnset:
	}
	if c.Key == "" && f.does != GiveRole {
		f.err = errors.New("paste their public key: one line, of a file whose name ends in .pub")
		return nil
	}
	return m.storeChange(c, forth)
}

func (f *changeForm) formKeys() []key.Binding {
	k := form.NewKeys().WithStartKey(map[ChangeKind]string{Admit: "add user", AddKey: "give the key", GiveRole: "give the role"}[f.does])
	k.Change.SetHelp("←→", "another role")
	k.Back.SetHelp("esc", "leave, keep it")
	return k.KeysOfField(&f.formFields()[f.at])
}

func (f *changeForm) drawForm(t *widget.Theme, width int, busy bool) []string {
	who := widget.CutWidth(widget.CleanLine(string(f.who)), max(8, width/2))
	title := map[ChangeKind]string{Admit: "Add user", AddKey: "A further key for " + who, GiveRole: "The role of " + who}[f.does]
	out := []string{t.DrawSection(title, "", true, width)}
	out = append(out, form.DrawFields(t, f.formFields(), f.at, width)...)
	say := func(style func(...string) string, text string) {
		out = append(out, form.WrapIndented(width, style, text)...)
	}
	out = append(out, "")
	switch {
	case f.err != nil:
		say(t.Bad.Render, "✗ "+f.err.Error())
	case busy:
		say(t.Accent.Render, "being stored…")
	default:
		say(t.Faint.Render, f.fieldHint())
	}
	if f.does == GiveRole && f.was == annotate.RoleNone {
		out = append(out, "")
		say(t.Faint.Render, "They have no access now. A role gives them access again, by the keys that they had.")
	}
	return out
}

func (f *changeForm) fieldHint() string {
	switch f.formFields()[f.at].Text {
	case &f.name:
		return "The name is kept with each of their labels and votes, and keeps their place in every queue. Somebody who has worked on this machine keeps both under the same name."
	case &f.line:
		return "The line of their public key, as ssh-keygen writes it into a file whose name ends in .pub. Never the private key, which has no such ending."
	}
	does := map[string]string{
		"annotator": "labels and votes", "curator": "labels, votes, writes guidelines and criteria, and curates pools",
		"adjudicator": "labels, votes, adjudicates disagreements, and reads reports", "owner": "does everything: runs, queues, people",
	}
	return fmt.Sprintf("Whoever is %s %s. It holds at once, also for who is on.", roles[f.role], does[roles[f.role]])
}

// changeDirection is which way a change goes.
type changeDirection uint8

const (
	wayUnset changeDirection = iota
	forth                    // somebody wants it
	back                     // it takes one back
	again                    // it does one again that was taken back
)

// handleChanged tells of a change that is stored, or why it is not.
func (m *Model) handleChanged(did Change, way changeDirection, done Done, err error) tea.Cmd {
	m.history.busy = false
	if err != nil {
		if m.form != nil && way == forth && m.form.does == did.What {
			m.form.err = err
			return nil
		}
		return widget.NotifyCmd(widget.Problem, err.Error())
	}
	said := done.Said
	switch way {
	case back:
		m.history.undone = append(m.history.undone, done.Back)
		said = "undone: " + said
	case forth, again, wayUnset:
		m.history.past = append(m.history.past, done.Back)
		if way == forth {
			m.history.undone = nil
		}
	}
	if m.form != nil && way == forth && m.form.does == did.What {
		m.drafts[did.What], m.form = nil, nil
		m.people.moveCursorTo(did.Who)
	}
	return tea.Batch(widget.NotifyCmd(widget.Info, said), m.readTeam())
}

func (m *Model) handleEnded(err error) tea.Cmd {
	if err != nil {
		return widget.NotifyCmd(widget.Problem, err.Error())
	}
	return tea.Batch(widget.NotifyCmd(widget.Info, "the session is ended; what was done in it is saved"), m.readTeam())
}

// changeHistory is the changes that were made here, each of which can be taken back.
type changeHistory struct {
	busy   bool     // a change is being stored
	past   []Change // each takes one of this page's changes back, the last one's first
	undone []Change // each does one again that was taken back
}

func (m *Model) storeChange(c Change, way changeDirection) tea.Cmd {
	if m.history.busy {
		return widget.NotifyCmd(widget.Info, "the change before is being stored")
	}
	m.history.busy = true
	ctx, source, by := m.ctx, m.deps.Source, m.deps.Who
	return func() tea.Msg {
		done, err := source.ChangeAccess(ctx, by, c)
		return outcome(func() tea.Cmd { return m.handleChanged(c, way, done, err) })
	}
}

// undoOrRedoChange does the last of some changes: it takes one back, or does it again.
func (m *Model) undoOrRedoChange(from *[]Change, way changeDirection) tea.Cmd {
	n := len(*from)
	if m.history.busy {
		return widget.NotifyCmd(widget.Info, "the change before is being stored")
	}
	c := (*from)[n-1]
	*from = (*from)[:n-1]
	return m.storeChange(c, way)
}
