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

// evidence holds what a judge goes by on a sample, whatever was answered.
type evidence struct {
	missing  string // why it cannot be asked; "" when it can
	revision string // hash of the criteria that it is shown
	blind    bool   // it is to see a picture, and there is none
}

// evidenceFor holds the evidence for each sample of a dataset.
type evidenceFor struct {
	of        []evidence
	captioner string
}

// Evidence reads what judges of pairs go by: criteria, captions, detections.
type Evidence struct {
	Store *store.Store
}

// of gathers the evidence for each sample of a dataset.
func (er *Evidence) of(ctx context.Context, o *VotingOrder, samples int) (evidenceFor, error) {
	g := evidenceFor{of: make([]evidence, samples)}
	for s, err := range er.Store.Datasets().Samples(ctx, o.Dataset) {
		if err != nil {
			return g, err
		}
		g.of[s.Ordinal].blind = o.Input == eval.SeesImage && (s.Held() == 0 || s.Held() < s.Images())
	}
	if o.Input == eval.SeesImage && !o.WithoutImages && samples > 0 && !slices.ContainsFunc(g.of, func(e evidence) bool { return !e.blind }) {
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
	return g, er.addSubstitutes(ctx, o, &g)
}

// addCriteria adds what people wrote about the samples.
func (er *Evidence) addCriteria(ctx context.Context, o *VotingOrder, all []evidence) error {
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

// addSubstitutes adds what judges are shown in place of pictures.
func (er *Evidence) addSubstitutes(ctx context.Context, o *VotingOrder, g *evidenceFor) error {
	if seesCaption(o.Input) {
		captioned, err := er.Captioned(ctx, o.Dataset)
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
		for d, err := range er.Store.Detections().All(ctx, o.Dataset) {
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

// Captioned gives the samples whose pictures are described, by captioning model.
func (er *Evidence) Captioned(ctx context.Context, d eval.DatasetName) (map[string]map[eval.Ordinal]bool, error) {
	out := make(map[string]map[eval.Ordinal]bool)
	for c, err := range er.Store.Captions().All(ctx, d) {
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

// captionerOf names the model whose captions the judge sees.
func captionerOf(captioned map[string]map[eval.Ordinal]bool, o *VotingOrder) (string, error) {
	all := slices.Sorted(maps.Keys(captioned))
	switch {
	case len(all) == 0:
		return "", fmt.Errorf("the images of dataset %s have no captions yet: see concord caption --help", o.Dataset)
	case o.CaptionsBy != "" && captioned[o.CaptionsBy] == nil:
		return "", cli.Usage(fmt.Errorf("%s has captioned nothing of dataset %s: want one of %s", o.CaptionsBy, o.Dataset, cli.Few(all)))
	case o.CaptionsBy == "" && len(all) > 1:
		return "", cli.Usage(errors.New("captions are by several models: name one with --captions-by: " + cli.Few(all)))
	case o.CaptionsBy == "":
		return all[0], nil
	}
	return o.CaptionsBy, nil
}

// caption gives a model's newest description of a sample's picture that has a
// text; "" without one.
func (er *Evidence) caption(d eval.DatasetName, o eval.Ordinal, model string) (string, error) {
	all, err := er.Store.Captions().Of(d, o)
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
