package pairs

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"concord/annotate"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Ask is for whom pairs are read, and whose votes stand beside them.
type Ask struct {
	Who    annotate.Annotator
	Ballot *eval.Ballot // the judge's, as it was asked; nil: people's alone
	Tells  bool         // that a pair is among those asked for gives a vote away
}

// Row is a pair in a list. Every vote speaks of the pair's first run: answer 1
// is that one's, on whichever side it was shown.
type Row struct {
	Pair     eval.Pair
	Sample   eval.SampleID
	LeftOut  bool   // all that may be told of it is that it is not in the list
	Blinded  bool   // Models and everything behind are withheld
	Question string // its beginning is enough
	Models   [2]string
	Orders   [2]Order // with the first run's answer shown first, and second
	Outcome  string   // of both orders; "" without a ballot
	People   []eval.Vote
}

// Order is what a judge said of a pair in one order of its answers. The zero value was not asked.
type Order struct {
	Asked   bool
	Failure string    // why the call failed
	Vote    eval.Vote // VoteUnset: the reply holds none
}

// Detail is all about a pair that one person may see.
type Detail struct {
	Sample         eval.SampleID
	Question, Hint string
	Options        []eval.Option
	Type           eval.QuestionType
	Taxonomy       []string
	Pictures       []eval.Picture
	Blinded        bool   // nothing below is there
	Criteria       string // as they stand; "" for none
	Models         [2]string
	Answers        [2]Answer
	Ballots        []Ballot
	People         []Vote
}

// Answer is one of the two.
type Answer struct {
	Text    string
	Missing string // why there is none; "" when there is one
	Cut     bool   // by the endpoint
}

// Ballot is what one judge, asked in one way, said of the pair.
type Ballot struct {
	eval.Ballot
	Orders  [2]Reply
	Outcome string
}

// Reply is one order of a ballot.
type Reply struct {
	Order
	Raw      string
	Criteria string // hash of those that it saw; "" without
	Stale    bool   // they were revised since
}

// Vote is what one person said of the pair, for its first run.
type Vote struct {
	Who      annotate.Annotator
	Queue    annotate.QueueName
	Vote     eval.Vote
	Second   bool // they saw the first run's answer second
	Flagged  bool
	Informed bool // given after the reveal
	Note     string
}

// List is some of the pairs behind a figure. Where it gives a vote away that a
// pair is in the list, those that are sealed are LeftOut.
type List struct {
	Name string
	Rows func(ctx context.Context, who annotate.Annotator) iter.Seq2[Row, error]
}

// Query is the lists behind a figure; the first is shown first. Judge adds what a judge said to the rows.
type Query struct {
	Title string
	Lists []List
	Judge bool
}

// Source reads pairs, for one person, and hands over no more than that person
// may see. It is called in commands. What it yields is pulled a page at a time,
// with long rests: it must hold no transaction while it yields.
type Source interface {
	// RowsOfPairs yields the pairs, in their order.
	RowsOfPairs(ctx context.Context, a Ask, pairs iter.Seq[eval.Pair]) iter.Seq2[Row, error]
	// Detail reads all about one pair.
	Detail(ctx context.Context, who annotate.Annotator, p eval.Pair) (Detail, error)
	// Picture reads the bytes of a picture.
	Picture(hash eval.PictureHash) ([]byte, error)
}

// Model is the screen.
type Model struct {
	*drilldown.Screen[Row, *pairPage]
}

type keys struct {
	drilldown.Keys
	mark key.Binding
}

// New makes the list of a query; Close ends it.
func New(ctx context.Context, t *widget.Theme, s Source, who annotate.Annotator, q Query) *Model {
	k := &keys{Keys: drilldown.NewKeys("pair", "next list"), mark: keymap.Pairs.BindAction("differences")}
	choices := eval.Map(q.Lists, func(l List) drilldown.ListChoice[Row] {
		return drilldown.NewListChoice(l.Name, "they wait for your vote", who, l.Rows)
	})
	face, differ := rowDrawer{t, &q}, new(bool)
	return &Model{drilldown.NewScreen(ctx, t, drilldown.RowKind[Row, *pairPage]{
		Row: "pair", Keys: &k.Keys, Own: []key.Binding{k.mark},
		Footer: []key.Binding{widget.NewBinding("↑↓", "scroll", "up"), keymap.Pairs.BindJoined("differences", "differences")},
		Place:  keymap.Pairs, Picture: keymap.PairsPicture,
		Open: func(row Row, f drilldown.PageFrame) (*pairPage, tea.Cmd) {
			p := &pairPage{PageFrame: f, keys: k, source: s, row: row, differ: differ}
			return p, func() tea.Msg { return p.loadPair(who) }
		},
	}, drilldown.RowFormat[Row]{
		Title: q.Title, Columns: face.listColumns, Cells: face.makeCells, LeftOut: func(r *Row) bool { return r.LeftOut }, Detail: face.drawDetail,
	}, choices)}
}

