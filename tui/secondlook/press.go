package secondlook

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys but those of moves and of texts.
func (m keyActions) actionTable() action.Table {
	on := func(group, words, name string, why func() string, do func(string) tea.Cmd) action.Action {
		return action.NewAction(group, []action.Mode{0}, action.NewFooterKey(action.First, keymap.SecondLook.BindJoined(words, name)), why, do)
	}
	one := func(acts func(*Row) tea.Cmd) func(string) tea.Cmd {
		return func(string) tea.Cmd { return acts(m.currentRow()) }
	}
	return action.Table{
		on(lookGroup, "open the item", "open", m.whyNoRow, one(func(r *Row) tea.Cmd { return widget.SendCmd(OpenItem{r.Entry}) })),
		on(lookGroup, "resolve", "resolve", m.whyNoResolve, one(func(r *Row) tea.Cmd { return m.resolveRows([]Row{*r}) })),
		on(lookGroup, "include again", "include", m.whyNoInclude, one(func(r *Row) tea.Cmd { return m.storeActs([]annotate.Act{r.NewIncludeAct()}) })),
		on(lookGroup, "comment", "comment", m.whyNoItem, one(m.askComment)),
		on(lookGroup, "exclude item", "exclude", m.whyNoDecision, one(func(r *Row) tea.Cmd { return m.askExclusion([]Row{*r}) })),
		on(listGroup, "next kind", "other", nil, m.stepKindFilter(1)),
		on(listGroup, "filter", "filter", nil, m.filter.StartByKey),
		on(lookGroup, "undo", "undo", func() string { return action.WhyIf(len(m.past) == 0 || m.busy, "nothing to undo") }, m.undoDecision),
		on(lookGroup, "flag", "flag", m.whyNoItem, one(m.toggleFlag)),
		on(lookGroup, "refresh", "refresh", nil, func(string) tea.Cmd { return m.Refresh() }),
		on(allGroup, "resolve all listed", "resolve_all", m.whyNoDecision, func(string) tea.Cmd { return m.resolveRows(m.rows) }),
		on(allGroup, "exclude all listed items", "exclude_all", m.whyNoDecision, func(string) tea.Cmd { return m.askExclusion(m.rows) }),
		on(listGroup, "kind before", "other_back", nil, m.stepKindFilter(-1)),
		on(listGroup, "with resolved ones", "resolved", nil, m.toggleResolved),
	}
}

// The groups of the help page.
const (
	lookGroup = "Second look"
	allGroup  = "All that is listed"
	listGroup = "What is listed"
)

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		return form.HandleLineKey(&m.asking, msg, m.SpellKey("esc"))
	case m.filter.IsTyping():
		if m.filter.HandleKey(msg) {
			m.applyFilter()
		}
		return nil
	}
	if by, ok := m.moves.MoveBy(msg, m.listHeight(), len(m.rows)); ok {
		m.at.MoveBy(by, len(m.rows), m.listHeight())
		return nil
	}
	return m.table.PressAndNotify(0, msg.String())
}

func (m keyActions) toggleResolved(string) tea.Cmd {
	m.resolved = !m.resolved
	m.applyFilter()
	return nil
}

// stepKindFilter lists another kind; before the first and behind the last come all.
func (m keyActions) stepKindFilter(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		n := len(annotate.AllMatters()) + 1
		m.kind = annotate.Matter((int(m.kind) + by + n) % n)
		m.at = widget.Cursor{}
		m.applyFilter()
		return nil
	}
}

// Why something cannot be done now; "" when it can.

func (m keyActions) whyNoRow() string {
	return action.WhyIf(m.currentRow() == nil, "nothing is listed")
}

func (m keyActions) whyNoItem() string {
	switch row := m.currentRow(); {
	case row == nil:
		return m.whyNoRow()
	case m.busy:
		return "the decision before is being saved"
	case m.deps.Who == "":
		return "say who you are first: {ctrl+w}"
	case row.Queue == "":
		return "it belongs to no queue"
	}
	return ""
}

func (m keyActions) whyNoDecision() string {
	if why := m.whyNoItem(); why != "" || m.deps.Decides {
		return why
	}
	return "curators, adjudicators and owners decide"
}

// whyNoClosing lets people close what they raised themselves.
func (m keyActions) whyNoClosing() string {
	if row := m.currentRow(); row != nil && row.IsOwn(m.deps.Who) {
		return m.whyNoItem()
	}
	return m.whyNoDecision()
}

func (m keyActions) whyNoResolve() string {
	if row := m.currentRow(); row != nil && row.WhyNotResolvable() != "" {
		return row.WhyNotResolvable()
	}
	return m.whyNoClosing()
}

func (m keyActions) whyNoInclude() string {
	if row := m.currentRow(); row != nil && row.Matter != annotate.ExclusionMatter {
		return "the item is not excluded by this entry"
	}
	return m.whyNoClosing()
}

