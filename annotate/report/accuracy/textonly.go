package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// TextOnlyRow is a run's accuracy, and where Against names a text-only run, its accuracy over
// the questions that that one does not answer right (MMBench, App. B). Kept, Dropped,
// NotCovered and Truthless are of the dataset's questions, and sum to them; Kept ones that the
// row's own run has not decided are not in After's n.
type TextOnlyRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Strategy string        `json:"strategy"`
	Card     *CardInfo     `json:"card,omitempty"`
	Accuracy stat.Rate     `json:"accuracy" opens:"right wrong"`
	Random   stat.Estimate `json:"random_choice" as:"share" opens:"every"`
	Pending  int           `json:"pending" opens:"pending"`

	Against    *TextRun        `json:"text_only,omitempty"`
	After      *stat.Rate      `json:"accuracy_after,omitempty" opens:"kept_right kept_wrong"`
	Kept       int             `json:"kept" opens:"kept"`
	Dropped    int             `json:"dropped" opens:"dropped"`
	NotCovered int             `json:"not_covered" opens:"not_covered"` // neither kept nor dropped: the text-only run has not decided them
	Samples    []eval.SampleID `json:"not_covered_samples,omitempty"`
	Truthless  int             `json:"truthless" opens:"no_truth"` // without a ground truth: nobody can decide them

	strategy eval.Strategy
	solved   *textOnlyRun
}

// TextRun is a text-only run that others are set against.
type TextRun struct {
	Run      eval.RunID `json:"run"`
	Model    string     `json:"model"`
	Modality string     `json:"modality"`
	Strategy string     `json:"strategy"`

	Extractor string `json:"extractor"`
	Rules     string `json:"rules"`
}

// ReportTextOnly reports the accuracy of text-only runs and, where the options name one, that of other
// runs before and after its right answers are dropped; or by model, see ReportTextOnlyByModel.
func ReportTextOnly(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	if o.ByModel {
		return ReportTextOnlyByModel(ctx, facts, o)
	}
	against, err := readTextOnlyRuns(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	f, err := report.ScanRunsThatServe(ctx, facts, &o, needText, func(r *eval.Run) bool {
		return len(against) == 0 && report.SeesNoImages(r) || against[r.Config.Dataset] != nil
	})
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "text-only", Layout: textOnlyLayout, Confidence: stat.Confidence, Notes: f.DescribeNotRead()}
	var rows []*TextOnlyRow
	for i := range f.Runs {
		some, err := newRowsBeforeAndAfter(ctx, facts, f, &f.Runs[i], against[f.Runs[i].Run.Config.Dataset], &o)
		if err != nil {
			return report.Report{}, err
		}
		rows = append(rows, some...)
	}
	if len(against) > 0 && !slices.ContainsFunc(rows, func(r *TextOnlyRow) bool { return r.Against != nil }) {
		out.Notes = append(out.Notes, "There is no other run to drop questions from.")
	}
	out.Rows = report.ToRows(rows)
	for _, r := range rows {
		if note := r.nameUncovered(); note != "" && !slices.Contains(out.Notes, note) {
			out.Notes = append(out.Notes, note)
		}
	}
	return out, nil
}

const needText = "a text-only run (ask one with --modality text, grey or base, or import predictions with --modality text)"

// newRowsBeforeAndAfter gives the rows of one run. Its second figure takes a second reading,
// of the kept questions alone.
func newRowsBeforeAndAfter(ctx context.Context, facts report.Facts, f *report.Scanned, r *report.ScannedRun, s *textOnlyRun, o *report.Options) ([]*TextOnlyRow, error) {
	strategy := r.Run.Config.Strategy
	var rows []*TextOnlyRow
	for _, part := range f.SplitsOfRun(r) {
		score := part.Counted.Root.Score(strategy)
		rows = append(rows, &TextOnlyRow{
			Head: report.NewHead(r.Run, part.Name), Source: r.ReadingSource(), Strategy: strategy.String(), strategy: strategy, Card: newCardInfo(o, r.Run.Config.Model),
			Accuracy: score.Rate(), Random: part.Counted.Root.RandomBaselineEstimate(strategy), Pending: score.Pending,
		})
	}
	if s == nil || s.run.ID == r.Run.ID {
		return rows, nil
	}
	scheme, _, err := report.NewSchemeOfRun(ctx, facts, r.Run, o)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]*splitCoverage)
	kept, err := report.TallyQuestions(ctx, s.filterKept(report.ReadQuestions(ctx, facts, r.Run, r.Rules), counts), scheme, &report.Progress{})
	if err != nil {
		return nil, fmt.Errorf("report run %d: %w", r.Run.ID, err)
	}
	for _, row := range rows {
		row.fillRemainder(s, counts, kept, strategy)
	}
	return rows, nil
}

