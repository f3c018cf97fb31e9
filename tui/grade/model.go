package grade

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Model is the screen. Its methods are called by the root, one at a time.
type Model struct {
	*annotation.QueueSession[page]
	deps  Deps
	table action.Table

	at    int  // the criterion under the cursor
	first int  // the first line of the criteria that is shown
	asked bool // the question has the room, not the response
	top   int  // the first line shown of the one that has it
	guide int  // and of the guideline
}

// Deps is what the screen is made of.
type Deps struct {
	annotation.Deps
	Adjudicates bool // its items are those on which people differ, and it decides them
}

// page is a response as it was read.
type page struct {
	*annotation.Page
	question, answer annotation.Response
}

// New makes the screen of one person in one queue. It reads nothing before Init;
// Close ends what is under way.
func New(ctx context.Context, d Deps) *Model {
	m := &Model{deps: d}
	m.QueueSession = annotation.New(ctx, d.Deps, annotation.Part[page]{
		Lay: func(pg *annotation.Page, width, height int) (*page, int, int) {
			p := &page{
				Page: pg, answer: annotation.Response{Raw: pg.Item.Prediction, Cut: pg.Item.Truncated},
				question: annotation.Response{Raw: strings.TrimSpace(pg.Item.Question + "\n\n" + pg.Item.Hint), Whole: true},
			}
			g := p.geometry(width, height)
			return p, g.picture.cols, g.picture.rows
		},
		Fit: func(_ int, p *page) tea.Cmd {
			g := p.geometry(m.Width, m.Height)
			return tea.Batch(p.question.Fit(g.left-annotation.Gutter, m.Height), p.answer.Fit(g.left-annotation.Gutter, m.Height))
		},
		ImageSize: func(p *page) (int, int) {
			g := p.geometry(m.Width, m.Height)
			return g.picture.cols, g.picture.rows
		},
		Press:   func(key string) action.Outcome { return m.now().Press(m.Mode, key) },
		Records: func(key string) bool { return m.now().Records(m.Mode, key) },
		Whole:   m.whole,
		Moved:   m.moved,
		Said:    func(r annotate.Reading) string { return "grade " + r.Word() },
	})
	m.table = keyed{m}.actions()
	return m
}

// moved follows a change of the response in front: its first criterion without a
// verdict is under the cursor.
func (m *Model) moved() tea.Cmd {
	m.asked, m.top, m.first, m.at = false, 0, 0, -1
	m.advance()
	return nil
}

// advance goes to the next criterion that lacks its verdict, and stays where there is
// none.
func (m *Model) advance() {
	p := m.Body()
	if p == nil {
		return
	}
	said, n := m.said(), len(p.Item.Rubric)
	for i := range n {
		at := (max(m.at, -1) + 1 + i) % n
		if said[at] == eval.VerdictUnset {
			m.at = at
			return
		}
	}
	m.at = max(0, min(m.at, n-1))
}

// focus is the criterion under the cursor. The page may have come after the response
// was put in front.
func (m *Model) focus() int {
	if m.at < 0 {
		m.advance()
	}
	return max(0, m.at)
}

// said are the verdicts on the criteria as they are worded; unset where there is none.
func (m *Model) said() []eval.Verdict {
	p := m.Body()
	if p == nil {
		return nil
	}
	st, out := m.Session.Own.State(), make([]eval.Verdict, len(p.Item.Rubric))
	of := st.Grades
	if m.deps.Adjudicates {
		of = st.Ruled
	}
	for i := range out {
		if g, ok := annotate.GradesOf(p.Item.Rubric[i:i+1], of[p.Item.Key]); ok {
			out[i] = g[0].Verdict
		}
	}
	return out
}

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	switch {
	case m.Mode == annotation.Zooming:
		return keymap.GradesPicture
	case m.Front() < 0:
		return keymap.GradesEnd
	}
	return keymap.Grades
}

// Back leaves one level: the question, or a mode.
func (m *Model) Back() bool {
	if m.Mode == annotation.Reading && m.asked {
		m.asked, m.top = false, 0
		return true
	}
	return m.QueueSession.Back()
}

const grading = "Grade: a verdict goes to the criterion under the cursor, and on to the next"

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

func (m keyed) actions() action.Table {
	on, at, keys := action.On, action.At, keymap.Grades
	reading := []action.Mode{annotation.Reading}
	out := action.Table{}
	for _, o := range labeloption.Verdicts() {
		bind := widget.Bind(o.Letter+" "+o.Digit, o.Text, o.Digit, o.Letter, strings.ToLower(o.Letter))
		why := m.NoItem
		if o.Verdict == eval.Partial {
			why = m.noPartial
		}
		out = append(out, action.Recording(on(grading, reading, at(action.Unranked, bind), why, func(string) tea.Cmd { return m.give(o.Verdict) })))
	}
	return slices.Concat(out, m.MarkKeys(keys), m.ActKeys(keys), action.Table{
		on(annotation.MovesGroup, reading, at(action.First, keys.Join("criterion", "up", "down")), m.NoItem, m.step),
		on(annotation.ViewsGroup, reading, at(action.Fifth, keys.Bind("open")), m.NoItem, m.unfold),
		on(annotation.MovesGroup, reading, at(action.Fifth, keys.Bind("other_pane")), m.NoItem, m.other),
	}, m.Gallery.LookKeys(keys), m.GuideKeys(keys, m.toggle), m.MoveKeys(keys), action.Table{
		on(annotation.MovesGroup, []action.Mode{annotation.Guiding}, at(action.Unranked, keys.Join("scroll", "up", "down")), nil, m.scroll),
		on(annotation.MovesGroup, []action.Mode{annotation.Guiding, annotation.Reading}, at(action.Unranked, keys.Join("scroll", "page_up", "page_down", "top", "bottom")), nil, m.scroll),
	})
}

