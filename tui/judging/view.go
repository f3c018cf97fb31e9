package judging

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/eval/stat"
	"concord/tui/job"
	"concord/tui/widget"
)

// part is what the page shows of a job.
type part uint8

const (
	results part = iota
	unparsed
	failed
	parts // how many there are
)

// beside is the width from which on the replies stand right of the results.
const beside = 140

func (m *Model) wide() bool { return m.width >= beside }

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.settle()
}

// Deep reports whether a reply takes the whole screen.
func (m *Model) Deep() bool { return m.opened != nil }

// turn goes on to the next part, or to the one before.
func (m *Model) turn(back bool) {
	step := part(1)
	if back {
		step = parts - 1
	}
	m.part = (m.part + step) % parts
	m.settle()
}

// settle keeps what is shown within what there is.
func (m *Model) settle() {
	for i := range m.lists {
		l := &m.lists[i]
		l.at.Set(l.at.At, len(l.rows), m.listHeight())
	}
	height := max(1, m.height-2)
	if at := m.resultWidth(); m.known && at > 0 {
		m.top = max(0, min(m.top, len(m.resultLines(at))-height))
	}
}

// resultWidth is the width of the results, which take room of the replies or
// leave them theirs; 0: the replies have all of it.
func (m *Model) resultWidth() int {
	const rule = 3
	left := m.width * 5 / 12
	switch {
	case !m.wide():
		return m.width
	case m.part != results:
		return m.space.Leaves(left)
	case *m.space == widget.FullRoom:
		return m.width
	}
	return m.width - rule - m.space.Leaves(m.width-rule-left)
}

// noRoom is why + and _ do nothing; "" when they do.
func (m *Model) noRoom() string {
	if !m.wide() {
		return "what is in front has the whole screen already"
	}
	return ""
}

// listHeight is how many replies a page shows.
func (m *Model) listHeight() int { return max(1, m.height-3) }

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	return strings.Join(widget.Block(m.lines(), m.width, m.height), "\n")
}

func (m *Model) lines() []string {
	t := m.theme
	switch {
	case m.ending:
		return m.row.Question(t, &m.Spelling, m.width, m.height)
	case m.form != nil:
		return m.form.lines(m.width, m.height)
	case m.opened != nil:
		return m.readLines()
	case m.id == "":
		return nil
	case !m.known && m.seen.IsZero():
		return []string{"", t.Faint.Render("  reading the votes…")}
	case !m.known:
		return []string{"", t.Faint.Render("  there are no votes yet")}
	}
	out, at := []string{m.head(), m.tabs()}, m.resultWidth()
	if at == 0 || !m.wide() && m.part != results {
		return append(out, m.replyLines(m.width, m.height-2)...)
	}
	lines := m.resultLines(at)
	lines = lines[min(m.top, len(lines)):]
	if more := len(lines) - (m.height - 2); more > 0 {
		out[1] = widget.Ends(out[1], t.Faint.Render(widget.Plural(more, "line")+" more ↓"), at)
	}
	if at < m.width {
		return append(out, t.Beside(lines, m.replyLines(m.width-at-3, m.height-2), at, m.width, m.height-2)...)
	}
	return append(out, lines...)
}

