package view

import (
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/pairs"
	"concord/tui/samples"
)

// telling gathers what a person is about to be shown of a response, and of its
// sample.
type telling struct {
	of  eval.DatasetName
	key eval.Key
	all []annotate.Disclosure
}

// add takes up a content of the response, where it is told.
func (t *telling) add(c annotate.Content, told bool) {
	if told {
		t.all = append(t.all, annotate.Disclosure{Dataset: t.of, Key: t.key, Content: c})
	}
}

// truth takes up that of the sample, where it is told.
func (t *telling) truth(told bool) {
	if told {
		t.all = append(t.all, annotate.OfSample(t.of, t.key.Sample, annotate.TruthContent))
	}
}

// batch is how many rows of a list are recorded together.
const batch = 50

// recorded yields the rows of a list once they are recorded as shown. Rows are
// recorded some at a time: up to as many beyond the last one that is asked for
// count as shown, too.
func recorded[R any](rows iter.Seq2[R, error], record func([]R) error) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var waiting []R
		flush := func() bool {
			if err := record(waiting); err != nil {
				var none R
				yield(none, err)
				return false
			}
			for _, r := range waiting {
				if !yield(r, nil) {
					return false
				}
			}
			waiting = waiting[:0]
			return true
		}
		for r, err := range rows {
			if err != nil {
				if flush() {
					yield(r, err)
				}
				return
			}
			if waiting = append(waiting, r); len(waiting) == batch && !flush() {
				return
			}
		}
		flush()
	}
}

// tells is what a row of a list tells: whose response it is, since the list
// names the run, and what else stands in it.
func tells(of eval.DatasetName, row *samples.Row) []annotate.Disclosure {
	if row.LeftOut || row.Visibility == blind.TextHidden {
		return nil
	}
	t := telling{of: of, key: row.Key}
	if row.Key.Run != 0 {
		t.add(annotate.ModelContent, true)
		t.add(annotate.MachineContent, row.Reading.Status != eval.StatusUnset || row.Verdict != samples.VerdictUnset)
		t.add(annotate.OthersContent, row.Said != "")
	}
	t.truth(row.Truth != "" || row.Verdict == samples.Right || row.Verdict == samples.Wrong)
	return t.all
}

// detailed is what the page of a sample tells of the responses to it. What the
// person said themself tells them nothing.
func detailed(of eval.DatasetName, k eval.Key, who annotate.Annotator, d *samples.Detail) []annotate.Disclosure {
	t := telling{of: of, key: k}
	t.truth(d.Truth != "")
	for i := range d.Passes {
		p := &d.Passes[i]
		if !p.Visibility.ShowsText() {
			continue
		}
		t.key.Pass = p.Pass
		t.add(annotate.ModelContent, true)
		t.add(annotate.MachineContent, len(p.Readings) > 0)
		t.add(annotate.JudgeContent, slices.ContainsFunc(p.Readings, func(r samples.Reading) bool { return r.Judge }))
		t.add(annotate.OthersContent, slices.ContainsFunc(p.Labels, func(l annotate.Label) bool { return l.Annotator != who }))
	}
	return t.all
}

// tellsPair is what a row of a list of pairs tells.
func tellsPair(of eval.DatasetName, row *pairs.Row) []annotate.Disclosure {
	if row.LeftOut || row.Blinded {
		return nil
	}
	contents := []annotate.Content{annotate.ModelContent}
	if row.Outcome != "" {
		contents = append(contents, annotate.JudgeContent)
	}
	if len(row.People) > 0 {
		contents = append(contents, annotate.OthersContent)
	}
	return pairItem(row.Pair).Disclose(of, contents...)
}

func pairItem(p eval.Pair) annotate.ItemKey {
	return annotate.ItemKey{Key: eval.Key{Run: p.First, Sample: p.Sample}, Against: p.Second}
}
