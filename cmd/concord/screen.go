package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/cmd/concord/config"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/compare"
	criteriascreen "concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/duels"
	"concord/tui/review"
	"concord/tui/term"
	"concord/tui/votes"
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
	begin     func(*starter) error // starts runs before the screen shows; may be nil
}

// screen shows the app on an open project. The order of its end: the screen
// has flushed the journal, runs are cancelled and waited for, the journal is
// closed; the caller closes the store.
func (a *app) screen(ctx context.Context, st *store.Store, o screenOptions) (err error) {
	if err := needTerminal(a); err != nil {
		return err
	}
	if err := a.forPacket(st, &o); err != nil {
		return err
	}
	if a.inLines() {
		return a.linear(ctx, st, o)
	}
	conf, err := config.LoadScreen(a.configPlaces())
	if err != nil {
		return err
	}
	want, err := a.wantImages(conf.UI().Images)
	if err != nil {
		return err
	}
	session, out := probe(), term.NewOutput(os.Stdout)
	o.pictures = picturesOn(ctx, session, want, out)
	if o.taste, err = a.taste(conf); err != nil {
		return err
	}
	s, cancel, err := a.began(ctx, st, &o)
	if err != nil {
		return err
	}
	defer cancel()
	l := s.live
	journal := annotate.NewJournal(st.Acts(), a.now)
	written := criteria.NewWriter(st.Criteria(), a.now)
	curated := curation.NewJournal(st.Curation(), a.now)
	deps := a.deps(ctx, st, s, savers{journal, written, curated}, o)
	deps.Copy = copier(out)
	m := tui.New(ctx, deps)
	p := tea.NewProgram(m, append(o.taste.options(term.Options(os.Stdin, out)), tea.WithContext(ctx))...)
	l.onTrouble(func(err error) { go p.Send(trouble(err)) }) // Send waits for the screen
	go session.Type(p.Send)
	_, perr := p.Run()
	if errors.Is(perr, tea.ErrProgramKilled) && ctx.Err() != nil {
		perr = errInterrupted
	}
	if !errors.Is(perr, tea.ErrProgramPanic) {
		m.Keep() // it may have been ended from outside
	}
	cancel()
	return errors.Join(perr, o.pictures.close(), s.stop(), a.closeJournal(journal), a.closeJournal(written), a.closeJournal(curated))
}

// copier puts texts onto the terminal's clipboard.
func copier(out *term.Output) func(string) tea.Cmd {
	return func(text string) tea.Cmd {
		return func() tea.Msg {
			if err := out.Copy(text); err != nil {
				return widget.Notify{Level: widget.Problem, Text: "copy: " + err.Error()}
			}
			return nil
		}
	}
}

// began is what starts runs, and those that are to run already; cancel ends
// them, and whoever calls it waits for them by the starter's stop.
func (a *app) began(ctx context.Context, st *store.Store, o *screenOptions) (*starter, context.CancelFunc, error) {
	runs, cancel := context.WithCancel(ctx)
	s := a.newStarter(runs, st, o.lab)
	if o.begin != nil {
		if err := o.begin(s); err != nil {
			cancel()
			return nil, nil, errors.Join(err, s.stop()) // those that were started before it failed
		}
	}
	return s, cancel, nil
}

// grace is about what a frame takes, on a terminal that is slow.
const grace = 25 * time.Millisecond

// trouble is what the screen says of a queue that cannot grow.
func trouble(err error) widget.Notify {
	if err == nil {
		return widget.Notify{Level: widget.Info, Text: "the queue grows again"}
	}
	return widget.Notify{Level: widget.Problem, Text: err.Error() + " (tried again every few seconds)"}
}

// closeJournal commits what is still waiting, for as long as that may take a
// slow disk, but not for ever.
func (a *app) closeJournal(j interface{ Close(context.Context) error }) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return j.Close(ctx)
}

