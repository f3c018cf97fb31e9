package criteria

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/datasetlist"
	"concord/tui/widget"
)

const nobody = "nobody"

// sampleBrowser shows the samples of the dataset as a list: those that the filter leaves, in their groups.
type sampleBrowser struct {
	*sampleSet

	list sampleList
	hays map[eval.Ordinal]string // what the filter looks in
}

// doActAndNotify does one act on a row and tells of it, or says why it cannot be done.
func (m *sampleBrowser) doActAndNotify(i int, kind criteria.Kind, told string, fill func(*criteria.Act)) (bool, tea.Cmd) {
	if err := m.doActOnRow(i, kind, fill); err != nil {
		return false, widget.NotifyCmd(widget.Info, err.Error())
	}
	m.addUndo(m.rows[i].Sample.Ordinal)
	return true, widget.NotifyCmd(widget.Info, told)
}

// doActOnRow does an act: it shows at once, and is on its way to be saved.
func (m *sampleBrowser) doActOnRow(i int, kind criteria.Kind, fill func(*criteria.Act)) error {
	row := &m.rows[i]
	if m.stale[row.Sample.Ordinal] {
		return errStale
	}
	a := row.Set.NewAct(kind, m.who, m.nowInMillis())
	if fill != nil {
		fill(&a)
	}
	next, err := row.Set.WithAct(a)
	if err != nil {
		return err
	}
	m.applyActs(i, next, a)
	return nil
}

// applyActs shows a set as it is after acts, and hands these to the writer.
func (m *sampleBrowser) applyActs(i int, next criteria.Set, acts ...criteria.Act) {
	was := m.rows[i].Set
	m.rows[i].Set = next
	m.deps.Writer.Submit(acts...)
	m.saving = m.deps.Writer.State()
	if was.State != next.State || (was.Removed == nil) != (next.Removed == nil) ||
		was.Removed != nil && was.Removed.By != next.Removed.By {
		m.recountGroups()
		return
	}
	if was.Assignee != next.Assignee || len(was.Authors()) != len(next.Authors()) {
		m.recountTasks()
	}
}

// moveStepOn takes a step back or forth on one sample, and gives the act that is undone or done again.
func (m *sampleBrowser) moveStepOn(o eval.Ordinal, move mover) (criteria.Act, error) {
	i, ok := m.index[o]
	if !ok || m.stale[o] {
		return criteria.Act{}, errStale
	}
	set := m.rows[i].Set
	acts, err := move(&set, m.who, m.nowInMillis())
	if err != nil {
		return criteria.Act{}, err
	}
	next := set
	for _, a := range acts {
		if next, err = next.WithAct(a); err != nil {
			return criteria.Act{}, err
		}
	}
	m.applyActs(i, next, acts...)
	of := set.History.Acts[acts[0].Target-1]
	if of.Kind == criteria.TookBack {
		of = set.History.Acts[of.Target-1]
	}
	return of, nil
}

func (m *sampleBrowser) recountGroups() {
	v := new(criteria.Coverage)
	for i := range m.rows {
		v.AddSample(&m.rows[i].Sample, &m.rows[i].Set)
	}
	m.list.groups, m.list.people = v.ListGroups(m.deps.Quotas), v.People()
	m.recountTasks()
}

func (m *sampleBrowser) recountTasks() {
	m.list.turns = [criteria.Turns]int{}
	for i := range m.rows {
		m.list.turns[m.rows[i].Set.TaskFor(m.who)]++
	}
}

// unwrittenSamples are the samples of a group that nobody has written, and that are not somebody's already.
func (m *sampleBrowser) unwrittenSamples(path []string, who annotate.Annotator) []int {
	return eval.Select(m.list.order, func(i int) bool {
		s, tax := &m.rows[i].Set, m.rows[i].Sample.Taxonomy
		return s.Removed == nil && s.State == criteria.Unwritten && s.Assignee != who && (s.Assignee == "" || who == "") &&
			len(tax) >= len(path) && slices.Equal(tax[:len(path)], path)
	})
}

func (m *sampleBrowser) assignRows(rows []int, who annotate.Annotator) (tea.Cmd, error) {
	if len(rows) == 0 {
		return nil, errors.New("nothing there is without a writer: samples that are somebody's are assigned one by one")
	}
	name := cmp.Or(string(who), nobody)
	var step []eval.Ordinal
	var last error
	for _, i := range rows {
		if err := m.doActOnRow(i, criteria.Assigned, func(a *criteria.Act) { a.Assignee = who }); err != nil {
			last = err
			continue
		}
		step = append(step, m.rows[i].Sample.Ordinal)
	}
	if len(step) == 0 {
		return nil, last
	}
	m.addUndo(step...)
	return widget.NotifyCmd(widget.Info, fmt.Sprintf("%s assigned to %s", widget.FormatPlural(len(step), "sample"), widget.CleanLine(name))), nil
}

// describeProgress lists the whole dataset in a line: how far it is.
func (m *sampleBrowser) describeProgress() string {
	if len(m.list.groups) == 0 {
		return ""
	}
	g := &m.list.groups[0]
	s := fmt.Sprintf("%s of %s accepted", widget.FormatCount(g.CountReviewed()), widget.FormatCount(g.Samples))
	if g.Wanted > 0 {
		s = fmt.Sprintf("%s of a quota of %s accepted", widget.FormatCount(g.CountReviewed()), widget.FormatCount(g.Wanted))
	}
	for _, x := range []criteria.State{criteria.Draft, criteria.InReview, criteria.ChangesRequested, criteria.Checked} {
		if n := g.States[x]; n > 0 {
			s += fmt.Sprintf(", %s %s", widget.FormatCount(n), stateName(x, false))
		}
	}
	if g.Discarded > 0 {
		s += fmt.Sprintf(", %s discarded (%s replaced)", widget.FormatCount(g.Discarded), widget.FormatCount(g.Replaced))
	}
	if m.news > 0 {
		s = fmt.Sprintf("%d new · %s to refresh · ", m.news, m.SpellKey("refresh")) + s
	}
	return s
}

