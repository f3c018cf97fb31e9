package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Correction is a score after people's labels were taken into account: prediction-powered inference over
// the items that the score is of (PPI++, Angelopoulos et al. 2023), by strata where not all of them were
// drawn from alike. JudgeOnly is the score as the machine has it, PeopleOnly what the labels alone say.
type Correction struct {
	Queues    []annotate.QueueName   `json:"queues"`
	Target    string                 `json:"target,omitempty"` // what the score is of
	Policy    string                 `json:"policy"`
	Undecided string                 `json:"undecided_policy"`
	Corrected Corrected              `json:"corrected"`
	Bounds    *correct.Bounds        `json:"bounds,omitempty"` // as Corrected has them
	Labels    CountedLabels          `json:"labels"`
	JudgeOnly stat.Estimate          `json:"judge_only"`
	People    stat.Estimate          `json:"people_only"`
	Erring    *Sensitivity           `json:"if_people_err,omitempty"`
	Gain      correct.Gain           `json:"gain"`
	Needs     correct.NeededLabels   `json:"needs"`
	Strata    []correct.Part         `json:"strata"`
	Gladen    *correct.MachineErrors `json:"rogan_gladen,omitempty"` // of shares whose labels are of one stratum
	LeftOut   map[string]int         `json:"left_out"`               // items of the queues, of the score's passes, without a say of people: why
	Warnings  []string               `json:"warnings,omitempty"`
}

// Corrected is the corrected score over N labels. Lambda is how much of the machine's word was taken. The
// interval is pointwise, for one look at the labels, or of a confidence sequence while labels come in.
type Corrected struct {
	stat.Estimate
	Method string
	Lambda *float64
	// Clusters is how many clusters the labelled items are in where items share some, and
	// Effect how many times the variance that is which they would have on their own.
	Clusters int
	Effect   float64

	Effective float64 // of labels with weights: how many without would be as good (Kish); else 0
	Alike     int     // and how many that are drawn alike would give as short an interval

	Missing int             // drawn items that stay without a label: skipped, or without consensus
	Bounds  *correct.Bounds // where the score is whatever people would say of those; nil: nothing is missing
}

// MarshalJSON writes value, low, high, n, method, interval and lambda, and bounds and missing
// where drawn items lack labels. The row's own "missing" counts predictions.
func (c Corrected) MarshalJSON() ([]byte, error) {
	out := struct {
		Value     *float64        `json:"value"`
		Low       *float64        `json:"low"`
		High      *float64        `json:"high"`
		N         int             `json:"n"`
		Method    string          `json:"method"`
		Interval  string          `json:"interval,omitempty"`
		Warning   string          `json:"warning,omitempty"`
		Lambda    *float64        `json:"lambda"`
		Clusters  int             `json:"clusters,omitempty"`
		Effect    float64         `json:"design_effect,omitempty"`
		Effective float64         `json:"effective,omitempty"`
		Saved     *int            `json:"labels_saved,omitempty"`
		Bounds    *correct.Bounds `json:"bounds,omitempty"`
		Missing   int             `json:"missing,omitempty"`
		Undefined string          `json:"undefined,omitempty"`
	}{N: c.N, Method: c.Method, Lambda: c.Lambda, Clusters: c.Clusters, Effect: c.Effect, Effective: c.Effective, Bounds: c.Bounds, Missing: c.Missing, Undefined: c.WhyUndefined()}
	if c.Alike > 0 {
		saved := c.Alike - c.N
		out.Saved = &saved
	}
	if out.Undefined == "" {
		out.Value, out.Low, out.High, out.Interval, out.Warning = &c.Value, &c.Low, &c.High, stat.IntervalPointwise, c.Warning()
		if c.Sequence {
			out.Interval = stat.IntervalSequence
		}
	}
	return json.Marshal(out)
}

// NewCorrected gives a score as rows have it.
func NewCorrected(s *correct.Score, method string) Corrected {
	return Corrected{
		Estimate: s.Corrected, Method: method, Lambda: sharedLambda(s.Strata), Clusters: s.Clusters, Effect: s.DesignEffect,
		Effective: s.Effective, Alike: s.Alike, Missing: s.Missing, Bounds: s.Bounds,
	}
}

