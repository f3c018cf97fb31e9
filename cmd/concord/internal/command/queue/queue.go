package queue

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/stat"
	"concord/store"
)

// NewQueueCmd makes the command queue.
func NewQueueCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("queue", "Make and list queues of predictions for people to review",
		newQueueCreateCmd(a), project.NewShowCmd(a, "list", "List the queues, with how far each person has come", listQueues), newQueueGuidelineCmd(a),
		newQueueReviewCmd(a), newQueueExcludeCmd(a), newQueueIncludeCmd(a), newQueueCommentCmd(a))
}

func newQueueCreateCmd(a *project.Project) *cobra.Command {
	var f draw.Options
	cmd := project.NewCmd("create NAME --dataset NAME", "Draw predictions into a queue, frozen from then on", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		q, err := f.NewUndrawnQueue(args[0], a.Now(), a.ReadSourceOrSent)
		if err != nil {
			return cli.NewUsageError(err)
		}
		if err := f.FillLabelSets(a, &q); err != nil {
			return cli.NewUsageError(err)
		}
		gold, done, err := a.PathOfSource(f.Gold)
		if err != nil {
			return err
		}
		defer done()
		f.GoldFile = gold
		return a.ChangeStoreOrForward(cmd, f.InputFiles(), func(st *store.Store) error {
			if q.Rule.From == annotate.FromPairs {
				return draw.CreateDrawnPairs(cmd.Context(), a, st, q, &f)
			}
			return draw.CreateDrawnQueue(cmd.Context(), a, st, q, &f)
		})
	})
	addDrawFlags(cmd.Flags(), &f)
	a.MarkRequiredFlags(cmd, "dataset")
	return cmd
}

// addDrawFlags adds the flags that say what is drawn, and for whom.
func addDrawFlags(fs *pflag.FlagSet, f *draw.Options) {
	fs.StringVar(&f.Dataset, "dataset", "", "the dataset whose predictions are drawn (required)")
	fs.StringVar(&f.From, "from", "", "population: unparsed, disagreements, pairs, all, criteria (responses to grade by their samples' criteria), or wrong (by the ground truth, for --tags failure); default: unparsed, and all with --labels or --tags")
	fs.StringVar(&f.Labels, "labels", "", "the `set` under [labels] in concord.toml that people label with, in the place of the options")
	fs.StringVar(&f.Tags, "tags", "", "the `set` under [tags] in concord.toml that people tag items with: failure (perception, reasoning, instruction), or one of your own")
	fs.StringVar(&f.Sample, "sample", "", "how many: a rate like 10% or a number (default: all)")
	fs.StringVar(&f.Per, "per", "", "how many of each taxonomy group: `LEVEL:N`, as in category:2")
	fs.StringVar(&f.IDs, "ids", "", "only the samples whose ids stand in this `file`, one a line")
	fs.StringVar(&f.Rules, "rules", extract.Default, "rule `set` that decides what is unparsed")
	fs.StringVar(&f.Order, "order", "", "hash (at random), uncertain (at random, more often what extractors differ on or do not read; corrected scores weigh it), disagreement (what they differ on most comes first), metric (what judges and the dataset's own metric differ on most) or confidence (what a judge with logprobs = true was least sure of); the last three are of targeted sampling")
	fs.StringVar(&f.Uniform, "uniform", "", "with --order uncertain: the `share` of the draw in which all are as likely, at least 0.2 (default 0.5)")
	fs.StringSliceVar(&f.Among, "among", nil, "the rule `sets` that are compared, with each other and with judges (default: with --order disagreement or uncertain all, else --rules)")
	fs.IntVar(&f.Overlap, "overlap", 1, "how many people label each item")
	fs.IntVar(&f.Extra, "extra", 0, "how many more people label an item on which those of --overlap do not all say the same (and, uncounted, some on which they do)")
	fs.StringVar(&f.Gold, "gold", "", "known answers: a `file` in the shape of import labels, or another queue of the dataset (adjudicated, or unanimous)")
	fs.StringVar(&f.GoldRate, "gold-rate", "", "about which `share` of the items has a known answer (default 10%); which ones is not shown to who labels")
	fs.StringVar(&f.Stratum, "sampling", "", "random (feeds rates) or targeted (does not); default: by how it is drawn")
	fs.Uint64Var(&f.Seed, "seed", 1, "seed of the draw")
	fs.StringSliceVar(&f.Models, "model", nil, "only predictions of these `models`")
	fs.StringVar(&f.Anchor, "anchor", "", "of pairs: the `model` that the others are set against")
	fs.BoolVar(&f.Whole, "whole", false, "draw samples, and take all passes of a drawn one (what circular accuracy is corrected by)")
	fs.BoolVar(&f.Criteria, "criteria", false, "of pairs: show each sample's criteria")
	fs.UintSliceVar(&f.Runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&f.Guideline, "guideline", "", "text `file` shown to annotators")
	fs.StringVar(&f.By, "as", project.DefaultUserName(), "who makes the queue")
}

