package secondlook

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

// actions is the table of all keys but those of moves and of texts.
func (m keyed) actions() action.Table {
	on := func(group, words, name string, why func() string, do func(string) tea.Cmd) action.Action {
		return action.On(group, []action.Mode{0}, action.At(action.First, keymap.SecondLook.Join(words, name)), why, do)
	}
	one := func(acts func(*Row) tea.Cmd) func(string) tea.Cmd {
		return func(string) tea.Cmd { return acts(m.front()) }
	}
	return action.Table{
		on(lookGroup, "open the item", "open", m.noRow, one(func(r *Row) tea.Cmd { return widget.Send(OpenItem{r.Entry}) })),
		on(lookGroup, "resolve", "resolve", m.noResolve, one(func(r *Row) tea.Cmd { return m.resolve([]Row{*r}) })),
		on(lookGroup, "include again", "include", m.noInclude, one(func(r *Row) tea.Cmd { return m.do([]annotate.Act{r.Include()}) })),
		on(lookGroup, "comment", "comment", m.noItem, one(m.comment)),
		on(lookGroup, "exclude item", "exclude", m.noDecision, one(func(r *Row) tea.Cmd { return m.exclude([]Row{*r}) })),
		on(listGroup, "next kind", "other", nil, m.turn(1)),
		on(listGroup, "filter", "filter", nil, m.startFilter),
		on(lookGroup, "undo", "undo", m.noUndo, m.undo),
		on(lookGroup, "flag", "flag", m.noItem, one(m.flag)),
		on(lookGroup, "refresh", "refresh", nil, func(string) tea.Cmd { return m.Refresh() }),
		on(allGroup, "resolve all listed", "resolve_all", m.noDecision, func(string) tea.Cmd { return m.resolve(m.rows) }),
		on(allGroup, "exclude all listed items", "exclude_all", m.noDecision, func(string) tea.Cmd { return m.exclude(m.rows) }),
		on(listGroup, "kind before", "other_back", nil, m.turn(-1)),
		on(listGroup, "with resolved ones", "resolved", nil, m.turnResolved),
	}
}

// The groups of the help page.
const (
	lookGroup = "Second look"
	allGroup  = "All that is listed"
	listGroup = "What is listed"
)

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != nil:
		return m.pressText(msg)
	case m.filter.Typing():
		if m.filter.Press(msg) {
			m.sift()
		}
		return nil
	}
	if by, ok := m.moves.By(msg, m.listHeight(), len(m.rows)); ok {
		m.at.Move(by, len(m.rows), m.listHeight())
		return nil
	}
	return m.table.Tell(0, msg.String())
}

func (m keyed) startFilter(string) tea.Cmd {
	m.filter.Start()
	return nil
}

func (m keyed) turnResolved(string) tea.Cmd {
	m.resolved = !m.resolved
	m.sift()
	return nil
}

// turn lists another kind; before the first and behind the last come all.
func (m keyed) turn(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		n := len(annotate.Matters()) + 1
		m.kind = annotate.Matter((int(m.kind) + by + n) % n)
		m.at = widget.Cursor{}
		m.sift()
		return nil
	}
}

// Why something cannot be done now; "" when it can.

func (m keyed) noRow() string {
	if m.front() == nil {
		return "nothing is listed"
	}
	return ""
}

func (m keyed) noItem() string {
	switch row := m.front(); {
	case row == nil:
		return m.noRow()
	case m.busy:
		return "the decision before is being saved"
	case m.deps.Who == "":
		return "say who you are first"
	case row.Queue == "":
		return "it belongs to no queue"
	}
	return ""
}

func (m keyed) noDecision() string {
	if why := m.noItem(); why != "" || m.deps.Decides {
		return why
	}
	return "curators, adjudicators and owners decide"
}

// noClosing lets people close what they raised themselves.
func (m keyed) noClosing() string {
	if row := m.front(); row != nil && row.Own(m.deps.Who) {
		return m.noItem()
	}
	return m.noDecision()
}

func (m keyed) noResolve() string {
	if row := m.front(); row != nil && row.Resolvable() != "" {
		return row.Resolvable()
	}
	return m.noClosing()
}

func (m keyed) noInclude() string {
	if row := m.front(); row != nil && row.Matter != annotate.ExclusionMatter {
		return "the item is not excluded by this entry"
	}
	return m.noClosing()
}

func (m keyed) noUndo() string {
	if len(m.past) == 0 || m.busy {
		return "nothing to undo"
	}
	return ""
}

// comment asks for a comment on the item of a row.
func (m *Model) comment(row *Row) tea.Cmd {
	return m.ask("Comment", func(text string) []annotate.Act {
		return []annotate.Act{{Queue: row.Queue, Item: row.Item, Kind: annotate.Commented, Text: text}}
	})
}

