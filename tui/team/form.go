package team

import (
	"context"
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
	does ChangeKind
	who  annotate.Annotator // who is changed; "": as it is typed
	was  annotate.Role
	at   int // of the fields
	name textinput.Model
	line textinput.Model
	role int // of roles
	err  error
}

// roles are those that can be given.
var roles = func() (out []string) {
	for r := annotate.RoleAnnotator; r <= annotate.RoleOwner; r++ {
		out = append(out, r.String())
	}
	return out
}()

// fields are the lines of the form as they stand.
func (f *changeForm) fields() []form.Field {
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
	form.Go(f.fields(), &f.at, 0)
	m.form = f
	return nil
}

func (m *Model) pressForm(msg tea.KeyMsg) tea.Cmd {
	f := m.form
	switch fields := f.fields(); {
	case m.history.busy:
	case msg.Type == tea.KeyEnter:
		return m.submit()
	case !form.Step(fields, &f.at, msg):
		f.err = nil
		fields[f.at].Press(msg)
	}
	return nil
}

// submit has what the form says done.
func (m *Model) submit() tea.Cmd {
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
	return m.history.change(c)
}

// keys are those of the form.
func (f *changeForm) keys() []key.Binding {
	k := form.NewKeys().Starting(map[ChangeKind]string{Admit: "add user", AddKey: "give the key", GiveRole: "give the role"}[f.does])
	k.Change.SetHelp("←→", "another role")
	k.Back.SetHelp("esc", "leave, keep it")
	return k.Of(&f.fields()[f.at])
}

// lines draws the form.
func (f *changeForm) lines(t *widget.Theme, width int, busy bool) []string {
	who := widget.Cut(widget.Line(string(f.who)), max(8, width/2))
	title := map[ChangeKind]string{Admit: "Add user", AddKey: "A further key for " + who, GiveRole: "The role of " + who}[f.does]
	out := []string{t.Section(title, "", true, width)}
	out = append(out, form.Lines(t, f.fields(), f.at, width)...)
	say := func(style func(...string) string, text string) { out = append(out, form.Say(width, style, text)...) }
	out = append(out, "")
	switch {
	case f.err != nil:
		say(t.Bad.Render, "✗ "+f.err.Error())
	case busy:
		say(t.Accent.Render, "being stored…")
	default:
		say(t.Faint.Render, f.hint())
	}
	if f.does == GiveRole && f.was == annotate.RoleNone {
		out = append(out, "")
		say(t.Faint.Render, "They have no access now. A role gives them access again, by the keys that they had.")
	}
	return out
}

// hint is what the field in front is for.
func (f *changeForm) hint() string {
	switch f.fields()[f.at].Text {
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

// way is which way a change goes.
type way uint8

const (
	wayUnset way = iota
	forth        // somebody wants it
	back         // it takes one back
	again        // it does one again that was taken back
)

type (
	// changed is what a change came to.
	changed struct {
		of   *history
		did  Change
		way  way
		done Done
		err  error
	}
	// ended is that a session was ended, or why not.
	ended struct {
		of  *Model
		err error
	}
)

// changed tells of a change that is stored, or why it is not.
func (m *Model) changed(msg changed) tea.Cmd {
	m.history.busy = false
	if msg.err != nil {
		if m.form != nil && msg.way == forth && m.form.does == msg.did.What {
			m.form.err = msg.err
			return nil
		}
		return trouble(msg.err)
	}
	said := msg.done.Said
	switch msg.way {
	case back:
		m.history.undone = append(m.history.undone, msg.done.Back)
		said = "undone: " + said
	case forth, again, wayUnset:
		m.history.past = append(m.history.past, msg.done.Back)
		if msg.way == forth {
			m.history.undone = nil
		}
	}
	if m.form != nil && msg.way == forth && m.form.does == msg.did.What {
		m.drafts[msg.did.What], m.form = nil, nil
		m.people.seek(msg.did.Who)
	}
	return tea.Batch(tell(said), m.read())
}

// ended tells of a session that was ended.
func (m *Model) ended(msg ended) tea.Cmd {
	if msg.err != nil {
		return trouble(msg.err)
	}
	return tea.Batch(tell("the session is ended; what was done in it is saved"), m.read())
}

// history is the changes that were made here, each of which can be taken back.
type history struct {
	ctx    context.Context // of the app: what is being stored when the page is left is stored
	source Source
	who    annotate.Annotator // makes the changes
	busy   bool               // a change is being stored
	past   []Change           // each takes one of this page's changes back, the last one's first
	undone []Change           // each does one again that was taken back
}

// change has a change stored.
func (h *history) change(c Change) tea.Cmd { return h.store(c, forth) }

func (h *history) store(c Change, w way) tea.Cmd {
	if h.busy {
		return tell("the change before is being stored")
	}
	h.busy = true
	ctx, source, by := h.ctx, h.source, h.who
	return func() tea.Msg {
		done, err := source.Change(ctx, by, c)
		return changed{h, c, w, done, err}
	}
}

// undo takes the last change back.
func (h *history) undo() tea.Cmd { return h.pop(&h.past, back, nothingChanged) }

// redo does again what was taken back last.
func (h *history) redo() tea.Cmd { return h.pop(&h.undone, again, nothingUndone) }

func (h *history) pop(from *[]Change, w way, none string) tea.Cmd {
	n := len(*from)
	switch {
	case n == 0:
		return tell(none)
	case h.busy:
		return tell("the change before is being stored")
	}
	c := (*from)[n-1]
	*from = (*from)[:n-1]
	return h.store(c, w)
}
