package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/store"
)

// jobSummary is what every job of single calls says of itself when it has ended.
type jobSummary struct {
	State     string         `json:"state"`
	Why       string         `json:"why,omitempty"`
	Wanted    int            `json:"wanted"`
	Asked     int            `json:"asked"`    // by this command, with a fact to show for it
	Stored    int            `json:"stored"`   // of the wanted, as all below
	Unparsed  int            `json:"unparsed"` // replies that do not hold what was asked for
	Failed    int            `json:"failed"`   // refused for the sample's own sake
	Pending   int            `json:"pending"`
	LeftOut   map[string]int `json:"left_out"` // reason -> what cannot be asked for
	Usage     usageSummary   `json:"usage"`    // of all that is stored
	Cost      *float64       `json:"cost"`     // null: the price is not known
	Seconds   float64        `json:"seconds"`
	LastError string         `json:"last_error,omitempty"`
}

// newJobSummary tells what became of a job that began with so much.
func newJobSummary(p eval.Progress, ended error, began *eval.Tally, missing map[string]int) jobSummary {
	t := &p.Tally
	s := jobSummary{
		State: p.State.String(), Why: p.Why, Wanted: t.Wanted, Asked: t.CountStored() - began.CountStored(), Stored: t.Stored, Unparsed: t.Unparsed,
		Failed: t.Failed, Pending: t.CountPending(), LeftOut: missing, Usage: newUsageSummary(t.Usage), LastError: p.LastFailure,
	}
	s.Seconds, s.Cost = timeAndCost(&p)
	if errors.Is(ended, errBudget) {
		s.State, s.Why = eval.Paused.String(), cmp.Or(p.Why, errBudget.Error())
	}
	return s
}

// timeAndCost is how long work took, and what it cost; nil where that is not known.
func timeAndCost(p *eval.Progress) (seconds float64, cost *float64) {
	if !p.Started.IsZero() && !p.Ended.IsZero() {
		seconds = p.Ended.Sub(p.Started).Seconds()
	}
	if p.Priced {
		cost = &p.Cost
	}
	return seconds, cost
}

// formatDone gives how far it has come, in words: "done, 3 of 4 votes".
func (s *jobSummary) formatDone(fact string) string {
	return fmt.Sprintf("%s, %d of %s", s.State, s.Stored+s.Unparsed+s.Failed, cli.FormatCount(s.Wanted, fact))
}

// formatCalls gives the lines about what was asked and what failed.
func (s *jobSummary) formatCalls(fact string) string {
	var b strings.Builder
	if s.Why != "" {
		fmt.Fprintf(&b, "  %s\n", cli.EscapeControls(s.Why))
	}
	fmt.Fprintf(&b, "  asked     %d now; %d stored", s.Asked, s.Stored)
	if s.Unparsed > 0 {
		fmt.Fprintf(&b, ", %d that hold no %s", s.Unparsed, fact)
	}
	if s.Pending > 0 {
		fmt.Fprintf(&b, ", %d still to be asked", s.Pending)
	}
	b.WriteByte('\n')
	if s.Failed > 0 {
		fmt.Fprintf(&b, "  errors    %d (--retry-failed asks them again)\n", s.Failed)
	}
	if s.LastError != "" { // of any call, also of one that was made again
		fmt.Fprintf(&b, "  failure   the last of a call: %s\n", cli.EscapeControls(s.LastError))
	}
	return b.String()
}

// LeftOutWords are the reasons in words, in the order in which they are said.
var LeftOutWords = [...]struct{ Reason, Words string }{
	{NoAnchor, "the anchor has no answer"},
	{failedAnchor, "the anchor's call failed"},
	{NoAnswer, "the model has no answer"},
	{failedAnswer, "the model's call failed"},
	{discarded, "the sample was discarded"},
	{notOpen, "the question is not open"},
	{NoReference, "no reference"},
	{NoCriteria, "no criteria"},
	{NoCaption, "no caption"},
	{NoDetections, "no detected objects"},
	{noPicture, "no image"},
	{WithoutPicture, "without the image that the judge is to see (--without-images asks)"},
	{notTranslated, "no multiple choice with an answer, a category without slashes and at most one image"},
	{beingWritten, "the original changed, and somebody is writing on the translation"},
	{answered, "the original changed, and a run has answered the translation: name another dataset with --as-dataset"},
	{PictureNotHeld, "an image that the project does not hold"},
}

// formatOmitted gives the lines about what cannot be asked.
func (s *jobSummary) formatOmitted(fact string) string {
	var b strings.Builder
	for _, r := range LeftOutWords {
		if n := s.LeftOut[r.Reason]; n > 0 {
			fmt.Fprintf(&b, "  left out  %s: %s\n", cli.FormatCount(n, fact), r.Words)
		}
	}
	return b.String()
}

// formatSpent gives the line about what all of it took.
func (s *jobSummary) formatSpent() string {
	line := fmt.Sprintf("  tokens    %v", s.Usage)
	if s.Cost != nil {
		line += fmt.Sprintf(", cost %.4g", *s.Cost)
	}
	return line + "\n"
}

