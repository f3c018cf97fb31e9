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

// TextOnlyRow is a run's accuracy, and where Against names a text-only run,
// its accuracy over the questions that that one does not answer right (MMBench,
// App. B). Kept, Dropped, NotCovered and Truthless are of the dataset's
// questions, and sum to them; Kept ones that the row's own run has not decided
// are not in After's n.
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
	solved   *solved
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

// TextOnly reports the accuracy of text-only runs and, where the options name
// one, that of other runs before and after its right answers are dropped; or by
// model, see BaseModels.
func TextOnly(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	if o.ByModel {
		return BaseModels(ctx, facts, o)
	}
	against, err := textRuns(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	f, err := report.ScanServing(ctx, facts, &o, needText, func(r *eval.Run) bool {
		return len(against) == 0 && report.Blind(r) || against[r.Config.Dataset] != nil
	})
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "text-only", Layout: textOnlyLayout, Confidence: stat.Confidence, Notes: f.NotRead()}
	var rows []*TextOnlyRow
	for i := range f.Runs {
		some, err := textOnlyOf(ctx, facts, f, &f.Runs[i], against[f.Runs[i].Run.Config.Dataset], &o)
		if err != nil {
			return report.Report{}, err
		}
		rows = append(rows, some...)
	}
	if len(against) > 0 && !slices.ContainsFunc(rows, func(r *TextOnlyRow) bool { return r.Against != nil }) {
		out.Notes = append(out.Notes, "There is no other run to drop questions from.")
	}
	out.Rows = report.Rows(rows)
	for _, r := range rows {
		if note := r.uncovered(); note != "" && !slices.Contains(out.Notes, note) {
			out.Notes = append(out.Notes, note)
		}
	}
	return out, nil
}

const needText = "a text-only run (ask one with --modality text, grey or base, or import predictions with --modality text)"

// textOnlyOf is the rows of one run. Its second figure takes a second reading,
// of the kept questions alone.
func textOnlyOf(ctx context.Context, facts report.Facts, f *report.Scanned, r *report.ScannedRun, s *solved, o *report.Options) ([]*TextOnlyRow, error) {
	strategy := r.Run.Config.Strategy
	var rows []*TextOnlyRow
	for _, part := range f.Splits(r) {
		score := part.Counted.Root.Score(strategy)
		rows = append(rows, &TextOnlyRow{
			Head: report.HeadOf(r.Run, part.Name), Source: r.Source(), Strategy: strategy.String(), strategy: strategy, Card: cardOf(o, r.Run.Config.Model),
			Accuracy: score.Rate(), Random: part.Counted.Root.Expected(strategy), Pending: score.Pending,
		})
	}
	if s == nil || s.run.ID == r.Run.ID {
		return rows, nil
	}
	scheme, _, err := report.SchemeOf(ctx, facts, r.Run, o)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]*coverage)
	kept, err := report.TallyOf(ctx, s.kept(report.Read(ctx, facts, r.Run, r.Rules), counts), scheme, &report.Progress{})
	if err != nil {
		return nil, fmt.Errorf("report run %d: %w", r.Run.ID, err)
	}
	for _, row := range rows {
		row.set(s, counts, kept, strategy)
	}
	return rows, nil
}

// set fills in what is left once the text-only run's right answers are out.
func (r *TextOnlyRow) set(s *solved, counts map[string]*coverage, kept *metric.Tally, strategy eval.Strategy) {
	c := &s.run.Config
	r.solved, r.Against = s, &TextRun{
		Run: s.run.ID, Model: c.Model, Modality: c.Modality.String(), Strategy: c.Strategy.String(),
		Extractor: s.source.Extractor, Rules: s.source.Rules,
	}
	var after metric.Score
	var uncovered []unsolved
	for split, c := range counts {
		if !r.Covers(&eval.Sample{Split: split}) {
			continue
		}
		r.Kept += c.kept
		r.Dropped += c.dropped
		r.NotCovered += len(c.uncovered)
		r.Truthless += c.truthless
		uncovered = append(uncovered, c.uncovered...)
		if f := kept.Split(split); f != nil {
			after.Merge(*f.Root.Score(strategy))
		}
	}
	slices.SortFunc(uncovered, func(a, b unsolved) int { return cmp.Compare(a.at, b.at) })
	for _, u := range uncovered[:min(len(uncovered), mostSamples)] {
		r.Samples = append(r.Samples, u.id)
	}
	rate := after.Rate()
	if r.Kept == 0 {
		rate = stat.Undefined("no question is kept")
	}
	r.After = &rate
}

// mostSamples is how many ids a row names; all are behind its figure.
const mostSamples = 100

// uncovered names the questions that the text-only run says nothing of.
func (r *TextOnlyRow) uncovered() string {
	if r.NotCovered == 0 {
		return ""
	}
	var names []string
	for _, id := range r.Samples {
		names = append(names, table.Short(string(id)))
	}
	return fmt.Sprintf("Neither kept nor dropped, because the text-only run %d (%s) has not decided them (%s of %s, split %s): %s.",
		r.Against.Run, r.Against.Model, table.Grouped(r.NotCovered), r.Dataset, r.Split, report.FirstFew(names))
}

