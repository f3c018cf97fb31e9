package queue

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/review"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
)

func newQueueReviewCmd(a *project.Project) *cobra.Command {
	d := itemDecision{a: a}
	var f review.Filter
	var kinds []string
	var by string
	var resolve, exclude bool
	cmd := project.NewCmd("review [QUEUE]", "List what asks for a second look: flags, notes, comments, disagreements", cobra.MaximumNArgs(1), func(cmd *cobra.Command, args []string) (err error) {
		if f.Matters, err = parseEntryKinds(kinds); err != nil {
			return err
		}
		if exclude && strings.TrimSpace(d.text) == "" {
			return cli.NewUsageError(errors.New(noReason))
		}
		if f.By = annotate.Annotator(by); len(args) == 1 {
			f.Queue = annotate.QueueName(args[0])
		}
		if !resolve && !exclude {
			return a.ReadStore(cmd.Context(), func(st *store.Store) error { return d.printFilteredEntries(cmd, st, &f) })
		}
		return a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error { return d.decideEntries(cmd, st, &f, exclude) })
	})
	fs := cmd.Flags()
	fs.StringSliceVar(&kinds, "kind", nil, "only these `kinds`: flag, note, comment, disagreement, gold, exclusion, changes")
	fs.StringVar(&by, "by", "", "only what this `person` raised")
	fs.BoolVar(&f.Closed, "all", false, "resolved entries, too")
	fs.BoolVar(&resolve, "resolve", false, "resolve all that the filter leaves")
	fs.BoolVar(&exclude, "exclude", false, "exclude the items of all that the filter leaves from reports")
	fs.StringVar(&d.text, "reason", "", "why: of --exclude required, of --resolve a remark")
	cmd.MarkFlagsMutuallyExclusive("resolve", "exclude")
	cmd.MarkFlagsMutuallyExclusive("resolve", "all")
	project.AddActorFlag(cmd, &d.by)
	return cmd
}

func readFilteredEntries(cmd *cobra.Command, look view.SecondLook, f *review.Filter) ([]review.Entry, error) {
	all, err := look.ListEntries(cmd.Context(), f.Queue)
	return eval.Select(all, func(e review.Entry) bool {
		return f.Keeps(&e) || f.Queue != "" && e.Queue == "" && (&review.Filter{Matters: f.Matters, By: f.By}).Keeps(&e)
	}), err
}

// decideEntries resolves all that a filter leaves, or excludes its items.
func (d *itemDecision) decideEntries(cmd *cobra.Command, st *store.Store, f *review.Filter, exclude bool) error {
	look := newSecondLook(d.a, st)
	all, err := readFilteredEntries(cmd, look, f)
	if err != nil {
		return err
	}
	said := "resolved"
	var acts []annotate.Act
	left := 0
	for i := range all {
		e := &all[i]
		switch {
		case exclude && e.Queue != "":
			said, acts = "excluded", append(acts, e.NewExcludeAct(d.text))
		case exclude, e.WhyNotResolvable() != "":
			left++
		default:
			acts = append(acts, e.NewClosingAct(d.text))
		}
	}
	done, err := look.StoreDecisions(cmd.Context(), annotate.Annotator(d.a.ActorName(d.by)), acts)
	if err != nil {
		return err
	}
	return d.a.PrintResult(map[string]any{said: len(done), "left": left}, "%s: %d\n", said, len(done))
}

type entryLine struct {
	Kind       string             `json:"kind"`
	Queue      annotate.QueueName `json:"queue,omitempty"`
	Dataset    eval.DatasetName   `json:"dataset"`
	Item       int                `json:"item,omitempty"` // its number, from 1
	Sample     eval.SampleID      `json:"sample"`
	Run        eval.RunID         `json:"run,omitempty"`
	Against    eval.RunID         `json:"against,omitempty"`
	Pass       eval.Pass          `json:"pass"`
	By         annotate.Annotator `json:"by"`
	At         time.Time          `json:"at,omitzero"`
	Text       string             `json:"text,omitempty"`
	ResolvedBy annotate.Annotator `json:"resolved_by,omitempty"`
	ResolvedAt time.Time          `json:"resolved_at,omitzero"`
	Remark     string             `json:"remark,omitempty"`
}