// toLeftOutList are reasons with their numbers, for the screens.
func toLeftOutList(missing map[string]int) []eval.LeftOut {
	return eval.Map(slices.Sorted(maps.Keys(missing)), func(reason string) eval.LeftOut {
		return eval.LeftOut{Reason: reason, Facts: missing[reason]}
	})
}

// ScoringSummary is what became of a scoring order, as `concord judge scores` prints it.
type ScoringSummary struct {
	Dataset eval.DatasetName `json:"dataset"`
	Judge   string           `json:"judge"`
	Runs    []runScores      `json:"runs"`
	jobSummary
}

// runScores is what a judge makes of one run. A mean is over Scored.
type runScores struct {
	Run      eval.RunID         `json:"run"`
	Model    string             `json:"model"`
	Scored   int                `json:"scored"`
	Unparsed int                `json:"unparsed"`
	Failed   int                `json:"failed"`
	Values   [eval.TopScore]int `json:"values"` // answers by score, from 1
	Mean     *float64           `json:"mean"`   // null: nothing is scored
}

// printSummary says what became of a scoring order: one object for scripts, else a few lines.
func (s *scoringJob) printSummary(p eval.Progress, ended error) error {
	out := ScoringSummary{Dataset: s.order.Dataset, Judge: s.order.Judge, Runs: []runScores{}, jobSummary: newJobSummary(p, ended, &s.Tally, s.missing)}
	for _, r := range s.runs {
		all, err := s.Factory.Store.Scores().Counts(r.ID)
		if err != nil {
			return err
		}
		one := runScores{Run: r.ID, Model: r.Config.Model}
		for _, c := range all {
			if c.Judge == s.order.Judge {
				one.fillScoreCounts(&c.Counts)
			}
		}
		out.Runs = append(out.Runs, one)
	}
	return s.Factory.PrintResult(out, "%s", out.formatText())
}

func (r *runScores) fillScoreCounts(c *eval.ScoreCounts) {
	r.Scored, r.Unparsed, r.Failed = c.CountScored(), c.Values[0], c.Failures
	sum := 0
	for i := range r.Values {
		r.Values[i] = c.Values[i+1]
		sum += (i + 1) * r.Values[i]
	}
	if r.Scored > 0 {
		mean := float64(sum) / float64(r.Scored)
		r.Mean = &mean
	}
}

func (s *ScoringSummary) formatText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scores of %s on %s: %s\n%s", cli.EscapeControls(s.Judge), cli.EscapeControls(string(s.Dataset)), s.formatDone("score"), s.formatCalls("score"))
	for _, r := range s.Runs {
		if r.Mean != nil {
			fmt.Fprintf(&b, "  run %-5d %s: mean score %.2f of %d\n", r.Run, cli.EscapeControls(r.Model), *r.Mean, r.Scored)
		}
	}
	b.WriteString(s.formatOmitted("answer"))
	b.WriteString(s.formatSpent())
	return b.String()
}

// Why a vote is not asked for, as scripts read it.
const (
	NoAnswer       = "no_answer"
	failedAnswer   = "failed_answer"
	NoAnchor       = "no_anchor_answer"
	failedAnchor   = "failed_anchor_answer"
	discarded      = "discarded"
	NoCriteria     = "no_criteria"
	NoCaption      = "no_caption"
	NoDetections   = "no_detections"
	WithoutPicture = "without_picture"
)

// sampleEvidence holds what a judge goes by on a sample, whatever was answered.
type sampleEvidence struct {
	missing  string // why it cannot be asked; "" when it can
	revision string // hash of the criteria that it is shown
	blind    bool   // it is to see a picture, and there is none
}

// evidenceBySample holds the evidence for each sample of a dataset.
type evidenceBySample struct {
	of        []sampleEvidence
	captioner string
}

// EvidenceReader reads what judges of pairs go by: criteria, captions, detections.
type EvidenceReader struct {
	Store *store.Store
}

func (er *EvidenceReader) gatherEvidence(ctx context.Context, o *VotingOrder, samples int) (evidenceBySample, error) {
	g := evidenceBySample{of: make([]sampleEvidence, samples)}
	for s, err := range er.Store.Datasets().Samples(ctx, o.Dataset) {
		if err != nil {
			return g, err
		}
		g.of[s.Ordinal].blind = o.Input == eval.SeesImage && (s.CountHeldImages() == 0 || s.CountHeldImages() < s.CountImages())
	}
	if o.Input == eval.SeesImage && !o.WithoutImages && samples > 0 && !slices.ContainsFunc(g.of, func(e sampleEvidence) bool { return !e.blind }) {
		return g, fmt.Errorf("dataset %s: the judge would see no image of any sample: import the dataset with its images, or insist with --without-images", o.Dataset)
	}
	if err := er.addCriteria(ctx, o, g.of); err != nil {
		return g, err
	}
	for i := range g.of {
		if e := &g.of[i]; e.blind && !o.WithoutImages {
			e.missing = cmp.Or(e.missing, WithoutPicture)
		}
	}
	return g, er.addImageSubstitutes(ctx, o, &g)
}