var textOnlyLayout = report.Lay(report.HeadNames+"extractor strategy accuracy random_choice text_only accuracy_after kept dropped not_covered truthless pending", TextOnlyRow{}).Named(accuracyNames)

// Measured names the text-only run, and leave out what there is only beside one.
func (r *TextOnlyRow) Measured() report.Cells {
	if r.Against == nil {
		return report.Cells{"kept": {}, "dropped": {}, "not_covered": {}, "truthless": {}}
	}
	return report.Cells{"text_only": table.Text(fmt.Sprintf("%s (run %d)", r.Against.Model, r.Against.Run))}
}

// Keys yields what is behind the accuracy, and by Kept, Dropped, NotCovered,
// KeptRight and KeptWrong what is behind the rest.
func (r *TextOnlyRow) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	want, ok := map[report.Which]metric.Verdict{
		Kept: metric.NotRight, KeptRight: metric.NotRight, KeptWrong: metric.NotRight, Dropped: metric.Right, NotCovered: metric.VerdictUnset,
	}[s.Which]
	if !ok {
		return accuracyKeys(ctx, facts, &r.Head, &r.Source, r.Strategy, s)
	}
	return r.Drill(ctx, facts, r.ReadAs, s, func(q *report.Drilled) []eval.Key {
		verdict := q.Outcome.Under(r.strategy)
		switch {
		case r.solved == nil || r.solved.says(q.Sample.Ordinal) != want,
			s.Which == KeptRight && verdict != metric.Right,
			s.Which == KeptWrong && verdict != metric.NotRight:
			return nil
		}
		return q.Key(r.Run)
	})
}

// solved is which questions a text-only run answers right, by its own strategy.
type solved struct {
	run      eval.Run
	source   report.Source
	verdicts map[eval.Ordinal]metric.Verdict
}

// says is what the run decides of a question: Right, which is dropped, NotRight,
// which is kept, or NoTruth; unset where it has decided nothing.
func (s *solved) says(o eval.Ordinal) metric.Verdict {
	if v := s.verdicts[o]; v.Decided() || v == metric.NoTruth {
		return v
	}
	return metric.VerdictUnset
}

// coverage counts the questions of a split.
type coverage struct {
	kept, dropped, truthless int
	uncovered                []unsolved
}

// unsolved is a question that the text-only run has not decided.
type unsolved struct {
	at eval.Ordinal
	id eval.SampleID
}

// kept yields the questions that the text-only run does not answer right, and
// counts all.
func (s *solved) kept(questions report.Questions, counts map[string]*coverage) report.Questions {
	return func(yield func(eval.Question, error) bool) {
		for q, err := range questions {
			if err != nil {
				yield(q, err)
				return
			}
			c := counts[q.Sample.Split]
			if c == nil {
				c = &coverage{}
				counts[q.Sample.Split] = c
			}
			switch s.says(q.Sample.Ordinal) {
			case metric.NotRight:
				c.kept++
				if !yield(q, nil) {
					return
				}
			case metric.Right:
				c.dropped++
			case metric.NoTruth:
				c.truthless++
			default:
				c.uncovered = append(c.uncovered, unsolved{q.Sample.Ordinal, q.Sample.ID})
			}
		}
	}
}

// textRuns reads the text-only run that the options name, one for each dataset
// when they name a model; none without a name.
func textRuns(ctx context.Context, facts report.Facts, o *report.Options) (map[eval.DatasetName]*solved, error) {
	if o.TextOnly == "" {
		return nil, nil
	}
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	chosen, err := chooseText(runs, o)
	if err != nil {
		return nil, err
	}
	out := make(map[eval.DatasetName]*solved)
	for _, r := range chosen {
		if out[r.Config.Dataset], err = solve(ctx, facts, r, o); err != nil {
			return nil, fmt.Errorf("read text-only run %d: %w", r.ID, err)
		}
	}
	return out, nil
}

// chooseText finds the text-only runs that are meant, at most one a dataset.
func chooseText(runs []eval.Run, o *report.Options) ([]eval.Run, error) {
	id, err := strconv.ParseUint(o.TextOnly, 10, 64)
	byID := err == nil && !slices.ContainsFunc(runs, func(r eval.Run) bool { return r.Config.Model == o.TextOnly })
	var chosen []eval.Run
	var there []string
	taken := make(map[eval.DatasetName]eval.RunID)
	for _, r := range runs {
		if report.Blind(&r) {
			there = append(there, fmt.Sprintf("%d (%s on %s)", r.ID, r.Config.Model, r.Config.Dataset))
		}
		switch {
		case byID && r.ID != eval.RunID(id), !byID && (r.Config.Model != o.TextOnly || !report.Blind(&r)), o.Dataset != "" && r.Config.Dataset != o.Dataset:
			continue
		case !report.Blind(&r):
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

// solve decides every question of a text-only run.
func solve(ctx context.Context, facts report.Facts, r eval.Run, o *report.Options) (*solved, error) {
	out := &solved{run: r, verdicts: make(map[eval.Ordinal]metric.Verdict)}
	d, err := report.Decide(ctx, facts, r, o, r.Config.Strategy, &report.Progress{}, func(s *eval.Sample, v metric.Verdict) { out.verdicts[s.Ordinal] = v })
	if err != nil {
		return nil, err
	}
	out.source = d.Source
	return out, nil
}