type queueLine struct {
	Queue      annotate.QueueName         `json:"queue"`
	Dataset    eval.DatasetName           `json:"dataset"`
	From       string                     `json:"from"`
	Rules      string                     `json:"rules"`
	Order      string                     `json:"order,omitempty"`
	Stratum    string                     `json:"stratum"`
	sampling   string                     // Stratum as people read it
	Overlap    int                        `json:"overlap"`
	Extra      int                        `json:"extra"`
	Items      int                        `json:"items"`
	GoldItems  int                        `json:"golds"`
	Population int                        `json:"population"`
	Growing    bool                       `json:"growing"`
	Whole      bool                       `json:"whole,omitempty"`
	Synthetic  bool                       `json:"synthetic,omitempty"`
	Models     []string                   `json:"models,omitempty"`   // of pairs
	Anchor     string                     `json:"anchor,omitempty"`   // of pairs; "" when each is set against each
	Criteria   *bool                      `json:"criteria,omitempty"` // of pairs: they are shown
	Labels     string                     `json:"labels,omitempty"`   // name@hash of the set, of labels of its own
	Tags       string                     `json:"tags,omitempty"`     // and of tags
	Labelled   map[annotate.Annotator]int `json:"labelled"`
	Created    time.Time                  `json:"created"`
}

func listQueues(a *project.Project, st *store.Store) error {
	queues, err := st.Queues().List()
	if err != nil {
		return err
	}
	lines := make([]queueLine, 0, len(queues))
	for _, q := range queues {
		tally, err := st.Acts().Tallies(q.Name)
		if err != nil {
			return err
		}
		done := make(map[annotate.Annotator]int, len(tally))
		for who, t := range tally {
			done[who] = t.Labelled
		}
		line := queueLine{
			Queue: q.Name, Dataset: q.Rule.Dataset, From: q.Rule.From.String(), Rules: q.Rule.Rules, Order: q.Rule.Order.String(),
			Stratum: q.Stratum.String(), sampling: q.Stratum.DisplayName(), Overlap: q.Overlap, Extra: q.Extra, Items: q.Items, GoldItems: q.GoldItems, Population: q.Population,
			Growing: q.Growing, Whole: q.Rule.Whole, Synthetic: q.Synthetic, Labelled: done, Created: q.Created,
		}
		line.Labels, line.Tags = q.Labels.ID(), q.Tags.ID()
		warnOfChangedSets(a, &q)
		if q.Rule.From == annotate.FromPairs {
			if err := line.addComparedModels(st, &q); err != nil {
				return err
			}
		}
		lines = append(lines, line)
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{"report": "queues", "confidence": stat.Confidence, "rows": lines})
	}
	return printQueues(a, lines)
}

// warnOfChangedSets says where the configuration has other words today under the names of a
// queue's sets, or cannot be read.
func warnOfChangedSets(a *project.Project, q *annotate.Queue) {
	var now annotate.Queue
	err := (&draw.Options{Labels: q.Labels.Name, Tags: q.Tags.Name}).FillLabelSets(a, &now)
	if q.Labels.Name+q.Tags.Name != "" && (err != nil || now.Labels.Hash != q.Labels.Hash || now.Tags.Hash != q.Tags.Hash) {
		_, _ = fmt.Fprintf(a.Err, "concord: queue %s keeps %s as it was made with: the configuration says otherwise now, for new queues\n",
			cli.EscapeControls(string(q.Name)), cli.EscapeControls(strings.TrimSpace(q.Labels.ID()+" "+q.Tags.ID())))
	}
}

// addComparedModels adds whose answers a queue of pairs compares.
func (l *queueLine) addComparedModels(st *store.Store, q *annotate.Queue) error {
	for _, id := range q.Rule.Runs {
		run, err := st.Runs().Run(id)
		if err != nil {
			return err
		}
		l.Models = append(l.Models, run.Config.Model)
	}
	if q.Rule.Anchor != 0 {
		run, err := st.Runs().Run(q.Rule.Anchor)
		if err != nil {
			return err
		}
		l.Anchor = run.Config.Model
	}
	l.Criteria = &q.Criteria
	return nil
}