// CopyText gives both answers of the open pair, as the models gave them; on the list, the sample's id.
func (m *Model) CopyText() (what, text string) {
	switch p := m.Page; {
	case p == nil && m.List.CurrentRow() != nil:
		return "the sample's id", string(m.List.CurrentRow().Sample)
	case p == nil || !p.Loaded || p.Blinded:
		return "", ""
	default:
		a, b := p.Answers[0].Text, p.Answers[1].Text
		return "both answers", "Answer 1:\n" + a + "\n\nAnswer 2:\n" + b + "\n"
	}
}

// rowDrawer draws the rows of a query.
type rowDrawer struct {
	theme *widget.Theme
	query *Query
}

func (m rowDrawer) listColumns(width int) []widget.Column {
	columns := []widget.Column{
		{Title: "sample", Width: max(8, min(20, width/8)), Name: true},
		{Title: "model", Width: max(12, min(24, width/7)), Least: 100, Name: true},
		{Title: "against", Width: max(12, min(24, width/7)), Least: 140, Name: true},
	}
	if m.query.Judge {
		columns = append(columns,
			widget.Column{Title: "1st", Width: 8},
			widget.Column{Title: "2nd", Width: 8},
			widget.Column{Title: "merged", Width: 10},
		)
	}
	columns = append(columns,
		widget.Column{Title: "people", Width: max(12, min(24, width/7)), Least: 76},
		widget.Column{Title: "question", Width: 8, Grow: 1},
	)
	return columns
}

const sealedText = "waits for your vote"

func (m rowDrawer) makeCells(r *Row) []string {
	t := m.theme
	out := []string{widget.CleanLine(string(r.Sample)), widget.CleanLine(r.Models[0]), widget.CleanLine(r.Models[1])}
	people, question := formatVotes(r.People), widget.CleanLine(widget.HeadOfText(r.Question))
	if r.Blinded {
		out[1], out[2] = t.Faint.Render("sealed"), t.Faint.Render("sealed")
		people, question = t.Faint.Render("sealed"), t.Warn.Render(sealedText)+t.Faint.Render(" · ")+question
	}
	if m.query.Judge {
		for i := range r.Orders {
			out = append(out, eval.Either(r.Blinded, t.Faint.Render("sealed"), describeOrderVote(t, &r.Orders[i], "–", shortVoteText)))
		}
		out = append(out, strings.ReplaceAll(r.Outcome, "_", " "))
	}
	return append(out, people, question)
}

// drawDetail draws what the row in front says, as far as it may be seen.
func (m rowDrawer) drawDetail(r *Row, width int) []string {
	t := m.theme
	s := widget.Sheet{Theme: t, Width: width, Out: []string{t.DrawSection("Sample "+widget.CleanLine(string(r.Sample)), "", false, width)}}
	columns, cells := m.listColumns(width), m.makeCells(r)
	for i, c := range columns[1:] {
		if text := ansi.Strip(cells[i+1]); c.Grow == 0 && text != "" {
			s.AddField(c.Title, text)
		}
	}
	s.Out = append(s.Out, "", t.DrawSection("Question", "", false, width))
	s.AddText(t.Text.Render, drilldown.CutLongText(r.Question))
	return s.Out
}

// describeOrderVote gives what was said in one order, in a word; unasked where nothing was.
func describeOrderVote(t *widget.Theme, o *Order, unasked string, voted func(eval.Vote) string) string {
	switch {
	case !o.Asked:
		return t.Faint.Render(unasked)
	case o.Failure != "":
		return t.Bad.Render("✗ failed")
	case o.Vote == eval.VoteUnset:
		return t.Warn.Render("unparsed")
	}
	return voted(o.Vote)
}

// voteText is a vote as it speaks of the pair's first run.
func voteText(v eval.Vote) string {
	return map[eval.Vote]string{
		eval.Answer1:      "win",
		eval.Answer2:      "lose",
		eval.SituationOne: "situation one",
		eval.SituationTwo: "situation two",
	}[v]
}

// shortVoteText is the word where there is little room.
func shortVoteText(v eval.Vote) string { return strings.Replace(voteText(v), "situation", "sit.", 1) }