func (m *Model) askComment(row *Row) tea.Cmd {
	return m.askText("Comment", func(text string) []annotate.Act {
		return []annotate.Act{{Queue: row.Queue, Item: row.Item, Kind: annotate.Commented, Text: text}}
	})
}

// toggleFlag flags the item of a row, or takes the person's own flag away.
func (m *Model) toggleFlag(row *Row) tea.Cmd {
	flagged := slices.ContainsFunc(m.all.Rows, func(r Row) bool {
		return r.Matter == annotate.FlagMatter && r.Queue == row.Queue && r.Item == row.Item && r.IsOwn(m.deps.Who)
	})
	return m.storeActs([]annotate.Act{{Queue: row.Queue, Item: row.Item, Kind: eval.Either(flagged, annotate.Unflagged, annotate.Flagged)}})
}

// resolveRows closes rows, all but those that are closed elsewhere.
func (m *Model) resolveRows(rows []Row) tea.Cmd {
	open := eval.Select(rows, func(r Row) bool { return r.WhyNotResolvable() == "" })
	if len(open) == 0 {
		return widget.NotifyCmd(widget.Info, "nothing that is listed can be resolved here")
	}
	return m.storeActs(eval.Map(open, func(r Row) annotate.Act { return r.NewClosingAct("") }))
}

// askExclusion asks for a reason, and takes the items of rows out of reports.
func (m *Model) askExclusion(rows []Row) tea.Cmd {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Queue == "" })
	return m.askText("Reason to exclude "+widget.FormatPlural(countItems(rows), "item"), func(text string) []annotate.Act {
		return eval.Map(rows, func(one Row) annotate.Act { return one.NewExcludeAct(text) })
	})
}

func countItems(rows []Row) int {
	type item struct {
		queue annotate.QueueName
		key   annotate.ItemKey
	}
	seen := eval.IndexBy(rows, func(r Row) (item, bool) { return item{r.Queue, r.Item}, true })
	return len(seen)
}

// askText has a text typed for a decision.
func (m *Model) askText(name string, does func(string) []annotate.Act) tea.Cmd {
	m.asking = form.NewLineQuestion(m.theme, name, m.width, func(text string) tea.Cmd { return m.storeActs(does(text)) })
	return nil
}

func (m *Model) storeActs(acts []annotate.Act) tea.Cmd { return m.storeDecision(acts, false) }

func (m *Model) storeDecision(acts []annotate.Act, undo bool) tea.Cmd {
	m.busy = true
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		did, err := d.Source.StoreDecisions(ctx, d.Who, acts)
		return outcome(func() tea.Cmd { return m.handleDecided(did, undo, err) })
	}
}

// undoDecision takes back the last decision of this page, whole.
func (m keyActions) undoDecision(string) tea.Cmd {
	n := len(m.past)
	acts := eval.Map(m.past[n-1], func(did annotate.Act) annotate.Act {
		return annotate.Act{Queue: did.Queue, Item: did.Item, Kind: annotate.TookBack, Target: did.N}
	})
	m.past = m.past[:n-1]
	return m.storeDecision(acts, true)
}

// Row is an entry as it is listed.
type Row struct {
	review.Entry
	Sample eval.SampleID
	Number int // of the item in its queue, from 1; 0: it is no item
}

// List is what a person sees.
type List struct {
	Rows   []Row
	Hidden int // entries that are not shown before the person has answered their items
}

// Source reads and decides. It is called in commands.
type Source interface {
	// ListVisibleEntries gives the entries that a person may see, and records that they do.
	ListVisibleEntries(ctx context.Context, who annotate.Annotator) (List, error)
	// StoreDecisions stores what a person decided, and gives the acts as they are stored.
	StoreDecisions(ctx context.Context, who annotate.Annotator, acts []annotate.Act) ([]annotate.Act, error)
}

// Deps is what the page is made of. All of it is needed but Who.
type Deps struct {
	Theme   *widget.Theme
	Source  Source
	Who     annotate.Annotator // "": nobody has said; then nothing is decided
	Decides bool               // the person may resolve what others raised, and exclude items
	Now     func() time.Time
}

// Open is the message that the page is to be opened.
type Open struct{}

// OpenItem is the message that an entry's item is to be opened.
type OpenItem struct{ Entry review.Entry }

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.SecondLook }

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.asking != nil:
		return []key.Binding{widget.NewBinding("enter", "save", "enter"), widget.NewBinding("esc", "discard", "esc")}
	case m.filter.IsTyping():
		return widget.FilterKeys()
	}
	return m.table.FooterBindings(0, m.width, nil, nil)
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.table.HelpGroups(0, nil, "", lookGroup, allGroup, listGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}