// drawTasksForPerson draws what waits for the person, counted.
func (m *sampleBrowser) drawTasksForPerson() string {
	t := m.theme
	n := m.list.turns
	part := func(k criteria.PersonTask, word string) string {
		text := widget.FormatCount(n[k]) + " " + word
		return eval.Either(n[k] == 0, t.Faint.Render(text), t.Strong.Render(text))
	}
	return "  For you: " + strings.Join([]string{
		part(criteria.ToRevise, "revise"), part(criteria.ToReview, "review"),
		part(criteria.ToWrite, "write"), part(criteria.ToTake, "open"),
		part(criteria.ToVerify, "verify"),
	}, t.Faint.Render(" · "))
}

func (m *sampleBrowser) drawGroupLine(g *criteria.Group, depth, width int) string {
	t := m.theme
	glyph := eval.Either(m.list.closed[pathKey(g.Path)] && !m.list.isFiltered(), "⊞ ", "⊟ ")
	name := "all samples"
	if n := len(g.Path); n > 0 {
		name = widget.CleanLine(g.Path[n-1])
	}
	c := g.CoverageRate()
	count := fmt.Sprintf("%3d of %d", min(g.CountReviewed(), c.N), c.N)
	if n := g.CountMissing(); n > 0 {
		count += fmt.Sprintf(", %d short", n)
	}
	if n := g.Discarded - g.Replaced; n > 0 {
		count += fmt.Sprintf(", %d to replace", n)
	}
	bar := max(6, min(20, width/8))
	right := t.DrawBar(bar, c.Value) + " " + widget.FitWidth(count, min(32, max(20, width/3)))
	return widget.JoinEnds(strings.Repeat("  ", depth)+t.Accent.Render(glyph)+t.Strong.Render(name), right, width)
}

// measureVisiblePictures measures the pictures of the samples that are seen: those of all would be gigabytes to read.
func (m *sampleBrowser) measureVisiblePictures() tea.Cmd {
	var want []eval.PictureHash
	l := &m.list
	for n := range m.listHeight() {
		at := l.cursor.Top + n
		if at >= len(l.lines) {
			break
		}
		if l.lines[at].group >= 0 {
			continue
		}
		for _, p := range m.rows[l.lines[at].row].Sample.Pictures {
			if _, known := m.sizes[p.Hash]; p.Hash != "" && !known {
				want = append(want, p.Hash)
			}
		}
	}
	if len(want) == 0 {
		return nil
	}
	source := m.deps.Source
	return func() tea.Msg {
		out := make(map[eval.PictureHash]measuredPicture, len(want))
		for _, h := range want {
			data, err := source.Picture(h)
			if err != nil {
				if errors.Is(err, eval.ErrNotFound) {
					out[h] = measuredPicture{err: err}
				}
				continue
			}
			size, err := criteria.ReadPictureSize(data)
			out[h] = measuredPicture{size, err}
		}
		return outcome{m.sampleSet, func() tea.Cmd {
			maps.Copy(m.sizes, out)
			return nil
		}}
	}
}

// readOverview reads what the dataset in front holds while one is chosen.
func (m *sampleBrowser) readOverview() tea.Cmd {
	if m.dataset != "" || m.loading {
		return nil
	}
	b := sampleBrowser{sampleSet: &sampleSet{theme: m.theme, deps: m.deps, who: m.who}}
	return m.datasets.ReadOverview(func(d eval.DatasetName) (v datasetlist.Overview, err error) {
		if b.rows, err = b.deps.Source.Rows(m.ctx, d); err != nil {
			return v, err
		}
		for i := range b.rows {
			v.AddSample(&b.rows[i].Sample)
		}
		b.recountGroups()
		b.rows = nil
		v.Work = func(s *widget.Sheet) {
			s.Out = append(append(s.Out, b.drawTasksForPerson(), ""), drawGroupDetail(b.sampleSet, &b.list.groups[0], s.Width)...)
			for _, p := range b.list.people {
				s.AddField(widget.CleanLine(string(p.Who)), fmt.Sprintf("%d written · %d reviewed · %d verified · %d assigned", p.Samples, p.Reviewed, p.Verified, p.Assigned))
			}
		}
		v.Groups = func(width, _ int) []string {
			return eval.Map(b.list.groups, func(g criteria.Group) string { return b.drawGroupLine(&g, len(g.Path), width) })
		}
		return v, nil
	}, func(take func() tea.Cmd) tea.Msg { return outcome{m.sampleSet, take} })
}

func (m *sampleBrowser) showDatasets() tea.Cmd {
	if len(m.datasets.All) < 2 {
		return widget.NotifyCmd(widget.Info, "the project has one dataset")
	}
	m.dataset = ""
	m.rows, m.list.lines = nil, nil
	return m.readDatasets()
}

func (m *sampleBrowser) nextStateFilter(by int) tea.Cmd {
	n := len(stateFilterNames())
	m.list.state = (m.list.state + by + n) % n
	m.rebuildList()
	return m.measureVisiblePictures()
}

func (m *sampleBrowser) nextOwnerFilter() tea.Cmd {
	m.list.whose = (m.list.whose + 1) % whoses
	m.rebuildList()
	return m.measureVisiblePictures()
}

type mover func(*criteria.Set, annotate.Annotator, time.Time) ([]criteria.Act, error)
