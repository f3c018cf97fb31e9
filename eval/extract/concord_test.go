package extract

import (
	"fmt"
	"testing"

	"concord/eval"
)

type figures struct{ options, right, wrong, others, picks int }

func (f *figures) add(r row, e eval.Extraction) {
	if r.Kind == "option" {
		f.options++
		switch {
		case string(e.Choice) == r.Human:
			f.right++
		case e.IsFound():
			f.wrong++
		}
	} else if r.Kind != "" {
		f.others++
		if e.IsFound() {
			f.picks++
		}
	}
}

func (f figures) String() string {
	pc := func(k, n int) float64 { return 100 * float64(k) / float64(max(n, 1)) }
	return fmt.Sprintf("option rows %d: right %d (%.2f %%), wrong %d (%.2f %%), abstains %d; other rows %d: picks %d (%.2f %%)",
		f.options, f.right, pc(f.right, f.options), f.wrong, pc(f.wrong, f.options), f.options-f.right-f.wrong,
		f.others, f.picks, pc(f.picks, f.others))
}

// TestConcordAgainstPeople asserts the stated figures on all labels and on
// both halves: the rules were developed on one, the other shows whether they
// hold for what they have not seen.
func TestConcordAgainstPeople(t *testing.T) {
	rd := readerOf(t, Default, eval.KindChoice)
	var dev, holdout, all figures
	for _, r := range realRows(t, "extraction/choices.jsonl") {
		e := rd.Read(r.Options, r.Prediction)
		if r.holdout() {
			holdout.add(r, e)
		} else {
			dev.add(r, e)
		}
		all.add(r, e)
	}
	check := func(name string, f figures) {
		t.Helper()
		t.Logf("%-8s %v", name, f)
		if 100*f.right < 99*f.options || 1000*f.wrong > f.options || 100*f.picks > 2*f.others {
			t.Errorf("%s: want right >= 99 %%, wrong <= 0.1 %%, picks <= 2 %%", name)
		}
	}
	check("dev", dev)
	check("holdout", holdout)
	check("all", all)
	if all.options != 1778 || all.others != 169 {
		t.Errorf("labels: %d of options and %d others, want 1778 and 169", all.options, all.others)
	}
}
