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

// keyAction is one thing that keys do. Footer, help page and handling all come
// from the table of these.
type keyAction struct {
	group  string
	places keyPlace
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

func ignoreKey(f func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m) }
}

// whyMayNot is why the person cannot do an act of a kind on the sample in front.
func whyMayNot(kind criteria.Kind) func(*Model) string {
	return func(m *Model) string {
		i, ok := m.frontRow()
		if !ok {
			return "no sample is selected"
		}
		return m.whyRefused(i, kind)
	}
}

// whyNoSubmit is why there is nothing to hand in. What was in review goes there
// again by a revision.
func whyNoSubmit(m *Model) string {
	i, ok := m.frontRow()
	if !ok || m.rows[i].Set.State <= criteria.Draft {
		return whyMayNot(criteria.Submitted)(m)
	}
	set := &m.rows[i].Set
	if set.Pending == nil && set.State != criteria.ChangesRequested && set.Removed == nil {
		return m.SpellText("nothing was changed since it was submitted: {e} writes a revision")
	}
	return whyMayNot(criteria.Drafted)(m)
}

func whyNoReplace(m *Model) string { return whyMayNot(criteria.Replaced)(m) }

// actionTable is the table of all keys of the screen but those of texts.
func actionTable() []keyAction {
	setType := func(t eval.QuestionType) func(*Model, string) tea.Cmd {
		return func(m *Model, _ string) tea.Cmd { return setType(m, t) }
	}
	digits := []string{"1", "2", "3", "4", "5", "6"}
	bind := widget.NewBinding
	return []keyAction{
		{groupList, onShelf, keymap.Criteria.BindAction("open"), 1, nil, ignoreKey((*Model).openChosen)},
		{groupMove, anywhere, keymap.CriteriaPage.BindAction("next_unlabeled"), 2, nil, ignoreKey(showNext)},
		{groupList, onList, keymap.Criteria.BindAction("open"), 1, nil, ignoreKey(openOrToggle)},

		{groupWrite, anywhere, keymap.CriteriaPage.BindAction("edit"), 1, whyMayNot(criteria.Drafted), ignoreKey(openEditor)},
		{groupWrite, anywhere, keymap.CriteriaPage.BindAction("hand_in"), 3, whyNoSubmit, ignoreKey(submitForReview)},

		{groupReview, onReview, bind("1-6", "checklist", digits...), 1, nil, func(m *Model, k string) tea.Cmd { return m.reader.tickPoint(k) }},
		{groupReview, onReview, keymap.CriteriaPage.BindAction("accept"), 1, whyMayNot(criteria.Accepted), ignoreKey(acceptCriteria)},
		{groupReview, onReview, keymap.CriteriaPage.BindAction("request_changes"), 1, whyMayNot(criteria.RequestedChanges), ignoreKey(openRequestForm)},
		{groupReview, onReview, keymap.CriteriaPage.BindAction("verify"), 2, whyMayNot(criteria.Verified), ignoreKey(verifyCriteria)},
		{groupReview, onSample, keymap.CriteriaPage.BindAction("comment"), 5, whyMayNot(criteria.Commented), ignoreKey(openCommentForm)},

		{groupSample, anywhere, keymap.CriteriaPage.BindAction("open_ended"), 0, whyMayNot(criteria.TypeSet), setType(eval.OpenEnded)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("closed_ended"), 0, whyMayNot(criteria.TypeSet), setType(eval.ClosedEnded)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("compound"), 0, whyMayNot(criteria.TypeSet), setType(eval.Compound)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("assign"), 5, nil, ignoreKey(openAssignForm)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("discard"), 0, whyMayNot(criteria.Discarded), ignoreKey(openDiscardForm)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("replace"), 1, whyNoReplace, ignoreKey(openReplaceForm)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("undo"), 4, whyNoUndo, ignoreKey(undo)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("redo"), 0, whyNoRedo, ignoreKey(redo)},
		{groupSample, anywhere, keymap.CriteriaPage.BindAction("save_again"), 1, (*Model).whyNoFailure, ignoreKey((*Model).saveAgain)},

		{groupMove, onSample, keymap.CriteriaPage.BindAction("other"), 2, nil, func(m *Model, _ string) tea.Cmd { return m.reader.turnPart(1) }},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("other_back"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.reader.turnPart(-1) }},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("guideline"), 0, nil, ignoreKey(func(m *Model) tea.Cmd { return m.reader.toggleGuideline() })},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("previous"), 0, nil, func(m *Model, _ string) tea.Cmd { return openBeside(m, -1) }},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("next"), 0, nil, func(m *Model, _ string) tea.Cmd { return openBeside(m, 1) }},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("older"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.reader.showRevision(-1) }},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("newer"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.reader.showRevision(1) }},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("zoom"), 3, func(m *Model) string { return m.reader.whyNoPicture() }, ignoreKey(func(m *Model) tea.Cmd { return m.reader.zoomPicture() })},
		{groupMove, onSample, keymap.CriteriaPage.BindAction("next_image"), 3, func(m *Model) string { return m.reader.whyNoOtherPicture() }, ignoreKey(func(m *Model) tea.Cmd { return m.reader.nextPicture() })},

		{groupList, onList, keymap.Criteria.BindAction("filter"), 3, nil, ignoreKey(func(m *Model) tea.Cmd { return m.browser.startFilter() })},
		{groupList, onList, keymap.Criteria.BindAction("next_state"), 5, nil, func(m *Model, _ string) tea.Cmd { return m.browser.nextStateFilter(1) }},
		{groupList, onList, keymap.Criteria.BindAction("previous_state"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.browser.nextStateFilter(-1) }},
		{groupList, onList, keymap.Criteria.BindAction("whose"), 5, nil, ignoreKey(func(m *Model) tea.Cmd { return m.browser.nextOwnerFilter() })},
		{groupList, onList, keymap.Criteria.BindAction("fold"), 0, nil, ignoreKey(func(m *Model) tea.Cmd { return m.browser.toggleGroup() })},
		{groupList, onList, keymap.Criteria.BindAction("fold_all"), 0, nil, ignoreKey(func(m *Model) tea.Cmd { return m.browser.foldAll() })},
		{groupList, onList, keymap.Criteria.BindAction("refresh"), 0, nil, ignoreKey((*Model).rereadDataset)},
		{groupList, onList, keymap.Criteria.BindAction("datasets"), 0, nil, ignoreKey(func(m *Model) tea.Cmd { return m.browser.showDatasets() })},
	}
}

