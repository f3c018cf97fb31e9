package accuracy

import (
	"context"
	"errors"
	"strings"

	"concord/annotate/report"
	"concord/eval"
)

// Rankings are those by every benchmark's score and by scores measured
// elsewhere, with a note on the latter's sources.
func Rankings(ctx context.Context, facts report.Facts, o report.Options) (all []*report.Ranking, notes []string, err error) {
	scores, err := Baselines(ctx, facts, o)
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return nil, nil, err
	}
	ext, err := external(ctx, facts, &o)
	if err != nil {
		return nil, nil, err
	}
	if len(ext) > 0 {
		notes = append(notes, "External rankings are by scores measured elsewhere: "+strings.Join(sources(ext), "; ")+".")
	}
	return append(byScores(&scores), byMeasure(ext)...), notes, nil
}

// byScores ranks by MME's total, and by accuracy under the run's own strategy.
func byScores(r *report.Report) []*report.Ranking {
	var out []*report.Ranking
	runs := make(map[string]eval.RunID)
	whole := make(map[eval.RunID]bool) // the first row of a run is the whole
	for _, row := range r.Rows {
		b, ok := row.(*BaselinesRow)
		if !ok || whole[b.Run] || b.Modality != eval.WithImage.String() {
			continue
		}
		whole[b.Run] = true
		share, kind, name := b.Vanilla, "accuracy", string(b.Dataset)+", accuracy"
		if b.Strategy == eval.Circular.String() {
			share, name = b.Circular, string(b.Dataset)+", circular accuracy"
		}
		value, has := share.Value, share.N > 0
		if b.MME != nil {
			value, has = b.MME.Total.Value, b.MME.Total.Reason() == ""
			kind, name = "mme", string(b.Dataset)+", MME total"
		}
		at := name + "\x00" + b.Model
		if !has || b.Run < runs[at] {
			continue
		}
		runs[at] = b.Run
		report.Collect(&out, report.Ranking{Name: name, Kind: kind, Dataset: b.Dataset}).Values[b.Model] = value
	}
	return out
}
