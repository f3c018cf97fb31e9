package accuracy

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// Row is a run's accuracy under one strategy (MMBench, Tables 2, 3, 8 to 14; MMStar, Table 5).
// The counts of predictions are disjoint and are of those that the strategy looks at: pass 0,
// or every pass. NotRead are those of a kind that nobody reads. Pending, NoTruth, Unanswered
// and NoRules questions are not in n; Irregular ones are, scored on the passes that are there.
type Row struct {
	report.ForEveryone
	report.Head
	report.Source
	Strategy string    `json:"strategy"`
	Accuracy stat.Rate `json:"accuracy"`
	OwnScore
	Groups []GroupRow `json:"groups,omitempty"`

	Found     int `json:"found" opens:"found"`
	None      int `json:"none" opens:"none"`
	Refused   int `json:"refused" opens:"refused"`
	Ambiguous int `json:"ambiguous" opens:"ambiguous"`
	Missing   int `json:"missing" opens:"missing"`
	NotRead   int `json:"not_read"`
	Errors    int `json:"errors" opens:"errors"`

	Pending    int `json:"pending" opens:"pending"`
	Irregular  int `json:"irregular" opens:"irregular"`
	NoTruth    int `json:"no_truth" opens:"no_truth"`
	Unanswered int `json:"unanswered" opens:"unanswered"`
	NoRules    int `json:"no_rules"`

	Frequent  stat.Rate  `json:"frequent_choice"`
	Random    *float64   `json:"random_choice"`
	AllPasses *stat.Rate `json:"all_passes,omitempty"` // right predictions of all passes, unless the run stops early
	Levels    []LevelRow `json:"levels"`

	*report.Correction // where it was asked for
}

// LevelRow is the accuracy at one prefix of the taxonomy, with the baselines of a model that never looks.
type LevelRow struct {
	Path     []string  `json:"path"`
	Accuracy stat.Rate `json:"accuracy"`
	Frequent stat.Rate `json:"frequent_choice"`
	Random   *float64  `json:"random_choice"`
	OwnScore
}

// OwnScore is the score by the dataset's own metric: a rate, or a mean. Of
// questions of yes and no, what is said of yes stands beside it.
type OwnScore struct {
	Metric    string     `json:"metric"`
	Score     any        `json:"score"`
	Precision *stat.Rate `json:"precision,omitempty"`
	Recall    *stat.Rate `json:"recall,omitempty"`
	F1        *stat.Rate `json:"f1,omitempty"`
	YesRatio  *stat.Rate `json:"yes_ratio,omitempty"`
}

// GroupRow is the share of groups of questions all of which are right.
type GroupRow struct {
	Name     string    `json:"name"`
	Accuracy stat.Rate `json:"accuracy"`
}

func newOwnScore(l *metric.Level, of string, s eval.Strategy) (out OwnScore) {
	out.Metric, out.Score = l.DatasetMetric(of, s)
	a := &l.Answers
	if yes := a.Yes.Rate("none"); yes.N > 0 {
		precision, recall, f1 := a.Precision.Rate("never said yes"), a.Recall.Rate("yes is never right"), a.F1.Rate("no yes")
		out.Precision, out.Recall, out.F1, out.YesRatio = &precision, &recall, &f1, &yes
	}
	return out
}

// ReportAccuracy reports vanilla and circular accuracy, overall and per level.
func ReportAccuracy(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	out, err := scanAndReport(ctx, facts, &o, newAccuracyReport)
	if err == nil && o.Corrected != nil {
		err = CorrectAccuracy(ctx, facts, o, &out)
	}
	return out, err
}

// scanAndReport makes a report of the runs that the options ask for.
func scanAndReport(ctx context.Context, facts report.Facts, o *report.Options, of func(*report.Scanned) report.Report) (report.Report, error) {
	f, err := report.ScanRuns(ctx, facts, *o)
	if err != nil {
		return report.Report{}, err
	}
	return of(f), nil
}

