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
	"concord/tui/keymap"
	"concord/tui/widget"
)

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	k := &m.keys
	switch {
	case m.asking != nil:
		return m.pressText(msg)
	case m.filter.Typing():
		if m.filter.Press(msg) {
			m.sift()
		}
		return nil
	}
	if by, ok := k.moves.By(msg, m.listHeight(), len(m.rows)); ok {
		m.at.Move(by, len(m.rows), m.listHeight())
		return nil
	}
	switch {
	case key.Matches(msg, k.filter):
		m.filter.Start()
	case key.Matches(msg, k.kind):
		m.turn(1)
	case key.Matches(msg, k.kindBack):
		m.turn(-1)
	case key.Matches(msg, k.closed):
		m.resolved = !m.resolved
		m.sift()
	case key.Matches(msg, k.refresh):
		return m.Refresh()
	case key.Matches(msg, k.undo):
		return m.undo()
	default:
		return m.decide(msg)
	}
	return nil
}

// turn lists another kind; before the first and behind the last come all.
func (m *Model) turn(by int) {
	n := len(annotate.Matters()) + 1
	m.kind = annotate.Matter((int(m.kind) + by + n) % n)
	m.at = widget.Cursor{}
	m.sift()
}

// noItem is why nothing can be said of a row's item; "" when something can.
func (m *Model) noItem(row *Row) string {
	switch {
	case m.busy:
		return "the decision before is being saved"
	case m.deps.Who == "":
		return "say who you are first"
	case row.Queue == "":
		return "it belongs to no queue"
	}
	return ""
}

// noDecision is why a row cannot be decided on; "" when it can. What somebody
// raised themself they may resolve.
func (m *Model) noDecision(row *Row) string {
	if why := m.noItem(row); why != "" || m.deps.Decides {
		return why
	}
	return "curators, adjudicators and owners decide"
}

// included reports whether a row is an exclusion, which ends by including the item
// again.
func included(row *Row) bool { return row.Matter == annotate.ExclusionMatter }

