package annotate

import (
	"testing"

	"concord/eval"
)

func TestWhoIsRight(t *testing.T) {
	found := func(c eval.Choice) eval.Extraction { return eval.Extraction{Status: eval.Found, Choice: c} }
	check := func(final, people Reading, machine eval.Extraction, said, want Cause) {
		t.Helper()
		r := Ruling{Reading: final, Cause: said}
		if got := r.CauseFor(people, machine); got != want {
			t.Errorf("final %s, people %s, machine %s: %s, want %s", final.Word(), people.Word(), machine.Choice, got, want)
		}
	}
	check(pick("A"), pick("A"), found("B"), CauseUnset, PersonRight)
	check(pick("B"), pick("A"), found("B"), CauseUnset, JudgeRight)
	check(pick("C"), pick("A"), found("B"), JudgeRight, BothWrong) // right about another machine
	check(pick("A"), pick("A"), found("B"), AmbiguousCause, AmbiguousCause)
	check(Reading{Kind: SaidAmbiguous}, pick("A"), found("B"), CauseUnset, AmbiguousCause)
	check(Reading{Kind: SaidNone}, pick("A"), found("B"), CauseUnset, BothWrong)
	check(Reading{Kind: SaidAmbiguous}, Reading{Kind: SaidNone}, found("B"), CauseUnset, PersonRight)
	check(pick("A"), pick("B"), found("B"), CauseUnset, CauseUnset) // nothing to settle
}

func TestAdjudicatorsWhoDifferSettleNothing(t *testing.T) {
	a, b, c := Ruling{Reading: pick("A"), Annotator: "ann"}, Ruling{Reading: pick("A"), Annotator: "ben"}, Ruling{Reading: pick("B")}
	if r, ok := StandingRuling([]Ruling{a, b}); !ok || r.Annotator != "ann" {
		t.Errorf("of two who agree: %+v, %v", r, ok)
	}
	if _, ok := StandingRuling([]Ruling{a, b, c}); ok {
		t.Error("of those who differ one stands")
	}
}