// fillRemainder fills in what is left once the text-only run's right answers are out.
func (r *TextOnlyRow) fillRemainder(s *textOnlyRun, counts map[string]*splitCoverage, kept *metric.Tally, strategy eval.Strategy) {
	c := &s.run.Config
	r.solved, r.Against = s, &TextRun{
		Run: s.run.ID, Model: c.Model, Modality: c.Modality.String(), Strategy: c.Strategy.String(),
		Extractor: s.source.Extractor, Rules: s.source.Rules,
	}
	var after metric.Score
	var uncovered []unsolved
	for split, c := range counts {
		if !r.CoversSample(&eval.Sample{Split: split}) {
			continue
		}
		r.Kept += c.kept
		r.Dropped += c.dropped
		r.NotCovered += len(c.uncovered)
		r.Truthless += c.truthless
		uncovered = append(uncovered, c.uncovered...)
		if f := kept.CountsOfSplit(split); f != nil {
			after.Merge(*f.Root.Score(strategy))
		}
	}
	slices.SortFunc(uncovered, func(a, b unsolved) int { return cmp.Compare(a.at, b.at) })
	r.Samples = eval.Map(uncovered[:min(len(uncovered), mostSamples)], func(u unsolved) eval.SampleID { return u.id })
	rate := eval.Either(r.Kept == 0, stat.UndefinedRate("no question is kept"), after.Rate())
	r.After = &rate
}

// mostSamples is how many ids a row names; all are behind its figure.
const mostSamples = 100

// nameUncovered names the questions that the text-only run says nothing of.
func (r *TextOnlyRow) nameUncovered() string {
	if r.NotCovered == 0 {
		return ""
	}
	names := eval.Map(r.Samples, func(id eval.SampleID) string { return table.ShortenText(string(id)) })
	return fmt.Sprintf("Neither kept nor dropped, because the text-only run %d (%s) has not decided them (%s of %s, split %s): %s.",
		r.Against.Run, r.Against.Model, table.FormatGrouped(r.NotCovered), r.Dataset, r.Split, report.JoinFirstFive(names))
}

var textOnlyLayout = report.NewLayout(report.HeadNames+"extractor strategy accuracy random_choice text_only accuracy_after kept dropped not_covered truthless pending", TextOnlyRow{}).WithFigureNames(nameFigure)

// ExtraCells names the text-only run, and leave out what there is only beside one.
func (r *TextOnlyRow) ExtraCells() report.Cells {
	if r.Against == nil {
		return report.Cells{"kept": {}, "dropped": {}, "not_covered": {}, "truthless": {}}
	}
	return report.Cells{"text_only": table.NewText(fmt.Sprintf("%s (run %d)", r.Against.Model, r.Against.Run))}
}

// KeysBehind yields what is behind the accuracy, and by Kept, Dropped, NotCovered,
// KeptRight and KeptWrong what is behind the rest.
func (r *TextOnlyRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	want, ok := map[report.Which]metric.QuestionState{
		Kept: metric.NotRight, KeptRight: metric.NotRight, KeptWrong: metric.NotRight, Dropped: metric.Right, NotCovered: metric.StateUnset,
	}[s.Which]
	if !ok {
		return eachAccuracyKey(ctx, facts, &r.Head, &r.Source, r.Strategy, s)
	}
	return r.EachKeyBehind(ctx, facts, r.ReadAs, s, func(q *report.DrilledQuestion) []eval.Key {
		verdict := q.Outcome.StateUnder(r.strategy)
		switch {
		case r.solved == nil || r.solved.verdictOn(q.Sample.Ordinal) != want,
			s.Which == KeptRight && verdict != metric.Right,
			s.Which == KeptWrong && verdict != metric.NotRight:
			return nil
		}
		return q.KeyToShow(r.Run)
	})
}

// textOnlyRun is which questions a text-only run answers right, by its own strategy.
type textOnlyRun struct {
	run      eval.Run
	source   report.Source
	verdicts map[eval.Ordinal]metric.QuestionState
}

