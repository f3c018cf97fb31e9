package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/demo"
	"concord/eval/extract"
	"concord/eval/openai/openaitest"
	"concord/store"
	"concord/tui"
)

func newDemoCmd(a *app) *cobra.Command {
	var fresh bool
	var as string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open a ready project with an evaluation running in the background",
		Long: `Opens a synthetic project: pictures that concord draws itself, questions about
them, and recorded answers of three made-up models and a made-up judge, given
over about a minute by an endpoint within the process: the path of a real run.
What the rules cannot read arrives in a review queue meanwhile. It needs no key
and no network. Your labels are kept; --fresh starts over.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			if !cmd.Flags().Changed("project") {
				path, err := demoFile()
				if err != nil {
					return err
				}
				a.path = path
			}
			return runDemo(cmd.Context(), a, fresh, as)
		},
	}
	cmd.AddCommand(newDemoServeCmd(a))
	cmd.Flags().BoolVar(&fresh, "fresh", false, "forget earlier labels and start over")
	cmd.Flags().StringVar(&as, "as", "", "the `name` to label under (default: asked for)")
	addScreenFlags(a, cmd.Flags())
	return cmd
}

// demoFile is the project of the demo where none is named.
func demoFile() (string, error) {
	dir, err := stateFolder()
	return filepath.Join(dir, "demo.db"), err
}

func runDemo(ctx context.Context, a *app, fresh bool, as string) error {
	if fresh {
		if err := forgetDemo(a); err != nil {
			return err
		}
	}
	err := a.write(ctx, true, func(st *store.Store) error {
		p, err := demo.New()
		if err != nil {
			return fmt.Errorf("draw demo: %w", err)
		}
		d := &demoProject{app: a, st: st, data: p}
		defer d.close()
		if err := d.store(ctx); err != nil {
			return fmt.Errorf("store demo: %w", err)
		}
		return showScreen(ctx, a, st, screenOptions{as: as, synthetic: true, lab: d.lab, begin: d.begin, tour: newTour(a)})
	})
	if errors.Is(err, store.ErrLocked) && !fresh {
		return openScreen(ctx, a, screenOptions{as: as, synthetic: true}, nil) // beside the one that runs it
	}
	return err
}

// forgetDemo removes the demo's project, and only that: a file that holds
// anything else, or that another process has open, is left alone.
func forgetDemo(a *app) error {
	if !store.Exists(a.path) {
		return nil
	}
	st, err := store.Open(a.path, store.Options{Now: a.now, Logger: a.log})
	if err != nil {
		return a.explainLocked(err)
	}
	all, err := st.Datasets().List()
	if err = errors.Join(err, st.Close()); err != nil {
		return err
	}
	for _, d := range all {
		if !d.Synthetic {
			return fmt.Errorf("project %s holds the dataset %s, which is not the demo's: --fresh leaves it alone", a.path, d.Name)
		}
	}
	if err := os.Remove(a.path); err != nil {
		return fmt.Errorf("remove old demo: %w", err)
	}
	return nil
}

// demoProject is the demo on its way into a project file.
type demoProject struct {
	*app
	st       *store.Store
	data     *demo.Project
	endpoint *demoEndpoint
	lab      *lab
	runs     []eval.Run
}

// store puts what is missing of the demo into the project; an earlier
// session's facts stay as they are.
func (d *demoProject) store(ctx context.Context) error {
	if err := d.dataset(ctx); err != nil {
		return err
	}
	d.endpoint = newDemoEndpoint(d.data, openaitest.Options{})
	var err error
	d.lab, err = newLabWith(d.app, d.st, d.endpoint.config(), map[string]http.RoundTripper{demoURL: d.endpoint.within()})
	if err != nil {
		return err
	}
	for _, m := range d.data.Models {
		run, err := d.lab.ordered(ctx, &order{
			Dataset: d.data.Dataset.Name, Model: m.Name, Strategy: eval.Circular, Modality: eval.WithImage,
			Rules: extract.Default, Judges: []string{d.data.Judge}, New: true,
		})
		if err != nil {
			return err
		}
		d.runs = append(d.runs, run)
	}
	return d.queue(ctx)
}

func (d *demoProject) dataset(ctx context.Context) error {
	ds := d.data.Dataset
	ds.Hash = dataset.Hash(d.data.Samples)
	err := d.st.Datasets().BeginDataset(ctx, ds)
	if errors.Is(err, dataset.ErrOtherContent) {
		return fmt.Errorf("the demo has changed since this project was made (start over with: concord demo --fresh): %w", err)
	}
	if err != nil {
		return err
	}
	if have, err := d.st.Datasets().Dataset(ds.Name); err != nil || have.Complete {
		return err
	}
	items := make([]dataset.Item, len(d.data.Samples))
	for i, s := range d.data.Samples {
		items[i] = dataset.Item{Sample: s, Pictures: d.picturesOf(s)}
	}
	if err := d.st.Datasets().PutSamples(ctx, ds.Name, items); err != nil {
		return err
	}
	return d.st.Datasets().FinishDataset(ctx, ds)
}

func (d *demoProject) picturesOf(s eval.Sample) map[eval.PictureHash][]byte {
	out := make(map[eval.PictureHash][]byte, len(s.Pictures))
	for _, p := range s.Pictures {
		out[p.Hash] = d.data.Pictures[p.Hash]
	}
	return out
}

func (d *demoProject) queue(ctx context.Context) error {
	reader, err := rulesFor(d.data.Queue.Rules)
	if err != nil {
		return err
	}
	q := annotate.Queue{
		Name: annotate.QueueName(d.data.Queue.Name),
		Rule: annotate.Rule{
			Dataset: d.data.Dataset.Name, From: annotate.FromUnparsable,
			Rules: eval.ReaderID(reader), Rate: d.data.Queue.Rate, Seed: 1,
		},
		Stratum: annotate.Random, Overlap: 2, Growing: true, Synthetic: true,
		Guideline: annotate.Guideline{Version: 1, Text: d.data.Queue.Guideline, At: d.now()}, Created: d.now(),
	}
	for _, r := range d.runs {
		q.Rule.Runs = append(q.Rule.Runs, r.ID)
	}
	err = d.st.Queues().CreateQueue(ctx, q, nil)
	if errors.Is(err, annotate.ErrQueueExists) {
		return nil
	}
	return err
}

// begin starts the three runs.
func (d *demoProject) begin(s *starter) error {
	for i, m := range d.data.Models {
		if err := s.launch(d.runs[i].ID, effort{Concurrency: m.Pace.Concurrency}); err != nil {
			return err
		}
	}
	return nil
}

func (d *demoProject) close() {
	if d.endpoint != nil {
		_ = d.endpoint.close() // whoever asked has ended
	}
}

// newTour leads through the demo until somebody has seen enough of it.
func newTour(a *app) *tui.Tour {
	dir, err := stateFolder()
	if err != nil {
		return nil
	}
	seen := filepath.Join(dir, "toured")
	if _, err := os.Stat(seen); err == nil {
		return nil
	}
	return &tui.Tour{End: func() error {
		if err := os.WriteFile(seen, nil, 0o600); err != nil {
			return fmt.Errorf("keep that it was seen: %w", err)
		}
		return nil
	}}
}
