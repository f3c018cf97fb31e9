package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/curate"
)

// curateFlags are those of everything that asks what experts' words come to.
type curateFlags struct {
	dataset    string
	inspection string
	experts    int
	targets    []string
	quotas     []criteria.Quota
}

func (f *curateFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset that is curated (default: the only one)")
	fs.StringVar(&f.inspection, "inspection", "", "whose candidates are curated, by `name`; none: the whole dataset (default: the dataset's newest inspection, where there is one)")
	fs.IntVar(&f.experts, "experts", 1, "how many experts each sample asks for")
	fs.StringArrayVar(&f.targets, "target", nil, "how many accepted samples a group is to have: LEVEL=N, as in axis=84, or a `file`")
}

func (f *curateFlags) check() error {
	if f.experts < 1 {
		return usageError{fmt.Errorf("--experts %d: at least one has to decide", f.experts)}
	}
	var err error
	if f.quotas, err = parseQuotas(f.targets); err != nil {
		return usageError{err}
	}
	return nil
}

func (f *curateFlags) panel() curation.Panel { return curation.Panel{Experts: f.experts} }

// name is the dataset that is meant.
func (f *curateFlags) name(st *store.Store) (eval.DatasetName, error) {
	if f.dataset != "" {
		d, err := st.Datasets().Dataset(eval.DatasetName(f.dataset))
		return d.Name, err
	}
	all, err := st.Datasets().List()
	switch {
	case err != nil:
		return "", err
	case len(all) != 1:
		return "", usageError{fmt.Errorf("the project has %d datasets: name one with --dataset", len(all))}
	}
	return all[0].Name, nil
}

// wholeDataset asks for no inspection.
const wholeDataset = "none"

// candidates are the inspection whose candidates are curated; nil: the whole
// dataset is.
func (f *curateFlags) candidates(st *store.Store, d eval.DatasetName) (*curation.Inspection, error) {
	if f.inspection == wholeDataset {
		return nil, nil
	}
	all, err := st.Inspections().List()
	if err != nil {
		return nil, err
	}
	for i := range slices.Backward(all) { // the newest first
		if in := &all[i]; in.Dataset == d && (f.inspection == "" || in.Name == f.inspection) {
			return in, nil
		}
	}
	if f.inspection == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("inspection %q of dataset %s: %w", f.inspection, d, eval.ErrNotFound)
}

// curator shows the store as the screen of curation reads it.
type curator struct {
	st *store.Store
	curateFlags
}

var _ curate.Source = curator{}

// Datasets are all of the project.
func (c curator) Datasets() ([]eval.Dataset, error) { return c.st.Datasets().List() }

// Open reads the candidates of a dataset, and what everybody says of them.
func (c curator) Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (curate.Opening, error) {
	o := curation.Opening{Dataset: d, Expert: who, Panel: c.panel(), Targets: c.quotas}
	var out curate.Opening
	in, err := c.candidates(c.st, d)
	if err != nil {
		return out, err
	}
	found := make(map[eval.Ordinal]*curation.Finding)
	if in != nil {
		out.Inspection = in.Name
		for _, f := range in.Candidates() {
			found[f.Sample] = &f
		}
	}
	for s, err := range c.st.Datasets().Samples(ctx, d) {
		if err != nil {
			return out, err
		}
		out.Pool++
		f, candidate := found[s.Ordinal]
		if in != nil && !candidate {
			continue
		}
		out.Cards = append(out.Cards, curate.Card{Sample: s, Finding: f})
		o.Items = append(o.Items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
	}
	for a, err := range c.st.Curation().All(ctx, d) {
		if err != nil {
			return out, err
		}
		o.Acts = append(o.Acts, a)
	}
	out.Board, err = curation.NewBoard(o)
	return out, err
}

// Picture reads the bytes of a picture.
func (c curator) Picture(h eval.PictureHash) ([]byte, error) { return c.st.Datasets().Picture(h) }

// curateStart is how the screen of curation opens.
type curateStart struct {
	curateFlags
	look   curate.Look
	settle bool
}

func (a *app) curateCommand() *cobra.Command {
	var start curateStart
	var as string
	cmd := &cobra.Command{
		Use:   "curate",
		Short: "Review which samples of a pool need their picture, one key each",
		Long: `Opens the screen on which experts review samples: picture, question, options and
answer, one key for the verdict (needs the image, answerable without, answer in
the question, wrong or ambiguous, duplicate), and the capability and axis that
it tests. More than half of --experts decide; --settle opens what they differ
on. A target is given as in axis=84, or as a file with the columns capability,
axis (or taxonomy) and n, which also names axes that the dataset does not.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			if err := start.check(); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				if start.dataset != "" {
					if _, err := start.name(st); err != nil {
						return err
					}
				}
				return a.screen(cmd.Context(), st, screenOptions{
					as: as, curate: start, start: tui.Start{Tab: tui.TabCurate, Dataset: eval.DatasetName(start.dataset)},
				})
			})
		},
	}
	start.add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	fs.BoolVar(&start.settle, "settle", false, "settle what experts differ on")
	fs.BoolVar(&start.look.HideTruth, "hide-answer", false, "hide the answer at first (t shows it)")
	fs.BoolVar(&start.look.HideModels, "hide-hits", false, "hide models' hits and the difficulty at first (d shows them)")
	return cmd
}
