package setup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/demo"
	"concord/eval/extract"
	"concord/eval/openai/chatserver"
	"concord/store"
	"concord/tui"
	"concord/tui/importer"
	"concord/tui/term"
	"concord/tui/widget"
)

// NewOpenDemoCmd makes the command demo.
func NewOpenDemoCmd(a *project.Project) *cobra.Command {
	var fresh, tour bool
	cmd := project.NewCmd("demo", "Open a ready project with an evaluation running in the background", nil, func(cmd *cobra.Command, _ []string) error {
		if err := screen.RequireTerminal(a); err != nil {
			return err
		}
		if !cmd.Flags().Changed("project") {
			path, err := demoProjectPath()
			if err != nil {
				return err
			}
			a.Path = path
		}
		return fillAndShowDemo(cmd.Context(), a, fresh, tour)
	})
	cmd.AddCommand(newDemoServeCmd(a))
	cmd.Flags().BoolVar(&fresh, "fresh", false, "forget earlier labels and start over")
	cmd.Flags().BoolVar(&tour, "tour", false, "show the tour again")
	screen.AddFlags(a, cmd.Flags())
	return cmd
}

// demoProjectPath is the project of the demo where none is named.
func demoProjectPath() (string, error) {
	dir, err := cli.StateFolder()
	return filepath.Join(dir, "demo.db"), err
}

func fillAndShowDemo(ctx context.Context, a *project.Project, fresh, again bool) error {
	if fresh {
		if err := removeDemoProject(a); err != nil {
			return err
		}
	}
	err := a.WriteStore(ctx, true, func(st *store.Store) error {
		p, err := demo.BuildProject()
		if err != nil {
			return fmt.Errorf("draw demo: %w", err)
		}
		d := &Demo{Project: a, Store: st, Data: p}
		defer d.Close()
		if err := d.FillProject(ctx); err != nil {
			return fmt.Errorf("store demo: %w", err)
		}
		return server.ShowScreen(ctx, a, st, server.ScreenOptions{As: a.Screen.As, Synthetic: true, Factory: d.Factory, Begin: d.StartRuns, Tour: newTour(again)})
	})
	if errors.Is(err, store.ErrLocked) && !fresh {
		return server.ShowOrAttachScreen(ctx, a, server.ScreenOptions{As: a.Screen.As, Synthetic: true}, nil) // beside the one that runs it
	}
	return err
}

// removeDemoProject removes the demo's project, and only that: a file that holds
// anything else, or that another process has open, is left alone.
func removeDemoProject(a *project.Project) error {
	if !store.Exists(a.Path) {
		return nil
	}
	st, err := store.Open(a.Path, store.Options{Now: a.Now, Logger: a.Log})
	if err != nil {
		return a.ExplainLocked(err)
	}
	all, err := st.Datasets().List()
	if err = errors.Join(err, st.Close()); err != nil {
		return err
	}
	for _, d := range all {
		if !d.Synthetic {
			return fmt.Errorf("project %s holds the dataset %s, which is not the demo's: --fresh leaves it alone", a.Path, d.Name)
		}
	}
	return eval.WrapError(os.Remove(a.Path), "remove old demo")
}

// Demo is the demo on its way into a project file.
type Demo struct {
	*project.Project
	Store    *store.Store
	Data     *demo.Project
	endpoint *demoEndpoint
	Factory  *jobs.Factory
	Runs     []eval.Run
}

// FillProject puts what is missing of the demo into the project; an earlier session's facts stay as they are.
func (d *Demo) FillProject(ctx context.Context) error {
	if err := d.importDataset(ctx, d.Data.Dataset, d.Data.Samples); err != nil {
		return err
	}
	d.endpoint = newDemoEndpoint(d.Data, chatserver.Options{})
	var err error
	d.Factory, err = jobs.NewFactoryWith(d.Project, d.Store, d.endpoint.configText(), map[string]http.RoundTripper{demoURL: d.endpoint.startInProcess()})
	if err != nil {
		return err
	}
	for _, m := range d.Data.Models {
		run, err := d.Factory.FindRunOfOrder(ctx, &jobs.Order{
			Dataset: d.Data.Dataset.Name, Model: m.Name, Strategy: eval.Circular, Modality: eval.WithImage,
			Rules: extract.Default, Judges: []string{d.Data.Judge},
		})
		if changed := (*jobs.ChangedError)(nil); errors.As(err, &changed) {
			run, err = changed.Run, nil // it goes on by the settings that it began with
		}
		if err != nil {
			return err
		}
		d.Runs = append(d.Runs, run)
	}
	if err := d.createQueue(ctx); err != nil {
		return err
	}
	return d.fillOpenQuestions(ctx)
}