func newAccuracyReport(f *report.Scanned) report.Report {
	out := report.Report{Name: "accuracy", Layout: accuracyLayout, Confidence: stat.Confidence, Draw: drawAccuracy, Notes: f.DescribeNotRead()}
	for r, s := range f.EachSplit() {
		out.Rows = append(out.Rows, newAccuracyRow(r, s, eval.Vanilla))
		if r.Run.Config.Strategy == eval.Circular {
			out.Rows = append(out.Rows, newAccuracyRow(r, s, eval.Circular))
		}
	}
	return out
}

func newAccuracyRow(r *report.ScannedRun, s report.ScannedSplit, strategy eval.Strategy) *Row {
	root, records := s.Counted.Root, s.Counted.Records(strategy)
	score := root.Score(strategy)
	row := &Row{
		Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(), Strategy: strategy.String(),
		Accuracy: score.Rate(),
		Found:    records.Statuses[eval.Found], None: records.Statuses[eval.None],
		Refused: records.Statuses[eval.Refused], Ambiguous: records.Statuses[eval.Ambiguous],
		Missing: records.Statuses[eval.Missing], NotRead: records.Statuses[eval.StatusUnset],
		Errors:  records.Failures,
		Pending: score.Pending, Irregular: score.Irregular,
		NoTruth: score.NoTruth, Unanswered: score.Unanswered, NoRules: score.NoRules,
		Frequent: frequentBaseline(root, strategy), Random: randomBaseline(root, strategy),
		Levels: []LevelRow{}, OwnScore: newOwnScore(root, r.Metric, strategy),
	}
	row.Groups = eval.Map(s.Counted.Groups.Names(), func(name string) GroupRow { return GroupRow{name, s.Counted.Groups.Rate(name)} })
	if strategy == eval.Circular {
		row.Groups = append(row.Groups, GroupRow{"all passes", row.Accuracy})
	}
	if strategy == eval.Circular && asksAllPasses(&r.Run) {
		all := s.Counted.Positions.Right.Rate(explainNoTruth(&s.Counted.Positions))
		row.AllPasses = &all
	}
	for _, l := range root.Descendants() {
		row.Levels = append(row.Levels, LevelRow{
			Path: l.Path, Accuracy: l.Score(strategy).Rate(),
			Frequent: frequentBaseline(l, strategy), Random: randomBaseline(l, strategy), OwnScore: newOwnScore(l, r.Metric, strategy),
		})
	}
	return row
}

// frequentBaseline is the frequent-choice baseline, which only pass 0 has: the answer
// moves from pass to pass, so a constant one is wrong in some.
func frequentBaseline(l *metric.Level, s eval.Strategy) stat.Rate {
	if s == eval.Circular {
		return stat.UndefinedRate("a constant answer is wrong in some pass")
	}
	return l.FrequentChoiceBaseline("no ground truth")
}

// asksAllPasses reports whether the run has predictions of all passes by its
// configuration: one that stops early lacks those behind a wrong pass.
func asksAllPasses(r *eval.Run) bool {
	c := &r.Config
	return c.Strategy != eval.Circular || c.AllPasses || c.Origin == eval.Imported
}

func randomBaseline(l *metric.Level, s eval.Strategy) *float64 {
	p, ok := l.RandomBaseline(s)
	return eval.Either(!ok, nil, &p)
}

var accuracyLayout = report.NewLayout(report.HeadNames+"extractor strategy level accuracy frequent_choice random_choice "+
	"found none refused ambiguous missing errors pending irregular no_truth unanswered", Row{})

