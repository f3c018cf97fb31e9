package criteria

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// about names what a form is for, so that its text is there again.
func (m *Model) about(what string, i int) string {
	return fmt.Sprint(what, " ", m.dataset, " ", m.rows[i].Sample.Ordinal)
}

// say opens a form for one text, which an act on the sample in front needs.
func (m *Model) say(kind criteria.Kind, title, note, label, verb string, put func(*criteria.Act, string), then func(), told string) tea.Cmd {
	i, ok := m.front()
	if !ok {
		return nil
	}
	return m.ask(&form{
		title: title + " · sample " + widget.Line(string(m.rows[i].Sample.ID)), note: note, verb: verb,
		about: m.about(kind.String(), i), inputs: []input{textInput(label, "", 5)},
		submit: func(v []string) (tea.Cmd, error) {
			if err := m.attempt(i, kind, func(a *criteria.Act) { put(a, v[0]) }); err != nil {
				return nil, err
			}
			m.step(m.rows[i].Sample.Ordinal)
			if then != nil {
				then()
			}
			return notify(widget.Info, told), nil
		},
	})
}

func (m *Model) comment() tea.Cmd {
	return m.say(criteria.Commented, "Comment", "Everybody who works on the sample reads it; nothing changes by it.", "comment", "comment",
		func(a *criteria.Act, text string) { a.Text = text }, nil, "the comment stands under Review")
}

func (m *Model) request() tea.Cmd {
	given, o := m.given(m.page), m.page.sample
	return m.say(criteria.RequestedChanges, "Request changes",
		"Say what to change, so that its author can. Your answers to the checklist go with it.", "what to change", "request",
		func(a *criteria.Act, text string) { a.Text, a.Ticks = text, given.list() }, func() { delete(m.mark, o) }, "changes requested: it is its author's turn")
}

func (m *Model) discard() tea.Cmd {
	return m.say(criteria.Discarded, "Discard the sample",
		m.Keyed("It is left out of the public export and of the quota, and can be replaced ({+}). What was written stays; undo brings it back."), "why", "discard",
		func(a *criteria.Act, text string) { a.Reason = text }, nil, m.Keyed("discarded: {+} adds the sample that replaces it"))
}

// accept finds the criteria good, with the checklist as it is answered.
func (m *Model) accept() tea.Cmd { return m.judge(criteria.Accepted, "accepted") }

// verify confirms what was accepted, as an expert.
func (m *Model) verify() tea.Cmd { return m.judge(criteria.Verified, "verified") }

func (m *Model) judge(kind criteria.Kind, told string) tea.Cmd {
	p := m.page
	ok, cmd := m.do(p.at, kind, func(a *criteria.Act) { a.Ticks = m.given(p).list() })
	if ok {
		delete(m.mark, p.sample)
		cmd = notify(widget.Info, fmt.Sprintf("%s: sample %s", told, m.rows[p.at].Sample.ID))
	}
	return cmd
}

// handIn gives a draft to the review; criteria that were in review go there
// by a revision, which has a reason.
func (m *Model) handIn() tea.Cmd {
	i, ok := m.front()
	if !ok {
		return nil
	}
	set := &m.rows[i].Set
	if set.State == criteria.Unwritten || set.State == criteria.Draft {
		ok, cmd := m.do(i, criteria.Submitted, nil)
		if ok {
			cmd = notify(widget.Info, fmt.Sprintf("handed in: sample %s waits for somebody else's review", m.rows[i].Sample.ID))
		}
		return cmd
	}
	cs, note := set.Criteria(), "The criteria stay as they are: say why, in answer to what was requested."
	if set.Pending != nil {
		cs, note = set.Pending.Criteria, "Say what you changed and why: whoever reviews it reads this first."
	}
	return m.say(criteria.Revised, "Hand in the revision", note, "reason", "hand in",
		func(a *criteria.Act, text string) { a.Criteria, a.Reason = cs, text }, nil, "revised: it waits for review again")
}

const nobody = "nobody"

// assign gives the sample in front, or all unwritten ones of its group, to
// somebody to write.
func (m *Model) assign() tea.Cmd {
	i, path, ok := m.assignable()
	if !ok {
		return nil
	}
	var scopes []string
	if i >= 0 {
		scopes = append(scopes, "this sample")
	}
	for n := len(path); n > 0; n-- {
		scopes = append(scopes, "all that nobody has written of "+widget.Line(path[n-1]))
	}
	note := "An empty name takes the sample back from its writer."
	if len(m.list.people) > 0 {
		note += " Here so far: " + widget.Line(strings.Join(m.list.people, ", ")) + "."
	}
	f := &form{
		title: "Assign", note: note, verb: "assign", about: "assign",
		inputs: []input{textInput("who writes", "", 1), choiceInput("what", scopes...)},
	}
	f.submit = func(v []string) (tea.Cmd, error) {
		who := annotate.Annotator(widget.Line(v[0]))
		at := f.inputs[1].at
		if i >= 0 && at == 0 {
			return m.assigned([]int{i}, who)
		}
		if i >= 0 {
			at--
		}
		return m.assigned(m.unwritten(path[:len(path)-at], who), who)
	}
	return m.ask(f)
}

// assignable is the sample or the group under the cursor.
func (m *Model) assignable() (i int, path []string, ok bool) {
	if i, ok := m.front(); ok {
		return i, m.rows[i].Sample.Taxonomy, true
	}
	if l := &m.list; l.cursor.At < len(l.lines) {
		path := l.groups[l.lines[l.cursor.At].group].Path
		return -1, path, len(path) > 0
	}
	return -1, nil, false
}

// unwritten are the samples of a group that nobody has written, and that are
// not somebody's already.
func (m *Model) unwritten(path []string, who annotate.Annotator) []int {
	var out []int
	for _, i := range m.list.order {
		s := &m.rows[i].Set
		tax := m.rows[i].Sample.Taxonomy
		if s.Removed == nil && s.State == criteria.Unwritten && s.Assignee != who && (s.Assignee == "" || who == "") &&
			len(tax) >= len(path) && slices.Equal(tax[:len(path)], path) {
			out = append(out, i)
		}
	}
	return out
}

func (m *Model) assigned(rows []int, who annotate.Annotator) (tea.Cmd, error) {
	if len(rows) == 0 {
		return nil, errors.New("nothing there is without a writer: samples that are somebody's are assigned one by one")
	}
	name := string(who)
	if name == "" {
		name = nobody
	}
	var step []eval.Ordinal
	var last error
	for _, i := range rows {
		if err := m.attempt(i, criteria.Assigned, func(a *criteria.Act) { a.Assignee = who }); err != nil {
			last = err
			continue
		}
		step = append(step, m.rows[i].Sample.Ordinal)
	}
	if len(step) == 0 {
		return nil, last
	}
	m.step(step...)
	return notify(widget.Info, fmt.Sprintf("%s assigned to %s", widget.Plural(len(step), "sample"), widget.Line(name))), nil
}