func (d *Demo) importDataset(ctx context.Context, ds eval.Dataset, samples []eval.Sample) error {
	ds.Hash = dataset.HashSamples(samples)
	err := d.Store.Datasets().BeginDataset(ctx, ds)
	if errors.Is(err, dataset.ErrOtherContent) {
		return fmt.Errorf("the demo has changed since this project was made (start over with: concord demo --fresh): %w", err)
	}
	if err != nil {
		return err
	}
	if have, err := d.Store.Datasets().Dataset(ds.Name); err != nil || have.Complete {
		return err
	}
	items := eval.Map(samples, func(s eval.Sample) dataset.Item {
		return dataset.Item{Sample: s, Pictures: eval.IndexBy(s.Pictures, func(p eval.Picture) (eval.PictureHash, []byte) { return p.Hash, d.Data.Pictures[p.Hash] })}
	})
	if err := d.Store.Datasets().PutSamples(ctx, ds.Name, items); err != nil {
		return err
	}
	return d.Store.Datasets().FinishDataset(ctx, ds)
}

func (d *Demo) createQueue(ctx context.Context) error {
	reader, err := facts.FindRules(d.Data.Queue.Rules)
	if err != nil {
		return err
	}
	q := annotate.Queue{
		Name:    annotate.QueueName(d.Data.Queue.Name),
		Rule:    annotate.Rule{Dataset: d.Data.Dataset.Name, From: annotate.FromUnparsable, Rules: eval.ReaderID(reader), Rate: d.Data.Queue.Rate, Seed: 1},
		Stratum: annotate.Random, Overlap: 2, Growing: true, Synthetic: true,
		Guideline: annotate.Guideline{Version: 1, Text: d.Data.Queue.Guideline, At: d.Now()}, Created: d.Now(),
	}
	q.Rule.Runs = append(q.Rule.Runs, eval.Map(d.Runs, func(r eval.Run) eval.RunID { return r.ID })...)
	err = d.Store.Queues().CreateQueue(ctx, q, nil)
	return eval.Either(errors.Is(err, annotate.ErrQueueExists), nil, err)
}

