package accuracy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

var scoresLayout = report.NewLayout(report.HeadNames+"measure scorer exact_match:rate mean:score difference:score score_1:count score_2:count score_3:count score_4:count score_5:count "+
	"unparsed:count errors:count not_asked:count no_match_but_high:count no_reference:count no_answer:count", ScoresRow{})

// TableLines give exact match, and then a line for each judge and for people.
func (r *ScoresRow) TableLines() (out [][]table.Cell) {
	line := func(measure string, parts ...any) {
		out = append(out, scoresLayout.MakeTableLine(report.Opener{}, append(parts, report.Cells{"measure": table.NewText(measure)}, &r.Head)...))
	}
	line("exact_match", r)
	for i := range r.Judges {
		j := &r.Judges[i]
		given := make(report.Cells)
		for score, n := range j.Given {
			given[fmt.Sprintf("score_%d", score+1)] = table.NewCount(n)
		}
		line("judge", j, given)
	}
	if r.People.hasAny() {
		line("people", &r.People)
	}
	return out
}

func (p *PeopleScore) hasAny() bool { return p.Scores+p.Excluded+p.Informed+p.Priority > 0 }

// makeScoreTables lay the rows of a dataset out as people read them: a line for
// each run, with a column for each judge; and how the scores fell.
func makeScoreTables(rows []*ScoresRow) []table.Table {
	return eval.FlatMap(table.GroupBy(rows, func(r *ScoresRow) string { return string(r.Dataset) }), func(group []*ScoresRow) []table.Table {
		out := []table.Table{makeScoreTable(group)}
		if t := makeScoreSpreadTable(group); len(t.Rows) > 0 {
			out = append(out, t)
		}
		return out
	})
}

func makeScoreTable(rows []*ScoresRow) table.Table {
	var judges []string
	scored := false // by people
	for _, r := range rows {
		scored = scored || r.People.hasAny()
		judges = eval.AppendUnique(judges, eval.Map(r.Judges, func(j JudgeScore) string { return j.Judge })...)
	}
	t := table.Table{Name: "scores", Title: string(rows[0].Dataset), Columns: slices.Concat(report.SheetColumns, table.ParseColumns("exact_match:rate"))}
	t.Columns = append(t.Columns, table.NewColumnsOfKind(table.KindScore, judges)...)
	if scored {
		t.Columns = append(t.Columns, table.Column{Name: "people", Kind: table.KindScore})
	}
	t.Columns = append(t.Columns, table.ParseColumns("no_reference:count no_answer:count")...)
	for _, r := range rows {
		o, people := r.newOpener(false), r.newOpener(true)
		match := report.AddNonEmptyCuts(report.AttachPicks(table.NewRate(r.ExactMatch), o, Matched, NotMatched), o, report.NewOpenedCount(NoReference, r.NoReference), report.NewOpenedCount(NoAnswer, r.NoAnswer))
		line := append(r.SheetCells(), match)
		for _, name := range judges {
			i := slices.IndexFunc(r.Judges, func(j JudgeScore) bool { return j.Judge == name })
			if i < 0 {
				line = append(line, table.NewText("- (not asked)"))
			} else {
				line = append(line, r.Judges[i].attachMeanPicks(table.NewMean(r.Judges[i].Mean), o))
			}
		}
		if scored {
			line = append(line, report.AttachPicks(table.NewMean(r.People.Mean), people, PeopleScored))
		}
		t.Rows = append(t.Rows, append(line, report.AttachPicks(table.NewCount(r.NoReference), o, NoReference), report.AttachPicks(table.NewCount(r.NoAnswer), o, NoAnswer)))
		if p := &r.People; p.hasAny() {
			t.Notes = append(t.Notes, fmt.Sprintf(
				"People scored answers of run %d: %d scores by %d; answers left out: excluded %d, after the reveal %d, of queues drawn by interest alone %d.",
				r.Run, p.Scores, p.People, p.Excluded, p.Informed, p.Priority))
		}
	}
	return t
}

