package criteria

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// action is one thing that keys do. Footer, help page and handling all come
// from the table of these.
type action struct {
	group  string
	places place
	bind   key.Binding
	foot   int                   // its place in the footer, from 1; 0: not there
	why    func(m *Model) string // why it cannot be done now; "" when it can
	do     func(m *Model, key string) tea.Cmd
}

const (
	groupWrite  = "Write"
	groupReview = "Review"
	groupSample = "The sample"
	groupMove   = "Move"
	groupList   = "The list"
)

func plain(f func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m) }
}

// may is why the person cannot do an act of a kind on the sample in front.
func may(kind criteria.Kind) func(*Model) string {
	return func(m *Model) string {
		i, ok := m.front()
		if !ok {
			return "no sample is selected"
		}
		return m.refusal(i, kind)
	}
}

// noHandIn is why there is nothing to hand in. What was in review goes there
// again by a revision.
func noHandIn(m *Model) string {
	i, ok := m.front()
	if !ok || m.rows[i].Set.State <= criteria.Draft {
		return may(criteria.Submitted)(m)
	}
	set := &m.rows[i].Set
	if set.Pending == nil && set.State != criteria.ChangesRequested && set.Removed == nil {
		return m.Keyed("nothing was changed since it was submitted: {e} writes a revision")
	}
	return may(criteria.Drafted)(m)
}

func noReplace(m *Model) string { return may(criteria.Replaced)(m) }

// actions is the table of all keys of the screen but those of texts.
func actions() []action {
	setType := func(t eval.QuestionType) func(*Model, string) tea.Cmd {
		return func(m *Model, _ string) tea.Cmd { return setType(m, t) }
	}
	digits := []string{"1", "2", "3", "4", "5", "6"}
	bind := widget.Bind
	return []action{
		{groupList, onShelf, keymap.Criteria.Bind("open"), 1, nil, plain((*Model).choose)},
		{groupMove, anywhere, keymap.CriteriaPage.Bind("next_unlabeled"), 2, nil, plain(next)},
		{groupList, onList, keymap.Criteria.Bind("open"), 1, nil, plain(enter)},

		{groupWrite, anywhere, keymap.CriteriaPage.Bind("edit"), 1, may(criteria.Drafted), plain(edit)},
		{groupWrite, anywhere, keymap.CriteriaPage.Bind("hand_in"), 3, noHandIn, plain(handIn)},

		{groupReview, onReview, bind("1-6", "checklist", digits...), 1, nil, func(m *Model, k string) tea.Cmd { return m.reader.answer(k) }},
		{groupReview, onReview, keymap.CriteriaPage.Bind("accept"), 1, may(criteria.Accepted), plain(accept)},
		{groupReview, onReview, keymap.CriteriaPage.Bind("request_changes"), 1, may(criteria.RequestedChanges), plain(request)},
		{groupReview, onReview, keymap.CriteriaPage.Bind("verify"), 2, may(criteria.Verified), plain(verify)},
		{groupReview, onSample, keymap.CriteriaPage.Bind("comment"), 5, may(criteria.Commented), plain(comment)},

		{groupSample, anywhere, keymap.CriteriaPage.Bind("open_ended"), 0, may(criteria.TypeSet), setType(eval.OpenEnded)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("closed_ended"), 0, may(criteria.TypeSet), setType(eval.ClosedEnded)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("compound"), 0, may(criteria.TypeSet), setType(eval.Compound)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("assign"), 5, nil, plain(assign)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("discard"), 0, may(criteria.Discarded), plain(discard)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("replace"), 1, noReplace, plain(replace)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("undo"), 4, noUndo, plain(undo)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("redo"), 0, noRedo, plain(redo)},
		{groupSample, anywhere, keymap.CriteriaPage.Bind("save_again"), 1, (*Model).noFailure, plain((*Model).saveAgain)},

		{groupMove, onSample, keymap.CriteriaPage.Bind("other"), 2, nil, func(m *Model, _ string) tea.Cmd { return m.reader.turn(1) }},
		{groupMove, onSample, keymap.CriteriaPage.Bind("other_back"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.reader.turn(-1) }},
		{groupMove, onSample, keymap.CriteriaPage.Bind("guideline"), 0, nil, plain(func(m *Model) tea.Cmd { return m.reader.guideline() })},
		{groupMove, onSample, keymap.CriteriaPage.Bind("previous"), 0, nil, func(m *Model, _ string) tea.Cmd { return beside(m, -1) }},
		{groupMove, onSample, keymap.CriteriaPage.Bind("next"), 0, nil, func(m *Model, _ string) tea.Cmd { return beside(m, 1) }},
		{groupMove, onSample, keymap.CriteriaPage.Bind("older"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.reader.older(-1) }},
		{groupMove, onSample, keymap.CriteriaPage.Bind("newer"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.reader.older(1) }},
		{groupMove, onSample, keymap.CriteriaPage.Bind("zoom"), 3, func(m *Model) string { return m.reader.noPicture() }, plain(func(m *Model) tea.Cmd { return m.reader.zoom() })},
		{groupMove, onSample, keymap.CriteriaPage.Bind("next_image"), 3, func(m *Model) string { return m.reader.noOtherPicture() }, plain(func(m *Model) tea.Cmd { return m.reader.another() })},

		{groupList, onList, keymap.Criteria.Bind("filter"), 3, nil, plain(func(m *Model) tea.Cmd { return m.browser.startFilter() })},
		{groupList, onList, keymap.Criteria.Bind("next_state"), 5, nil, func(m *Model, _ string) tea.Cmd { return m.browser.narrow(1) }},
		{groupList, onList, keymap.Criteria.Bind("previous_state"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.browser.narrow(-1) }},
		{groupList, onList, keymap.Criteria.Bind("whose"), 5, nil, plain(func(m *Model) tea.Cmd { return m.browser.turnWhose() })},
		{groupList, onList, keymap.Criteria.Bind("fold"), 0, nil, plain(func(m *Model) tea.Cmd { return m.browser.fold() })},
		{groupList, onList, keymap.Criteria.Bind("fold_all"), 0, nil, plain(func(m *Model) tea.Cmd { return m.browser.foldAll() })},
		{groupList, onList, keymap.Criteria.Bind("refresh"), 0, nil, plain((*Model).again)},
		{groupList, onList, keymap.Criteria.Bind("datasets"), 0, nil, plain(func(m *Model) tea.Cmd { return m.browser.toShelf() })},
	}
}

