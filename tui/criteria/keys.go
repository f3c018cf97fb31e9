package criteria

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/widget"
)

const (
	groupWrite  = "Write"
	groupReview = "Review"
	groupSample = "The sample"
	groupMove   = "Move"
	groupList   = "The list"
)

// makeWhyNotAllowed is why the person cannot do an act of a kind on the sample in front.
func makeWhyNotAllowed(m *Model, kind criteria.Kind) func() string {
	return func() string {
		i, ok := m.frontRow()
		if !ok {
			return "no sample is selected"
		}
		return m.whyActRefused(i, kind)
	}
}

// whyNoSubmit is why there is nothing to hand in. What was in review goes there again by a revision.
func whyNoSubmit(m *Model) string {
	i, ok := m.frontRow()
	if !ok || m.rows[i].Set.State <= criteria.Draft {
		return makeWhyNotAllowed(m, criteria.Submitted)()
	}
	set := &m.rows[i].Set
	if set.Pending == nil && set.State != criteria.ChangesRequested && set.Removed == nil {
		return m.SpellText("nothing was changed since it was submitted: {e} writes a revision")
	}
	return makeWhyNotAllowed(m, criteria.Drafted)()
}

func actionTable(m *Model) action.Table {
	on, k := action.NewAction, action.NewFooterKey
	lists, page := keymap.Criteria.BindAction, keymap.CriteriaPage.BindAction
	do := func(f func() tea.Cmd) func(string) tea.Cmd { return func(string) tea.Cmd { return f() } }
	of := func(f func(*Model) tea.Cmd) func(string) tea.Cmd { return func(string) tea.Cmd { return f(m) } }
	setType := func(t eval.QuestionType) func(string) tea.Cmd { return do(func() tea.Cmd { return setType(m, t) }) }
	by := func(n int, f func(int) tea.Cmd) func(string) tea.Cmd { return do(func() tea.Cmd { return f(n) }) }
	list, review := []action.Mode{onList}, []action.Mode{onReview}
	digits := []string{"1", "2", "3", "4", "5", "6"}
	return action.Table{
		on(groupList, []action.Mode{onShelf}, k(action.First, lists("open")), nil, do(m.readChosenDataset)),
		on(groupMove, anywhere, k(action.Second, page("next_unlabeled")), nil, of(openNextForPerson)),
		on(groupList, list, k(action.First, lists("open")), nil, of(openOrToggle)),

		on(groupWrite, anywhere, k(action.First, page("edit")), makeWhyNotAllowed(m, criteria.Drafted), of(openEditor)),
		on(groupWrite, anywhere, k(action.Third, page("hand_in")), func() string { return whyNoSubmit(m) }, of(submitForReview)),

		on(groupReview, review, k(action.First, widget.NewBinding("1-6", "checklist", digits...)), nil, m.reader.cyclePointTick),
		on(groupReview, review, k(action.First, page("accept")), makeWhyNotAllowed(m, criteria.Accepted), newReviewDecision(m, criteria.Accepted, "accepted")),
		on(groupReview, review, k(action.First, page("request_changes")), makeWhyNotAllowed(m, criteria.RequestedChanges), of(openRequestForm)),
		on(groupReview, review, k(action.Second, page("verify")), makeWhyNotAllowed(m, criteria.Verified), newReviewDecision(m, criteria.Verified, "verified")),
		on(groupReview, onSample, k(action.Fifth, page("comment")), makeWhyNotAllowed(m, criteria.Commented), of(openCommentForm)),

		on(groupSample, anywhere, k(action.Unranked, page("open_ended")), makeWhyNotAllowed(m, criteria.TypeSet), setType(eval.OpenEnded)),
		on(groupSample, anywhere, k(action.Unranked, page("closed_ended")), makeWhyNotAllowed(m, criteria.TypeSet), setType(eval.ClosedEnded)),
		on(groupSample, anywhere, k(action.Unranked, page("compound")), makeWhyNotAllowed(m, criteria.TypeSet), setType(eval.Compound)),
		on(groupSample, anywhere, k(action.Fifth, page("assign")), nil, of(openAssignForm)),
		on(groupSample, anywhere, k(action.Unranked, page("discard")), makeWhyNotAllowed(m, criteria.Discarded), of(openDiscardForm)),
		on(groupSample, anywhere, k(action.First, page("replace")), makeWhyNotAllowed(m, criteria.Replaced), of(openReplaceForm)),
		on(groupSample, anywhere, k(action.Fourth, page("undo")), whyNoStep(m, &m.done, (*criteria.Set).LastUndoable), do(func() tea.Cmd { return undoOrRedoStep(m, "undid", &m.done, &m.undone, (*criteria.Set).Undo) })),
		on(groupSample, anywhere, k(action.Unranked, page("redo")), whyNoStep(m, &m.undone, (*criteria.Set).LastRedoable), do(func() tea.Cmd { return undoOrRedoStep(m, "redone", &m.undone, &m.done, (*criteria.Set).Redo) })),
		on(groupSample, anywhere, k(action.First, page("save_again")), m.whyNoFailure, do(m.retrySaving)),

		on(groupMove, onSample, k(action.Second, page("other")), nil, by(1, m.reader.showOtherPart)),
		on(groupMove, onSample, k(action.Unranked, page("other_back")), nil, by(-1, m.reader.showOtherPart)),
		on(groupMove, onSample, k(action.Unranked, page("guideline")), nil, do(m.reader.toggleGuideline)),
		on(groupMove, onSample, k(action.Unranked, page("previous")), nil, do(func() tea.Cmd { return openNeighbour(m, -1) })),
		on(groupMove, onSample, k(action.Unranked, page("next")), nil, do(func() tea.Cmd { return openNeighbour(m, 1) })),
		on(groupMove, onSample, k(action.Unranked, page("older")), nil, by(-1, m.reader.stepRevision)),
		on(groupMove, onSample, k(action.Unranked, page("newer")), nil, by(1, m.reader.stepRevision)),
		on(groupMove, onSample, k(action.Third, page("zoom")), m.reader.whyNoPicture, do(func() tea.Cmd { return m.reader.page.gallery.ToggleFull(m.reader.drawPicture) })),
		on(groupMove, onSample, k(action.Third, page("next_image")), m.reader.whyNoOtherPicture, do(func() tea.Cmd { return m.reader.page.gallery.NextPicture(m.reader.drawPicture) })),

		on(groupList, list, k(action.Third, lists("filter")), nil, m.browser.list.filter.StartByKey),
		on(groupList, list, k(action.Fifth, lists("next_state")), nil, by(1, m.browser.nextStateFilter)),
		on(groupList, list, k(action.Unranked, lists("previous_state")), nil, by(-1, m.browser.nextStateFilter)),
		on(groupList, list, k(action.Fifth, lists("whose")), nil, do(m.browser.nextOwnerFilter)),
		on(groupList, list, k(action.Unranked, lists("fold")), nil, do(m.browser.toggleGroup)),
		on(groupList, list, k(action.Unranked, lists("fold_all")), nil, do(m.browser.toggleAllGroups)),
		on(groupList, list, k(action.Unranked, lists("refresh")), nil, do(func() tea.Cmd { return m.readDataset(m.dataset) })),
		on(groupList, list, k(action.Unranked, lists("datasets")), nil, do(m.browser.showDatasets)),
	}
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !msg.Alt && m.IsTyping():
		return insertPastedLetters(m, msg.Runes)
	case m.who == "":
		name, cmd := m.name.HandleKey(msg)
		return eval.Either(name != "", widget.SendCmd(Named{annotate.Annotator(name)}), cmd)
	case m.asker.form != nil:
		return m.asker.handleFormKey(msg)
	case m.reader.page != nil && m.reader.page.editor != nil:
		return handleEditorKey(m, msg)
	case m.browser.list.filter.IsTyping():
		return m.browser.handleFilterKey(msg)
	case msg.Paste:
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	here, name := m.reader.keyMode(), msg.String()
	if cmd, ok := m.reader.handlePictureKey(name); ok {
		return cmd
	}
	if o := m.table.PressKey(here, name); o.Refusal != "" {
		return widget.NotifyCmd(widget.Info, o.Refusal)
	} else if o.Found {
		return o.Cmd
	}
	if here == onPage && slices.ContainsFunc(m.table, func(a action.Action) bool { return isOfReview(a.Modes) && slices.Contains(a.Bind.Keys(), name) }) {
		return widget.NotifyCmd(widget.Info, m.SpellText("the checklist and what is decided by it are under Review: {tab} goes there"))
	}
	return scrollCursor(m, msg)
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
	case m.browser.list.filter.IsTyping():
		return widget.FilterKeys()
	}
	if m.reader.isFull() {
		out := append(widget.FullPictureKeys(true), keymap.CriteriaPage.BindJoined("back to the text", "zoom"))
		if m.reader.whyNoOtherPicture() == "" {
			out = append(out, keymap.CriteriaPage.BindAction("next_image"))
		}
		return out
	}
	out := m.table.FooterBindings(m.reader.keyMode(), action.Roomy, nil, nil)
	if m.reader.page != nil {
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
			if a.Group != title || a.Modes[0] == onShelf {
				continue
			}
			why := whereActionsAre(a.Modes, m.reader.keyMode())
			if why == "" { // what an action needs is there only where it counts
				why = a.WhyBlocked()
			}
			g.Keys = append(g.Keys, widget.BindingUnless(a.Bind, why))
		}
		out = append(out, g)
	}
	return append(out, widget.Group{Title: "While you write", Keys: editKeys()},
		widget.Group{Title: "The image on the whole screen", Keys: widget.FullPictureKeys(m.reader.isFull())})
}

// isOfReview reports whether an action is for the checklist alone.
func isOfReview(modes []action.Mode) bool { return modes[0] == onReview }

// whereActionsAre says where actions are that are not here; "" of those that are.
func whereActionsAre(modes []action.Mode, here action.Mode) string {
	switch {
	case slices.Contains(modes, here):
		return ""
	case isOfReview(modes):
		return "it is for the checklist of a review"
	case slices.Contains(modes, onPage):
		return "it is for the page of a sample"
	}
	return "it is for the list of samples"
}

// IsTyping reports whether keys are text.
func (m *Model) IsTyping() bool {
	return m.who == "" || m.asker.form != nil || m.reader.page != nil && m.reader.page.editor != nil || m.browser.list.filter.IsTyping()
}

// IsDeep reports whether one sample takes the whole screen.
func (m *Model) IsDeep() bool { return m.reader.page != nil }
