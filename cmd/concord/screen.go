package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/config"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/term"
	"concord/tui/widget"
)

// screenOptions say how the app opens.
type screenOptions struct {
	as        string
	synthetic bool
	start     tui.Start
	quotas    []criteria.Quota
	curate    curateStart
	taste     taste
	lab       *lab // nil: made from the configuration
	pictures  pictures
	tour      *tui.Tour            // nil: there is none
	role      annotate.Role        // of a guest, who stays who they are; unset: whoever has the file may do everything
	begin     func(*starter) error // starts runs before the screen shows; may be nil
}

// showScreen shows the app on an open project. The order of its end: the screen
// has flushed the journal, the journal is closed, runs are cancelled and waited
// for; the caller closes the store.
func showScreen(ctx context.Context, a *app, st *store.Store, o screenOptions) (err error) {
	if err := needTerminal(a); err != nil {
		return err
	}
	if err := forPacket(a, st, &o); err != nil {
		return err
	}
	if inLines(a) {
		return runLinear(ctx, a, o)
	}
	conf, err := config.LoadScreen(a.configPlaces())
	if err != nil {
		return err
	}
	want, err := wantImages(a, conf.UI().Images)
	if err != nil {
		return err
	}
	session, out := probe(), term.NewOutput(os.Stdout)
	o.pictures = picturesOn(ctx, session, want, out)
	if o.taste, err = newTaste(a, conf); err != nil {
		return err
	}
	h, err := hostOf(a).open(o.lab, o.begin)
	if err != nil {
		return err
	}
	v := h.visit(o)
	v.copy, v.paint, v.local = copier(out), out.Paint, true
	err = v.run(ctx, session, term.Options(os.Stdin, out))
	return errors.Join(err, v.close(), a.guests.Close())
}

// copier puts texts onto the terminal's clipboard.
func copier(out interface{ Copy(string) error }) func(string) tea.Cmd {
	return func(text string) tea.Cmd {
		return func() tea.Msg {
			if err := out.Copy(text); err != nil {
				return widget.Notify{Level: widget.Problem, Text: "copy: " + err.Error()}
			}
			return nil
		}
	}
}

// closeJournal commits what is still waiting, for as long as that may take a
// slow disk, but not for ever.
func closeJournal(a *app, j interface{ Close(context.Context) error }) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return j.Close(ctx)
}

// synthetic reports whether the project holds a dataset that was made up.
func synthetic(st *store.Store) bool {
	all, err := st.Datasets().List()
	return err == nil && slices.ContainsFunc(all, func(d eval.Dataset) bool { return d.Synthetic })
}

func needTerminal(a *app) error {
	if a.held != nil {
		return fmt.Errorf("%w: the app opens in the process that holds the project", store.ErrLocked)
	}
	if inLines(a) {
		return nil
	}
	return term.Check(os.Stdin, os.Stdout, os.Getenv)
}

// runOpen opens the app, or says how to begin where there is no project.
func runOpen(a *app, cmd *cobra.Command, _ []string) error {
	if !store.Exists(a.path) {
		if needTerminal(a) == nil && !inLines(a) && !a.json {
			return welcome(cmd.Context(), a)
		}
		_, err := fmt.Fprintf(a.out, `There is no project %s here yet. Three ways to begin:

  concord demo                                     look around: a synthetic project, no key, no network
  concord import predictions FILE --dataset NAME --model NAME
                                                   predictions made elsewhere (VLMEvalKit's xlsx, TSV, JSON lines)
  concord import dataset FILE                      a benchmark's TSV, with its pictures

Then: concord queue create NAME --dataset NAME, concord review, concord report alignment --queue NAME
All commands: concord --help
`, visible(a.path))
		return err
	}
	return openScreen(cmd.Context(), a, screenOptions{}, nil)
}

func newReviewCmd(a *app) *cobra.Command {
	return newSitCmd(a, "review", "Label a queue, one key an item", func(q *annotate.Queue) error {
		if q.Rule.From == annotate.FromPairs {
			return usageError{fmt.Errorf("queue %s is of pairs of answers: vote on it with concord vote --queue %s", q.Name, shellWord(string(q.Name)))}
		}
		return nil
	})
}

func newVoteCmd(a *app) *cobra.Command {
	return newSitCmd(a, "vote", "Say which of two answers is better, one key a pair", func(q *annotate.Queue) error {
		if q.Rule.From != annotate.FromPairs {
			return usageError{fmt.Errorf("queue %s is of %s answers, and no pairs: label it with concord review --queue %s", q.Name, q.Rule.From, shellWord(string(q.Name)))}
		}
		return nil
	})
}

// newSitCmd opens the app on a queue that fits; without one, where queues are
// chosen.
func newSitCmd(a *app, use, short string, fits func(*annotate.Queue) error) *cobra.Command {
	var queue, as string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			o := screenOptions{as: as, start: tui.Start{Tab: tui.TabReview, Queue: annotate.QueueName(queue), Pairs: use == "vote"}}
			return openScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if queue == "" {
					return nil
				}
				q, err := st.Queues().Queue(annotate.QueueName(queue))
				if err != nil {
					return fmt.Errorf("queue %s: %w (see: concord queue list)", queue, err)
				}
				return fits(&q)
			})
		},
	}
	cmd.Flags().StringVar(&queue, "queue", "", "the queue to work on (default: the only one, else asked for)")
	cmd.Flags().StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	addScreenFlags(a, cmd.Flags())
	return cmd
}