// give says whether the criterion under the cursor is met.
func (m *Model) give(v eval.Verdict) tea.Cmd {
	c := m.Body().Item.Rubric[m.focus()]
	before := m.Front()
	cmd := m.Work.Grade(annotate.Grade{Criterion: c.Name, Hash: c.Hash, Verdict: v}, m.Body().Item.Rubric)
	if m.Front() == before {
		m.advance()
	}
	return cmd
}

// noPartial is why the criterion cannot be met in part.
func (m *Model) noPartial() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	if c := m.Body().Item.Rubric; len(c) > 0 && !c[m.focus()].Partial {
		return "this criterion is met or not: it does not say what it counts in part"
	}
	return ""
}

// now is the table as it is before the response in front, or before none.
func (m *Model) now() action.Table {
	if m.Session == nil || m.Front() >= 0 {
		return m.table
	}
	disputed := func(string) tea.Cmd {
		return widget.Send(annotation.OpenDisputed{Dataset: m.Session.Own.Queue().Rule.Dataset})
	}
	return slices.Concat(action.Table{action.On(annotation.MovesGroup, []action.Mode{annotation.Reading},
		action.At(action.First, keymap.GradesEnd.Join("disputed criteria", "open")), nil, disputed)}, m.table)
}

// step goes to another criterion, through the lines of one that is longer than its
// pane.
func (m *Model) step(key string) tea.Cmd {
	p, by := m.Body(), 1
	if key == "up" {
		by = -1
	}
	m.Turns++
	_, from, to := m.criteria(p, m.geometry(p).right)
	if rows := m.criteriaRows(p); by > 0 && to > m.first+rows || by < 0 && from < m.first && to > m.first+rows {
		m.first += by
		return nil
	}
	m.at = max(0, min(m.focus()+by, len(p.Item.Rubric)-1))
	return nil
}

func (m *Model) other(string) tea.Cmd {
	m.asked, m.top = !m.asked, 0
	return nil
}

// unfold shows a long response whole, or folds it.
func (m *Model) unfold(string) tea.Cmd {
	m.Body().answer.Whole, m.top = !m.Body().answer.Whole, 0
	return nil
}

func (m *Model) toggle(key string) tea.Cmd {
	m.guide = 0
	return m.Guide.Toggle(key)
}

// scroll moves the text that has the room, or the guideline.
func (m *Model) scroll(key string) tea.Cmd {
	page := max(1, m.Height/2-2)
	if m.Mode == annotation.Guiding {
		m.guide = max(0, min(annotation.Scrolled(key, m.guide, page), len(m.Guide.Text(labeloption.GradeGuideline))-m.Main()+1))
		return nil
	}
	p := m.Body()
	if p == nil {
		return nil
	}
	p.answer.Whole = true // it is read line by line
	r, g := &p.answer, m.geometry(p)
	rows := g.answer - 1
	if m.asked {
		r, rows = &p.question, g.question-1
	}
	to := annotation.Scrolled(key, m.top, page)
	r.Reach(to + rows)
	n, _ := r.Len()
	m.top = max(0, min(to, n-rows))
	return nil
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding { return m.now().Footer(m.Mode, m.Width, m.Ranked, nil) }

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return m.now().Help(annotation.Reading, nil, annotation.FullGroup, grading, annotation.ActsGroup, annotation.ViewsGroup, annotation.FullGroup, annotation.MovesGroup)
}

// finished is what stands where no response is in front.
func (m *Model) finished(height int) []string {
	t, s := m.Theme, m.Session
	words := annotation.Words{Waiting: "Waiting for responses", Comes: "Responses arrive here by themselves.", Nothing: "No response is on a sample that has criteria."}
	if m.deps.Adjudicates {
		words.Nothing = "People differ on no criterion of its responses."
	}
	out := m.Head.Finished(words)
	if n := s.Walk.Len() - s.Walk.Open(); n > 0 && !m.deps.Adjudicates {
		var all []annotate.Grade
		for _, l := range s.Own.State().Labels {
			all = append(all, l.Reading.Grades...)
		}
		out = append(append(out, ""), m.Tally(fmt.Sprintf("%s: %s", widget.Plural(len(all), "criterion verdict"), annotate.Reading{Verdict: annotate.Graded, Grades: all}.Word()))...)
	}
	out = append(out, "", " "+t.Key.Render(m.Spelled("open"))+"  criteria on which people differ, to be worded anew")
	if s.Walk.Len() > 0 {
		out = append(out, " "+t.Key.Render(m.Spelled("previous"))+"  back to the last response", " "+t.Key.Render(m.Spelled("undo"))+"  undo the last thing you did")
	}
	return widget.Block(out, m.Width, height)
}
