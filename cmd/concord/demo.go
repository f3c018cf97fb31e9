package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/demo"
	"concord/eval/extract"
	"concord/eval/replay"
	"concord/store"
	"concord/tui"
)

func (a *app) demoCommand() *cobra.Command {
	var fresh bool
	var as string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open a ready project with an evaluation running in the background",
		Long: `Opens a synthetic project: pictures that concord draws itself, questions about
them, and recorded answers of three made-up models, played back over about a
minute. What the rules cannot read arrives in a review queue meanwhile. It
needs no key and no network. Your labels are kept; --fresh starts over.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			if !cmd.Flags().Changed("project") {
				dir, err := stateFolder()
				if err != nil {
					return err
				}
				a.project = filepath.Join(dir, "demo.db")
			}
			return a.runDemo(cmd.Context(), fresh, as)
		},
	}
	cmd.Flags().BoolVar(&fresh, "fresh", false, "forget earlier labels and start over")
	cmd.Flags().StringVar(&as, "as", "", "the `name` to label under (default: asked for)")
	return cmd
}

func (a *app) runDemo(ctx context.Context, fresh bool, as string) error {
	if fresh {
		if err := a.forgetDemo(); err != nil {
			return err
		}
	}
	return a.write(ctx, true, func(st *store.Store) error {
		p, err := demo.New()
		if err != nil {
			return fmt.Errorf("draw demo: %w", err)
		}
		d := &demoProject{app: a, st: st, data: p}
		if err := d.store(ctx); err != nil {
			return fmt.Errorf("store demo: %w", err)
		}
		return a.screen(ctx, st, screenOptions{as: as, synthetic: true, start: tui.Start{}, background: d.play})
	})
}

// forgetDemo removes the demo's project, and only that: a file that holds
// anything else, or that another process has open, is left alone.
func (a *app) forgetDemo() error {
	if !store.Exists(a.project) {
		return nil
	}
	st, err := store.Open(a.project, store.Options{Now: a.now, Logger: a.log})
	if err != nil {
		return a.explainLocked(err)
	}
	all, err := st.Datasets().List()
	if err = errors.Join(err, st.Close()); err != nil {
		return err
	}
	for _, d := range all {
		if !d.Synthetic {
			return fmt.Errorf("project %s holds the dataset %s, which is not the demo's: --fresh leaves it alone", a.project, d.Name)
		}
	}
	if err := os.Remove(a.project); err != nil {
		return fmt.Errorf("remove old demo: %w", err)
	}
	return nil
}

// demoProject is the demo on its way into a project file.
type demoProject struct {
	*app
	st   *store.Store
	data *demo.Project
	runs []eval.Run
}

// store puts what is missing of the demo into the project; an earlier
// session's facts stay as they are.
func (d *demoProject) store(ctx context.Context) error {
	ds := d.data.Dataset
	ds.Hash = dataset.Hash(d.data.Samples)
	err := d.st.Datasets().BeginDataset(ctx, ds)
	if errors.Is(err, dataset.ErrOtherContent) {
		return fmt.Errorf("the demo has changed since this project was made (start over with: concord demo --fresh): %w", err)
	}
	if err != nil {
		return err
	}
	if have, err := d.st.Datasets().Dataset(ds.Name); err != nil || !have.Complete {
		if err != nil {
			return err
		}
		items := make([]dataset.Item, len(d.data.Samples))
		for i, s := range d.data.Samples {
			items[i] = dataset.Item{Sample: s, Pictures: d.picturesOf(s)}
		}
		if err := d.st.Datasets().PutSamples(ctx, ds.Name, items); err != nil {
			return err
		}
		if err := d.st.Datasets().FinishDataset(ctx, ds); err != nil {
			return err
		}
	}
	for _, m := range d.data.Models {
		run, err := d.run(ctx, m)
		if err != nil {
			return err
		}
		d.runs = append(d.runs, run)
	}
	return d.queue(ctx)
}

func (d *demoProject) picturesOf(s eval.Sample) map[eval.PictureHash][]byte {
	out := make(map[eval.PictureHash][]byte, len(s.Pictures))
	for _, p := range s.Pictures {
		out[p.Hash] = d.data.Pictures[p.Hash]
	}
	return out
}

func (d *demoProject) run(ctx context.Context, m *demo.Model) (eval.Run, error) {
	c := eval.Config{
		Dataset: d.data.Dataset.Name, Model: m.Name, Strategy: eval.Circular, Modality: eval.WithImage,
		Origin: eval.Replayed, Rules: extract.Default, Synthetic: true,
	}
	run, err := d.st.Runs().FindRun(c)
	if errors.Is(err, eval.ErrNotFound) {
		return d.st.Runs().CreateRun(ctx, c)
	}
	return run, err
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
		Guideline: d.data.Queue.Guideline, Created: d.now(),
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

// play starts the three runs; what they record feeds the queue and the
// recorded judge. stop waits for them.
func (d *demoProject) play(ctx context.Context, l *live) (stop func() error, err error) {
	q, err := d.st.Queues().Queue(annotate.QueueName(d.data.Queue.Name))
	if err != nil {
		return nil, err
	}
	var recorder eval.Recorder = &judgeReplay{
		next: d.st.Runs(), judge: d.judgment, put: d.st.Judgments().Put, now: d.now,
	}
	s := &settlement{st: d.st, live: l, runs: d.runs, queue: q.Name}
	if q.Growing {
		if s.grower, err = annotate.NewGrower(q, recorder, d.st.Queues(), l.tell); err != nil {
			return nil, err
		}
		recorder = s.grower
	}
	if err := d.catchUp(ctx, s.grower); err != nil {
		return nil, err
	}
	for i, m := range d.data.Models {
		plan := func(ctx context.Context) (eval.Plan, error) { return d.plan(ctx, recorder, d.runs[i], m) }
		if err := l.start(job{ctx: ctx, plan: plan, ended: s.runEnded}); err != nil {
			return nil, err
		}
	}
	return s.stop, nil
}

func (d *demoProject) plan(ctx context.Context, recorder eval.Recorder, run eval.Run, m *demo.Model) (eval.Plan, error) {
	reader, err := rulesFor(run.Config.Rules)
	if err != nil {
		return eval.Plan{}, err
	}
	counts, err := countsOf(ctx, d.st, run, reader)
	if err != nil {
		return eval.Plan{}, err
	}
	return eval.Plan{
		Run: run, Reader: reader, Source: d.st.Runs(), Recorder: recorder,
		Model: replay.Model{
			Answers: m.Reply,
			Delay:   replay.Delay{Fixed: m.Pace.Fixed, Jitter: m.Pace.Jitter, Seed: uint64(run.ID)},
		},
		Total: d.data.Dataset.Samples, Concurrency: m.Pace.Concurrency, Counts: counts, Now: d.now,
	}, nil
}
