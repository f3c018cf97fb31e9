package report

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/correct"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/stat"
)

// Options say what a report over runs is about. The zero value reports every run by its own rules.
type Options struct {
	Runs    []eval.RunID     // empty: all
	Dataset eval.DatasetName // "": all
	Model   string           // "": all
	Rules   string           // a rule set's name; "": each run's own
	Judge   string           // its reading completes the rules'; NoJudge: rules alone; "": see judge
	BySplit bool             // a row for each split beside the whole
	Split   string           // rows of this split alone; "": see BySplit

	Strategy eval.Strategy // of Abilities; unset: each run's own
	Level    int           // of Abilities: how deep in the taxonomy, from 1; 0: the second, or the deepest there is
	Chart    bool          // of Abilities: bars in place of its tables
	TextOnly string        // of TextOnly: the number of a text-only run or a model's name, whose right answers are dropped
	ByModel  bool          // of TextOnly: models beside their language base, benchmarks as columns

	Grey  bool   // of Gain: a grey-picture run stands for a text-only one
	Shots *int   // of Gain: only language-base runs with so many worked examples; nil: any
	Seed  uint64 // of Gain: of its bootstrap; 0: 1

	Corrected *Correcting // of Accuracy and Scores: what people's labels make of the score; nil: not asked

	// Shared is what other reports under these options read; nil: nothing.
	Shared *SharedScans

	// Cards finds what is known of a model; nil: nothing is.
	Cards func(model string) (eval.Card, bool)

	// Reader finds a rule set; nil is extract.FindRules.
	Reader func(name string) (eval.Reader, error)
	// Progress is told how many questions of how many are done, now and then
	// and at the end. It must be quick. nil: nobody asks.
	Progress func(done, total int)
}

// IncludesRun reports whether the options are about the run.
func (o *Options) IncludesRun(r eval.Run) bool {
	return (len(o.Runs) == 0 || slices.Contains(o.Runs, r.ID)) &&
		(o.Dataset == "" || o.Dataset == r.Config.Dataset) &&
		(o.Model == "" || o.Model == r.Config.Model)
}

// NoJudge as a judge's name asks for the rules alone.
const NoJudge = "none"

// decidingJudge is the judge whose reading completes the rules' in a run, "" for none. Unless the
// options say otherwise it is the run's own: it decided which passes were asked, so that
// without it some questions stay pending. Whoever names a rule set asks about that one.
func (o *Options) decidingJudge(r eval.Run) string {
	switch {
	case o.Judge == NoJudge:
		return ""
	case o.Judge != "" || o.Rules != "":
		return o.Judge
	}
	return r.Config.DecidingJudge()
}

// FindRules finds the rule set of that name, by a finder that may be nil.
func FindRules(find func(string) (eval.Reader, error), name string) (r eval.Reader, err error) {
	if find != nil {
		r, err = find(name)
	} else {
		r, err = extract.FindRules(name)
	}
	return r, eval.WrapError(err, "find rules")
}

// findRulesOfRun finds the rule set by which a run is read under the options.
func (o *Options) findRulesOfRun(r eval.Run) (eval.Reader, error) {
	return FindRules(o.Reader, cmp.Or(o.Rules, r.Config.Rules, extract.Default))
}

// SeesNoImages reports a run that sees no picture of the samples.
func SeesNoImages(r *eval.Run) bool {
	return slices.Contains([]eval.Modality{eval.TextOnly, eval.GreyImage, eval.BaseText}, r.Config.Modality)
}

// DescribeRuns tells runs apart that could stand for each other.
func DescribeRuns(runs []eval.Run) string {
	return eval.JoinList(runs, func(r eval.Run) string {
		return fmt.Sprintf("%d (%s, %s, %d shots)", r.ID, r.Config.Model, r.Config.Modality, r.Config.Settings.Shots)
	})
}

// Correcting says how people's labels correct a score.
type Correcting struct {
	Queues    []annotate.QueueName // of labels; empty: every one drawn at random
	Policy    annotate.Policy      // unset: Majority
	Undecided annotate.Undecided   // unset: Dropped
	Within    float64              // the interval, to either side, that needs are told for, as a share of the scale; 0: 0.02
	Fewest    int                  // labels that a score takes; 0: correct.Fewest

	// Answered is told each question behind a vanilla accuracy; nil: nobody asks.
	Answered func(*CorrectedAnswer)
}

// IsModelled reports whether people's word comes of a model of their errors.
func (c *Correcting) IsModelled() bool { return c.Policy == annotate.DawidSkene }

// ModelNote says what the model is.
const ModelNote = annotate.SkeneModel

// BasisOrDefault gives how people's word on an item is found: where a policy is unset, by
// the majority, and items on which people come to nothing are dropped.
func BasisOrDefault(p annotate.Policy, u annotate.Undecided) annotate.Basis {
	return annotate.Basis{Policy: cmp.Or(p, annotate.Majority), Undecided: cmp.Or(u, annotate.Dropped)}
}

