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
)

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
	WithoutPicture = "without_picture" // asked all the same
)

// evidence is what a judge has to go by on a sample, whatever was answered.
type evidence struct {
	missing  string // why it cannot be asked; "" when it can
	revision string // hash of the criteria that it is shown
	blind    bool   // it is to see a picture, and there is none
}

// evidenceFor are those of a dataset's samples.
type evidenceFor struct {
	of        []evidence
	captioner string
}

func (l *Factory) grounds(ctx context.Context, o *VotingOrder, samples int) (evidenceFor, error) {
	g := evidenceFor{of: make([]evidence, samples)}
	for s, err := range l.Store.Datasets().Samples(ctx, o.Dataset) {
		if err != nil {
			return g, err
		}
		g.of[s.Ordinal].blind = o.Input == eval.SeesImage && !slices.ContainsFunc(s.Pictures, held)
	}
	if err := l.criteriaGrounds(ctx, o, g.of); err != nil {
		return g, err
	}
	return g, l.sightGrounds(ctx, o, &g)
}

func held(p eval.Picture) bool { return p.Hash != "" }

// criteriaGrounds takes up what people wrote about the samples.
func (l *Factory) criteriaGrounds(ctx context.Context, o *VotingOrder, all []evidence) error {
	if o.Criteria {
		for i := range all {
			all[i].missing = NoCriteria
		}
	}
	some := false
	for set, err := range l.Store.Criteria().All(ctx, o.Dataset) {
		if err != nil {
			return err
		}
		g := &all[set.Sample]
		if hash := criteria.Hash(set.Criteria()); o.Criteria && hash != "" {
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

// sightGrounds takes up what stands for pictures.
func (l *Factory) sightGrounds(ctx context.Context, o *VotingOrder, g *evidenceFor) error {
	if seesCaption(o.Input) {
		captioned, err := l.Captioned(ctx, o.Dataset)
		if err != nil {
			return err
		}
		if g.captioner, err = captionerOf(captioned, o); err != nil {
			return err
		}
		g.lack(NoCaption, captioned[g.captioner])
	}
	if seesDetections(o.Input) {
		looked := make(map[eval.Ordinal]bool)
		for d, err := range l.Store.Detections().All(ctx, o.Dataset) {
			if err != nil {
				return err
			}
			looked[d.Sample] = true
		}
		if len(looked) == 0 {
			return fmt.Errorf("dataset %s has no detected objects yet: see concord import detections --help", o.Dataset)
		}
		g.lack(NoDetections, looked)
	}
	return nil
}

// lack notes a reason for those samples that are not among some.
func (g *evidenceFor) lack(reason string, some map[eval.Ordinal]bool) {
	for i := range g.of {
		if !some[eval.Ordinal(i)] {
			g.of[i].missing = cmp.Or(g.of[i].missing, reason)
		}
	}
}

func seesCaption(i eval.Input) bool    { return i == eval.SeesCaption || i == eval.SeesBoth }
func seesDetections(i eval.Input) bool { return i == eval.SeesDetections || i == eval.SeesBoth }

// Captioned are the samples whose pictures are described, by the model that
// did.
func (l *Factory) Captioned(ctx context.Context, d eval.DatasetName) (map[string]map[eval.Ordinal]bool, error) {
	out := make(map[string]map[eval.Ordinal]bool)
	for c, err := range l.Store.Captions().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		if !describes(&c) {
			continue
		}
		if out[c.Model] == nil {
			out[c.Model] = make(map[eval.Ordinal]bool)
		}
		out[c.Model][c.Sample] = true
	}
	return out, nil
}

// describes reports whether a caption says anything.
func describes(c *eval.Caption) bool { return c.Failure == nil && strings.TrimSpace(c.Text) != "" }

// captionerOf is the model whose captions the judge sees.
func captionerOf(captioned map[string]map[eval.Ordinal]bool, o *VotingOrder) (string, error) {
	all := slices.Sorted(maps.Keys(captioned))
	switch {
	case len(all) == 0:
		return "", fmt.Errorf("the pictures of dataset %s have no captions yet: see concord caption --help", o.Dataset)
	case o.CaptionsBy != "" && captioned[o.CaptionsBy] == nil:
		return "", cli.Usage(fmt.Errorf("%s has captioned nothing of dataset %s: want one of %s", o.CaptionsBy, o.Dataset, cli.Few(all)))
	case o.CaptionsBy == "" && len(all) > 1:
		return "", cli.Usage(errors.New("captions are by several models: name one with --captions-by: " + cli.Few(all)))
	case o.CaptionsBy == "":
		return all[0], nil
	}
	return o.CaptionsBy, nil
}

// caption is the newest description of a sample's picture by a model that
// says anything; "" when there is none.
func (l *Factory) caption(d eval.DatasetName, o eval.Ordinal, model string) (string, error) {
	all, err := l.Store.Captions().Of(d, o)
	if err != nil {
		return "", err
	}
	for _, c := range slices.Backward(all) {
		if c.Model == model && describes(&c) {
			return c.Text, nil
		}
	}
	return "", nil
}