// TableLines gives the row itself and then one line for each level, which has no counts of its own.
func (r *Row) TableLines() [][]table.Cell {
	figures := func(level string, o report.Opener, accuracy, frequent stat.Rate, random *float64) report.Cells {
		out := report.Cells{
			"level": table.NewText(level), "accuracy": report.AddNonEmptyCuts(report.AttachPicks(table.NewRate(accuracy), o, report.Right, report.Wrong), o, r.otherFigures()...),
			"random_choice": report.AttachPicks(table.NewNumber(random), o, report.Every), "frequent_choice": {}, "strategy": table.NewText(r.Strategy),
		}
		if r.Strategy != eval.Circular.String() {
			out["frequent_choice"] = report.AttachPicks(table.NewRate(frequent), o, report.Every)
		}
		return out
	}
	o := r.newOpener()
	whole := accuracyLayout.MakeTableLine(o, figures("all", o, r.Accuracy, r.Frequent, r.Random), r)
	return append([][]table.Cell{whole}, eval.Map(r.Levels, func(l LevelRow) []table.Cell {
		at := o.UnderLevel(l.Path...)
		return accuracyLayout.MakeTableLine(at, figures(eval.JoinPath(l.Path), at, l.Accuracy, l.Frequent, l.Random), &r.Head, &r.Source)
	})...)
}

// newOpener opens the row's figures. Of questions that are still asked, those that
// are decided were wrong: to be one of them tells that.
func (r *Row) newOpener() report.Opener {
	o := newOpener(r, r.ReadBy())
	o.Whole = r.Pending == 0 || r.Strategy != eval.Circular.String()
	return o
}

// otherFigures are the other cuts of the accuracy: what was left out of it, or is behind answers that are not right.
func (r *Row) otherFigures() []report.OpenedCount {
	return []report.OpenedCount{
		report.NewOpenedCount(Refused, r.Refused),
		report.NewOpenedCount(Ambiguous, r.Ambiguous),
		report.NewOpenedCount(Missing, r.Missing),
		report.NewOpenedCount(Errors, r.Errors),
		report.NewOpenedCount(Pending, r.Pending),
		report.NewOpenedCount(Irregular, r.Irregular),
		report.NewOpenedCount(NoTruth, r.NoTruth),
		report.NewOpenedCount(Unanswered, r.Unanswered),
	}
}

var correctedLayout = report.NewLayout(report.HeadNames+"extractor strategy target "+report.CorrectionNames, Row{})

// makeCorrectedTable lays judge only, people only and corrected out side by side.
func makeCorrectedTable(rows []*Row) table.Table {
	t := correctedLayout.NewTable("corrected accuracy", "corrected by people's labels")
	for _, r := range rows {
		o := r.newOpener()
		t.Rows = append(t.Rows, correctedLayout.MakeRowLine(r, r.MakeCells(table.NewComputed, func(c table.Cell) table.Cell { return report.AttachPicks(c, o, report.Right, report.Wrong) })))
		t.Notes = append(t.Notes, r.ListRemarks(fmt.Sprintf("Run %d, %s", r.Run, r.Strategy), table.NewComputed)...)
	}
	return t
}

// CorrectAccuracy sets beside each row of an accuracy report what people's labels make of it, as o.Corrected says.
// The unit is the question, of those that the accuracy is over: the machine's word is its verdict, people's the
// verdict with their readings in place of the machine's in all passes that a queue was drawn from, other passes as
// read. A question is labelled when all of the former are, and their labels count (see counting). Within a stratum
// all questions were as likely to be: those of one queue that draws whole questions, as Rule.Whole has it; of one
// that draws predictions, those with as many passes in it, since all of them must have been drawn (at a rate of 10 %
// one question in 10,000 has its four). Questions of which no pass was in a queue's population, or which stay not
// right whatever people say of those that were, are a stratum taken as read: it gives its machine's mean and no error
// of labels.
//
// So the corrected share of questions right under CircularEval is
//
//	sum over strata h of N_h/N * (lambda_h * mean(f over the N_h - n_h unlabelled)
//	                              + mean(y - lambda_h * f over the n_h labelled))
//
// with f the machine's verdict of a question and y people's, 1 or 0, and the variance of
// correct.ComputeScore, in which a question is one observation however many passes it has.
func CorrectAccuracy(ctx context.Context, facts report.Facts, o report.Options, out *report.Report) error {
	f, err := report.NewFrameReader(facts, &o)
	if err != nil {
		return err
	}
	rows := report.SelectRows[*Row](out.Rows)
	for _, row := range rows {
		l, err := f.FramesOfDataset(ctx, row.Dataset)
		if err != nil {
			return err
		}
		if row.Correction, err = correctRow(ctx, f, row, l); err != nil {
			return fmt.Errorf("correct run %d: %w", row.Run, err)
		}
	}
	for _, fr := range f.All {
		out.NoteExcludedItems(fr.Excluded)
	}
	out.Notes = append(out.Notes, report.DescribeCorrections(rows)...)
	out.Sheets = []table.Table{out.MakeRowTable(), makeCorrectedTable(rows)}
	out.Sheets[0].Notes = nil
	return out.PrepareSaving(ctx, facts, o.Corrected, nil)
}

