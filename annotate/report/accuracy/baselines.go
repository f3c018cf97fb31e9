package accuracy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// BaselinesRow is what one run reached, and what answers at random would be expected to (MMBench, App.
// C). Vanilla and Circular are of questions with options or yes and no; the scores are MME's.
type BaselinesRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Strategy string    `json:"strategy"`
	Card     *CardInfo `json:"card,omitempty"`
	Vanilla  stat.Rate `json:"vanilla"`
	Circular stat.Rate `json:"circular"`
	MME      *MMETotal `json:"mme,omitempty"` // of a dataset with MME's subtasks
	Random   Random    `json:"random"`
	Pending  int       `json:"pending"`

	asking string // Config.Asking of the run
}

// MMETotal is a run's MME scores. Missing is how many of the 14 subtasks there
// are no questions of: the totals are over the others.
type MMETotal struct {
	Perception stat.Estimate `json:"perception"`
	Cognition  stat.Estimate `json:"cognition"`
	Total      stat.Estimate `json:"total"`
	Missing    int           `json:"missing"`
}

// Random is the expectation of answers at random, from the dataset itself: the mean of 1/n and
// of n^-n over the options of every question, and MME's 75 a subtask.
type Random struct {
	Vanilla  stat.Estimate `json:"vanilla"`
	Circular stat.Estimate `json:"circular"`
	MME      *MMETotal     `json:"mme,omitempty"`
}

// ReportBaselines reports each run beside the random baselines of its dataset, and
// for people one line for each model over all datasets.
func ReportBaselines(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	ext, err := readExternalScores(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	f, err := report.ScanRuns(ctx, facts, o)
	switch {
	case errors.Is(err, eval.ErrNotFound) && len(ext) > 0 && o.Judge == "" && o.Split == "":
		f = &report.Scanned{} // nothing but what was measured elsewhere
	case err != nil:
		return report.Report{}, err
	}
	out := newBaselinesReport(f, &o)
	addExternalScores(&out, ext)
	return out, nil
}

// addExternalScores sets what was measured elsewhere beside the rows.
func addExternalScores(r *report.Report, ext []*ExternalScoreRow) {
	if len(ext) == 0 {
		return
	}
	r.External = report.ToRows(ext)
	if t, ok := makeSideBySideTable(report.SelectRows[*BaselinesRow](r.Rows), ext); ok {
		r.Sheets = []table.Table{t}
	}
	r.Notes = append(r.Notes, formatExternalNote(ext))
}

func newBaselinesReport(f *report.Scanned, o *report.Options) report.Report {
	out := report.Report{Name: "baselines", Layout: baselinesLayout, Confidence: stat.Confidence, Notes: f.DescribeNotRead()}
	var rows []*BaselinesRow
	for r, s := range f.EachSplit() {
		row := newBaselinesRow(r, s, o)
		rows = append(rows, row)
		if row.MME != nil && row.MME.Missing > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("Run %d, split %s: MME's totals are partial, %d of its 14 subtasks are not there.",
				row.Run, row.Split, row.MME.Missing))
		}
	}
	out.Rows = report.ToRows(rows)
	if t, ok := makeSideBySideTable(rows, nil); ok {
		out.Sheets = []table.Table{t}
	}
	return out
}

func newBaselinesRow(r *report.ScannedRun, s report.ScannedSplit, o *report.Options) *BaselinesRow {
	root, strategy := s.Counted.Root, r.Run.Config.Strategy
	row := &BaselinesRow{
		Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(), Strategy: strategy.String(), Card: newCardInfo(o, r.Run.Config.Model),
		asking:  r.Run.Config.AskingKey(),
		Vanilla: root.Vanilla.Rate(), Circular: root.Circular.Rate(), Pending: root.Score(strategy).Pending,
		Random: Random{Vanilla: root.RandomBaselineEstimate(eval.Vanilla), Circular: root.RandomBaselineEstimate(eval.Circular)},
	}
	if strategy != eval.Circular {
		row.Circular = stat.UndefinedRate("not asked under CircularEval")
	}
	if all := s.Counted.MME.Subtasks(); len(all) > 0 {
		row.MME = newMMETotal(all, (*metric.Subtask).Score)
		row.Random.MME = newMMETotal(all, (*metric.Subtask).RandomScore)
	}
	return row
}