// addCriteria adds what people wrote about the samples.
func (er *EvidenceReader) addCriteria(ctx context.Context, o *VotingOrder, all []sampleEvidence) error {
	if o.Criteria {
		for i := range all {
			all[i].missing = NoCriteria
		}
	}
	some := false
	for set, err := range er.Store.Criteria().All(ctx, o.Dataset) {
		if err != nil {
			return err
		}
		g := &all[set.Sample]
		if hash := criteria.HashCriteria(set.Criteria()); o.Criteria && hash != "" {
			g.revision, g.missing, some = hash, "", true
		}
		if set.Removed != nil {
			g.missing = discarded
		}
	}
	if o.Criteria && !some {
		return fmt.Errorf("dataset %s has no criteria yet: write some in the app, import them with concord import criteria, or ask without --criteria", o.Dataset)
	}
	return nil
}

// addImageSubstitutes adds what judges are shown in place of pictures.
func (er *EvidenceReader) addImageSubstitutes(ctx context.Context, o *VotingOrder, g *evidenceBySample) error {
	if seesCaption(o.Input) {
		captioned, err := er.CaptionedSamples(ctx, o.Dataset)
		if err != nil {
			return err
		}
		if g.captioner, err = chooseCaptioner(captioned, o); err != nil {
			return err
		}
		g.markMissingSamples(NoCaption, captioned[g.captioner])
	}
	if seesDetections(o.Input) {
		looked, err := er.DetectedSamples(ctx, o.Dataset)
		if err != nil {
			return err
		}
		if len(looked) == 0 {
			return fmt.Errorf("dataset %s has no detected objects yet: see concord import detections --help", o.Dataset)
		}
		g.markMissingSamples(NoDetections, looked)
	}
	return nil
}

func (g *evidenceBySample) markMissingSamples(reason string, some map[eval.Ordinal]bool) {
	for i := range g.of {
		if !some[eval.Ordinal(i)] {
			g.of[i].missing = cmp.Or(g.of[i].missing, reason)
		}
	}
}

func seesCaption(i eval.Input) bool    { return i == eval.SeesCaption || i == eval.SeesBoth }
func seesDetections(i eval.Input) bool { return i == eval.SeesDetections || i == eval.SeesBoth }

// CaptionedSamples gives the samples whose pictures are described, by captioning model.
func (er *EvidenceReader) CaptionedSamples(ctx context.Context, d eval.DatasetName) (map[string]map[eval.Ordinal]bool, error) {
	out := make(map[string]map[eval.Ordinal]bool)
	err := eval.ForEachRead(er.Store.Captions().All(ctx, d), func(c eval.Caption) {
		if !hasDescription(&c) {
			return
		}
		eval.GetOrAdd(out, c.Model, func() map[eval.Ordinal]bool { return make(map[eval.Ordinal]bool) })[c.Sample] = true
	})
	return out, err
}

// DetectedSamples gives the samples whose pictures a detector has seen.
func (er *EvidenceReader) DetectedSamples(ctx context.Context, d eval.DatasetName) (map[eval.Ordinal]bool, error) {
	all, err := eval.Collect(er.Store.Detections().All(ctx, d))
	return eval.IndexBy(all, func(one eval.Detected) (eval.Ordinal, bool) { return one.Sample, true }), err
}

func hasDescription(c *eval.Caption) bool { return c.Failure == nil && strings.TrimSpace(c.Text) != "" }

// chooseCaptioner names the model whose captions the judge sees.
func chooseCaptioner(captioned map[string]map[eval.Ordinal]bool, o *VotingOrder) (string, error) {
	all := slices.Sorted(maps.Keys(captioned))
	switch {
	case len(all) == 0:
		return "", fmt.Errorf("the images of dataset %s have no captions yet: see concord caption --help", o.Dataset)
	case o.CaptionsBy != "" && captioned[o.CaptionsBy] == nil:
		return "", cli.NewUsageError(fmt.Errorf("%s has captioned nothing of dataset %s: want one of %s", o.CaptionsBy, o.Dataset, cli.JoinFirstNames(all)))
	case o.CaptionsBy == "" && len(all) > 1:
		return "", cli.NewUsageError(errors.New("captions are by several models: name one with --captions-by: " + cli.JoinFirstNames(all)))
	case o.CaptionsBy == "":
		return all[0], nil
	}
	return o.CaptionsBy, nil
}

// newestCaption gives a model's newest description of a sample's picture that has a text; "" without one.
func (er *EvidenceReader) newestCaption(d eval.DatasetName, o eval.Ordinal, model string) (string, error) {
	all, err := er.Store.Captions().OfSample(d, o)
	if err != nil {
		return "", err
	}
	for _, c := range slices.Backward(all) {
		if c.Model == model && hasDescription(&c) {
			return c.Text, nil
		}
	}
	return "", nil
}
