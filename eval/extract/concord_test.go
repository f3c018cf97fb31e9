package extract

import (
	"fmt"
	"os"
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

func TestConcordAgainstPeople(t *testing.T) {
	rd := rules(t, Default, eval.KindChoice)
	var half [2]figures
	var all figures
	for _, r := range realRows(t, "extraction/choices.jsonl") {
		e := rd.Read(r.Options, r.Prediction)
		i := 0
		if r.holdout() {
			i = 1
		}
		half[i].add(r, e)
		all.add(r, e)
		if os.Getenv("SHOW") != "" && i == 0 && r.Kind != "" &&
			(r.Kind == "option" && string(e.Choice) != r.Human || r.Kind != "option" && e.IsFound()) {
			p := r.Prediction
			if len(p) > 900 {
				p = p[:500] + " ..... " + p[len(p)-350:]
			}
			fmt.Printf("## %s human %q got %+v\n   %.400q\n   %q\n", r.Kind, r.Human, e, r.Options, p)
		}
	}
	t.Logf("dev half:     %v", half[0])
	t.Logf("holdout half: %v", half[1])
	t.Logf("all:          %v", all)
}