// verdictOn is what the run decides of a question: Right, which is dropped, NotRight,
// which is kept, or NoTruth; unset where it has decided nothing.
func (s *textOnlyRun) verdictOn(o eval.Ordinal) metric.QuestionState {
	if v := s.verdicts[o]; v.IsDecided() || v == metric.NoTruth {
		return v
	}
	return metric.StateUnset
}

type splitCoverage struct {
	kept, dropped, truthless int
	uncovered                []unsolved
}

// unsolved is a question that the text-only run has not decided.
type unsolved struct {
	at eval.Ordinal
	id eval.SampleID
}

// filterKept yields the questions that the text-only run does not answer right, and counts all.
func (s *textOnlyRun) filterKept(questions report.Questions, counts map[string]*splitCoverage) report.Questions {
	return eval.Filter(questions, func(q *eval.Question) bool {
		c := eval.GetOrAdd(counts, q.Sample.Split, func() *splitCoverage { return &splitCoverage{} })
		switch s.verdictOn(q.Sample.Ordinal) {
		case metric.NotRight:
			c.kept++
			return true
		case metric.Right:
			c.dropped++
		case metric.NoTruth:
			c.truthless++
		default:
			c.uncovered = append(c.uncovered, unsolved{q.Sample.Ordinal, q.Sample.ID})
		}
		return false
	})
}

// readTextOnlyRuns reads the text-only run that the options name, one for each dataset
// when they name a model; none without a name.
func readTextOnlyRuns(ctx context.Context, facts report.Facts, o *report.Options) (map[eval.DatasetName]*textOnlyRun, error) {
	if o.TextOnly == "" {
		return nil, nil
	}
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	chosen, err := chooseTextOnlyRuns(runs, o)
	if err != nil {
		return nil, err
	}
	out := make(map[eval.DatasetName]*textOnlyRun)
	for _, r := range chosen {
		if out[r.Config.Dataset], err = decideTextOnlyRun(ctx, facts, r, o); err != nil {
			return nil, fmt.Errorf("read text-only run %d: %w", r.ID, err)
		}
	}
	return out, nil
}

// chooseTextOnlyRuns finds the text-only runs that are meant, at most one a dataset.
func chooseTextOnlyRuns(runs []eval.Run, o *report.Options) ([]eval.Run, error) {
	id, err := strconv.ParseUint(o.TextOnly, 10, 64)
	byID := err == nil && !slices.ContainsFunc(runs, func(r eval.Run) bool { return r.Config.Model == o.TextOnly })
	var chosen []eval.Run
	var there []string
	taken := make(map[eval.DatasetName]eval.RunID)
	for _, r := range runs {
		if report.SeesNoImages(&r) {
			there = append(there, fmt.Sprintf("%d (%s on %s)", r.ID, r.Config.Model, r.Config.Dataset))
		}
		switch {
		case byID && r.ID != eval.RunID(id), !byID && (r.Config.Model != o.TextOnly || !report.SeesNoImages(&r)), o.Dataset != "" && r.Config.Dataset != o.Dataset:
			continue
		case !report.SeesNoImages(&r):
			return nil, fmt.Errorf("use run %d as a text-only run: it was shown the images", r.ID)
		case taken[r.Config.Dataset] != 0:
			return nil, fmt.Errorf("choose a text-only run of %s on %s: there are runs %d and %d: name one by its number",
				o.TextOnly, r.Config.Dataset, taken[r.Config.Dataset], r.ID)
		}
		taken[r.Config.Dataset] = r.ID
		chosen = append(chosen, r)
	}
	switch {
	case len(chosen) > 0:
		return chosen, nil
	case len(there) == 0:
		return nil, fmt.Errorf("find %s: %w", needText, eval.ErrNotFound)
	}
	return nil, fmt.Errorf("find text-only run %q (there are %s): %w", o.TextOnly, strings.Join(there[:min(len(there), 8)], ", "), eval.ErrNotFound)
}

func decideTextOnlyRun(ctx context.Context, facts report.Facts, r eval.Run, o *report.Options) (*textOnlyRun, error) {
	out := &textOnlyRun{run: r, verdicts: make(map[eval.Ordinal]metric.QuestionState)}
	d, err := report.DecideRun(ctx, facts, r, o, r.Config.Strategy, &report.Progress{}, func(s *eval.Sample, v metric.QuestionState) { out.verdicts[s.Ordinal] = v })
	if err != nil {
		return nil, err
	}
	out.source = d.Source
	return out, nil
}
