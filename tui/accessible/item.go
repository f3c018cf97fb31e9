package accessible

import (
	"cmp"
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// frontItem is the item in front, as it is told.
type frontItem struct {
	session *session.Session
	item    annotate.Item
	offers  []labeloption.Option
	told    annotate.ItemKey // the item that stands in the scrollback last
	out     *lineWriter
}

// parseReading gives what a line says of the item in front; why it says nothing.
func (fr *frontItem) parseReading(word, rest string) (r annotate.Reading, why string) {
	if fr.isPair() {
		v, ok := map[string]eval.Vote{"1": eval.Answer1, "2": eval.Answer2, "tie": eval.SituationOne, "=": eval.SituationOne, "bad": eval.SituationTwo, "0": eval.SituationTwo}[word]
		if !ok || rest != "" {
			return r, "type 1, 2, tie or bad."
		}
		return annotate.Reading{Kind: annotate.Voted, Vote: v, Criteria: fr.item.Revision}, ""
	}
	if at, ok := labeloption.FindByKey(fr.offers, word); ok && rest == "" {
		if i, open := fr.firstUngraded(); labeloption.IsGraded(&fr.item) {
			c := fr.item.Rubric[i]
			switch v := fr.offers[at].Grade; {
			case !open:
				return r, "all criteria of the item are graded: undo takes the last verdict back."
			case v == eval.Partial && !c.Partial:
				return r, "this criterion is met or not."
			default:
				return annotate.Reading{Kind: annotate.Graded, Grades: []annotate.Grade{{Criterion: c.Name, Hash: c.Hash, Verdict: v}}}, ""
			}
		}
		return fr.offers[at].Reading(), ""
	}
	if labeloption.IsGraded(&fr.item) {
		return r, "type met, as 1 or m, or another choice."
	}
	if labeloption.IsScored(&fr.item) {
		return r, "type a score from 1 to 5."
	}
	if fr.item.Labels != "" {
		return r, "type the key of a label."
	}
	switch word {
	case "none", "0":
		return annotate.Reading{Kind: annotate.SaidNone}, ""
	case "refused", "-":
		return annotate.Reading{Kind: annotate.SaidRefused}, ""
	case "several", "ambiguous", "=":
		return fr.parseAmbiguous(rest)
	}
	return r, "no choice and no command."
}

// parseAmbiguous gives an ambiguous answer, with the options that it wavers between.
func (fr *frontItem) parseAmbiguous(rest string) (r annotate.Reading, why string) {
	r.Kind = annotate.SaidAmbiguous
	for _, w := range strings.FieldsFunc(rest, func(c rune) bool { return c == ' ' || c == ',' }) {
		at, ok := labeloption.FindByKey(fr.offers, w)
		if !ok {
			return r, widget.CleanLine(widget.CutWidth(w, 20)) + " is no choice."
		}
		r.Several = append(r.Several, fr.offers[at].Choice)
	}
	return r, ""
}

// writeItem tells the item in front: what was asked, what can be said, and last the
// answer that it is about, so that it is what was heard last.
func (fr *frontItem) writeItem() {
	it := &fr.item
	fr.out.writeLine("\nItem %d of %d. Sample %s.%s", fr.session.Walk.Position()+1, fr.session.Walk.Len(), widget.CleanLine(string(it.Sample)), fr.describeOwnMarks())
	for i, p := range it.Pictures {
		name := cmp.Or(p.Name, "without a name")
		fr.out.writeLine("Image %d of %d: %s.", i+1, len(it.Pictures), widget.CleanLine(name))
	}
	fr.out.writeTitledText("Question", it.Question)
	fr.out.writeTitledText("Hint", it.Hint)
	if fr.isPair() {
		fr.writePair()
		return
	}
	fr.out.writeTitledText("Right answer", it.Reference)
	fr.writeChoices()
	name := eval.Either(labeloption.IsScored(it), "Answer to score", "Model response")
	fr.out.writeResponse(name, it.Prediction, it.Truncated)
	fr.writeNextCriterion()
}

// firstUngraded is the first criterion without a verdict; false where each has one.
func (fr *frontItem) firstUngraded() (int, bool) {
	for i := range fr.item.Rubric {
		if _, ok := annotate.SelectGrades(fr.item.Rubric[i:i+1], fr.session.Own.State().Grades[fr.told]); !ok {
			return i, true
		}
	}
	return 0, false
}

// writeNextCriterion tells the criterion that is graded next.
func (fr *frontItem) writeNextCriterion() {
	if i, ok := fr.firstUngraded(); ok {
		fr.out.writeTitledText(fmt.Sprintf("Criterion %d of %d", i+1, len(fr.item.Rubric)), fr.item.Rubric[i].Text)
	}
}

func (fr *frontItem) isPair() bool { return fr.told.Against != 0 }

// describeOwnMarks lists what the person did with the item before.
func (fr *frontItem) describeOwnMarks() string {
	st, out := fr.session.Own.State(), ""
	if l, ok := st.Labels[fr.told]; ok {
		out += " Your answer: " + fr.out.readingInWords(l.Reading) + "."
	}
	out += eval.Either(st.Flagged[fr.told], " Flagged.", "")
	if tags := st.Tags[fr.told]; len(tags) > 0 {
		out += " Tags: " + widget.CleanLine(strings.Join(tags, ", ")) + "."
	}
	if note := st.Notes[fr.told]; note != "" {
		out += " Note: " + widget.CleanLine(note) + "."
	}
	return out
}

func (fr *frontItem) writeChoices() {
	if len(fr.offers) > 0 {
		fr.out.writeLine("Choices:")
	}
	for _, o := range fr.offers {
		keys := o.Digit
		if o.Letter != "" {
			keys = strings.TrimPrefix(keys+" or "+o.Letter, " or ")
		}
		fr.out.writeLine("  %s: %s", keys, widget.CleanLine(o.Text))
	}
	if !labeloption.HasFixedOffers(&fr.item) {
		fr.out.writeLine("  none: none of them. refused: it refused. several and the choices: ambiguous.")
	}
}

func (fr *frontItem) writePair() {
	it := &fr.item
	first, second := it.Prediction, it.Against
	firstCut, secondCut := it.Truncated, it.AgainstCut
	if fr.session.IsSwapped(fr.told) {
		first, second, firstCut, secondCut = second, first, secondCut, firstCut
	}
	fr.out.writeTitledText("Criteria", it.Criteria)
	fr.out.writeResponse("Answer 1", first, firstCut)
	fr.out.writeResponse("Answer 2", second, secondCut)
	fr.out.writeLine("Which is better? 1 or 2. tie: both right or both wrong. bad: both with grave errors.")
}