// assumedError is the share of wrong labels that a corrected score is told for
// where no item with a known answer tells how often people err.
const assumedError = 0.02

// mostError is the largest share that a label says something at.
const mostError = 0.49

// Sensitivity is where a corrected score is if people err in a share of their labels. The share is assumed,
// or that of labels that are wrong on items with a known answer, with a prior (agree.JeffreysEstimate).
// Such a share is not carried into the interval: known items are chosen, and may be easier or harder than
// others, they do not tell which way people err, and they are of single people and not of their consensus.
type Sensitivity struct {
	Error float64        `json:"error"`
	Known *stat.Estimate `json:"known_answers,omitempty"` // the error by known answers, with its interval; nil: assumed
	Low   float64        `json:"low"`                     // of the interval, if all errors make the score too high
	Value float64        `json:"value"`                   // if they go both ways alike
	High  float64        `json:"high"`                    // of the interval, if all errors make it too low

	modelled bool // by a model that knows of each person's own errors
}

// newSensitivity tells a score if people err; nil of one that has no value. Known are the
// labels on items with a known answer: the ends are for as many errors as these allow. A model
// of people's errors has such as each makes alone, and not such as all make alike.
func newSensitivity(s *correct.Score, scale correct.Options, modelled bool, known stat.Count) *Sensitivity {
	if s.Corrected.WhyUndefined() != "" {
		return nil
	}
	step := eval.Either(scale.High-scale.Low > 1, 1.0, 0) // scores are whole numbers
	out := &Sensitivity{Error: assumedError, modelled: modelled}
	most := assumedError
	if known.N > 0 && !out.modelled {
		e := agree.JeffreysEstimate(known.N-known.K, known.N, stat.Confidence)
		out.Known, out.Error, most = &e, min(mostError, e.Value), min(mostError, e.High)
	}
	ends := s.BoundsIfErring(most, step)
	out.Low, out.Value, out.High = ends.Low, s.BoundsIfErring(out.Error, step).Even, ends.High
	return out
}

// describe says it under the score.
func (s *Sensitivity) describe(cell func(stat.Estimate) table.Cell) string {
	write := func(v float64) string { return cell(stat.NewExactEstimate(v, 0)).FormatEstimate() }
	start, one := fmt.Sprintf("labels are assumed exact. If people err in %s %%", table.FormatPercent(s.Error)), ""
	switch {
	case s.modelled:
		start = fmt.Sprintf("errors that people make alike are not in the model. If they do in %s %%", table.FormatPercent(s.Error))
	case s.Known != nil:
		start = fmt.Sprintf("labels are assumed exact. By %s labels on items with a known answer people err in %s %% (%s to %s)",
			table.FormatGrouped(s.Known.N), table.FormatPercent(s.Known.Value), table.FormatPercent(s.Known.Low), table.FormatPercent(s.Known.High))
		one = " and as many as that"
	}
	return fmt.Sprintf("%s: %s if they err both ways alike; if all errors are one way%s, the interval reaches down to %s or up to %s.",
		start, write(s.Value), one, write(s.Low), write(s.High))
}

// DescribeCorrections say what was done to the scores of a report's rows.
func DescribeCorrections[R Row](rows []R) []string {
	out := []string{CorrectedNote}
	sequence, modelled := false, false
	for _, c := range eachCorrection(rows) {
		sequence = sequence || c.Corrected.Sequence
		modelled = modelled || c.Policy == annotate.DawidSkene.String()
	}
	if modelled {
		out = append(out, ModelNote)
	}
	if sequence {
		out = append(out, table.SequenceNote)
	}
	return out
}

// ErrNoFigure reports that people's labels correct no row of a report.
var ErrNoFigure = errors.New("no row has a corrected score")

// NamedCorrection is a corrected score and what of; nil where none was asked for.
type NamedCorrection struct {
	Of string
	*Correction
}

type correctedRow interface{ NamedCorrections() []NamedCorrection }

// eachCorrection are those of rows, where any was asked for.
func eachCorrection[R Row](rows []R) iter.Seq2[Row, NamedCorrection] {
	return func(yield func(Row, NamedCorrection) bool) {
		for _, row := range rows {
			of, ok := Row(row).(correctedRow)
			if !ok {
				continue
			}
			for _, c := range of.NamedCorrections() {
				if c.Correction != nil && !yield(row, c) {
					return
				}
			}
		}
	}
}

// CheckAnyCorrected gives ErrNoFigure, with the reason of the first row, when every row refuses
// its corrected score. Without a row there is nothing to refuse.
func CheckAnyCorrected(r *Report) error {
	reason := ""
	for _, c := range eachCorrection(r.Rows) {
		why := c.Corrected.WhyUndefined()
		if why == "" {
			return nil
		}
		reason = cmp.Or(reason, why)
	}
	if reason == "" {
		return nil
	}
	return fmt.Errorf("correct the score: %w: %s", ErrNoFigure, reason)
}
