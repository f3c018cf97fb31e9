package accuracy

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// Row is a run's accuracy under one strategy (MMBench, Tables 2, 3, 8
// to 14; MMStar, Table 5). The counts of predictions are disjoint and are of
// those that the strategy looks at: pass 0, or every pass. NotRead are those
// of a kind that nobody reads. Pending, NoTruth, Unanswered and NoRules
// questions are not in n; Irregular ones are, scored on the passes that are
// there.
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

// LevelRow is the accuracy at one prefix of the taxonomy, with the baselines
// of a model that never looks.
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

func ownScore(l *metric.Level, of string, s eval.Strategy) (out OwnScore) {
	out.Metric, out.Score = l.Own(of, s)
	a := &l.Answers
	if yes := a.Yes.Rate("none"); yes.N > 0 {
		precision, recall, f1 := a.Precision.Rate("never said yes"), a.Recall.Rate("yes is never right"), a.F1.Rate("no yes")
		out.Precision, out.Recall, out.F1, out.YesRatio = &precision, &recall, &f1, &yes
	}
	return out
}

// Accuracy reports vanilla and circular accuracy, overall and per level.
func Accuracy(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.Scan(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	out := accuracyOf(f)
	if o.Corrected != nil {
		err = CorrectAccuracy(ctx, facts, o, &out)
	}
	return out, err
}

// accuracyOf is the accuracy report of what was scanned.
func accuracyOf(f *report.Scanned) report.Report {
	out := report.Report{Name: "accuracy", Confidence: stat.Confidence, Draw: drawAccuracy, Notes: f.NotRead()}
	for i := range f.Runs {
		r := &f.Runs[i]
		for _, s := range f.Splits(r) {
			out.Rows = append(out.Rows, accuracyRow(r, s, eval.Vanilla))
			if r.Run.Config.Strategy == eval.Circular {
				out.Rows = append(out.Rows, accuracyRow(r, s, eval.Circular))
			}
		}
	}
	return out
}

func accuracyRow(r *report.ScannedRun, s report.ScannedSplit, strategy eval.Strategy) *Row {
	root, records := s.Counted.Root, s.Counted.Records(strategy)
	score := root.Score(strategy)
	row := &Row{
		Head: report.HeadOf(r.Run, s.Name), Source: r.Source(), Strategy: strategy.String(),
		Accuracy: score.Rate(),
		Found:    records.Statuses[eval.Found], None: records.Statuses[eval.None],
		Refused: records.Statuses[eval.Refused], Ambiguous: records.Statuses[eval.Ambiguous],
		Missing: records.Statuses[eval.Missing], NotRead: records.Statuses[eval.StatusUnset],
		Errors:  records.Failures,
		Pending: score.Pending, Irregular: score.Irregular,
		NoTruth: score.NoTruth, Unanswered: score.Unanswered, NoRules: score.NoRules,
		Frequent: frequent(root, strategy), Random: random(root, strategy),
		Levels: []LevelRow{}, OwnScore: ownScore(root, r.Metric, strategy),
	}
	for _, name := range s.Counted.Groups.Names() {
		row.Groups = append(row.Groups, GroupRow{name, s.Counted.Groups.Rate(name)})
	}
	if strategy == eval.Circular {
		row.Groups = append(row.Groups, GroupRow{"all passes", row.Accuracy})
	}
	if strategy == eval.Circular && asksAllPasses(&r.Run) {
		all := s.Counted.Positions.Right.Rate(noTruth(&s.Counted.Positions))
		row.AllPasses = &all
	}
	for _, l := range root.Below() {
		row.Levels = append(row.Levels, LevelRow{
			Path: l.Path, Accuracy: l.Score(strategy).Rate(),
			Frequent: frequent(l, strategy), Random: random(l, strategy), OwnScore: ownScore(l, r.Metric, strategy),
		})
	}
	return row
}

// frequent is the frequent-choice baseline, which only pass 0 has: the answer
// moves from pass to pass, so a constant one is wrong in some.
func frequent(l *metric.Level, s eval.Strategy) stat.Rate {
	if s == eval.Circular {
		return stat.Undefined("a constant answer is wrong in some pass")
	}
	return l.Frequent("no ground truth")
}

// asksAllPasses reports whether the run has predictions of all passes by its
// configuration: one that stops early lacks those behind a wrong pass.
func asksAllPasses(r *eval.Run) bool {
	c := &r.Config
	return c.Strategy != eval.Circular || c.AllPasses || c.Origin == eval.Imported
}

func random(l *metric.Level, s eval.Strategy) *float64 {
	p, ok := l.Random(s)
	if !ok {
		return nil
	}
	return &p
}

var accuracyLayout = report.Lay(report.HeadNames+"extractor strategy level accuracy frequent_choice random_choice "+
	"found none refused ambiguous missing errors pending irregular no_truth unanswered", Row{})

// Columns names the columns of the lines that Lines gives.
func (r *Row) Columns() []table.Column { return accuracyLayout.Columns }

// Lines gives the row itself and then one line for each level, which has no
// counts of its own.
func (r *Row) Lines() [][]table.Cell {
	figures := func(level string, o report.Opener, accuracy, frequent stat.Rate, random *float64) report.Cells {
		out := report.Cells{
			"level": table.Text(level), "accuracy": report.And(report.Over(table.Rate(accuracy), o, report.Right, report.Wrong), o, r.beside()...),
			"random_choice": report.Over(table.Number(random), o, report.Every), "frequent_choice": {}, "strategy": table.Text(r.Strategy),
		}
		if r.Strategy != eval.Circular.String() {
			out["frequent_choice"] = report.Over(table.Rate(frequent), o, report.Every)
		}
		return out
	}
	o := r.opener()
	out := [][]table.Cell{accuracyLayout.Line(o, figures("all", o, r.Accuracy, r.Frequent, r.Random), r)}
	for _, l := range r.Levels {
		at := o.Under(l.Path...)
		out = append(out, accuracyLayout.Line(at, figures(eval.Path(l.Path), at, l.Accuracy, l.Frequent, l.Random), &r.Head, &r.Source))
	}
	return out
}

// opener opens the row's figures. Of questions that are still asked, those that
// are decided were wrong: to be one of them tells that.
func (r *Row) opener() report.Opener {
	o := opens(r, r.Extractor)
	o.Whole = r.Pending == 0 || r.Strategy != eval.Circular.String()
	return o
}

// cut is a count with the figure that it opens.
type cut struct {
	which report.Which
	n     int
}

// counts are those of predictions, and of questions that are in no rate, as the
// columns have them.
func (r *Row) counts() []cut {
	return []cut{
		{Found, r.Found},
		{None, r.None},
		{Refused, r.Refused},
		{Ambiguous, r.Ambiguous},
		{Missing, r.Missing},
		{Errors, r.Errors},
		{Pending, r.Pending},
		{Irregular, r.Irregular},
		{NoTruth, r.NoTruth},
		{Unanswered, r.Unanswered},
	}
}

// beside are the other cuts of the accuracy: what was left out of it, or is
// behind answers that are not right.
func (r *Row) beside() []report.Which {
	var out []report.Which
	for _, c := range r.counts() {
		if c.n > 0 && c.which != Found && c.which != None {
			out = append(out, c.which)
		}
	}
	return out
}
