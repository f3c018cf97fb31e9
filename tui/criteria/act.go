package criteria

import (
	"errors"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// do does one act on a row, or says why it cannot be done.
func (m *Model) do(i int, kind criteria.Kind, fill func(*criteria.Act)) (bool, tea.Cmd) {
	if err := m.attempt(i, kind, fill); err != nil {
		return false, notify(widget.Info, err.Error())
	}
	m.step(m.rows[i].Sample.Ordinal)
	return true, nil
}

var errStale = errors.New("somebody else worked on this sample: it is being read again")

// attempt does an act: it shows at once, and is on its way to be saved.
func (m *Model) attempt(i int, kind criteria.Kind, fill func(*criteria.Act)) error {
	row := &m.rows[i]
	if m.stale[row.Sample.Ordinal] {
		return errStale
	}
	a := row.Set.New(kind, m.who, m.now())
	if fill != nil {
		fill(&a)
	}
	next, err := row.Set.Do(a)
	if err != nil {
		return err
	}
	m.put(i, next, a)
	return nil
}

// now is the time as it is stored.
func (m *Model) now() time.Time { return m.deps.Now().UTC().Truncate(time.Millisecond) }

// put shows a set as it is after acts, and hands these to the writer.
func (m *Model) put(i int, next criteria.Set, acts ...criteria.Act) {
	was := m.rows[i].Set
	m.rows[i].Set = next
	m.deps.Writer.Submit(acts...)
	m.saving = m.deps.Writer.State()
	if was.State != next.State || (was.Removed == nil) != (next.Removed == nil) ||
		was.Removed != nil && was.Removed.By != next.Removed.By {
		m.survey()
		return
	}
	if was.Assignee != next.Assignee || len(was.Authors()) != len(next.Authors()) {
		m.count()
	}
}

// step remembers what undo takes back next.
func (m *Model) step(samples ...eval.Ordinal) { m.done, m.undone = append(m.done, samples), nil }

// noUndo is why there is nothing to take back: no step of this sitting, and
// none of the person's on the sample in front.
func (m *Model) noUndo() string { return m.noStep(m.done, (*criteria.Set).Undoable) }

func (m *Model) noRedo() string { return m.noStep(m.undone, (*criteria.Set).Redoable) }

func (m *Model) noStep(steps [][]eval.Ordinal, last func(*criteria.Set, annotate.Annotator) (uint32, bool)) string {
	if len(steps) > 0 {
		return ""
	}
	if i, ok := m.front(); ok {
		if n, _ := last(&m.rows[i].Set, m.who); n > 0 {
			return ""
		}
	}
	return "nothing to undo or redo here"
}

// undo takes back the last step of this sitting; without one, that on the
// sample in front.
func (m *Model) undo() tea.Cmd { return m.wind("undid", &m.done, &m.undone, (*criteria.Set).Undo) }

// redo does again what undo took back last.
func (m *Model) redo() tea.Cmd { return m.wind("did again", &m.undone, &m.done, (*criteria.Set).Redo) }

// wind takes one step back or forth, shows where, and says what it was.
func (m *Model) wind(what string, from, to *[][]eval.Ordinal, move mover) tea.Cmd {
	var samples []eval.Ordinal
	if n := len(*from); n > 0 {
		samples, *from = (*from)[n-1], (*from)[:n-1]
	} else if i, ok := m.front(); ok {
		samples = []eval.Ordinal{m.rows[i].Sample.Ordinal}
	}
	var moved []eval.Ordinal
	var act criteria.Act
	var refusal error
	for _, o := range samples {
		a, err := m.windOne(o, move)
		if err != nil {
			refusal = err
			continue
		}
		moved, act = append(moved, o), a
	}
	switch {
	case len(moved) == 0 && refusal == nil:
		return notify(widget.Info, "nothing to undo or redo here")
	case len(moved) == 0:
		return notify(widget.Info, refusal.Error())
	}
	*to = append(*to, moved)
	i := m.index[moved[0]]
	where := "sample " + widget.Line(string(m.rows[i].Sample.ID))
	if len(moved) > 1 {
		where = widget.Plural(len(moved), "sample")
	}
	text := fmt.Sprintf("%s: %s, %s", what, did(&act), where)
	if refusal != nil {
		text += fmt.Sprintf("; not on %s: %v", widget.Plural(len(samples)-len(moved), "sample"), refusal)
	}
	return tea.Batch(m.goTo(i), notify(widget.Info, text))
}

type mover func(*criteria.Set, annotate.Annotator, time.Time) ([]criteria.Act, error)

// windOne takes a step back or forth on one sample, and gives the act that is
// undone or done again.
func (m *Model) windOne(o eval.Ordinal, move mover) (criteria.Act, error) {
	i, ok := m.index[o]
	if !ok || m.stale[o] {
		return criteria.Act{}, errStale
	}
	set := m.rows[i].Set
	acts, err := move(&set, m.who, m.now())
	if err != nil {
		return criteria.Act{}, err
	}
	next := set
	for _, a := range acts {
		if next, err = next.Do(a); err != nil {
			return criteria.Act{}, err
		}
	}
	m.put(i, next, acts...)
	of := set.Acts[acts[0].Target-1]
	if of.Kind == criteria.TookBack {
		of = set.Acts[of.Target-1]
	}
	return of, nil
}

// did names what an act did.
func did(a *criteria.Act) string {
	switch a.Kind {
	case criteria.Drafted:
		return "writing a draft"
	case criteria.Revised:
		return "the revision"
	case criteria.Submitted:
		return "handing in"
	case criteria.Commented:
		return "the comment"
	case criteria.RequestedChanges:
		return "the request for changes"
	case criteria.Accepted:
		return "accepting"
	case criteria.Verified:
		return "verifying"
	case criteria.Discarded:
		return "discarding"
	case criteria.Replaced:
		return "the replacement by " + widget.Line(string(a.Other))
	case criteria.TypeSet:
		return "the type " + a.Type.String()
	case criteria.Assigned:
		if a.Assignee == "" {
			return "taking the sample from its writer"
		}
		return "assigning to " + widget.Line(string(a.Assignee))
	case criteria.TookBack:
		return "an undo"
	case criteria.KindUnset:
	}
	return a.Kind.String()
}

// front is the row that keys act on: the open sample, or the one under the
// cursor; false when that is a group.
func (m *Model) front() (int, bool) {
	if m.page != nil {
		return m.page.at, m.page.at < len(m.rows)
	}
	return m.list.sample()
}

// setType annotates or corrects the type of the question.
func (m *Model) setType(t eval.QuestionType) tea.Cmd {
	i, ok := m.front()
	if !ok {
		return nil
	}
	ok, cmd := m.do(i, criteria.TypeSet, func(a *criteria.Act) { a.Type = t })
	if ok {
		cmd = notify(widget.Info, fmt.Sprintf("sample %s is %s", m.rows[i].Sample.ID, t))
	}
	return cmd
}

// survey counts groups and turns anew.
func (m *Model) survey() {
	v := new(criteria.Survey)
	for i := range m.rows {
		v.Add(&m.rows[i].Sample, &m.rows[i].Set)
	}
	m.list.groups = v.Groups(m.deps.Quotas)
	m.list.people = nil
	for _, p := range v.People() {
		m.list.people = append(m.list.people, string(p.Who))
	}
	m.count()
}

// count counts what waits for the person.
func (m *Model) count() {
	m.list.turns = [criteria.Turns]int{}
	for i := range m.rows {
		m.list.turns[m.rows[i].Set.Turn(m.who)]++
	}
}

// next goes to the sample that asks for this person first, from the one in
// front on.
func (m *Model) next() tea.Cmd {
	order := m.list.order
	if len(order) == 0 {
		return nil
	}
	at := -1
	if i, ok := m.front(); ok {
		at = slices.Index(order, i)
	}
	best, turn := -1, criteria.NoTurn
	for step := range order {
		i := order[((at+1+step)%len(order)+len(order))%len(order)]
		t := m.rows[i].Set.Turn(m.who)
		if t != criteria.NoTurn && (turn == criteria.NoTurn || t < turn) && (at < 0 || i != order[at]) {
			best, turn = i, t
		}
	}
	if best < 0 {
		return notify(widget.Info, "nothing else waits for you in this dataset")
	}
	shown := m.open(best)
	text := turnText(turn)
	if turn == criteria.ToReview && m.page.part != partReview {
		text += ": {tab} goes to the checklist"
	}
	return tea.Batch(shown, notify(widget.Info, m.Keyed(text)))
}

// turnText names keys in braces.
func turnText(t criteria.Turn) string {
	switch t {
	case criteria.ToRevise:
		return "changes were requested: {e} revises"
	case criteria.ToReview:
		return "to review"
	case criteria.ToWrite:
		return "yours to write: {e} writes"
	case criteria.ToTake:
		return "nobody has written yet: {e} writes"
	case criteria.ToVerify:
		return "accepted, and waits for an expert to verify it"
	case criteria.NoTurn:
	}
	return ""
}
