package report

import (
	"context"
	"fmt"
	"maps"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// correctScores sets beside each judge's mean score what people's scores make
// of it. The unit is the answer that the judge scored; people's word is the
// mean of their scores of it.
func correctScores(ctx context.Context, facts ScoreFacts, o *Options, rows []*ScoresRow) error {
	f, err := newFraming(facts, o)
	if err != nil {
		return err
	}
	all := make(map[eval.DatasetName]*labelled)
	for _, row := range rows {
		if all[row.Dataset] == nil {
			l := new(labelled)
			if l.frames, l.priority, err = f.frames(ctx, row.Dataset); err != nil {
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
func scoresOf(ctx context.Context, f *framing, facts ScoreFacts, row *ScoresRow, l *labelled) error {
	drawn, reason := l.of(row.Run)
	frames, labels := forRow(drawn, row.Run, false)
	js, err := scorersOf(ctx, facts, row.Run, "")
	if err != nil {
		return err
	}
	byJudge := make([]*strata, len(row.Judges))
	for i := range byJudge {
		byJudge[i] = newStrata()
	}
	left := make(map[string]int)
	for q, err := range facts.Questions(ctx, f.runs[row.Run]) {
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
		if _, answered := Answer(&q); !answered || q.Sample.Kind != eval.KindOpen || !annotate.Scorable(&q.Sample) {
			continue // it is in no mean
		}
		leave(left, frames, &q, false)
		k := eval.Key{Run: row.Run, Sample: q.Sample.Ordinal}
		for i := range row.Judges {
			if s, ok := js.last[row.Judges[i].Judge][k]; ok && s.Reads() && s.Value >= 1 && s.Value <= eval.TopScore {
				place(byJudge[i], frames, &q, float64(s.Value))
			}
		}
	}
	for i := range row.Judges {
		j := &row.Judges[i]
		if reason != "" {
			j.Correction = refused(f.o, reason, j.Mean, CountedLabels{})
		} else {
			j.Correction = correction(f.o, byJudge[i].list(), correct.Options{Low: scale.Low, High: scale.High, Confidence: stat.Confidence}, j.Mean, labels)
			for _, fr := range frames {
				j.Queues = append(j.Queues, fr.queue.Name)
			}
			j.LeftOut = maps.Clone(left)
		}
		j.Policy, j.Undecided = "mean of people's scores", "none"
	}
	return nil
}

// place enters one scored answer into the stratum of the first queue that was
// drawn from it.
func place(s *strata, frames []*rowFrame, q *eval.Question, machine float64) {
	for i := range q.Predictions {
		if q.Predictions[i].Pass != 0 {
			continue
		}
		for _, f := range frames {
			if !f.takes(q, i) {
				continue
			}
			switch k := q.Predictions[i].Key; f.scoreState(k, &q.Sample) {
			case stateSaid:
				s.labelled(f.name(&q.Sample), machine, f.scored[k])
			case stateMissing:
				s.missing(f.name(&q.Sample), machine)
			case stateOpen:
				s.unlabelled(f.name(&q.Sample), machine)
			}
			return
		}
	}
	s.unlabelled(asRead, machine)
}

// correctedScores lays the judges' means out side by side with people's.
func correctedScores(rows []*ScoresRow) table.Table {
	t := table.Table{
		Name: "corrected scores", Title: "mean scores corrected by people's",
		Columns: table.Columns(sheetColumns, []table.Column{{Name: "dataset"}, {Name: "scorer"}}, correctionColumns),
	}
	for _, r := range rows {
		for i := range r.Judges {
			j := &r.Judges[i]
			line := append(r.sheetCells(), table.Text(string(r.Dataset)), table.Text(j.Judge))
			t.Rows = append(t.Rows, append(line, j.figures(table.Mean)...))
			t.Notes = append(t.Notes, j.remarks(fmt.Sprintf("Run %d by %s", r.Run, j.Judge))...)
		}
	}
	return t
}

func (r *ScoresRow) Corrections() []*Correction {
	out := make([]*Correction, len(r.Judges))
	for i := range r.Judges {
		out[i] = r.Judges[i].Correction
	}
	return out
}