// formatVotes gives what people voted in a few words: "2 win, 1 lose".
func formatVotes(votes []eval.Vote) string {
	var n [eval.Votes]int
	for _, v := range votes {
		n[v]++
	}
	var out []string
	for v := eval.Answer1; int(v) < eval.Votes; v++ {
		if n[v] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[v], shortVoteText(v)))
		}
	}
	return strings.Join(out, ", ")
}

// drawVotes draws every judge's and every person's, a line each.
func (p *pairPage) drawVotes() []string {
	t := p.Theme
	out := []string{t.DrawSection("Votes", "win: "+p.modelName(0)+" is preferred", false, p.Width)}
	if len(p.Ballots)+len(p.People) == 0 {
		return append(out, t.Faint.Render("nobody has voted on this pair"))
	}
	wide := 0
	for i := range p.Ballots {
		if p.IsWide() {
			wide = max(wide, widget.TextWidth(describeMethod(&p.Ballots[i].Ballot)))
		}
	}
	for i := range p.People {
		wide = max(wide, widget.TextWidth(widget.CleanLine(string(p.People[i].Who))))
	}
	wide = min(wide, max(12, p.Width/2-6))
	for i := range p.Ballots {
		b := &p.Ballots[i]
		name := describeMethod(&b.Ballot)
		if !p.IsWide() { // on a line of its own
			out = append(out, widget.CutWidth(name, p.Width))
			name = ""
		}
		line := widget.FitWidth(name, wide) + "  " + t.Strong.Render(widget.FitWidth(strings.ReplaceAll(b.Outcome, "_", " "), 13)) +
			"  shown first: " + describeOrderVote(t, &b.Orders[0].Order, "not asked", voteText) + " · second: " + describeOrderVote(t, &b.Orders[1].Order, "not asked", voteText)
		out = append(out, widget.CutWidth(line, p.Width))
	}
	for i := range p.People {
		out = append(out, drawVoter(p, &p.People[i], wide)...)
	}
	return out
}

// describeMethod describes how a judge was asked, in a few words.
func describeMethod(b *eval.Ballot) string {
	parts := []string{widget.CleanLine(b.Judge), "without criteria"}
	if b.Criteria {
		parts[1] = "with criteria"
	}
	if b.Input != eval.SeesImage {
		parts = append(parts, b.Input.String())
	}
	if b.Repeat > 0 {
		parts = append(parts, "repeat "+strconv.Itoa(b.Repeat))
	}
	return strings.Join(parts, ", ")
}

// drawVoter draws what one person voted, with what has to be known of the vote.
func drawVoter(p *pairPage, v *Vote, wide int) []string {
	t := p.Theme
	side := eval.Either(v.Second, "shown second", "shown first")
	line := widget.FitWidth(widget.CleanLine(string(v.Who)), wide) + "  " + t.Strong.Render(widget.FitWidth(voteText(v.Vote), 13)) + "  " + side
	line += eval.Either(v.Flagged, "  "+t.Warn.Render("⚑ flagged"), "")
	line += eval.Either(v.Informed, "  "+t.Warn.Render("after the reveal, counts for nothing"), "")
	out := []string{widget.CutWidth(line+t.Faint.Render("  "+widget.CleanLine(string(v.Queue))), p.Width)}
	if v.Note != "" {
		for _, l := range drilldown.FirstLines(widget.WrapText("note: "+drilldown.CutLongText(v.Note), max(8, p.Width-wide-2)), 4) {
			out = append(out, widget.CutWidth(strings.Repeat(" ", wide+2)+l, p.Width))
		}
	}
	return out
}

// drawReplies draws the judges' raw replies, each under whose answer stood first.
func (p *pairPage) drawReplies() []string {
	t := p.Theme
	var out []string
	for i := range p.Ballots {
		b := &p.Ballots[i]
		for k := range b.Orders {
			r := &b.Orders[k]
			if !r.Asked {
				continue
			}
			note := p.modelName(k) + " first" + eval.Either(r.Stale, ", by criteria that were revised since", "")
			out = append(out, t.DrawSection("Reply of "+describeMethod(&b.Ballot), note, false, p.Width))
			switch {
			case r.Failure != "":
				out = append(out, eval.Map(drilldown.FirstLines(widget.WrapText(drilldown.CutLongText(r.Failure), p.Width), 6), func(l string) string { return t.Bad.Render(l) })...)
			case strings.TrimSpace(r.Raw) == "":
				out = append(out, t.Faint.Render("(empty)"))
			default:
				out = append(out, drilldown.FirstLines(widget.WrapText(drilldown.CutLongText(r.Raw), p.Width), 60)...)
			}
		}
	}
	return out
}
