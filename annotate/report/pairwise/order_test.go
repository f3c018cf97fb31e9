package pairwise

import (
	"testing"

	"concord/annotate"
	"concord/annotate/report"
)

// Table 13 matches people and the judge by order: each vote of a person is set
// beside the judge's vote on the answers shown alike.
func TestSameOrder(t *testing.T) {
	p := newPanel()
	r, err := ReportAgreement(t.Context(), p, AgreementOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []annotate.Annotator{"ann", "cat"} {
		k, n := 0, 0
		for _, v := range p.People {
			for i := range p.Prefs {
				f := &p.Prefs[i]
				if v.Annotator == who && !v.Excluded && !v.Informed && f.Pair == v.Pair && f.Judge == "Y" && !f.Criteria && f.HasReply() && f.Vote.IsDecided() && v.Vote.IsDecided() {
					k, n = k+report.OneIf(f.Vote == v.Vote), n+1
				}
			}
		}
		if row := agreementOf(t, &r, who, "Y", false); n == 0 || row.SameOrder.K != k || row.SameOrder.N != n {
			t.Errorf("%s: %+v, want %d of %d", who, row.SameOrder, k, n)
		}
	}
	if row := agreementOf(t, &r, "", "Y", false); row.SameOrder.N >= row.Agreement.N {
		t.Errorf("pairs that were seen in both orders are matched: %+v", row.SameOrder)
	}
}