func (m *Model) head() string {
	t := m.theme
	sign, style := m.row.Glyph(t)
	name := widget.Cut(m.row.Title(), max(8, m.width-widget.Width(m.row.State())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+m.row.State())
	return line + t.Border.Render(" "+strings.Repeat("─", max(0, m.width-widget.Width(line)-1)))
}

// tabs name what the page can show.
func (m *Model) tabs() string {
	t := m.theme
	names := [parts]string{"Results", "Unparsed " + widget.Count(m.row.Tally.Unparsed), "Failed " + widget.Count(m.row.Tally.Failed)}
	out := make([]string, len(names))
	for i, name := range names {
		if part(i) == m.part {
			out[i] = t.Title.Render("[" + name + "]")
		} else {
			out[i] = t.Faint.Render(" " + name + " ")
		}
	}
	return strings.Join(out, " ")
}

// resultLines are how the job goes, and what its votes come to so far.
func (m *Model) resultLines(width int) []string {
	t := m.theme
	out := []string{widget.Cut(t.Field("sees", m.row.Ballot()+t.Faint.Render(" · "+widget.Line(string(m.row.Dataset))), job.NameWidth), width)}
	out = append(out, m.row.Overview(t, &m.Spelling, width, m.seen)...)
	if m.row.Work != eval.Voting {
		return out
	}
	if !m.looked {
		return append(out, "", t.Faint.Render("reading the votes…"))
	}
	d := figures{t, width, out}
	d.single(&m.look)
	d.merged(&m.look)
	d.positions(&m.look)
	return d.out
}

// figures draw what votes come to.
type figures struct {
	t     *widget.Theme
	width int
	out   []string
}

func (d *figures) say(name, text string) {
	d.out = append(d.out, widget.Cut(d.t.Field(name, text, job.NameWidth), d.width))
}

func (d *figures) single(l *Look) {
	d.say("each vote", fmt.Sprintf("model %s · anchor %s · unable %s", widget.Count(l.Model), widget.Count(l.Anchor), widget.Count(l.Unable)))
}

// bar draws one of several counts that sum to n.
func (d *figures) bar(name string, k, n int, style widget.Ink, rate *stat.Rate) {
	text := fmt.Sprintf("%7s", widget.Count(k))
	if n > 0 {
		text += fmt.Sprintf(" %8s", widget.Share(k, n))
	}
	if rate != nil && rate.Undefined == "" {
		text += d.t.Faint.Render(fmt.Sprintf(" [%.1f, %.1f]", 100*rate.Low, 100*rate.High))
	}
	share := 0.0
	if n > 0 {
		share = float64(k) / float64(n)
	}
	d.say("  "+name, d.t.BarOf(style, max(6, min(40, d.width-job.NameWidth-36)), share)+" "+text)
}

// merged are the results so far: the rule of MLLM-Bench where both orders are
// asked.
func (d *figures) merged(l *Look) {
	r := &l.Results
	of := "of the " + widget.Plural(r.N, "question") + " with a vote in both orders, merged as MLLM-Bench does"
	if l.Orders == 1 {
		of = "of the " + widget.Plural(r.N, "question") + " with a vote, each in one order"
	}
	if r.Incomplete > 0 {
		of += "; " + widget.Count(r.Incomplete) + " incomplete"
	}
	d.out = append(d.out, "")
	d.say("results", d.t.Faint.Render(of))
	if r.N == 0 {
		return
	}
	t := d.t
	d.bar("win", r.Win, r.N, t.Good, &l.WinRate)
	d.bar("lose", r.Lose, r.N, t.Bad, nil)
	d.bar("tie", r.Tie, r.N, t.BarFull, nil)
	d.bar("situ. one", r.SituationOne, r.N, t.BarFull, nil)
	d.bar("situ. two", r.SituationTwo, r.N, t.BarFull, nil)
	d.bar("unable", r.Unable, r.N, t.BarFull, nil)
}

// positions are how far the place of an answer decides, of the pairs with a
// vote in both orders; the four sum to 1 (MLLM-Bench, Fig. 5).
func (d *figures) positions(l *Look) {
	d.out = append(d.out, "")
	n := l.Same.N
	if n == 0 {
		d.say("positions", d.t.Faint.Render("no pair has a vote in both orders"))
		return
	}
	d.say("positions", d.t.Faint.Render("of the "+widget.Plural(n, "pair")+" with a vote in both orders"))
	for _, p := range []struct {
		name string
		rate *stat.Rate
	}{{"same", &l.Same}, {"first", &l.First}, {"second", &l.Second}, {"other", &l.Other}} {
		d.bar(p.name, p.rate.K, n, d.t.BarFull, p.rate)
	}
}