// StartRuns starts the three runs.
func (d *Demo) StartRuns(s *jobs.Scheduler) error {
	for i, m := range d.Data.Models {
		if err := s.RunInBackground(d.Runs[i].ID, jobs.Effort{Concurrency: m.Speed.Concurrency}); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the demo's endpoint.
func (d *Demo) Close() {
	if d.endpoint != nil {
		_ = d.endpoint.close() // whoever asked has ended
	}
}

// newTour leads through the demo until somebody has seen enough of it, and again when that is asked for.
func newTour(again bool) *tui.Tour {
	dir, err := cli.StateFolder()
	if err != nil {
		return nil
	}
	seen := filepath.Join(dir, "toured")
	if _, err := os.Stat(seen); err == nil && !again {
		return nil
	}
	return &tui.Tour{End: func() error {
		return eval.WrapError(os.WriteFile(seen, nil, 0o600), "keep that it was seen")
	}}
}

// askHowToBegin asks what to begin with where there is no project.
func askHowToBegin(ctx context.Context, a *project.Project) error {
	conf, err := config.LoadScreenSettings(a.ConfigPlaces())
	if err != nil {
		return err
	}
	session := screen.ProbeAndStyle()
	taste, err := screen.NewPreferences(a, conf)
	if err != nil {
		return err
	}
	m := tui.NewWelcome(ctx, filepath.Base(a.Path), taste.Keys, importer.Deps{Theme: widget.NewTheme(taste.Renderer), Source: view.Importer{Project: a}}, view.Endpoints{Project: a})
	out := term.NewOutput(os.Stdout)
	out.UseExtras(session)
	p := tea.NewProgram(out.WrapModel(m), append(term.NewProgramOptions(os.Stdin, out), tea.WithContext(ctx))...)
	go session.SendEarlyKeys(p.Send)
	stops, done := context.WithCancel(ctx)
	defer done()
	term.HandleStopSignals(stops, p.Send, func() {})
	if _, err := p.Run(); err != nil {
		return eval.Either(errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil, cli.ErrInterrupted, err)
	}
	switch m.Choice() {
	case importer.Demo:
		if a.Path, err = demoProjectPath(); err != nil {
			return err
		}
		return fillAndShowDemo(ctx, a, false, false)
	case importer.Imported:
		return server.ShowOrAttachScreen(ctx, a, server.ScreenOptions{As: a.Screen.As}, nil)
	case importer.ChoiceUnset:
	}
	return nil
}

// OpenAppOrWelcome opens the app, or says how to begin where there is no project.
func OpenAppOrWelcome(a *project.Project, cmd *cobra.Command, _ []string) error {
	if !store.Exists(a.Path) {
		if screen.RequireTerminal(a) == nil && !screen.UsesPrompts(a) && !a.JSON {
			return askHowToBegin(cmd.Context(), a)
		}
		_, err := fmt.Fprintf(a.Out, `There is no project %s here yet. Three ways to begin:

  concord demo                                     look around: a synthetic project, no key, no network
  concord import predictions FILE --dataset NAME --model NAME
                                                   predictions made elsewhere (VLMEvalKit's xlsx, TSV, JSON lines)
  concord import dataset FILE                      a benchmark's TSV, with its images

Then: concord queue create NAME --dataset NAME, concord review, concord report alignment --queue NAME
All commands: concord --help
`, cli.EscapeControls(a.Path))
		return err
	}
	return server.ShowOrAttachScreen(cmd.Context(), a, server.ScreenOptions{As: a.Screen.As}, nil)
}

func newDemoServeCmd(a *project.Project) *cobra.Command {
	var listen, key string
	var latency time.Duration
	var faults float64
	cmd := project.NewCmd("serve", "Serve the demo's models at an address, to try endpoints by hand", nil, func(cmd *cobra.Command, _ []string) error {
		if latency < 0 {
			return cli.NewUsageError(fmt.Errorf("--latency %v: want 0 or more", latency))
		}
		if faults < 0 || faults > 1 {
			return cli.NewUsageError(fmt.Errorf("--faults %v: want a share from 0 to 1", faults))
		}
		p, err := demo.BuildProject()
		if err != nil {
			return err
		}
		o := chatserver.Options{Key: key, Wait: func(*chatserver.Request) time.Duration { return latency }}
		if faults > 0 {
			o.Serve = func(c *chatserver.Call) bool { return failShareOfCalls(c, faults) }
		}
		return serveDemoEndpoint(cmd.Context(), a, newDemoEndpoint(p, o), listen)
	})
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:8809", "`address` to listen on")
	f.StringVar(&key, "key", "", "the key that calls must carry (default: none)")
	f.DurationVar(&latency, "latency", 0, "how long every answer takes")
	f.Float64Var(&faults, "faults", 0, "share of the calls that fail in some way")
	return cmd
}

// failShareOfCalls has a share of the calls fail, in a way that a run gets over: calls are refused
// for a while, an answer breaks off in the middle, or it is no JSON.
func failShareOfCalls(c *chatserver.Call, share float64) bool {
	draw := rand.New(rand.NewPCG(1, uint64(c.Request.Number))) //nolint:gosec // from 1
	if draw.Float64() >= share {
		return false
	}
	switch draw.IntN(5) {
	case 0:
		chatserver.WriteErrorResponse(c.W, http.StatusTooManyRequests, "too many requests", "rate_limit_exceeded")
	case 1:
		chatserver.WriteErrorResponse(c.W, http.StatusInternalServerError, "the server had an error", "server_error")
	case 2:
		chatserver.WriteErrorResponse(c.W, http.StatusServiceUnavailable, "overloaded", "overloaded")
	case 3:
		whole := c.WholeBody(true)
		c.W.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		_, _ = c.W.Write(whole[:len(whole)/2])
		panic(http.ErrAbortHandler) // how net/http breaks a connection
	default:
		chatserver.WriteResponse(c.W, http.StatusOK, []byte("<!DOCTYPE html><title>Sign in</title>"))
	}
	return true
}

func serveDemoEndpoint(ctx context.Context, a *project.Project, e *demoEndpoint, listen string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("serve demo: %w (--listen names another address)", err)
	}
	e.server.ServeInBackground(l)
	if _, err := fmt.Fprintf(a.Out, "serving at %s until Ctrl-C; the models:\n", e.server.URL()); err != nil {
		return err
	}
	for _, name := range e.modelNames() {
		_, _ = fmt.Fprintf(a.Out, "  %s\n", name)
	}
	<-ctx.Done()
	total := e.server.CountValidCalls()
	_, _ = fmt.Fprintf(a.Out, "%s answered\n", cli.FormatCount(total, "call"))
	if err := e.close(); err != nil {
		return err
	}
	return cli.StatusError{Code: cli.ExitDone, Quiet: true} // Ctrl-C is how it ends
}
