package judging

import (
	"fmt"
	"strings"

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

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.shown.width, m.shown.height = width, height
	m.shown.settle()
}

// Deep reports whether a reply takes the whole screen.
func (m *Model) Deep() bool { return m.shown.opened != nil }

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.shown.width <= 0 || m.shown.height <= 0 {
		return ""
	}
	return strings.Join(widget.Block(m.lines(), m.shown.width, m.shown.height), "\n")
}

func (m *Model) lines() []string {
	t := m.theme
	switch {
	case m.ending:
		return m.shown.row.Question(t, &m.Spelling, m.shown.width, m.shown.height)
	case m.form != nil:
		return m.form.lines(m.shown.width, m.shown.height)
	case m.shown.opened != nil:
		return m.shown.readLines()
	case m.shown.id == "":
		return nil
	case !m.shown.known && m.shown.seen.IsZero():
		return []string{"", t.Faint.Render("  loading the votes…")}
	case !m.shown.known:
		return []string{"", t.Faint.Render("  there are no votes yet")}
	}
	out, at := []string{m.shown.head(), m.shown.tabs()}, m.shown.resultWidth()
	if at == 0 || !m.shown.wide() && m.shown.part != results {
		return append(out, m.shown.replyLines(m.shown.width, m.shown.height-2)...)
	}
	lines := m.shown.resultLines(at)
	lines = lines[min(m.shown.top, len(lines)):]
	if more := len(lines) - (m.shown.height - 2); more > 0 {
		out[1] = widget.Ends(out[1], t.Faint.Render(widget.Plural(more, "line")+" more ↓"), at)
	}
	if at < m.shown.width {
		return append(out, t.Beside(lines, m.shown.replyLines(m.shown.width-at-3, m.shown.height-2), at, m.shown.width, m.shown.height-2)...)
	}
	return append(out, lines...)
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
func (d *figures) bar(name string, k, n int, style widget.CachedStyle, rate *stat.Rate) {
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
