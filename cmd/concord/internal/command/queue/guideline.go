package queue

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

func newQueueGuidelineCmd(a *project.Project) *cobra.Command {
	var file, by string
	var history bool
	cmd := &cobra.Command{
		Use:   "guideline NAME",
		Short: "Show a queue's guideline, or write its next version",
		Long:  cli.Help("guideline"),
		Example: `  concord queue guideline first > guideline.md
  concord queue guideline first --set guideline.md
  concord queue guideline first --history`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := annotate.QueueName(args[0])
			if file == "" {
				return a.Read(cmd.Context(), func(st *store.Store) error { return showGuideline(a, st, name, history) })
			}
			text, err := draw.ReadGuideline(file, a.Source)
			if err != nil {
				return cli.Usage(err)
			}
			return a.Change(cmd, nil, func(st *store.Store) error {
				q, err := st.Queues().Queue(name)
				if err != nil {
					return err
				}
				next, err := q.Guideline.Next(text, annotate.Annotator(by), a.Now())
				if errors.Is(err, annotate.ErrSameGuideline) {
					return printGuidelineSet(a, name, q.Guideline, false)
				}
				if err != nil {
					return cli.Usage(fmt.Errorf("guideline of queue %s: %w", name, err))
				}
				if err := st.Queues().Guide(cmd.Context(), name, next); err != nil {
					return err
				}
				return printGuidelineSet(a, name, next, true)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&file, "set", "", "text `file` that becomes the next version; - reads standard input")
	fs.StringVar(&by, "as", project.UserName(), "who writes it")
	fs.BoolVar(&history, "history", false, "show all versions, the one in force last")
	cmd.MarkFlagsMutuallyExclusive("set", "history")
	return cmd
}

// guidelineLine is a version as scripts read it.
type guidelineLine struct {
	Queue   annotate.QueueName `json:"queue"`
	Version int                `json:"version"`
	By      annotate.Annotator `json:"by,omitempty"`
	At      time.Time          `json:"at,omitzero"`
	Text    string             `json:"text"`
	Added   *bool              `json:"added,omitempty"`
}

func lineOfGuideline(q annotate.QueueName, g annotate.Guideline) guidelineLine {
	return guidelineLine{Queue: q, Version: g.Version, By: g.By, At: g.At, Text: g.Text}
}

func printGuidelineSet(a *project.Project, q annotate.QueueName, g annotate.Guideline, added bool) error {
	if a.JSON {
		line := lineOfGuideline(q, g)
		line.Added = &added
		return a.WriteJSON(line)
	}
	said := "is version %d already; nothing to add"
	if added {
		said = "is version %d now; labels from here on say so"
	}
	_, err := fmt.Fprintf(a.Out, "the guideline of %s "+said+"\n", q, g.Version)
	return err
}

func showGuideline(a *project.Project, st *store.Store, name annotate.QueueName, history bool) error {
	all, err := st.Queues().Guidelines(name)
	if err != nil {
		return err
	}
	if !history && len(all) > 1 {
		all = all[len(all)-1:]
	}
	if a.JSON {
		lines := make([]guidelineLine, 0, len(all))
		for _, g := range all {
			lines = append(lines, lineOfGuideline(name, g))
		}
		return a.WriteJSON(map[string]any{"report": "guidelines", "rows": lines})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(a.Err, "queue %s has no guideline of its own: annotators see the standard one. Write one with --set FILE\n", name)
		return err
	}
	for i, g := range all {
		if history {
			_, err = fmt.Fprintf(a.Out, "%s## version %d, %s%s\n\n", map[bool]string{true: "\n"}[i > 0], g.Version, g.At.Local().Format("2006-01-02 15:04"), by(g.By))
		}
		if err == nil {
			_, err = fmt.Fprintln(a.Out, cli.Visible(g.Text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func by(who annotate.Annotator) string {
	if who == "" {
		return ""
	}
	return " by " + cli.Visible(string(who))
}