// DescribeDesignEffect says what a drawing with probabilities of its own was worth; "" of one
// in which all were as likely.
func (c *Corrected) DescribeDesignEffect() string {
	if c.Alike == 0 || c.WhyUndefined() != "" {
		return ""
	}
	saved := eval.Either(c.Alike < c.N, fmt.Sprintf("costs %s more", table.FormatGrouped(c.N-c.Alike)), fmt.Sprintf("saves %s", table.FormatGrouped(c.Alike-c.N)))
	return fmt.Sprintf("The %s labels weigh as much as %.0f drawn alike (effective sample size, Kish). For the same interval %s labels drawn alike would be needed: the drawing %s.",
		table.FormatGrouped(c.N), c.Effective, table.FormatGrouped(c.Alike), saved)
}

// computeGladenIfWhole computes the score corrected by how the machine errs, without its word on single items,
// there where one stratum has all items: of a part of them alone the machine's errors elsewhere are not
// known. It has no interval that holds at every look, and waits for the last label.
func computeGladenIfWhole(strata []correct.Stratum, scale correct.Options) *correct.MachineErrors {
	if len(strata) != 1 || strata[0].AsRead || scale.Sequence || scale.Low != 0 || scale.High != 1 {
		return nil
	}
	m := strata[0].MeasureErrors(scale.Confidence)
	return &m
}

// Names of what was done.
const (
	methodPlain      = "ppi++"
	methodStratified = "stratified ppi++"
)

// The strata of items that nobody was asked about.
const (
	AsRead = "answers outside every queue"
	NoText = "calls that failed" // not right, whoever looks
)

// ComputeStrataScore gives the strata's score. It refuses one of fewer labels than an interval
// takes, and says what waits.
func ComputeStrataScore(o *Correcting, strata []correct.Stratum, scale correct.Options, labels CountedLabels) correct.Score {
	scale.Sequence = labels.Unfinished
	if o.IsModelled() {
		scale.Resamples = annotate.SkeneResamples
	}
	s := correct.ComputeScore(strata, scale)
	if fewest := cmp.Or(o.Fewest, correct.Fewest); s.Corrected.WhyUndefined() == "" && s.Labels < fewest {
		s = s.WithoutCorrection(fmt.Sprintf("only %d labels count, and a score takes %d", s.Labels, fewest))
	}
	if reason := s.Corrected.WhyUndefined(); reason != "" && labels.Waiting > 0 {
		s = s.WithoutCorrection(fmt.Sprintf("%s: of the labels, %s wait until %s more items are labelled that are offered before them", reason, table.FormatGrouped(labels.Waiting), table.FormatGrouped(labels.More)))
	}
	return s
}

// NewCorrection puts the strata's score into a row's terms.
func NewCorrection(o *Correcting, strata []correct.Stratum, scale correct.Options, judge stat.Estimate, labels CountedLabels) *Correction {
	s := ComputeStrataScore(o, strata, scale, labels)
	basis := BasisOrDefault(o.Policy, o.Undecided)
	out := &Correction{
		Policy: basis.Policy.String(), Undecided: basis.Undecided.String(), JudgeOnly: judge,
		People: s.People, Corrected: NewCorrected(&s, methodPlain), LeftOut: make(map[string]int),
		Strata: append([]correct.Part{}, s.Strata...), Bounds: s.Bounds, Gain: s.Gain, Labels: labels,
		Needs: s.LabelsNeeded(cmp.Or(o.Within, defaultWithin) * (scale.High - scale.Low)),
	}
	if len(s.Strata) > 1 {
		out.Corrected.Method = methodStratified
	}
	defined := s.Corrected.WhyUndefined() == ""
	out.Erring = newSensitivity(&s, scale, o.IsModelled(), labels.known)
	if defined && !o.IsModelled() && s.Clusters == 0 { // it takes labels to be exact, and of items on their own
		out.Gladen = computeGladenIfWhole(strata, scale)
	}
	if defined && s.Differ < correct.FewDiffer {
		out.Warnings = append(out.Warnings, fmt.Sprintf("only %d labels differ from the machine: with fewer than %d its errors are hardly known", s.Differ, correct.FewDiffer))
	}
	return out
}

