package judging

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// jobPage is the job that is looked at, and the replies of its judge.
type jobPage struct {
	*keymap.Spelling
	theme         *widget.Theme
	width, height int
	id            job.ID // whose page it is; "": the form alone
	row           job.Row
	known         bool // row was read
	look          Look
	looked        bool
	seen          time.Time
	part          pagePart
	space         *widget.PaneSize // of the part in front
	top           int              // first line of the results that is shown
	lists         [2]replyList
	opened        *openedReply // nil: no reply is read
}

// moveCursor moves in the part that is shown.
func (p *jobPage) moveCursor(by int) {
	if l := p.shownReplies(); l != nil {
		l.at.MoveBy(by, len(l.rows), p.listHeight())
		return
	}
	p.top += by
	p.clampCursors()
}

// shownReplies is the list that is shown; nil when the results are.
func (p *jobPage) shownReplies() *replyList {
	switch p.part {
	case unparsed:
		return &p.lists[0]
	case failed:
		return &p.lists[1]
	case results, parts:
	}
	return nil
}

// drawReplies draw the list with its title.
func (p *jobPage) drawReplies(width, height int) []string {
	t := p.theme
	l, name, none, more := p.shownReplies(), "Failed", "no call has failed", p.look.MoreFails
	if p.part != failed {
		name, none, more = "Unparsed", "every reply holds a vote", p.look.MoreReplies
		l = &p.lists[0]
	}
	note := widget.FormatCount(len(l.rows) + more)
	if more > 0 {
		note = fmt.Sprintf("the first %s of %s", widget.FormatCount(len(l.rows)), note)
	}
	out := []string{t.DrawSection(name, note, p.part != results, width)}
	switch {
	case p.row.Work != eval.Voting:
		return append(out, t.Faint.Render("  replies are listed one by one for votes alone"))
	case !p.looked:
		return append(out, t.Faint.Render("  loading…"))
	case len(l.rows) == 0:
		return append(out, "  "+t.Faint.Render(none))
	}
	for i := l.at.Top; i < len(l.rows) && len(out) < height; i++ {
		out = append(out, t.DrawRow(p.drawReply(&l.rows[i], width-2), p.part != results && i == l.at.At, true, width))
	}
	return out
}

func (p *jobPage) drawReply(r *Reply, width int) string {
	t := p.theme
	name := t.Faint.Render(widget.FitWidth(widget.CleanLine(string(r.Sample)), max(6, min(14, width/6))) + " " + widget.FitWidth(r.describeOrder(), 12))
	switch {
	case !r.Visibility.ShowsText():
		return widget.CutWidth(name+" "+t.Faint.Render("kept back until you have voted on this sample"), width)
	case r.Failure != "":
		return widget.JoinEnds(name+" "+t.Bad.Render("✗ "+job.CleanHeadOfText(r.Failure)), t.Faint.Render(r.Kind.String()), width)
	}
	tries := ""
	if n := len(r.Earlier); n > 0 {
		tries = fmt.Sprintf("%d replies", n+1)
	}
	return widget.JoinEnds(name+" "+job.CleanHeadOfText(r.Raw), t.Faint.Render(tries), width)
}

// toggleFailed shows what failed, or the results again.
func (p *jobPage) toggleFailed() {
	p.part = eval.Either(p.part == failed, results, failed)
	p.clampCursors()
}

// openReply shows all of the reply under the cursor.
func (p *jobPage) openReply() tea.Cmd {
	l := p.shownReplies()
	if l == nil || l.at.At >= len(l.rows) {
		return nil
	}
	r := &l.rows[l.at.At]
	if !r.Visibility.ShowsText() {
		return widget.NotifyCmd(widget.Info, "an item about this sample is yet to be answered: until then nobody's word on it is shown")
	}
	p.opened = &openedReply{text: widget.NewText(r.fullReplyText(), max(1, p.width-2))}
	return nil
}

func (p *jobPage) handleReplyKey(msg tea.KeyMsg) tea.Cmd {
	o, page := p.opened, max(1, p.height-2)
	if by, ok := widget.NewMoves().MoveBy(msg, page, 1<<30); ok {
		o.text.LayOutTo(max(0, o.top+by) + page)
		n, _ := o.text.Len()
		o.top = max(0, min(o.top+by, n-page))
		return nil
	}
	step := 0
	switch msg.String() {
	case "left":
		step = -1
	case "right":
		step = 1
	case "enter":
		p.opened = nil
	}
	if l := p.shownReplies(); step != 0 && l != nil {
		before := l.at.At
		for at := before + step; at >= 0 && at < len(l.rows); at += step {
			if l.rows[at].Visibility.ShowsText() {
				l.at.MoveTo(at, len(l.rows), p.listHeight())
				return p.openReply()
			}
		}
	}
	return nil
}

func (p *jobPage) drawOpenedReply() []string {
	t, l := p.theme, p.shownReplies()
	if l == nil || l.at.At >= len(l.rows) {
		return nil
	}
	r := &l.rows[l.at.At]
	if p.opened.text.Width() != max(1, p.width-2) {
		p.opened = &openedReply{text: widget.NewText(r.fullReplyText(), max(1, p.width-2))}
	}
	note := fmt.Sprintf("%s · %d of %d", r.describeOrder(), l.at.At+1, len(l.rows))
	out := []string{t.DrawSection("Sample "+widget.CleanLine(string(r.Sample)), note, true, p.width)}
	p.opened.text.LayOutTo(p.opened.top + p.height)
	return append(out, eval.Map(p.opened.text.LinesFrom(p.opened.top, p.height-1), func(l string) string { return " " + l })...)
}