// decide takes a key that is about the row in front, or about all that are listed.
func (m *Model) decide(msg tea.KeyMsg) tea.Cmd {
	row, k := m.front(), &m.keys
	if row == nil {
		return nil
	}
	own := row.Own(m.deps.Who)
	why := m.noDecision(row)
	if own {
		why = m.noItem(row)
	}
	switch {
	case key.Matches(msg, k.open):
		open := OpenItem{row.Entry}
		return func() tea.Msg { return open }
	case key.Matches(msg, k.comment):
		return m.ask("Comment", true, m.noItem(row), func(text string) []annotate.Act {
			return []annotate.Act{{Queue: row.Queue, Item: row.Item, Kind: annotate.Commented, Text: text}}
		})
	case key.Matches(msg, k.flag):
		return m.flag(row)
	case key.Matches(msg, k.resolve):
		return m.resolve([]Row{*row}, firstOf(row.Resolvable(), why))
	case key.Matches(msg, k.include):
		if !included(row) {
			why = "the item is not excluded by this entry"
		}
		return m.do([]annotate.Act{row.Include()}, why)
	case key.Matches(msg, k.exclude):
		return m.exclude([]Row{*row}, m.noDecision(row))
	case key.Matches(msg, k.resolveAll):
		return m.resolve(m.rows, m.noDecision(row))
	case key.Matches(msg, k.excludeAll):
		return m.exclude(m.rows, m.noDecision(row))
	}
	return nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// flag flags the item of a row, or takes the person's own flag away.
func (m *Model) flag(row *Row) tea.Cmd {
	kind := annotate.Flagged
	if slices.ContainsFunc(m.all.Rows, func(r Row) bool {
		return r.Matter == annotate.FlagMatter && r.Queue == row.Queue && r.Item == row.Item && r.Own(m.deps.Who)
	}) {
		kind = annotate.Unflagged
	}
	return m.do([]annotate.Act{{Queue: row.Queue, Item: row.Item, Kind: kind}}, m.noItem(row))
}

// resolve closes rows, all but those that are closed elsewhere.
func (m *Model) resolve(rows []Row, why string) tea.Cmd {
	var acts []annotate.Act
	for i := range rows {
		if rows[i].Resolvable() == "" {
			acts = append(acts, rows[i].Close(""))
		}
	}
	if len(acts) == 0 {
		why = firstOf(why, "nothing that is listed can be resolved here")
	}
	return m.do(acts, why)
}

// exclude asks for a reason, and takes the items of rows out of reports.
func (m *Model) exclude(rows []Row, why string) tea.Cmd {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Queue == "" })
	return m.ask("Reason to exclude "+widget.Plural(items(rows), "item"), true, why, func(text string) []annotate.Act {
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
func (m *Model) ask(name string, need bool, why string, does func(string) []annotate.Act) tea.Cmd {
	if why != "" {
		return notify(widget.Info, why)
	}
	q := &question{name: name, need: need, does: does, area: m.theme.Input("")}
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
	if text == "" && q.need {
		return notify(widget.Info, "type a text, or press "+m.Spelled("esc"))
	}
	m.asking = nil
	return m.do(q.does(text), "")
}

// do stores acts, unless there is a reason not to.
func (m *Model) do(acts []annotate.Act, why string) tea.Cmd {
	if why != "" {
		return notify(widget.Info, why)
	}
	m.busy = true
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		did, err := d.Source.Do(ctx, d.Who, acts)
		return decided{of: m, did: did, err: err}
	}
}

// undo takes back the last decision of this page, whole.
func (m *Model) undo() tea.Cmd {
	n := len(m.past)
	if n == 0 || m.busy {
		return nil
	}
	last := m.past[n-1]
	m.past = m.past[:n-1]
	acts := make([]annotate.Act, len(last))
	for i := range last {
		acts[i] = annotate.Act{Queue: last[i].Queue, Item: last[i].Item, Kind: annotate.TookBack, Target: last[i].N}
	}
	m.busy = true
	ctx, d := m.ctx, m.deps
	return func() tea.Msg {
		did, err := d.Source.Do(ctx, d.Who, acts)
		return decided{of: m, did: did, undo: true, err: err}
	}
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

type keys struct {
	moves                         widget.Moves
	open, kind, kindBack, closed  key.Binding
	filter, comment, flag         key.Binding
	resolve, exclude, include     key.Binding
	resolveAll, excludeAll        key.Binding
	undo, refresh, enter, discard key.Binding
}

func newKeys() keys {
	return keys{
		moves:      widget.NewMoves(),
		open:       widget.Bind("enter", "open the item", "enter"),
		kind:       widget.Bind("tab", "next kind", "tab"),
		kindBack:   widget.Bind("shift+tab", "kind before", "shift+tab"),
		closed:     widget.Bind("r", "with resolved ones", "r"),
		filter:     widget.Bind("/", "filter", "/"),
		comment:    widget.Bind(",", "comment", ","),
		flag:       widget.Bind("!", "flag", "!"),
		resolve:    widget.Bind("x", "resolve", "x"),
		resolveAll: widget.Bind("X", "resolve all listed", "X"),
		exclude:    widget.Bind("e", "exclude item", "e"),
		excludeAll: widget.Bind("E", "exclude all listed items", "E"),
		include:    widget.Bind("i", "include again", "i"),
		undo:       widget.Bind("ctrl+z", "undo", "ctrl+z"),
		refresh:    widget.Bind("ctrl+r", "refresh", "ctrl+r"),
		enter:      widget.Bind("enter", "save", "enter"),
		discard:    widget.Bind("esc", "discard", "esc"),
	}
}

// KeyPlace is where the page's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.SecondLook }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := &m.keys
	switch {
	case m.asking != nil:
		return []key.Binding{k.enter, k.discard}
	case m.filter.Typing():
		return widget.FilterKeys()
	}
	out := []key.Binding{k.open}
	if row := m.front(); row != nil {
		why := m.noDecision(row)
		if row.Resolvable() == "" {
			out = append(out, widget.Able(k.resolve, why))
		} else if included(row) {
			out = append(out, widget.Able(k.include, why))
		}
		out = append(out, widget.Able(k.comment, m.noItem(row)), widget.Able(k.exclude, why))
	}
	return append(out, k.kind, k.filter, k.undo)
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	k := &m.keys
	return []widget.Group{
		{Title: "Second look", Keys: []key.Binding{k.open, k.comment, k.flag, k.resolve, k.exclude, k.include, k.undo, k.refresh}},
		{Title: "All that is listed", Keys: []key.Binding{k.resolveAll, k.excludeAll}},
		{Title: "What is listed", Keys: []key.Binding{k.filter, k.kind, k.kindBack, k.closed}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}
