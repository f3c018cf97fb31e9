package team

import (
	"fmt"

	"concord/annotate"
	"concord/tui/form"
	"concord/tui/widget"
)

// lines draws the form.
func (f *changeForm) lines(t *widget.Theme, width int, busy bool) []string {
	who := widget.Cut(widget.Line(string(f.who)), max(8, width/2))
	title := map[ChangeKind]string{Admit: "Add user", AddKey: "A further key for " + who, GiveRole: "The role of " + who}[f.does]
	out := []string{t.Section(title, "", true, width)}
	for i, one := range f.fields {
		out = append(out, form.Entry(t, one.String(), "", i == f.at, width, func(w int) string {
			switch one {
			case fieldName:
				return f.name.View()
			case fieldKey:
				return f.line.View()
			case fieldRole:
			}
			return widget.Cut(form.Segments(t, f.roles, f.role, i == f.at), w)
		}))
	}
	say := func(style func(...string) string, text string) {
		for _, l := range widget.Wrap(text, max(1, min(width-4, 90))) {
			out = append(out, widget.Cut("  "+style(l), width))
		}
	}
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

// String is what a field is called.
func (f field) String() string { return [...]string{"name", "public key", "role"}[f] }

// hint is what the field in front is for.
func (f *changeForm) hint() string {
	switch f.fields[f.at] {
	case fieldName:
		return "The name is kept with each of their labels and votes, and keeps their place in every queue. Somebody who has worked on this machine keeps both under the same name."
	case fieldKey:
		return "The line of their public key, as ssh-keygen writes it into a file whose name ends in .pub. Never the private key, which has no such ending."
	case fieldRole:
	}
	does := map[string]string{
		"annotator": "labels and votes", "curator": "labels, votes, writes guidelines and criteria, and curates pools",
		"adjudicator": "labels, votes, adjudicates disagreements, and reads reports", "owner": "does everything: runs, queues, people",
	}
	return fmt.Sprintf("Whoever is %s %s. It holds at once, also for who is on.", f.roles[f.role], does[f.roles[f.role]])
}
