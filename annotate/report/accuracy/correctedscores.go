package accuracy

import (
	"context"
	"fmt"
	"maps"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// correctScores sets beside each judge's mean score what people's scores make
// of it. The unit is the answer that the judge scored; people's word is the
// mean of their scores of it.
func correctScores(ctx context.Context, facts ScoreFacts, o *report.Options, rows []*ScoresRow) error {
	f, err := report.NewFraming(facts, o)
	if err != nil {
		return err
	}
	all := make(map[eval.DatasetName]*report.Labelled)
	for _, row := range rows {
		if all[row.Dataset] == nil {
			l := new(report.Labelled)
			if l.Frames, l.Priority, err = f.Frames(ctx, row.Dataset); err != nil {
				return err
			}
			all[row.Dataset] = l
		}
		if err := scoresOf(ctx, f, facts, row, all[row.Dataset]); err != nil {
			return fmt.Errorf("correct run %d: %w", row.Run, err)
		}
	}
	return nil
}

// scoresOf sets people's scores beside one row's.
func scoresOf(ctx context.Context, f *report.Framing, facts ScoreFacts, row *ScoresRow, l *report.Labelled) error {
	drawn, reason := l.Of(row.Run)
	frames, labels := report.ForRow(drawn, row.Run, false)
	js, err := scorersOf(ctx, facts, row.Run, "")
	if err != nil {
		return err
	}
	byJudge := make([]*report.Strata, len(row.Judges))
	for i := range byJudge {
		byJudge[i] = report.NewStrata()
	}
	left := make(map[string]int)
	for q, err := range facts.Questions(ctx, f.Runs[row.Run]) {
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
		if _, answered := report.Answer(&q); !answered || q.Sample.Kind != eval.KindOpen || !annotate.Scorable(&q.Sample) {
			continue // it is in no mean
		}
		report.CountLeft(left, frames, &q, false)
		cluster := metric.ClusterNumber(&q.Sample)
		k := eval.Key{Run: row.Run, Sample: q.Sample.Ordinal}
		for i := range row.Judges {
			if s, ok := js.last[row.Judges[i].Judge][k]; ok && s.Reads() && s.Value >= 1 && s.Value <= eval.TopScore {
				byJudge[i].Cluster = cluster
				place(byJudge[i], frames, &q, float64(s.Value))
			}
		}
	}
	for i := range row.Judges {
		j := &row.Judges[i]
		if reason != "" {
			j.Correction = report.Refuse(f.Correcting, reason, j.Mean, report.CountedLabels{})
		} else {
			j.Correction = report.Correct(f.Correcting, byJudge[i].List(), correct.Options{Low: 1, High: eval.TopScore, Confidence: stat.Confidence}, j.Mean, labels)
			for _, fr := range frames {
				j.Queues = append(j.Queues, fr.Queue.Name)
			}
			j.LeftOut = maps.Clone(left)
		}
		j.Policy, j.Undecided = "mean of people's scores", "none"
	}
	return nil
}

// place enters one scored answer into the stratum of the first queue that was
// drawn from it.
func place(s *report.Strata, frames []*report.RowFrame, q *eval.Question, machine float64) {
	for i := range q.Predictions {
		if q.Predictions[i].Pass != 0 {
			continue
		}
		for _, f := range frames {
			if !f.Takes(q, i) {
				continue
			}
			k := q.Predictions[i].Key
			s.Weight = f.Weight(k)
			switch f.ScoreState(k, &q.Sample) {
			case report.StateSaid:
				s.Labelled(f.StratumOf(&q.Sample), machine, f.Scored[k])
			case report.StateMissing:
				s.Missing(f.StratumOf(&q.Sample), machine)
			case report.StateOpen:
				s.Unlabelled(f.StratumOf(&q.Sample), machine)
			}
			return
		}
	}
	s.Weight = 0
	s.Unlabelled(report.AsRead, machine)
}

// correctedScores lays the judges' means out side by side with people's.
func correctedScores(rows []*ScoresRow) table.Table {
	t := table.Table{
		Name: "corrected scores", Title: "mean scores corrected by people's",
		Columns: table.Columns(report.SheetColumns, table.List("dataset scorer"), report.CorrectionColumns),
	}
	for _, r := range rows {
		for i := range r.Judges {
			j := &r.Judges[i]
			line := append(r.SheetCells(), table.Text(string(r.Dataset)), table.Text(j.Judge))
			figures := j.Line(table.Mean)
			for i := range figures {
				figures[i] = j.over(figures[i], r.opener(false))
			}
			t.Rows = append(t.Rows, append(line, figures...))
			t.Notes = append(t.Notes, j.Remarks(fmt.Sprintf("Run %d by %s", r.Run, j.Judge), table.Mean)...)
		}
	}
	return t
}

// Corrections are the corrected mean of each judge, nil where none was asked for.
func (r *ScoresRow) Corrections() []*report.Correction {
	out := make([]*report.Correction, len(r.Judges))
	for i := range r.Judges {
		out[i] = r.Judges[i].Correction
	}
	return out
}
