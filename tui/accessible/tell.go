package accessible

import (
	"strings"

	"concord/annotate"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// tell tells the item in front: what was asked, what can be said, and last the
// answer that it is about, so that it is what was heard last.
func (s *sitting) tell() {
	it := &s.item
	s.say("\nItem %d of %d. Sample %s.%s", s.session.At()+1, s.session.Len(), widget.Line(string(it.Sample)), s.marks())
	for i, p := range it.Pictures {
		name := p.Name
		if name == "" {
			name = "without a name"
		}
		s.say("Picture %d of %d: %s.", i+1, len(it.Pictures), widget.Line(name))
	}
	s.text("Question", it.Question)
	s.text("Hint", it.Hint)
	if s.paired() {
		s.tellPair()
		return
	}
	s.text("Right answer", it.Reference)
	s.choices()
	name := "Answer to read"
	if labeloption.Scored(it) {
		name = "Answer to score"
	}
	s.answer(name, it.Prediction, it.Truncated)
}

func (s *sitting) paired() bool { return s.told.Against != 0 }

// marks are what the person did with the item before.
func (s *sitting) marks() string {
	st, out := s.session.State(), ""
	if l, ok := st.Labels[s.told]; ok {
		out += " Your answer: " + s.word(l.Reading) + "."
	}
	if st.Flagged[s.told] {
		out += " Flagged."
	}
	if note := st.Notes[s.told]; note != "" {
		out += " Note: " + widget.Line(note) + "."
	}
	return out
}

func (s *sitting) choices() {
	if len(s.offers) > 0 {
		s.say("Choices:")
	}
	for _, o := range s.offers {
		keys := o.Digit
		if o.Letter != "" {
			keys = strings.TrimPrefix(keys+" or "+o.Letter, " or ")
		}
		s.say("  %s: %s", keys, widget.Line(o.Text))
	}
	if !labeloption.Scored(&s.item) {
		s.say("  x: none of them. d: refused. m and the choices: ambiguous.")
	}
}

func (s *sitting) tellPair() {
	it := &s.item
	first, second := it.Prediction, it.Against
	firstCut, secondCut := it.Truncated, it.AgainstCut
	if s.session.Swapped(s.told) {
		first, second, firstCut, secondCut = second, first, secondCut, firstCut
	}
	s.text("Criteria", it.Criteria)
	s.answer("Answer 1", first, firstCut)
	s.answer("Answer 2", second, secondCut)
	s.say("Which is better? 1 or 2. t: both right or both wrong. w: both with grave errors.")
}

// text tells a text under its name; nothing of an empty one.
func (s *sitting) text(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	text = widget.Clean(text)
	if strings.Contains(text, "\n") {
		// Set off, so that no answer can pass for what concord says.
		s.say("%s:\n  %s", name, strings.ReplaceAll(text, "\n", "\n  "))
		return
	}
	s.say("%s: %s", name, text)
}

func (s *sitting) answer(name, text string, cut bool) {
	if cut {
		name += ", cut off by the endpoint"
	}
	if strings.TrimSpace(text) == "" {
		text = "(empty)"
	}
	s.text(name, text)
	s.say("End of the answer.")
}

// word is a reading in words.
func (s *sitting) word(r annotate.Reading) string {
	if r.Verdict != annotate.Voted {
		return labeloption.Word(r)
	}
	return labeloption.VoteWord(r.Vote)
}
