package view

import (
	"context"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/curating"
	"concord/eval"
	"concord/store"
	"concord/tui/adjudicate"
	"concord/tui/curate"
)

// Curation shows the store as the screen of curation reads it.
type Curation struct {
	Store  *store.Store
	How    curating.Settings
	Policy *blind.Policies
}

var _ curate.Source = Curation{}

// Datasets are all of the project.
func (c Curation) Datasets() ([]eval.Dataset, error) { return c.Store.Datasets().List() }

// Open reads the candidates of a dataset, and what everybody says of them. Who
// opens them counts as having been shown their answers: one key shows each. Those
// of samples on which an item is open to the person are withheld.
func (c Curation) Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (curate.Opening, error) {
	t, in, err := c.settled(d)
	if err != nil {
		return curate.Opening{}, err
	}
	policy, err := c.Policy.For(who, d)
	if err != nil {
		return curate.Opening{}, err
	}
	var told []annotate.Disclosure
	out := curate.Opening{Look: t.Look}
	if in != nil {
		out.Inspection = in.Name
	}
	out.Board, err = c.board(ctx, d, who, &t, in, func(s eval.Sample, f *curation.Finding) error {
		if out.Pool++; in != nil && f == nil {
			return nil
		}
		view, err := policy.Sample(s.Ordinal)
		if err != nil {
			return err
		}
		card := curate.Card{Sample: s, Finding: f, Withheld: view.HidesTruth() && (s.Answer != "" || s.Reference != "")}
		switch {
		case card.Withheld:
			card.Sample.Answer, card.Sample.Reference = "", ""
		case s.Answer != "" || s.Reference != "":
			told = append(told, annotate.OfSample(d, s.Ordinal, annotate.TruthContent))
		}
		out.Cards = append(out.Cards, card)
		return nil
	})
	if err != nil {
		return out, err
	}
	return out, c.Policy.Show(ctx, who, "curation of "+string(d), told)
}

// Curated counts what experts differ on, in every dataset of which they have
// said anything.
func (c Curation) Curated(ctx context.Context, who annotate.Annotator) ([]adjudicate.Curated, error) {
	all, err := curating.Curated(ctx, c.Store, "")
	if err != nil {
		return nil, err
	}
	out := make([]adjudicate.Curated, len(all))
	for i, d := range all {
		b, err := c.before(ctx, d, who)
		if err != nil {
			return nil, err
		}
		out[i] = adjudicate.Curated{Dataset: d, Candidates: len(b.Items()), Disputes: b.Disputes()}
	}
	return out, nil
}

// before is the candidates of a dataset before one expert.
func (c Curation) before(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (*curation.Board, error) {
	t, in, err := c.settled(d)
	if err != nil {
		return nil, err
	}
	return c.board(ctx, d, who, &t, in, func(eval.Sample, *curation.Finding) error { return nil })
}

// settled is how a dataset is curated, and whose candidates are.
func (c Curation) settled(d eval.DatasetName) (curating.Terms, *curation.Inspection, error) {
	t, err := c.How.Terms(d)
	if err != nil {
		return t, nil, err
	}
	in, err := t.Candidates(c.Store, d)
	return t, in, err
}

// board is the candidates of a dataset before one expert. It shows every sample
// of the pool on its way, with what models made of a candidate of an inspection.
func (c Curation) board(ctx context.Context, d eval.DatasetName, who annotate.Annotator, t *curating.Terms, in *curation.Inspection, show func(eval.Sample, *curation.Finding) error) (*curation.Board, error) {
	found := make(map[eval.Ordinal]*curation.Finding)
	if in != nil {
		for _, f := range in.Candidates() {
			found[f.Sample] = &f
		}
	}
	o := curation.Opening{Dataset: d, Expert: who, Panel: t.Panel, Targets: t.Targets}
	for s, err := range c.Store.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		f := found[s.Ordinal]
		if err := show(s, f); err != nil {
			return nil, err
		}
		if in == nil || f != nil {
			o.Items = append(o.Items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
		}
	}
	for a, err := range c.Store.Curation().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		o.Acts = append(o.Acts, a)
	}
	return curation.NewBoard(o)
}

// Picture reads the bytes of a picture.
func (c Curation) Picture(h eval.PictureHash) ([]byte, error) { return c.Store.Datasets().Picture(h) }
