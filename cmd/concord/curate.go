package main

import (
	"context"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/adjudicate"
	"concord/tui/curate"
)

// curator shows the store as the screen of curation reads it.
type curator struct {
	st  *store.Store
	how curating
}

var _ curate.Source = curator{}

// Datasets are all of the project.
func (c curator) Datasets() ([]eval.Dataset, error) { return c.st.Datasets().List() }

// Open reads the candidates of a dataset, and what everybody says of them.
func (c curator) Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (curate.Opening, error) {
	t, in, err := c.settled(d)
	if err != nil {
		return curate.Opening{}, err
	}
	out := curate.Opening{Look: t.look}
	if in != nil {
		out.Inspection = in.Name
	}
	out.Board, err = c.board(ctx, d, who, &t, in, func(s eval.Sample, f *curation.Finding) {
		if out.Pool++; in == nil || f != nil {
			out.Cards = append(out.Cards, curate.Card{Sample: s, Finding: f})
		}
	})
	return out, err
}

// Curated counts what experts differ on, in every dataset of which they have
// said anything.
func (c curator) Curated(ctx context.Context, who annotate.Annotator) ([]adjudicate.Curated, error) {
	all, err := curated(ctx, c.st, "")
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
func (c curator) before(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (*curation.Board, error) {
	t, in, err := c.settled(d)
	if err != nil {
		return nil, err
	}
	return c.board(ctx, d, who, &t, in, func(eval.Sample, *curation.Finding) {})
}

// settled is how a dataset is curated, and whose candidates are.
func (c curator) settled(d eval.DatasetName) (terms, *curation.Inspection, error) {
	t, err := c.how.terms(d)
	if err != nil {
		return t, nil, err
	}
	in, err := t.candidates(c.st, d)
	return t, in, err
}

// board is the candidates of a dataset before one expert. It shows every sample
// of the pool on its way, with what models made of a candidate of an inspection.
func (c curator) board(ctx context.Context, d eval.DatasetName, who annotate.Annotator, t *terms, in *curation.Inspection, show func(eval.Sample, *curation.Finding)) (*curation.Board, error) {
	found := make(map[eval.Ordinal]*curation.Finding)
	if in != nil {
		for _, f := range in.Candidates() {
			found[f.Sample] = &f
		}
	}
	o := curation.Opening{Dataset: d, Expert: who, Panel: t.panel, Targets: t.targets}
	for s, err := range c.st.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		f := found[s.Ordinal]
		if show(s, f); in == nil || f != nil {
			o.Items = append(o.Items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
		}
	}
	for a, err := range c.st.Curation().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		o.Acts = append(o.Acts, a)
	}
	return curation.NewBoard(o)
}

// Picture reads the bytes of a picture.
func (c curator) Picture(h eval.PictureHash) ([]byte, error) { return c.st.Datasets().Picture(h) }

// curateStart is how the screen of curation opens.
type curateStart struct {
	flags  curateFlags
	settle bool
}

func newCurateCmd(a *app) *cobra.Command {
	var start curateStart
	var as string
	cmd := &cobra.Command{
		Use:   "curate",
		Short: "Review which samples of a pool need their picture, one key each",
		Long: `Opens the screen on which experts review samples: picture, question, options and
answer, one key for the verdict (needs the image, answerable without, answer in
the question, wrong or ambiguous, duplicate), and the capability and axis that
it tests. More than half of --experts decide; --settle opens what they differ
on. A target is given as in axis=84, of one axis as in "math / geometry=90", or as
a file with the columns capability, axis (or taxonomy) and n, which also names
axes that the dataset does not. What no flag says is as [curation] of concord.toml
has it, or [curation.DATASET], also for reports and exports of what is accepted.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			if err := start.flags.check(cmd); err != nil {
				return err
			}
			o := screenOptions{as: as, curate: start, start: tui.Start{Tab: tui.TabCurate, Dataset: eval.DatasetName(start.flags.dataset)}}
			return openScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if start.flags.dataset == "" {
					return nil
				}
				_, err := start.flags.name(st)
				return err
			})
		},
	}
	start.flags.add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	fs.BoolVar(&start.settle, "settle", false, "settle what experts differ on")
	addScreenFlags(a, fs)
	fs.BoolVar(&start.flags.look.HideTruth, "hide-answer", false, "hide the answer at first (t shows it)")
	fs.BoolVar(&start.flags.look.HideModels, "hide-hits", false, "hide models' hits and the difficulty at first (d shows them)")
	return cmd
}