// correctRow gives what people's labels make of one row.
func correctRow(ctx context.Context, f *report.FrameReader, row *Row, l *report.LabelledFrames) (*report.Correction, error) {
	judge := report.EstimateOfRate(row.Accuracy)
	drawn, reason := l.FramesOf(row.Run)
	if reason == "" && row.Accuracy.N == 0 {
		reason = row.Accuracy.Undefined
	}
	if reason != "" && f.Correcting.Answered == nil {
		return report.NewRefusedCorrection(f.Correcting, reason, judge, report.CountedLabels{}), nil
	}
	run := f.Runs[row.Run]
	strata, circular := report.NewStrata(), row.Strategy == eval.Circular.String()
	b, err := report.EachCorrectedQuestion(ctx, f, run, &row.ReadAs, circular, drawn, row.CoversSample, func(a *report.CorrectedAnswer) {
		if strata.AddAnswer(a); f.Correcting.Answered != nil && !circular {
			f.Correcting.Answered(a)
		}
	})
	if err != nil {
		return nil, err
	}
	if reason != "" {
		return report.NewRefusedCorrection(f.Correcting, reason, judge, report.CountedLabels{}), nil
	}
	out := report.NewCorrection(f.Correcting, strata.ListStrata(), correct.Options{High: 1, Confidence: stat.Confidence}, judge, b.Labels)
	if reason := b.WhyRefused(out.Corrected.WhyUndefined()); reason != out.Corrected.WhyUndefined() {
		out = report.NewRefusedCorrection(f.Correcting, reason, judge, b.Labels)
	}
	frames, left := b.Frames, b.LeftOut
	out.Target = describePopulation(frames, run, row)
	out.Queues = eval.Map(frames, func(fr *report.RowFrame) annotate.QueueName { return fr.Queue.Name })
	out.LeftOut = left
	if n := left[annotate.LeftNoConsensus]; n > 0 && out.Corrected.WhyUndefined() == "" {
		out.Warnings = append(out.Warnings, fmt.Sprintf("drawn answers on which people came to nothing (%s) are assumed to be like the others, though they are harder: the bounds allow for it; "+
			"adjudicate them, or count them as not right with --undecided none", table.FormatGrouped(n)))
	}
	return out, nil
}

// describePopulation names what a row's score and its interval are of: questions like those that were asked. While a run
// goes on, these are what it has answered: nothing is known of the other questions, which may be harder.
func describePopulation(frames []*report.RowFrame, run eval.Run, row *Row) string {
	goesOn := run.Config.Origin == eval.Asked && row.Pending > 0
	for _, f := range frames {
		goesOn = goesOn || f.Queue.Growing
	}
	return eval.Either(goesOn, fmt.Sprintf("questions like the %s questions answered so far", table.FormatGrouped(row.Accuracy.N)),
		fmt.Sprintf("questions like these %s", table.FormatGrouped(row.Accuracy.N)))
}

// NamedCorrections are the row's corrected score, nil where none was asked for.
func (r *Row) NamedCorrections() []report.NamedCorrection {
	return []report.NamedCorrection{{Of: fmt.Sprintf("run %d (%s), %s, split %s, %s", r.Run, r.ModelName(), r.Strategy, r.Split, r.Extractor), Correction: r.Correction}}
}