// sharedLambda is the lambda of the strata that people labelled, but for those that
// are labelled to the end, where it means nothing.
func sharedLambda(strata []correct.Part) *float64 {
	var out *float64
	for i := range strata {
		if s := &strata[i]; s.Lambda != nil && (out == nil || s.Labels < s.Items) {
			out = s.Lambda
		}
	}
	return out
}

// NewRefusedCorrection gives a correction that the labels do not determine.
func NewRefusedCorrection(o *Correcting, reason string, judge stat.Estimate, labels CountedLabels) *Correction {
	out := NewCorrection(o, nil, correct.Options{High: 1, Confidence: stat.Confidence}, judge, labels)
	none := stat.NewUndefinedEstimate(reason)
	out.Corrected.Estimate, out.People, out.Erring = none, none, nil
	out.Gain.Undefined, out.Needs.Undefined = reason, reason
	return out
}

// EstimateOfRate estimates a rate as a figure with an interval.
func EstimateOfRate(r stat.Rate) stat.Estimate {
	if r.N == 0 {
		return stat.NewUndefinedEstimate(r.Undefined)
	}
	return stat.Estimate{N: r.N, Value: r.Value, Low: r.Low, High: r.High}
}

// Strata collects items by what decides how likely they were to be labelled.
// Cluster, Weight and Again are of the items that are added next.
type Strata struct {
	Cluster uint64                     // what the item shares with others; 0: nothing
	Weight  float64                    // of an item that was drawn with a probability of its own; else 0
	Again   func(int) (float64, int32) // what people say of a labelled item in a resample; nil: no model says it
	by      map[string]*correct.Stratum
}

// NewStrata makes strata without an item.
func NewStrata() *Strata { return &Strata{by: make(map[string]*correct.Stratum)} }

func (s *Strata) stratumOf(name string) *correct.Stratum {
	return eval.GetOrAdd(s.by, name, func() *correct.Stratum {
		return &correct.Stratum{Name: name, AsRead: name == AsRead || name == NoText, Known: name == NoText}
	})
}

// AddUnlabelled adds an item that has no label that counts.
func (s *Strata) AddUnlabelled(name string, machine float64) {
	at := s.stratumOf(name)
	at.Unlabelled, at.UnlabelledIn = append(at.Unlabelled, machine), append(at.UnlabelledIn, s.Cluster)
}

// AddMissing adds an item that was drawn and stays without a label.
func (s *Strata) AddMissing(name string, machine float64) {
	at := s.stratumOf(name)
	at.Missing = append(at.Missing, correct.Item{Machine: machine, Weight: s.Weight, Cluster: s.Cluster})
}

// AddLabelled adds an item with what people make of it.
func (s *Strata) AddLabelled(name string, machine, people float64) {
	at := s.stratumOf(name)
	at.Labelled = append(at.Labelled, correct.Item{Machine: machine, People: people, Weight: s.Weight, Cluster: s.Cluster, Again: s.Again})
}

// ListStrata gives the strata by name.
func (s *Strata) ListStrata() []correct.Stratum {
	return eval.Map(slices.Sorted(maps.Keys(s.by)), func(name string) correct.Stratum { return *s.by[name] })
}

// CorrectedNote says what was done.
const CorrectedNote = "Corrected: prediction-powered (PPI++). A stratum is what was as likely to be labelled. Labels count up to the first open item in the queue's random order: those behind it are no random sample yet. " +
	"Drawn items that were skipped, or have no consensus, are assumed to be like the others; the bounds hold whatever people would say of them."

// NoLabels is why a score is not corrected of which nobody has labelled anything.
const NoLabels = "no queue drawn at random has labels of it"

// WhyNoLabels is why there is nothing to correct by.
func WhyNoLabels(priority []string) string {
	if len(priority) == 0 {
		return NoLabels
	}
	return "its only labels are of targeted sampling (" + strings.Join(priority, ", ") + "), chosen by interest: they say nothing about the others"
}