// press takes a key.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !msg.Alt && m.Typing():
		return insert(m, msg.Runes)
	case m.who == "":
		name, cmd := m.name.Press(msg)
		if name != "" {
			return widget.Send(Named{annotate.Annotator(name)})
		}
		return cmd
	case m.asker.form != nil:
		return m.asker.pressForm(msg)
	case m.reader.page != nil && m.reader.page.editor != nil:
		return pressEditor(m, msg)
	case m.browser.list.filter.Typing():
		return m.browser.pressFilter(msg)
	case msg.Paste:
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	here, name := m.reader.here(), msg.String()
	if cmd, ok := m.reader.look(name); ok {
		return cmd
	}
	for i := range m.table {
		a := &m.table[i]
		if a.places&here == 0 || !slices.Contains(a.bind.Keys(), name) {
			continue
		}
		if a.why != nil {
			if why := a.why(m); why != "" {
				return widget.Tell(widget.Info, why)
			}
		}
		return a.do(m, name)
	}
	if here == onPage && decides(m, name) {
		return widget.Tell(widget.Info, m.Keyed("the checklist and what is decided by it are under Review: {tab} goes there"))
	}
	return scroll(m, msg)
}

// decides reports whether a key has a meaning beside the checklist only.
func decides(m *Model, name string) bool {
	return slices.ContainsFunc(m.table, func(a action) bool {
		return a.places == onReview && slices.Contains(a.bind.Keys(), name)
	})
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.who == "":
		return m.name.Keys()
	case m.asker.form != nil:
		return m.asker.form.keys()
	case m.reader.page != nil && m.reader.page.editor != nil:
		return editKeys()
	case m.browser.list.filter.Typing():
		return widget.FilterKeys()
	}
	if m.reader.looking() {
		out := append(widget.LookKeys(true), keymap.CriteriaPage.Join("back to the text", "zoom"))
		if m.reader.noOtherPicture() == "" {
			out = append(out, keymap.CriteriaPage.Bind("next_image"))
		}
		return out
	}
	var shown []*action
	for i := range m.table {
		a := &m.table[i]
		if a.foot > 0 && a.places&m.reader.here() != 0 && (a.why == nil || a.why(m) == "") {
			shown = append(shown, a)
		}
	}
	slices.SortStableFunc(shown, func(a, b *action) int { return cmp.Compare(a.foot, b.foot) })
	out := make([]key.Binding, len(shown))
	for i, a := range shown {
		out[i] = a.bind
	}
	if m.reader.here() == onSample&^onReview || m.reader.here() == onReview {
		out = append(out, widget.Bind("esc", "list", "esc"))
	}
	return out
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	var out []widget.Group
	for _, title := range []string{groupWrite, groupReview, groupSample, groupMove, groupList} {
		g := widget.Group{Title: title}
		for i := range m.table {
			a := &m.table[i]
			if a.group != title || a.places == onShelf {
				continue
			}
			g.Keys = append(g.Keys, m.able(a))
		}
		out = append(out, g)
	}
	return append(out, widget.Group{Title: "While you write", Keys: editKeys()},
		widget.Group{Title: "The image on the whole screen", Keys: widget.LookKeys(m.reader.looking())})
}

// elsewhere says where actions are that are not here.
func (p place) elsewhere() string {
	switch {
	case p == onReview:
		return "it is for the checklist of a review"
	case p&onPage != 0:
		return "it is for the page of a sample"
	case p&onList != 0:
		return "it is for the list of samples"
	}
	return "it is for the list of datasets"
}

// able is an action's binding, with why it cannot be done.
func (m *Model) able(a *action) key.Binding {
	switch {
	case a.places&m.reader.here() == 0:
		return widget.Able(a.bind, a.places.elsewhere())
	case a.why == nil:
		return a.bind
	}
	return widget.Able(a.bind, a.why(m))
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool {
	return m.who == "" || m.asker.form != nil || m.reader.page != nil && m.reader.page.editor != nil || m.browser.list.filter.Typing()
}

// Deep reports whether one sample takes the whole screen.
func (m *Model) Deep() bool { return m.reader.page != nil }