func (d *itemDecision) printFilteredEntries(cmd *cobra.Command, st *store.Store, f *review.Filter) error {
	all, err := readFilteredEntries(cmd, newSecondLook(d.a, st), f)
	if err != nil {
		return err
	}
	lines := make([]entryLine, 0, len(all))
	for i := range all {
		e := &all[i]
		s, err := st.Datasets().Sample(e.Dataset, e.Item.Sample)
		if err != nil {
			return err
		}
		l := entryLine{
			Kind: e.Matter.String(), Queue: e.Queue, Dataset: e.Dataset, Sample: s.ID, Run: e.Item.Run, Against: e.Item.Against, Pass: e.Item.Pass,
			By: e.Of.Who, At: e.At, Text: e.Text,
		}
		if e.Queue != "" {
			at, err := st.Queues().IndexOfItem(e.Queue, e.Item)
			if err != nil {
				return err
			}
			l.Item = at + 1
		}
		if c := e.Closed; c != nil {
			l.ResolvedBy, l.ResolvedAt, l.Remark = c.By.Who, c.At, c.Text
		}
		lines = append(lines, l)
	}
	if d.a.JSON {
		return d.a.WriteJSON(map[string]any{"report": "review", "rows": lines})
	}
	return printEntries(d.a, lines)
}

func printEntries(a *project.Project, lines []entryLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.Out, "nothing asks for a second look")
		return err
	}
	table := [][]string{{"KIND", "QUEUE", "ITEM", "SAMPLE", "BY", "STATUS", "TEXT"}}
	for _, l := range lines {
		item, status := "-", "open"
		if l.Item > 0 {
			item = fmt.Sprint(l.Item)
		}
		if l.ResolvedBy != "" {
			status = strings.TrimSpace("resolved by " + string(l.ResolvedBy) + " " + l.Remark)
		}
		table = append(table, []string{l.Kind, string(l.Queue), item, string(l.Sample), string(l.By), status, l.Text})
	}
	return cli.WriteColumns(a.Out, table)
}

type itemDecision struct {
	a        *project.Project
	by, text string
}

// actOn gives the acts by which an item is decided on; all are a queue's entries.
type actOn func(all []review.Entry, q annotate.QueueName, k annotate.ItemKey) []annotate.Act

// newCommand gives one that stores acts for each item that is named. Where it needs a
// text, and there is none, it says what it needs.
func (d *itemDecision) newCommand(use, short, said, needs string, act actOn) *cobra.Command {
	cmd := project.NewCmd(use, short, cobra.MinimumNArgs(2), func(cmd *cobra.Command, args []string) error {
		if d.text = strings.TrimSpace(d.text); needs != "" && d.text == "" {
			return cli.NewUsageError(errors.New(needs))
		}
		return d.storeActsOnItems(cmd, args, act, said)
	})
	project.AddActorFlag(cmd, &d.by)
	return cmd
}

// noReason is said of an exclusion that has none.
const noReason = "an exclusion needs a reason: --reason TEXT"

func newQueueExcludeCmd(a *project.Project) *cobra.Command {
	d := itemDecision{a: a}
	cmd := d.newCommand("exclude QUEUE ITEM...", "Exclude items from every report, with a reason", "excluded", noReason,
		func(_ []review.Entry, q annotate.QueueName, k annotate.ItemKey) []annotate.Act {
			e := review.Entry{Queue: q, Item: k}
			return []annotate.Act{e.NewExcludeAct(d.text)}
		})
	cmd.Flags().StringVar(&d.text, "reason", "", "why the items count in no report (required)")
	return cmd
}