// describeRule describes what a table says of a queue's rule: its rule set, or, of pairs, what is compared.
func (l *queueLine) describeRule() string {
	if l.Criteria == nil {
		return strings.Join(slices.DeleteFunc([]string{l.Rules, l.Labels, l.Tags}, func(s string) bool { return s == "" }), ", ")
	}
	out := eval.Either(l.Anchor != "", cli.JoinFirstNames(l.Models)+" : "+l.Anchor, strings.Join(l.Models, " : "))
	out += eval.Either(*l.Criteria, ", criteria", "")
	return out
}

func printQueues(a *project.Project, lines []queueLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.Out, "no queues yet (make one with: concord queue create NAME --dataset NAME)")
		return err
	}
	table := [][]string{{"QUEUE", "DATASET", "FROM", "RULES", "SAMPLING", "ITEMS", "POPULATION", "OVERLAP", "LABELLED"}}
	for _, l := range lines {
		items, stratum := strconv.Itoa(l.Items), l.sampling
		switch l.Order {
		case annotate.ByDisagreement.String(), annotate.ByMetric.String(), annotate.ByConfidence.String():
			stratum += ", by " + l.Order
		case annotate.ByUncertainty.String():
			stratum += ", uncertain more often"
		}
		overlap := strconv.Itoa(l.Overlap) + eval.Either(l.Extra > 0, fmt.Sprintf("+%d", l.Extra), "")
		items += eval.Either(l.Growing, " (growing)", "")
		table = append(table, []string{
			string(l.Queue), string(l.Dataset), l.From, l.describeRule(), stratum, items, strconv.Itoa(l.Population), overlap, draw.FormatLabelCounts(l.Labelled),
		})
	}
	return cli.WriteColumns(a.Out, table)
}

func newQueueGuidelineCmd(a *project.Project) *cobra.Command {
	var file, by string
	var history bool
	cmd := project.NewCmd("guideline NAME", "Show a queue's guideline, or write its next version", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		name := annotate.QueueName(args[0])
		if file == "" {
			return a.ReadStore(cmd.Context(), func(st *store.Store) error { return printGuidelines(a, st, name, history) })
		}
		text, err := draw.ReadGuideline(file, a.ReadSourceOrSent)
		if err != nil {
			return cli.NewUsageError(err)
		}
		return a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error {
			q, err := st.Queues().Queue(name)
			if err != nil {
				return err
			}
			next, err := q.Guideline.NextVersion(text, annotate.Annotator(by), a.Now())
			if errors.Is(err, annotate.ErrSameGuideline) {
				return printGuidelineSet(a, name, q.Guideline, false)
			}
			if err != nil {
				return cli.NewUsageError(fmt.Errorf("guideline of queue %s: %w", name, err))
			}
			if err := st.Queues().SetGuideline(cmd.Context(), name, next); err != nil {
				return err
			}
			return printGuidelineSet(a, name, next, true)
		})
	})
	fs := cmd.Flags()
	fs.StringVar(&file, "set", "", "text `file` that becomes the next version; - reads standard input")
	fs.StringVar(&by, "as", project.DefaultUserName(), "who writes it")
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

func newGuidelineLine(q annotate.QueueName, g annotate.Guideline) guidelineLine {
	return guidelineLine{Queue: q, Version: g.Version, By: g.By, At: g.At, Text: g.Text}
}

func printGuidelineSet(a *project.Project, q annotate.QueueName, g annotate.Guideline, added bool) error {
	line := newGuidelineLine(q, g)
	line.Added = &added
	said := eval.Either(added, "is version %d now; labels from here on say so", "is version %d already; nothing to add")
	return a.PrintResult(line, "the guideline of %s "+said+"\n", q, g.Version)
}

func printGuidelines(a *project.Project, st *store.Store, name annotate.QueueName, history bool) error {
	all, err := st.Queues().Guidelines(name)
	if err != nil {
		return err
	}
	if !history && len(all) > 1 {
		all = all[len(all)-1:]
	}
	if a.JSON {
		lines := append([]guidelineLine{}, eval.Map(all, func(g annotate.Guideline) guidelineLine { return newGuidelineLine(name, g) })...)
		return a.WriteJSON(map[string]any{"report": "guidelines", "rows": lines})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(a.Err, "queue %s has no guideline of its own: annotators see the standard one. Write one with --set FILE\n", name)
		return err
	}
	for i, g := range all {
		if history {
			by := eval.Either(g.By == "", "", " by "+cli.EscapeControls(string(g.By)))
			_, err = fmt.Fprintf(a.Out, "%s## version %d, %s%s\n\n", map[bool]string{true: "\n"}[i > 0], g.Version, g.At.Local().Format("2006-01-02 15:04"), by)
		}
		if err == nil {
			_, err = fmt.Fprintln(a.Out, cli.EscapeControls(g.Text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