func newMMETotal(all []metric.Subtask, figure func(*metric.Subtask) stat.Estimate) *MMETotal {
	return &MMETotal{
		Perception: metric.SumOverSubtasks(all, eval.Perception, figure),
		Cognition:  metric.SumOverSubtasks(all, eval.Cognition, figure),
		Total:      metric.SumOverSubtasks(all, "", figure),
		Missing:    metric.CountUndecidedSubtasks(all, ""),
	}
}

func (r *BaselinesRow) newOpener() report.Opener { return newOpener(r, r.ReadBy()) }

// newWholeOpener is over the run's questions under its own strategy.
func (r *BaselinesRow) newWholeOpener() report.Opener {
	return newOpener(&Row{Head: r.Head, Source: r.Source, Strategy: r.Strategy}, r.ReadBy())
}

func (r *BaselinesRow) toMMERow() *MMERow { return &MMERow{Head: r.Head, Source: r.Source} }

var baselinesLayout = report.NewLayout(report.HeadNames+"extractor strategy measure rate:rate score:score random:score pending:count source", report.Head{})

// TableLines gives one line for each measure.
func (r *BaselinesRow) TableLines() [][]table.Cell {
	var out [][]table.Cell
	add := func(measure string, figures ...table.Cell) {
		out = append(out, append(append(r.Cells(), table.NewText(r.Extractor), table.NewText(r.Strategy), table.NewText(measure)), append(figures, table.NewBlank())...))
	}
	add("vanilla", table.NewRate(r.Vanilla), table.NewBlank(), table.NewComputed(r.Random.Vanilla), table.NewCount(r.Pending))
	if r.Strategy == eval.Circular.String() {
		add("circular", table.NewRate(r.Circular), table.NewBlank(), table.NewComputed(r.Random.Circular), table.NewBlank())
	}
	if r.MME != nil {
		add("perception", table.NewBlank(), table.NewScore(r.MME.Perception), table.NewScore(r.Random.MME.Perception), table.NewBlank())
		add("cognition", table.NewBlank(), table.NewScore(r.MME.Cognition), table.NewScore(r.Random.MME.Cognition), table.NewBlank())
		add("total", table.NewBlank(), table.NewScore(r.MME.Total), table.NewScore(r.Random.MME.Total), table.NewBlank())
	}
	return out
}

// KeysBehind yields what is behind the accuracy under the run's own strategy, and by
// report.VanillaRight and report.VanillaWrong under the other.
func (r *BaselinesRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	row := &CircularRow{Head: r.Head, Source: r.Source}
	return row.KeysBehind(ctx, facts, s)
}

// CollectRankings collects those by every benchmark's score and by scores measured
// elsewhere, with a note on the latter's sources.
func CollectRankings(ctx context.Context, facts report.Facts, o report.Options) (all []*report.Ranking, notes []string, err error) {
	scores, err := ReportBaselines(ctx, facts, o)
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return nil, nil, err
	}
	ext, err := readExternalScores(ctx, facts, &o)
	if err != nil {
		return nil, nil, err
	}
	if len(ext) > 0 {
		notes = append(notes, "External rankings are by scores measured elsewhere: "+strings.Join(listSources(ext), "; ")+".")
	}
	return append(rankByScores(&scores), rankByExternalScores(ext)...), notes, nil
}

// rankByScores ranks by MME's total, and by accuracy under the run's own strategy.
func rankByScores(r *report.Report) []*report.Ranking {
	var out []*report.Ranking
	runs := make(map[string]eval.RunID)
	whole := make(map[eval.RunID]bool) // the first row of a run is the whole
	for _, b := range report.SelectRows[*BaselinesRow](r.Rows) {
		if whole[b.Run] || b.Modality != eval.WithImage.String() {
			continue
		}
		whole[b.Run] = true
		share, kind, name := b.Vanilla, "accuracy", string(b.Dataset)+", accuracy"
		if b.Strategy == eval.Circular.String() {
			share, name = b.Circular, string(b.Dataset)+", circular accuracy"
		}
		value, has := share.Value, share.N > 0
		if b.MME != nil {
			value, has = b.MME.Total.Value, b.MME.Total.WhyUndefined() == ""
			kind, name = "mme", string(b.Dataset)+", MME total"
		}
		at := name + "\x00" + b.Model
		if !has || b.Run < runs[at] {
			continue
		}
		runs[at] = b.Run
		report.FindOrAddRanking(&out, report.Ranking{Name: name, Kind: kind, Dataset: b.Dataset}).Values[b.Model] = value
	}
	return out
}
