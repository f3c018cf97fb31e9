package pairs

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/tui/widget"
)

// face draws the rows of a query.
type face struct {
	theme *widget.Theme
	query *Query
}

func (m face) columns(width int) []widget.Column {
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

func (m face) cells(r *Row) []string {
	t := m.theme
	out := []string{widget.Line(string(r.Sample)), widget.Line(r.Models[0]), widget.Line(r.Models[1])}
	people, question := said(r.People), widget.Line(widget.Head(r.Question))
	if r.Blinded {
		out[1], out[2] = t.Faint.Render("sealed"), t.Faint.Render("sealed")
		people, question = t.Faint.Render("sealed"), t.Warn.Render(sealedText)+t.Faint.Render(" · ")+question
	}
	if m.query.Judge {
		for i := range r.Orders {
			if r.Blinded {
				out = append(out, t.Faint.Render("sealed"))
			} else {
				out = append(out, orderText(m, &r.Orders[i]))
			}
		}
		out = append(out, strings.ReplaceAll(r.Outcome, "_", " "))
	}
	return append(out, people, question)
}

// orderText is what was said in one order, in a word.
func orderText(m face, o *Order) string {
	switch {
	case !o.Asked:
		return m.theme.Faint.Render("–")
	case o.Failure != "":
		return m.theme.Bad.Render("✗ failed")
	case o.Vote == eval.VoteUnset:
		return m.theme.Warn.Render("unparsed")
	}
	return short(o.Vote)
}

// word is a vote as it speaks of the pair's first run.
func word(v eval.Vote) string {
	switch v {
	case eval.Answer1:
		return "win"
	case eval.Answer2:
		return "lose"
	case eval.SituationOne:
		return "situation one"
	case eval.SituationTwo:
		return "situation two"
	case eval.VoteUnset:
	}
	return ""
}

// short is the word where there is little room.
func short(v eval.Vote) string { return strings.Replace(word(v), "situation", "sit.", 1) }

// said is what people voted in a few words: "2 win, 1 lose".
func said(votes []eval.Vote) string {
	var n [eval.Votes]int
	for _, v := range votes {
		n[v]++
	}
	var out []string
	for v := eval.Answer1; int(v) < eval.Votes; v++ {
		if n[v] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[v], short(v)))
		}
	}
	return strings.Join(out, ", ")
}
