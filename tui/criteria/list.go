package criteria

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// sampleList is the samples of a dataset under the groups of its taxonomy.
type sampleList struct {
	groups  []criteria.Group // the whole first, each before those below it
	people  []criteria.Work
	turns   [criteria.Turns]int
	lines   []listLine // what the filter and the closed groups leave
	order   []int      // rows in the order of the list, whatever is shown
	columns listColumns
	cursor  widget.Cursor
	closed  map[string]bool // groups by path

	filter widget.Filter
	state  int // which of the states; 0: all
	whose  ownerFilter
}

// listLine is a line of the list: a group, or a sample.
type listLine struct {
	group      int // in groups; -1: a sample
	row, depth int
}

// ownerFilter narrows the list down to what concerns the person.
type ownerFilter uint8

const (
	everybody ownerFilter = iota
	mine                  // assigned to them or written by them
	myTurn                // they may do something
	toReview
	whoses
)

var whoseNames = [whoses]string{"everybody's", "mine", "my turn", "for me to review"}

// stateFilterNames gives what the list can be narrowed down to, after all: each
// state, discarded, what has warnings, and what people differ on.
func stateFilterNames() []string {
	out := []string{"all"}
	for s := range criteria.States {
		out = append(out, strings.ReplaceAll(criteria.State(s).String(), "_", " "))
	}
	return append(out, "discarded", "with warnings", "disputed")
}

func newSampleList() sampleList { return sampleList{closed: make(map[string]bool)} }

// currentSample is the row under the cursor; false for a group.
func (l *sampleList) currentSample() (int, bool) {
	if l.cursor.At < len(l.lines) && l.lines[l.cursor.At].group < 0 {
		return l.lines[l.cursor.At].row, true
	}
	return 0, false
}

func (l *sampleList) isFiltered() bool {
	return l.filter.IsOn() || l.state != 0 || l.whose != everybody
}

func (m *sampleBrowser) newRowFilter() func(*Row) bool {
	l := &m.list
	words, not := l.filter.FilterWords()
	who := m.who
	return func(r *Row) bool {
		if len(words) > 0 && containsWords(r, m.searchableText(r), words) == not {
			return false
		}
		return l.matchesState(m.sampleSet, r) && l.whose.matchesOwner(r, who)
	}
}

// searchableText is what words are looked for in, of one row; it is made once.
func (m *sampleBrowser) searchableText(r *Row) string {
	return eval.GetOrAdd(m.hays, r.Sample.Ordinal, func() string {
		return strings.ToLower(string(r.Sample.ID) + "\n" + r.Sample.Question + "\n" + strings.Join(r.Sample.Taxonomy, "\n"))
	})
}

// containsWords reports whether a row has all words in it; @word is a person.
func containsWords(r *Row, where string, words []string) bool {
	for _, w := range words {
		if person, ok := strings.CutPrefix(w, "@"); ok {
			names := append(r.Set.Authors(), r.Set.Assignee, r.Set.Reviewer)
			if !slices.ContainsFunc(names, func(n annotate.Annotator) bool {
				return n != "" && strings.HasPrefix(strings.ToLower(string(n)), person)
			}) {
				return false
			}
			continue
		}
		if !strings.Contains(where, w) {
			return false
		}
	}
	return true
}

func (l *sampleList) matchesState(m *sampleSet, r *Row) bool {
	switch n := l.state - 1; {
	case n < 0:
		return true
	case n < criteria.States:
		return r.Set.Removed == nil && r.Set.State == criteria.State(n)
	case n == criteria.States:
		return r.Set.Removed != nil
	case n == criteria.States+1:
		return r.Set.Removed == nil && len(m.listWarnings(r)) > 0
	}
	return len(r.Disputed) > 0
}

func (w ownerFilter) matchesOwner(r *Row, who annotate.Annotator) bool {
	turn := r.Set.TaskFor(who)
	switch w {
	case mine:
		return r.Set.Assignee == who || slices.Contains(r.Set.Authors(), who)
	case myTurn:
		return turn != criteria.NoTurn
	case toReview:
		return turn == criteria.ToReview
	case everybody, whoses:
	}
	return true
}

