package team

import (
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/form"
)

// field is a line of a form.
type field uint8

const (
	fieldName field = iota
	fieldKey
	fieldRole
)

// changeForm is what a change is made of that needs more than a key.
type changeForm struct {
	does   ChangeKind
	who    annotate.Annotator // who is changed; "": as it is typed
	was    annotate.Role
	fields []field
	at     int
	name   textinput.Model
	line   textinput.Model
	roles  []string
	role   int
	err    error
}

// longestKey is how many characters a key and its comment have at most.
const longestKey = 16 << 10

// open opens a form, as it was left where somebody left it.
func (m *Model) open(does ChangeKind) tea.Cmd {
	if m.history.busy {
		return tell("the change before is being stored")
	}
	var who annotate.Annotator
	f := &changeForm{does: does, name: m.theme.Input("as they are called in the project"), line: m.theme.Input("ssh-ed25519 AAAA… as in ~/.ssh/id_ed25519.pub")}
	one := m.people.one()
	switch does {
	case Admit:
		f.fields = []field{fieldName, fieldKey, fieldRole}
		if one != nil && one.Role == annotate.RoleUnset {
			f.name.SetValue(string(one.Name))
		}
	case AddKey:
		f.fields, who = []field{fieldKey}, one.Name
	case GiveRole:
		f.fields, who = []field{fieldRole}, one.Name
	case DropKey, ChangeUnset:
	}
	if kept := m.drafts[does]; kept != nil && kept.who == who {
		m.form = kept
		kept.fit(m.people.width)
		return nil
	}
	for r := annotate.RoleAnnotator; r <= annotate.RoleOwner; r++ {
		f.roles = append(f.roles, r.String())
	}
	f.who, f.line.CharLimit = who, longestKey
	if who != "" {
		f.was = one.Role
		f.role = max(0, slices.Index(f.roles, one.Role.String()))
	}
	f.fit(m.people.width)
	f.focus()
	m.form = f
	return nil
}

// fit gives the fields the width that they are shown in.
func (f *changeForm) fit(width int) {
	w := max(8, width-form.LabelWidth-4)
	f.name.Width, f.line.Width = w, w
}

func (f *changeForm) focus() {
	f.name.Blur()
	f.line.Blur()
	switch f.fields[f.at] {
	case fieldName:
		f.name.Focus()
	case fieldKey:
		f.line.Focus()
	case fieldRole:
	}
}

func (m *Model) pressForm(msg tea.KeyMsg) tea.Cmd {
	f := m.form
	if m.history.busy {
		return nil
	}
	n := len(f.fields)
	switch msg.Type {
	case tea.KeyEnter:
		return m.submit()
	case tea.KeyUp, tea.KeyShiftTab:
		f.at = (f.at + n - 1) % n
		f.focus()
		return nil
	case tea.KeyDown, tea.KeyTab:
		f.at = (f.at + 1) % n
		f.focus()
		return nil
	default:
	}
	f.err = nil
	var cmd tea.Cmd
	switch f.fields[f.at] {
	case fieldName:
		f.name, cmd = f.name.Update(msg)
	case fieldKey:
		f.line, cmd = f.line.Update(msg)
	case fieldRole:
		form.Turn(&f.role, f.roles, msg)
	}
	return cmd
}

// submit has what the form says done.
func (m *Model) submit() tea.Cmd {
	f := m.form
	c := Change{What: f.does, Who: f.who, Key: strings.TrimSpace(f.line.Value())}
	c.Role, _ = annotate.ParseRole(f.roles[f.role])
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
	if c.Key == "" && slices.Contains(f.fields, fieldKey) {
		f.err = errors.New("paste their public key: one line, of a file whose name ends in .pub")
		return nil
	}
	return m.history.change(c)
}

// keys are those of the form.
func (f *changeForm) keys(k *keys) []key.Binding {
	enter := k.enter
	enter.SetHelp("enter", map[ChangeKind]string{Admit: "add user", AddKey: "give the key", GiveRole: "give the role"}[f.does])
	out := []key.Binding{enter}
	if f.fields[f.at] == fieldRole {
		out = append(out, k.turn)
	}
	if len(f.fields) > 1 {
		out = append(out, k.fields)
	}
	return append(out, k.leave)
}