// flag flags the item of a row, or takes the person's own flag away.
func (m *Model) flag(row *Row) tea.Cmd {
	kind := annotate.Flagged
	if slices.ContainsFunc(m.all.Rows, func(r Row) bool {
		return r.Matter == annotate.FlagMatter && r.Queue == row.Queue && r.Item == row.Item && r.Own(m.deps.Who)
	}) {
		kind = annotate.Unflagged
	}
	return m.do([]annotate.Act{{Queue: row.Queue, Item: row.Item, Kind: kind}})
}

// resolve closes rows, all but those that are closed elsewhere.
func (m *Model) resolve(rows []Row) tea.Cmd {
	var acts []annotate.Act
	for i := range rows {
		if rows[i].Resolvable() == "" {
			acts = append(acts, rows[i].Close(""))
		}
	}
	if len(acts) == 0 {
		return widget.Tell(widget.Info, "nothing that is listed can be resolved here")
	}
	return m.do(acts)
}

// exclude asks for a reason, and takes the items of rows out of reports.
func (m *Model) exclude(rows []Row) tea.Cmd {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Queue == "" })
	return m.ask("Reason to exclude "+widget.Plural(items(rows), "item"), func(text string) []annotate.Act {
		var acts []annotate.Act
		for i := range rows {
			acts = append(acts, rows[i].Exclude(text))
		}
		return acts
	})
}

// items counts the items that rows are about.
func items(rows []Row) int {
	type item struct {
		queue annotate.QueueName
		key   annotate.ItemKey
	}
	seen := make(map[item]bool)
	for i := range rows {
		seen[item{rows[i].Queue, rows[i].Item}] = true
	}
	return len(seen)
}

// ask has a text typed for a decision.
func (m *Model) ask(name string, does func(string) []annotate.Act) tea.Cmd {
	q := &question{name: name, does: does, area: m.theme.Input("")}
	q.area.CharLimit, q.area.Width = 2000, max(8, m.width-24)
	q.area.Focus()
	m.asking = q
	return nil
}

func (m *Model) pressText(msg tea.KeyMsg) tea.Cmd {
	q := m.asking
	if msg.Type != tea.KeyEnter {
		var cmd tea.Cmd
		q.area, cmd = q.area.Update(msg)
		return cmd
	}
	text := strings.TrimSpace(q.area.Value())
	if text == "" {
		return widget.Tell(widget.Info, "type a text, or press "+m.Spelled("esc"))
	}
	m.asking = nil
	return m.do(q.does(text))
}

// do stores acts.
func (m *Model) do(acts []annotate.Act) tea.Cmd { return m.store(acts, false) }

func (m *Model) store(acts []annotate.Act, undo bool) tea.Cmd {
	m.busy = true
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		did, err := d.Source.Do(ctx, d.Who, acts)
		return decided{m, did, undo, err}
	}
}

// undo takes back the last decision of this page, whole.
func (m keyed) undo(string) tea.Cmd {
	n := len(m.past)
	acts := make([]annotate.Act, len(m.past[n-1]))
	for i, did := range m.past[n-1] {
		acts[i] = annotate.Act{Queue: did.Queue, Item: did.Item, Kind: annotate.TookBack, Target: did.N}
	}
	m.past = m.past[:n-1]
	return m.store(acts, true)
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
	// Entries gives the entries that a person may see, and records that they do.
	Entries(ctx context.Context, who annotate.Annotator) (List, error)
	// Do stores what a person decided, and gives the acts as they are stored.
	Do(ctx context.Context, who annotate.Annotator, acts []annotate.Act) ([]annotate.Act, error)
}

// Deps is what the page is made of. All of it is needed but Who and Now.
type Deps struct {
	Theme   *widget.Theme
	Source  Source
	Who     annotate.Annotator // "": nobody has said; then nothing is decided
	Decides bool               // the person may resolve what others raised, and exclude items
	Now     func() time.Time   // nil is time.Now
}

// Open is the message that the page is to be opened.
type Open struct{}

// OpenItem is the message that an entry's item is to be opened.
type OpenItem struct{ Entry review.Entry }

// KeyPlace is where the page's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.SecondLook }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	switch {
	case m.asking != nil:
		return []key.Binding{widget.Bind("enter", "save", "enter"), widget.Bind("esc", "discard", "esc")}
	case m.filter.Typing():
		return widget.FilterKeys()
	}
	return m.table.Footer(0, m.width, nil, nil)
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return append(m.table.Help(0, nil, "", lookGroup, allGroup, listGroup), widget.Group{Title: "Move", Keys: m.moves.Keys()})
}