// makeScoreSpreadTable makes how each judge's scores fell, and what it gave none for.
func makeScoreSpreadTable(rows []*ScoresRow) table.Table {
	t := table.Table{
		Name: "scores given", Title: string(rows[0].Dataset),
		Columns: table.ParseColumns("run:count model scorer 1:count 2:count 3:count 4:count 5:count unparsed:count errors:count not_asked:count no+match,+4+or+5:count less+people's:score"),
	}
	for _, r := range rows {
		cells := r.Cells()
		for i := range r.Judges {
			j := &r.Judges[i]
			o, of := r.newOpener(false), report.Which(j.Judge)
			line := []table.Cell{cells[0], cells[3], table.NewText(j.Judge)}
			for i, k := range j.Given {
				line = append(line, report.AttachPicks(table.NewCount(k), o, j.whichScore(i+1)))
			}
			t.Rows = append(t.Rows, append(line, report.AttachPicks(table.NewCount(j.Unparsed), o, NoScore+of), report.AttachPicks(table.NewCount(j.Failed), o, ScoreFailed+of),
				report.AttachPicks(table.NewCount(j.NotAsked), o, NotScored+of), report.AttachPicks(table.NewCount(j.Refused), o, RefusedHigh+of), report.AttachPicks(table.NewMean(j.Beyond), r.newOpener(true), PeopleScored)))
		}
	}
	return t
}

// newOpener opens the row's figures; people's with what these said.
func (r *ScoresRow) newOpener(people bool) report.Opener {
	return report.Opener{Row: r, Whole: true, People: people, Names: scoreNames}
}

// whichScore is the figure of the answers that got a score from the judge.
func (j *JudgeScore) whichScore(score int) report.Which {
	return GivenScore + report.Which(fmt.Sprint(score)+":"+j.Judge)
}

// attachMeanPicks gives a cell of the judge's mean, with the answers by their score, and those without one.
func (j *JudgeScore) attachMeanPicks(c table.Cell, o report.Opener) table.Cell {
	var given []report.Which
	for i := range j.Given {
		if score := eval.TopScore - i; j.Given[score-1] > 0 {
			given = append(given, j.whichScore(score))
		}
	}
	of := report.Which(j.Judge)
	return report.AddNonEmptyCuts(report.AttachPicks(c, o, given...), o, report.NewOpenedCount(NoScore+of, j.Unparsed), report.NewOpenedCount(ScoreFailed+of, j.Failed), report.NewOpenedCount(NotScored+of, j.NotAsked))
}

// scoreNames gives how the figures are called that are opened.
func scoreNames(s *report.Selection) string {
	switch s.Which {
	case Matched:
		return "matched"
	case NotMatched:
		return "not matched"
	case PeopleScored:
		return "scored by people"
	default: // a judge's
	}
	kind, of, _ := strings.Cut(string(s.Which), ":")
	switch report.Which(kind + ":") {
	case GivenScore:
		score, _, _ := strings.Cut(of, ":")
		return "score " + score
	case ScoreFailed:
		return "failed"
	case NoScore, NotScored, RefusedHigh:
		return strings.ReplaceAll(kind, "_", " ")
	default:
		return ""
	}
}

// correctScores sets beside each judge's mean score what people's scores make of it. The unit
// is the answer that the judge scored; people's word is the mean of their scores of it.
func correctScores(ctx context.Context, facts ScoreFacts, o *report.Options, rows []*ScoresRow) error {
	f, err := report.NewFrameReader(facts, o)
	if err != nil {
		return err
	}
	for _, row := range rows {
		l, err := f.FramesOfDataset(ctx, row.Dataset)
		if err != nil {
			return err
		}
		if err := correctRowScores(ctx, f, facts, row, l, o); err != nil {
			return fmt.Errorf("correct run %d: %w", row.Run, err)
		}
	}
	return nil
}