// rebuildList lays the list out anew. The cursor stays on what it is on, if that is still there.
func (m *sampleBrowser) rebuildList() {
	l := &m.list
	var was listLine
	if l.cursor.At < len(l.lines) {
		was = l.lines[l.cursor.At]
	} else {
		was.group = -2
	}
	all, members := make(map[string][]int, len(l.groups)), make(map[string][]int, len(l.groups))
	want := m.newRowFilter()
	shown := make(map[string]bool, len(l.groups))
	l.columns = listColumns{}
	for i := range m.rows {
		l.columns.widenForSample(&m.rows[i])
		path := m.rows[i].Sample.Taxonomy
		all[pathKey(path)] = append(all[pathKey(path)], i)
		if !want(&m.rows[i]) {
			continue
		}
		members[pathKey(path)] = append(members[pathKey(path)], i)
		for n := range len(path) + 1 {
			shown[pathKey(path[:n])] = true
		}
	}
	l.layOutLines(members, shown)
	l.order = eval.FlatMap(l.groups, func(g criteria.Group) []int { return all[pathKey(g.Path)] })
	at := slices.IndexFunc(l.lines, func(x listLine) bool {
		return x.group == was.group && (x.group >= 0 || x.row == was.row)
	})
	if at < 0 {
		at = l.cursor.At
	}
	l.cursor.MoveTo(at, len(l.lines), m.listHeight())
}

// layOutLines makes the lines: groups with what the filter leaves of them. A filter opens closed groups.
func (l *sampleList) layOutLines(members map[string][]int, shown map[string]bool) {
	l.lines = l.lines[:0]
	hidden := -1 // depth of the closed group that hides what is below it
	for g := range l.groups {
		path := l.groups[g].Path
		k := pathKey(path)
		if hidden >= 0 && len(path) > hidden || l.isFiltered() && !shown[k] {
			continue
		}
		hidden = -1
		if len(path) > 0 || len(l.groups) == 1 {
			l.lines = append(l.lines, listLine{group: g, depth: max(0, len(path)-1)})
		}
		if l.closed[k] && !l.isFiltered() {
			hidden = len(path)
			continue
		}
		for _, i := range members[k] {
			l.lines = append(l.lines, listLine{group: -1, row: i, depth: len(path)})
		}
	}
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

func (m *sampleBrowser) moveCursorTo(i int) {
	find := func() int {
		return slices.IndexFunc(m.list.lines, func(x listLine) bool { return x.group < 0 && x.row == i })
	}
	at := find()
	if at < 0 && !m.list.isFiltered() {
		path := m.rows[i].Sample.Taxonomy
		for n := range len(path) + 1 {
			delete(m.list.closed, pathKey(path[:n]))
		}
		m.rebuildList()
		at = find()
	}
	if at >= 0 {
		m.list.cursor.MoveTo(at, len(m.list.lines), m.listHeight())
	}
}

func (m *sampleBrowser) toggleGroup() tea.Cmd {
	l := &m.list
	if l.cursor.At >= len(l.lines) || l.isFiltered() {
		return nil
	}
	at := l.cursor.At
	for at > 0 && l.lines[at].group < 0 {
		at--
	}
	if l.lines[at].group < 0 {
		return nil
	}
	l.cursor.MoveTo(at, len(l.lines), m.listHeight())
	k := pathKey(l.groups[l.lines[at].group].Path)
	if l.closed[k] {
		delete(l.closed, k)
	} else {
		l.closed[k] = true
	}
	m.rebuildList()
	return nil
}

func (m *sampleBrowser) toggleAllGroups() tea.Cmd {
	l := &m.list
	if len(l.closed) > 0 {
		clear(l.closed)
	} else {
		deep := slices.ContainsFunc(l.groups, func(g criteria.Group) bool { return len(g.Path) > 1 })
		for g := range l.groups {
			if path := l.groups[g].Path; len(path) > 1 || len(path) == 1 && !deep {
				l.closed[pathKey(path)] = true
			}
		}
	}
	m.rebuildList()
	return nil
}

// handleFilterKey takes a key while the filter is typed: the list follows.
func (m *sampleBrowser) handleFilterKey(msg tea.KeyMsg) tea.Cmd {
	if m.list.filter.HandleKey(msg) {
		m.rebuildList()
	}
	return m.measureVisiblePictures()
}

// clearFilter shows everything again, and reports whether something was hidden.
func (m *sampleBrowser) clearFilter() bool {
	was := m.list.isFiltered()
	was = m.list.filter.ClearText() || was
	m.list.state, m.list.whose = 0, everybody
	if was {
		m.rebuildList()
	}
	return was
}