func newQueueIncludeCmd(a *project.Project) *cobra.Command {
	d := itemDecision{a: a}
	return d.newCommand("include QUEUE ITEM...", "Count excluded items in reports again", "included", "",
		func(all []review.Entry, _ annotate.QueueName, k annotate.ItemKey) []annotate.Act {
			return eval.FilterMap(all, func(e review.Entry) (annotate.Act, bool) {
				return e.NewIncludeAct(), e.Matter == annotate.ExclusionMatter && e.Item == k
			})
		})
}

func newQueueCommentCmd(a *project.Project) *cobra.Command {
	d := itemDecision{a: a}
	cmd := d.newCommand("comment QUEUE ITEM... --text TEXT", "Comment on items, for the others who work on them", "commented", "a comment needs a text: --text TEXT",
		func(_ []review.Entry, q annotate.QueueName, k annotate.ItemKey) []annotate.Act {
			return []annotate.Act{{Queue: q, Item: k, Kind: annotate.Commented, Text: d.text}}
		})
	cmd.Flags().StringVar(&d.text, "text", "", "the comment (required)")
	return cmd
}

func (d *itemDecision) storeActsOnItems(cmd *cobra.Command, args []string, act actOn, said string) error {
	return d.a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error {
		q, err := st.Queues().Queue(annotate.QueueName(args[0]))
		if err != nil {
			return err
		}
		look := newSecondLook(d.a, st)
		all, err := look.QueueEntries(cmd.Context(), &q)
		if err != nil {
			return err
		}
		var acts []annotate.Act
		for _, arg := range args[1:] {
			keys, err := findItemsOfArg(st, &q, arg)
			if err != nil {
				return err
			}
			acts = append(acts, eval.FlatMap(keys, func(k annotate.ItemKey) []annotate.Act { return act(all, q.Name, k) })...)
		}
		done, err := look.StoreDecisions(cmd.Context(), annotate.Annotator(d.a.ActorName(d.by)), acts)
		if err != nil {
			return err
		}
		return d.a.PrintResult(map[string]any{"queue": q.Name, said: len(done)}, "queue %s: %s %s\n", cli.EscapeControls(string(q.Name)), said, cli.FormatCount(len(done), "item"))
	})
}

// newSecondLook gives what decides on the items of a project: among those who are at work now, where there are any.
func newSecondLook(a *project.Project, st *store.Store) view.SecondLook {
	out := view.SecondLook{Store: st, Now: a.Now}
	if at := server.FindListener(a).CurrentState(); at != nil {
		out.Pool, out.Sync = at.Pool, at.AwaitActsStored
	}
	return out
}

// findItemsOfArg finds the items of a queue that an argument names: one by its number, from 1, or all on a sample.
func findItemsOfArg(st *store.Store, q *annotate.Queue, arg string) ([]annotate.ItemKey, error) {
	if id, ok := strings.CutPrefix(arg, "sample:"); ok {
		s, err := st.Datasets().SampleByID(q.Rule.Dataset, eval.SampleID(id))
		if err != nil {
			return nil, err
		}
		keys, err := st.Queues().ItemsOfSample(q.Name, s.Ordinal)
		if err == nil && len(keys) == 0 {
			err = eval.NewNotFoundError("queue %s has no item on sample %s", q.Name, id)
		}
		return keys, err
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > q.Items {
		return nil, cli.NewUsageError(fmt.Errorf("queue %s has no item %q: its items are 1 to %d, and sample:ID names those on a sample", q.Name, arg, q.Items))
	}
	it, err := st.Queues().QueueItem(q.Name, n-1)
	return []annotate.ItemKey{it.Key}, err
}

// parseEntryKinds reads the kinds that --kind names.
func parseEntryKinds(words []string) (out []annotate.Matter, err error) {
	for _, w := range words {
		m, err := annotate.ParseMatter(w)
		if err != nil {
			return nil, cli.NewUsageError(err)
		}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out, nil
}
