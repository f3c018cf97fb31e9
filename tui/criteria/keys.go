package criteria

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// place is where a key works.
type place uint8

const (
	onShelf place = 1 << iota
	onList
	onPage
	onReview // the page's part with the checklist
	anywhere = onList | onPage | onReview
	onSample = onPage | onReview
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
			return "no sample is in front"
		}
		if m.stale[m.rows[i].Sample.Ordinal] {
			return errStale.Error()
		}
		if why := m.unseen(&m.rows[i]); why != "" {
			return why
		}
		if err := m.rows[i].Set.May(kind, m.who); err != nil {
			return strings.TrimPrefix(err.Error(), kind.String()+": ") // the key says what it does
		}
		return ""
	}
}

// noHandIn is why there is nothing to hand in. What was in review goes there
// again by a revision.
func (m *Model) noHandIn() string {
	i, ok := m.front()
	if !ok || m.rows[i].Set.State <= criteria.Draft {
		return may(criteria.Submitted)(m)
	}
	set := &m.rows[i].Set
	if set.Pending == nil && set.State != criteria.ChangesRequested && set.Removed == nil {
		return m.Keyed("nothing was changed since it was handed in: {e} writes a revision")
	}
	return may(criteria.Drafted)(m)
}

func (m *Model) noReplace() string { return may(criteria.Replaced)(m) }

func (m *Model) noFailure() string {
	if m.deps.Writer.State().Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}

func (m *Model) noPicture() string {
	if m.page == nil || !m.page.gallery.Seen() {
		return "the project holds no picture of this sample"
	}
	return ""
}

func (m *Model) noOtherPicture() string {
	if why := m.noPicture(); why != "" {
		return why
	}
	if m.page.gallery.Len() < 2 {
		return "there is no other picture of this sample"
	}
	return ""
}

// actions is the table of all keys of the screen but those of texts.
func actions() []action {
	setType := func(t eval.QuestionType) func(*Model, string) tea.Cmd {
		return func(m *Model, _ string) tea.Cmd { return m.setType(t) }
	}
	digits := []string{"1", "2", "3", "4", "5", "6"}
	bind := widget.Bind
	return []action{
		{groupList, onShelf, bind("enter", "open", "enter"), 1, nil, plain((*Model).choose)},
		{groupMove, anywhere, bind(". n", "next for me", ".", "n"), 2, nil, plain((*Model).next)},
		{groupList, onList, bind("enter", "open", "enter"), 1, nil, plain((*Model).enter)},

		{groupWrite, anywhere, bind("e", "write", "e"), 1, may(criteria.Drafted), plain((*Model).edit)},
		{groupWrite, anywhere, bind("s", "hand in", "s"), 3, (*Model).noHandIn, plain((*Model).handIn)},

		{groupReview, onReview, bind("1-6", "checklist", digits...), 1, nil, func(m *Model, k string) tea.Cmd { return m.answer(k) }},
		{groupReview, onReview, bind("y", "accept", "y"), 1, may(criteria.Accepted), plain((*Model).accept)},
		{groupReview, onReview, bind("x", "request changes", "x"), 1, may(criteria.RequestedChanges), plain((*Model).request)},
		{groupReview, onReview, bind("f", "verify", "f"), 2, may(criteria.Verified), plain((*Model).verify)},
		{groupReview, onSample, bind("m", "comment", "m"), 5, may(criteria.Commented), plain((*Model).comment)},

		{groupSample, anywhere, bind("o", "open-ended", "o"), 0, may(criteria.TypeSet), setType(eval.OpenEnded)},
		{groupSample, anywhere, bind("l", "closed-ended", "l"), 0, may(criteria.TypeSet), setType(eval.ClosedEnded)},
		{groupSample, anywhere, bind("p", "compound", "p"), 0, may(criteria.TypeSet), setType(eval.Compound)},
		{groupSample, anywhere, bind("w", "assign", "w"), 5, nil, plain((*Model).assign)},
		{groupSample, anywhere, bind("d", "discard", "d"), 0, may(criteria.Discarded), plain((*Model).discard)},
		{groupSample, anywhere, bind("+", "add its replacement", "+"), 1, (*Model).noReplace, plain((*Model).replace)},
		{groupSample, anywhere, bind("u", "undo", "u"), 4, (*Model).noUndo, plain((*Model).undo)},
		{groupSample, anywhere, bind("ctrl+r", "redo", "ctrl+r"), 0, (*Model).noRedo, plain((*Model).redo)},
		{groupSample, anywhere, bind("ctrl+s", "save again", "ctrl+s"), 1, (*Model).noFailure, plain((*Model).saveAgain)},

		{groupMove, onSample, bind("tab", "next part", "tab"), 2, nil, func(m *Model, _ string) tea.Cmd { return m.turn(1) }},
		{groupMove, onSample, bind("shift+tab", "part before", "shift+tab"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.turn(-1) }},
		{groupMove, onSample, bind("i", "guideline", "i"), 0, nil, plain((*Model).guideline)},
		{groupMove, onSample, bind("←", "sample before", "left"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.beside(-1) }},
		{groupMove, onSample, bind("→", "next sample", "right"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.beside(1) }},
		{groupMove, onSample, bind("<", "older revision", "<", ","), 0, nil, func(m *Model, _ string) tea.Cmd { return m.older(-1) }},
		{groupMove, onSample, bind(">", "newer revision", ">"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.older(1) }},
		{groupMove, onSample, bind("z", "picture", "z"), 3, (*Model).noPicture, plain((*Model).zoom)},
		{groupMove, onSample, bind("t", "next picture", "t"), 3, (*Model).noOtherPicture, plain((*Model).another)},

		{groupList, onList, bind("/", "filter", "/"), 3, nil, plain((*Model).startFilter)},
		{groupList, onList, bind("tab", "state shown", "tab"), 5, nil, func(m *Model, _ string) tea.Cmd { return m.narrow(1) }},
		{groupList, onList, bind("shift+tab", "state before", "shift+tab"), 0, nil, func(m *Model, _ string) tea.Cmd { return m.narrow(-1) }},
		{groupList, onList, bind("m", "whose", "m"), 5, nil, plain((*Model).turnWhose)},
		{groupList, onList, bind("space", "close or open a group", " "), 0, nil, plain((*Model).fold)},
		{groupList, onList, bind("c", "close or open all groups", "c"), 0, nil, plain((*Model).foldAll)},
		{groupList, onList, bind("R", "read it again", "R"), 0, nil, plain((*Model).again)},
		{groupList, onList, bind("D", "another dataset", "D"), 0, nil, plain((*Model).toShelf)},
	}
}