func (a *app) deps(ctx context.Context, st *store.Store, s *starter, saved savers, o screenOptions) tui.Deps {
	theme := widget.NewTheme(cmp.Or(o.taste.renderer, lipgloss.DefaultRenderer()))
	theme.Easel = widget.NewEasel(theme.Renderer, o.pictures.manner)
	o.synthetic = o.synthetic || synthetic(st)
	candidates := curator{st, a.curating(o.curate.flags)}
	work, veils, judges := desk{st, saved.journal.Sync}, newVeils(st), newArbiter(s)
	return tui.Deps{
		Project: filepath.Base(a.project), Synthetic: o.synthetic, Annotator: a.whoWorks(o.as),
		Resend: o.pictures.resend(), Hint: o.pictures.hint,
		Remember: a.remember, Theme: theme, Now: a.now, Keys: o.taste.keys,
		Finder: finder{st, a.now}, Commands: commands((&app{}).rootCommand()),
		Runs: home{st, s.live, veils, s.price}, Control: s, Starter: s, Report: figures{facts{st}, veils, a.cards(), candidates.how}, Samples: specimens{facts{st}, veils, a.now, candidates.how}, Pairs: bouts{facts{st}, veils, a.now},
		Changed: s.Changed(), Saver: saved, Start: o.start, Tour: o.tour,
		Duels:    duels.Deps{Source: verdicts{judges, veils}, Control: judges, Starter: judges},
		Criteria: criteriascreen.Deps{Source: writing{st}, Writer: saved.criteria, Hidden: unshown(st, veils), Quotas: o.quotas},
		Curate: curate.Deps{
			Source: candidates, Journal: saved.curation, Settle: o.curate.settle,
		},
		Review: func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
			return review.New(ctx, review.Deps{
				Queue: q, Annotator: by, Theme: theme, Items: work, Pictures: st.Datasets(),
				Revealer: revealer{st, veils, by}, Journal: saved.journal, Now: a.now, Stay: o.taste.stay, Grace: grace,
			})
		},
		Compare: func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
			return compare.New(ctx, compare.Deps{
				Queue: q, Annotator: by, Theme: theme, Items: work, Pictures: st.Datasets(),
				Source: contested{specimens{facts{st}, veils, a.now, candidates.how}}, Journal: saved.journal, Now: a.now,
				Curated: candidates.Curated,
			})
		},
		Pairer: pairer{a, st}, Enrol: enroller{a, st}, Guidelines: guides{st, work}, Begin: beginner{a, st}, Connect: connector{a},
		Votes: func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
			return votes.New(ctx, votes.Deps{
				Queue: q, Annotator: by, Theme: theme, Items: work, Pictures: st.Datasets(),
				Unmasker: unmasker{st, veils, by}, Journal: saved.journal, Now: a.now, Stay: o.taste.stay, Grace: grace,
			})
		},
	}
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
	if a.inLines() {
		return nil
	}
	return term.Check(os.Stdin, os.Stdout, os.Getenv)
}

// runOpen opens the app, or says how to begin where there is no project.
func (a *app) runOpen(cmd *cobra.Command, _ []string) error {
	if !store.Exists(a.project) {
		if needTerminal(a) == nil && !a.inLines() && !a.json {
			return a.welcome(cmd.Context())
		}
		_, err := fmt.Fprintf(a.out, `There is no project %s here yet. Three ways to begin:

  concord demo                                     look around: a synthetic project, no key, no network
  concord import predictions FILE --dataset NAME --model NAME
                                                   predictions made elsewhere (VLMEvalKit's xlsx, TSV, JSON lines)
  concord import dataset FILE                      a benchmark's TSV, with its pictures

Then: concord queue create NAME --dataset NAME, concord review, concord report alignment --queue NAME
All commands: concord --help
`, visible(a.project))
		return err
	}
	return a.writeExisting(cmd.Context(), func(st *store.Store) error {
		return a.screen(cmd.Context(), st, screenOptions{})
	})
}

func (a *app) reviewCommand() *cobra.Command {
	return a.sitCommand("review", "Label a queue, one key an item", func(q *annotate.Queue) error {
		if q.Rule.From == annotate.FromPairs {
			return usageError{fmt.Errorf("queue %s is of pairs of answers: vote on it with concord vote --queue %s", q.Name, q.Name)}
		}
		return nil
	})
}

func (a *app) voteCommand() *cobra.Command {
	return a.sitCommand("vote", "Say which of two answers is better, one key a pair", func(q *annotate.Queue) error {
		if q.Rule.From != annotate.FromPairs {
			return usageError{fmt.Errorf("queue %s is of %s answers, and no pairs: label it with concord review --queue %s", q.Name, q.Rule.From, q.Name)}
		}
		return nil
	})
}

// sitCommand opens the app on a queue that fits; without one, where queues are
// chosen.
func (a *app) sitCommand(use, short string, fits func(*annotate.Queue) error) *cobra.Command {
	var queue, as string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				if queue != "" {
					q, err := st.Queues().Queue(annotate.QueueName(queue))
					if err != nil {
						return fmt.Errorf("queue %s: %w (see: concord queue list)", queue, err)
					}
					if err := fits(&q); err != nil {
						return err
					}
				}
				return a.screen(cmd.Context(), st, screenOptions{
					as: as, start: tui.Start{Tab: tui.TabReview, Queue: annotate.QueueName(queue), Pairs: use == "vote"},
				})
			})
		},
	}
	cmd.Flags().StringVar(&queue, "queue", "", "the queue to work on (default: the only one, else asked for)")
	cmd.Flags().StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	a.screenFlags(cmd.Flags())
	return cmd
}