// handleKey takes a key.
func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !msg.Alt && m.IsTyping():
		return insertLetters(m, msg.Runes)
	case m.who == "":
		name, cmd := m.name.HandleKey(msg)
		if name != "" {
			return widget.SendCmd(Named{annotate.Annotator(name)})
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
	here, name := m.reader.currentPlace(), msg.String()
	if cmd, ok := m.reader.handlePictureKey(name); ok {
		return cmd
	}
	for i := range m.table {
		a := &m.table[i]
		if a.places&here == 0 || !slices.Contains(a.bind.Keys(), name) {
			continue
		}
		if a.why != nil {
			if why := a.why(m); why != "" {
				return widget.NotifyCmd(widget.Info, why)
			}
		}
		return a.do(m, name)
	}
	if here == onPage && hasOwnMeaning(m, name) {
		return widget.NotifyCmd(widget.Info, m.SpellText("the checklist and what is decided by it are under Review: {tab} goes there"))
	}
	return scrollCursor(m, msg)
}

// hasOwnMeaning reports whether a key has a meaning beside the checklist only.
func hasOwnMeaning(m *Model, name string) bool {
	return slices.ContainsFunc(m.table, func(a keyAction) bool {
		return a.places == onReview && slices.Contains(a.bind.Keys(), name)
	})
}

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.who == "":
		return m.name.Bindings()
	case m.asker.form != nil:
		return m.asker.form.keyBindings()
	case m.reader.page != nil && m.reader.page.editor != nil:
		return editKeys()
	case m.browser.list.filter.Typing():
		return widget.FilterKeys()
	}
	if m.reader.isFull() {
		out := append(widget.LookKeys(true), keymap.CriteriaPage.BindJoined("back to the text", "zoom"))
		if m.reader.whyNoOtherPicture() == "" {
			out = append(out, keymap.CriteriaPage.BindAction("next_image"))
		}
		return out
	}
	var shown []*keyAction
	for i := range m.table {
		a := &m.table[i]
		if a.foot > 0 && a.places&m.reader.currentPlace() != 0 && (a.why == nil || a.why(m) == "") {
			shown = append(shown, a)
		}
	}
	slices.SortStableFunc(shown, func(a, b *keyAction) int { return cmp.Compare(a.foot, b.foot) })
	out := make([]key.Binding, len(shown))
	for i, a := range shown {
		out[i] = a.bind
	}
	if m.reader.currentPlace() == onSample&^onReview || m.reader.currentPlace() == onReview {
		out = append(out, widget.NewBinding("esc", "list", "esc"))
	}
	return out
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	var out []widget.Group
	for _, title := range []string{groupWrite, groupReview, groupSample, groupMove, groupList} {
		g := widget.Group{Title: title}
		for i := range m.table {
			a := &m.table[i]
			if a.group != title || a.places == onShelf {
				continue
			}
			g.Keys = append(g.Keys, m.enabledBinding(a))
		}
		out = append(out, g)
	}
	return append(out, widget.Group{Title: "While you write", Keys: editKeys()},
		widget.Group{Title: "The image on the whole screen", Keys: widget.LookKeys(m.reader.isFull())})
}

// describePlace says where actions are that are not here.
func (p keyPlace) describePlace() string {
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

// enabledBinding is an action's binding, with why it cannot be done.
func (m *Model) enabledBinding(a *keyAction) key.Binding {
	switch {
	case a.places&m.reader.currentPlace() == 0:
		return widget.EnableBinding(a.bind, a.places.describePlace())
	case a.why == nil:
		return a.bind
	}
	return widget.EnableBinding(a.bind, a.why(m))
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool {
	return m.who == "" || m.asker.form != nil || m.reader.page != nil && m.reader.page.editor != nil || m.browser.list.filter.Typing()
}

// IsDeep reports whether one sample takes the whole screen.
func (m *Model) IsDeep() bool { return m.reader.page != nil }
