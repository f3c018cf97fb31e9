package store

import (
	"testing"

	"concord/annotate/curation"
)

// A word of an expert that is given, or brought back, after they were shown what
// others say is no blind one, whatever their screen says.
func TestExpertsWordsAfterALook(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(2))
	n := 0
	do := func(a curation.Act, want bool) {
		t.Helper()
		n++
		a.Dataset, a.Expert, a.N, a.At = "d", "ann", uint32(n), clock()
		must(t, s.Curation().Append(t.Context(), []curation.Act{a}))
		must(t, s.Curation().Append(t.Context(), []curation.Act{a})) // comes again
		st := curation.FoldActs(got[[]curation.Act](t)(s.Curation().Acts("d", "ann")))
		if w, ok := st.Words[0]; ok && w.Informed != want {
			t.Errorf("after act %d, %s: informed %v", n, a.Kind, w.Informed)
		}
	}
	do(curation.Act{Kind: curation.Judged, Verdict: curation.Wrong}, false)           // 1
	do(curation.Act{Kind: curation.Looked}, false)                                    // 2
	do(curation.Act{Kind: curation.TookBack, Target: 1}, false)                       // 3
	do(curation.Act{Kind: curation.TookBack, Target: 3}, true)                        // 4: taken up again, knowing the others' words
	do(curation.Act{Kind: curation.Judged, Verdict: curation.Wrong}, true)            // 5
	do(curation.Act{Kind: curation.Noted, Text: "by the colour"}, true)               // 6
	do(curation.Act{Kind: curation.Judged, Sample: 1, Verdict: curation.Wrong}, true) // 7: of another sample
	if st := curation.FoldActs(got[[]curation.Act](t)(s.Curation().Acts("d", "ann"))); st.Words[1].Informed {
		t.Error("a look at one sample informs another")
	}
}