// correctRowScores sets people's scores beside one row's.
func correctRowScores(ctx context.Context, f *report.FrameReader, facts ScoreFacts, row *ScoresRow, l *report.LabelledFrames, o *report.Options) error {
	drawn, reason := l.FramesOf(row.Run)
	frames, labels := report.FindFramesForRow(drawn, row.Run, false)
	js, err := readJudgeScores(ctx, facts, row.Run, "")
	if err != nil {
		return err
	}
	byJudge := eval.Map(row.Judges, func(JudgeScore) *report.Strata { return report.NewStrata() })
	left := make(map[string]int)
	for q, err := range report.ReadQuestionsByOwnRules(ctx, facts, f.Runs[row.Run], o) {
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
		if _, answered := report.UnrotatedResponse(&q); !answered || q.Sample.Kind != eval.KindOpen || !annotate.IsScorable(&q.Sample) {
			continue // it is in no mean
		}
		report.CountUnlabelled(left, frames, &q, false)
		cluster := metric.ClusterNumber(&q.Sample)
		k := eval.Key{Run: row.Run, Sample: q.Sample.Ordinal}
		for i := range row.Judges {
			if s, ok := js.last[row.Judges[i].Judge][k]; ok && s.HasReply() && s.Value >= 1 && s.Value <= eval.TopScore {
				byJudge[i].Cluster = cluster
				addToStratum(byJudge[i], frames, &q, float64(s.Value))
			}
		}
	}
	for i := range row.Judges {
		j := &row.Judges[i]
		if reason != "" {
			j.Correction = report.NewRefusedCorrection(f.Correcting, reason, j.Mean, report.CountedLabels{})
		} else {
			j.Correction = report.NewCorrection(f.Correcting, byJudge[i].ListStrata(), correct.Options{Low: 1, High: eval.TopScore, Confidence: stat.Confidence}, j.Mean, labels)
			j.Queues = eval.Map(frames, func(fr *report.RowFrame) annotate.QueueName { return fr.Queue.Name })
			j.LeftOut = maps.Clone(left)
		}
		j.Policy, j.Undecided = "mean of people's scores", "none"
	}
	return nil
}

// addToStratum enters one scored answer into the stratum of the first queue that was drawn from it.
func addToStratum(s *report.Strata, frames []*report.RowFrame, q *eval.Question, machine float64) {
	for i := range q.Predictions {
		if q.Predictions[i].Pass != 0 {
			continue
		}
		for _, f := range frames {
			if !f.IncludesPrediction(q, i) {
				continue
			}
			k := q.Predictions[i].Key
			s.Weight = f.WeightOf(k)
			switch f.StateOf(k, &q.Sample, true) {
			case report.StateSaid:
				s.AddLabelled(f.StratumOf(&q.Sample), machine, f.Scored[k])
			case report.StateMissing:
				s.AddMissing(f.StratumOf(&q.Sample), machine)
			case report.StateOpen:
				s.AddUnlabelled(f.StratumOf(&q.Sample), machine)
			}
			return
		}
	}
	s.Weight = 0
	s.AddUnlabelled(report.AsRead, machine)
}

var correctedScoresLayout = report.NewLayout("run dataset model modality scorer "+report.CorrectionNames, ScoresRow{}, JudgeScore{})

// makeCorrectedScoresTable lays the judges' means out side by side with people's.
func makeCorrectedScoresTable(rows []*ScoresRow) table.Table {
	t := correctedScoresLayout.NewTable("corrected scores", "mean scores corrected by people's")
	for _, r := range rows {
		for i := range r.Judges {
			j := &r.Judges[i]
			figures := j.MakeCells(table.NewMean, func(c table.Cell) table.Cell { return j.attachMeanPicks(c, r.newOpener(false)) })
			t.Rows = append(t.Rows, correctedScoresLayout.MakeTableLine(report.Opener{}, figures, j, &r.Head))
			t.Notes = append(t.Notes, j.ListRemarks(fmt.Sprintf("Run %d by %s", r.Run, j.Judge), table.NewMean)...)
		}
	}
	return t
}

// NamedCorrections are the corrected mean of each judge, nil where none was asked for.
func (r *ScoresRow) NamedCorrections() []report.NamedCorrection {
	return eval.Map(r.Judges, func(j JudgeScore) report.NamedCorrection {
		return report.NamedCorrection{Of: fmt.Sprintf("run %d (%s), %s", r.Run, r.ModelName(), j.Judge), Correction: j.Correction}
	})
}
