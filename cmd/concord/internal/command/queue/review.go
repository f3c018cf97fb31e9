package queue

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/store"
	"concord/tui"
)

// NewReviewCmd makes the command review.
func NewReviewCmd(a *project.Project) *cobra.Command {
	return newSitCmd(a, "review", "Label a queue, one key an item", func(q *annotate.Queue) error {
		if q.Rule.From == annotate.FromPairs {
			return cli.NewUsageError(fmt.Errorf("queue %s is of pairs of answers: vote on it with concord vote --queue %s", q.Name, cli.QuoteForShell(string(q.Name))))
		}
		return nil
	})
}

// NewVoteCmd makes the command vote.
func NewVoteCmd(a *project.Project) *cobra.Command {
	return newSitCmd(a, "vote", "Say which of two answers is better, one key a pair", func(q *annotate.Queue) error {
		if q.Rule.From != annotate.FromPairs {
			return cli.NewUsageError(fmt.Errorf("queue %s is of %s answers, and no pairs: label it with concord review --queue %s", q.Name, q.Rule.From.DisplayName(), cli.QuoteForShell(string(q.Name))))
		}
		return nil
	})
}

// newSitCmd opens the app on a queue that fits; without one, where queues are
// chosen.
func newSitCmd(a *project.Project, use, short string, fits func(*annotate.Queue) error) *cobra.Command {
	var queue string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := screen.RequireTerminal(a); err != nil {
				return err
			}
			o := server.ScreenOptions{As: a.Screen.As, Start: tui.Start{Tab: tui.TabReview, Queue: annotate.QueueName(queue), Pairs: use == "vote"}}
			return server.OpenScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if queue == "" {
					return nil
				}
				q, err := st.Queues().Queue(annotate.QueueName(queue))
				if err != nil {
					return fmt.Errorf("%w (see: concord queue list)", err)
				}
				return fits(&q)
			})
		},
	}
	cmd.Flags().StringVar(&queue, "queue", "", "the queue to work on (default: the only one, else asked for)")
	screen.AddFlags(a, cmd.Flags())
	return cmd
}
