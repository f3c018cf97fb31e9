package vote

import (
	"fmt"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// finished is what stands where no pair is in front.
func (m *Model) finished(height int) []string {
	t, s := m.Theme, m.Session
	out := m.Head.Finished(annotation.Words{
		Waiting: "Waiting for answers to compare",
		Comes:   "An evaluation is running. Pairs of answers arrive here by themselves.",
		Nothing: "It has no pairs: no two runs answer the same samples.",
	})
	if s.Walk.Len() > s.Walk.Open() {
		out = append(out, "")
		out = append(out, m.Tally(m.counts())...)
	}
	if m.Done() {
		out = append(out, "", " "+t.Key.Render(m.Spelled("next_tab"))+"  the report",
			" "+t.Key.Render(m.Spelled("previous"))+"  back to the last pair, "+t.Key.Render(m.Spelled("reveal"))+" there shows whose answers they are",
			" "+t.Key.Render(m.Spelled("undo"))+"  undo the last thing you did")
	}
	return widget.Block(out, m.Width, height)
}

// counts is how often each vote was given. A person who nearly always prefers
// what stands first should know.
func (m *Model) counts() string {
	var n [eval.Votes]int
	for _, l := range m.Session.Own.State().Labels {
		if l.Reading.Verdict == annotate.Voted {
			n[l.Reading.Vote]++
		}
	}
	return fmt.Sprintf("Answer 1 %s, Answer 2 %s, tie %s, both bad %s", widget.Count(n[eval.Answer1]),
		widget.Count(n[eval.Answer2]), widget.Count(n[eval.SituationOne]), widget.Count(n[eval.SituationTwo]))
}