// here is where keys go now.
func (m *Model) here() place {
	switch {
	case m.page != nil && m.page.part == partReview:
		return onReview
	case m.page != nil:
		return onPage
	case m.dataset != "" && !m.loading:
		return onList
	}
	return onShelf
}

// press takes a key.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !msg.Alt && m.Typing():
		return m.insert(msg.Runes)
	case m.who == "":
		return m.pressName(msg)
	case m.form != nil:
		return m.pressForm(msg)
	case m.page != nil && m.page.editor != nil:
		return m.pressEditor(msg)
	case m.list.typing:
		return m.pressFilter(msg)
	case msg.Paste:
		return nil // what is pasted into a screen of one-key commands is a mistake
	}
	here, name := m.here(), msg.String()
	if cmd, ok := m.look(name); ok {
		return cmd
	}
	for i := range m.table {
		a := &m.table[i]
		if a.places&here == 0 || !slices.Contains(a.bind.Keys(), name) {
			continue
		}
		if a.why != nil {
			if why := a.why(m); why != "" {
				return notify(widget.Info, why)
			}
		}
		return a.do(m, name)
	}
	if here == onPage && m.decides(name) {
		return notify(widget.Info, m.Keyed("the checklist and what is decided by it are under Review: {tab} goes there"))
	}
	return m.scroll(msg)
}

// decides reports whether a key has a meaning beside the checklist only.
func (m *Model) decides(name string) bool {
	return slices.ContainsFunc(m.table, func(a action) bool {
		return a.places == onReview && slices.Contains(a.bind.Keys(), name)
	})
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.who == "":
		return []key.Binding{widget.Bind("enter", "go on", "enter"), widget.Bind("esc", "back to the runs", "esc")}
	case m.form != nil:
		return m.form.keys()
	case m.page != nil && m.page.editor != nil:
		return editKeys()
	case m.list.typing:
		return []key.Binding{widget.Bind("enter", "to the list", "enter"), widget.Bind("esc", "show everything", "esc")}
	}
	if m.looking() {
		out := append(widget.LookKeys(true), widget.Bind("z", "back to the text", "z"))
		if m.noOtherPicture() == "" {
			out = append(out, widget.Bind("t", "next picture", "t"))
		}
		return out
	}
	var shown []*action
	for i := range m.table {
		a := &m.table[i]
		if a.foot > 0 && a.places&m.here() != 0 && (a.why == nil || a.why(m) == "") {
			shown = append(shown, a)
		}
	}
	slices.SortStableFunc(shown, func(a, b *action) int { return cmp.Compare(a.foot, b.foot) })
	out := make([]key.Binding, len(shown))
	for i, a := range shown {
		out[i] = a.bind
	}
	if m.here() == onSample&^onReview || m.here() == onReview {
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
		widget.Group{Title: "The picture on the whole screen", Keys: widget.LookKeys(m.looking())})
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
	case a.places&m.here() == 0:
		return widget.Able(a.bind, a.places.elsewhere())
	case a.why == nil:
		return a.bind
	}
	return widget.Able(a.bind, a.why(m))
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool {
	return m.who == "" || m.form != nil || m.page != nil && m.page.editor != nil || m.list.typing
}

// looking reports whether a picture fills the screen.
func (m *Model) looking() bool { return m.page != nil && m.page.full && m.page.gallery.Seen() }

// Deep reports whether one sample takes the whole screen.
func (m *Model) Deep() bool { return m.page != nil }
