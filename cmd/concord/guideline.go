package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/store"
)

// longestGuideline bounds the file; people read it beside their work.
const longestGuideline = 1 << 20

func newQueueGuidelineCmd(a *app) *cobra.Command {
	var file, by string
	var history bool
	cmd := &cobra.Command{
		Use:   "guideline NAME",
		Short: "Show a queue's guideline, or write its next version",
		Long: `Shows the text that annotators see with i while they work, or makes a file its
next version. Every version is kept, and every label keeps which one was in
force: export labels writes it, and report alignment counts labels by it.`,
		Example: `  concord queue guideline first > guideline.md
  concord queue guideline first --set guideline.md
  concord queue guideline first --history`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := annotate.QueueName(args[0])
			if file == "" {
				return a.read(cmd.Context(), func(st *store.Store) error { return showGuideline(a, st, name, history) })
			}
			text, err := readGuideline(file, a.source)
			if err != nil {
				return usageError{err}
			}
			return a.change(cmd, nil, func(st *store.Store) error {
				q, err := st.Queues().Queue(name)
				if err != nil {
					return err
				}
				next, err := q.Guideline.Next(text, annotate.Annotator(by), a.now())
				if errors.Is(err, annotate.ErrSameGuideline) {
					return printGuidelineSet(a, name, q.Guideline, false)
				}
				if err != nil {
					return usageError{fmt.Errorf("guideline of queue %s: %w", name, err)}
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
	fs.StringVar(&by, "as", userName(), "who writes it")
	fs.BoolVar(&history, "history", false, "show all versions, the one in force last")
	cmd.MarkFlagsMutuallyExclusive("set", "history")
	return cmd
}

// readGuideline reads a guideline from a file.
func readGuideline(path string, read opener) (string, error) {
	text, err := read(path, longestGuideline)
	switch {
	case err != nil:
		return "", fmt.Errorf("read guideline: %w", err)
	case !utf8.Valid(text):
		return "", fmt.Errorf("read guideline: %s is no UTF-8 text", path)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
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

func printGuidelineSet(a *app, q annotate.QueueName, g annotate.Guideline, added bool) error {
	if a.json {
		line := lineOfGuideline(q, g)
		line.Added = &added
		return a.writeJSON(line)
	}
	said := "is version %d already; nothing to add"
	if added {
		said = "is version %d now; labels from here on say so"
	}
	_, err := fmt.Fprintf(a.out, "the guideline of %s "+said+"\n", q, g.Version)
	return err
}

func showGuideline(a *app, st *store.Store, name annotate.QueueName, history bool) error {
	all, err := st.Queues().Guidelines(name)
	if err != nil {
		return err
	}
	if !history && len(all) > 1 {
		all = all[len(all)-1:]
	}
	if a.json {
		lines := make([]guidelineLine, 0, len(all))
		for _, g := range all {
			lines = append(lines, lineOfGuideline(name, g))
		}
		return a.writeJSON(map[string]any{"report": "guidelines", "rows": lines})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(a.err, "queue %s has no guideline of its own: annotators see the standard one. Write one with --set FILE\n", name)
		return err
	}
	for i, g := range all {
		if history {
			_, err = fmt.Fprintf(a.out, "%s## version %d, %s%s\n\n", map[bool]string{true: "\n"}[i > 0], g.Version, g.At.Local().Format("2006-01-02 15:04"), by(g.By))
		}
		if err == nil {
			_, err = fmt.Fprintln(a.out, visible(g.Text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// versionCell is a version's number as a cell: empty where there is none.
func versionCell(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func by(who annotate.Annotator) string {
	if who == "" {
		return ""
	}
	return " by " + visible(string(who))
}