func (p *jobPage) isWide() bool { return p.width >= beside }

// stepPart goes on to the next part, or to the one before.
func (p *jobPage) stepPart(back bool) {
	step := eval.Either(back, parts-1, pagePart(1))
	p.part = (p.part + step) % parts
	p.clampCursors()
}

// clampCursors keeps what is shown within what there is.
func (p *jobPage) clampCursors() {
	for i := range p.lists {
		l := &p.lists[i]
		l.at.MoveTo(l.at.At, len(l.rows), p.listHeight())
	}
	height := max(1, p.height-2)
	if at := p.resultWidth(); p.known && at > 0 {
		p.top = max(0, min(p.top, len(p.drawResults(at))-height))
	}
}

// resultWidth is the width of the results, which take room of the replies or
// leave them theirs; 0: the replies have all of it.
func (p *jobPage) resultWidth() int {
	const rule = 3
	left := p.width * 5 / 12
	switch {
	case !p.isWide():
		return p.width
	case p.part != results:
		return p.space.CellsLeft(left)
	case *p.space == widget.FullPane:
		return p.width
	}
	return p.width - rule - p.space.CellsLeft(p.width-rule-left)
}

// listHeight is how many replies a page shows.
func (p *jobPage) listHeight() int { return max(1, p.height-3) }

func (p *jobPage) drawHead() string {
	t := p.theme
	sign, style := job.StateGlyph(t, p.row.StateText())
	name := widget.CutWidth(p.row.Title(), max(8, p.width-widget.TextWidth(p.row.StateText())-6))
	line := t.Strong.Render(name) + "  " + style.Render(sign+" "+p.row.StateText())
	return line + t.Border.Render(" "+strings.Repeat("─", max(0, p.width-widget.TextWidth(line)-1)))
}

// formatTabs name what the page can show.
func (p *jobPage) formatTabs() string {
	t := p.theme
	names := []string{"Results", "Unparsed " + widget.FormatCount(p.row.Tally.Unparsed), "Failed " + widget.FormatCount(p.row.Tally.Failed)}
	out := eval.MapIndexed(names, func(i int, name string) string {
		return eval.Either(pagePart(i) == p.part, t.Title.Render("["+name+"]"), t.Faint.Render(" "+name+" "))
	})
	if at := p.resultWidth(); p.part == results && at > 0 {
		return t.MarkActivePane(strings.Join(out, " "), at)
	}
	return strings.Join(out, " ")
}

// drawResults draws how the job goes, and what its votes come to so far.
func (p *jobPage) drawResults(width int) []string {
	t := p.theme
	overview := p.row.DrawOverview(t, p.Spelling, width, p.seen)
	if p.row.Work != eval.Voting {
		return overview
	}
	out := []string{widget.CutWidth(t.DrawField("sees", p.row.DescribeBallot()+t.Faint.Render(" · "+widget.CleanLine(string(p.row.Dataset))), job.NameWidth), width)}
	out = append(out, overview...)
	if !p.looked {
		return append(out, "", t.Faint.Render("loading the votes…"))
	}
	d := resultDrawer{t, width, out}
	d.addField("each vote", fmt.Sprintf("model %s · anchor %s · unable %s", widget.FormatCount(p.look.Model), widget.FormatCount(p.look.Anchor), widget.FormatCount(p.look.Unable)))
	d.addMergedResults(&p.look)
	d.addPositionBias(&p.look)
	return d.out
}

// replyList are a list of calls that gave no vote.
type replyList struct {
	rows []Reply
	at   widget.Cursor
}

// replyKey tells replies of one comparison apart.
type replyKey struct {
	sample  eval.SampleID
	swapped bool
}

func newReplyKey(r Reply) replyKey { return replyKey{r.Sample, r.Swapped} }

// mergeReplies takes what was read. The cursor stays where it is.
func (l *replyList) mergeReplies(fresh []Reply, height int) {
	was, held := widget.RowUnder(&l.at, l.rows)
	l.rows = job.MergeRows(l.rows, fresh, newReplyKey)
	at := slices.IndexFunc(l.rows, func(r Reply) bool { return newReplyKey(r) == newReplyKey(was) })
	if !held || at < 0 {
		at = l.at.At
	}
	l.at.MoveTo(at, len(l.rows), height)
}

// describeOrder describes whose answer was shown first.
func (r *Reply) describeOrder() string { return eval.Either(r.Swapped, "anchor first", "model first") }

// openedReply is a reply that is read.
type openedReply struct {
	text *widget.Text
	top  int
}

// fullReplyText is everything that came back, in its order.
func (r *Reply) fullReplyText() string {
	if r.Failure != "" {
		return r.Failure
	}
	if len(r.Earlier) == 0 {
		return r.Raw
	}
	var b strings.Builder
	for i, text := range append(r.Earlier[:len(r.Earlier):len(r.Earlier)], r.Raw) {
		fmt.Fprintf(&b, "── reply %d\n%s\n\n", i+1, text)
	}
	return b.String()
}
