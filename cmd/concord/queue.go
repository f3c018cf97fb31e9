package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/stat"
	"concord/store"
)

func newQueueCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Make and list queues of predictions for people to review",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  needSubcommand,
	}
	cmd.AddCommand(newQueueCreateCmd(a), newQueueListCmd(a), newQueueGuidelineCmd(a))
	return cmd
}

// queueFlags are the flags of queue create, as typed.
type queueFlags struct {
	dataset, from, sample, per, ids, rules, stratum, anchor, guideline, by string
	models, among                                                          []string
	order, gold, goldFile, goldRate                                        string  // goldFile: where gold lies; "": where it says
	rate                                                                   float64 // of goldRate
	extra                                                                  int
	runs                                                                   []uint
	overlap                                                                int
	seed                                                                   uint64
	criteria, whole                                                        bool
}

func newQueueCreateCmd(a *app) *cobra.Command {
	var f queueFlags
	cmd := &cobra.Command{
		Use:   "create NAME --dataset NAME",
		Short: "Draw predictions into a queue, frozen from then on",
		Long: `Draws predictions for people to label, or, with --from pairs, pairs of answers
for people to vote on: those of each --model beside those of the --anchor, on the
samples that both have answered. Of pairs, and with --whole, --sample and --per count samples, and
all that there is of a drawn sample is in the queue. Without --anchor it is the model
that the judges' votes share; two models without one are set against each other.`,
		Example: `  concord queue create first --dataset mmbench --from unparsable --sample 10%
  concord queue create balanced --dataset mmbench --from all --per category:5 --overlap 2
  concord queue create questions --dataset mmbench --from all --sample 100 --whole
  concord queue create hard --dataset mmbench --from all --sample 200 --order disagreement
  concord queue create checked --dataset mmbench --overlap 2 --extra 1 --gold settled.csv --gold-rate 10%
  concord queue create votes --dataset mllm-bench --from pairs --model m1,m2,m3 --anchor llava --per capability:2 --overlap 4 --criteria`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := f.queue(args[0], a.now(), a.source)
			if err != nil {
				return usageError{err}
			}
			gold, done, err := a.unpacked(f.gold)
			if err != nil {
				return err
			}
			defer done()
			f.goldFile = gold
			return a.change(cmd, f.files(), func(st *store.Store) error {
				if q.Rule.From == annotate.FromPairs {
					return createPairs(cmd.Context(), a, st, q, &f)
				}
				return createQueue(cmd.Context(), a, st, q, &f)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset whose predictions are drawn (required)")
	fs.StringVar(&f.from, "from", "unparsable", "population: unparsable, disagreements, pairs or all")
	fs.StringVar(&f.sample, "sample", "", "how many: a rate like 10% or a number (default: all)")
	fs.StringVar(&f.per, "per", "", "how many of each taxonomy group: `LEVEL:N`, as in category:2")
	fs.StringVar(&f.ids, "ids", "", "only the samples whose ids stand in this `file`, one a line")
	fs.StringVar(&f.rules, "rules", extract.Default, "rule `set` that decides what is unparsable")
	fs.StringVar(&f.order, "order", "", "hash (at random) or disagreement (what extractors differ on most comes first; of the priority stratum)")
	fs.StringSliceVar(&f.among, "among", nil, "the rule `sets` that are compared, with each other and with judges (default: with --order disagreement all, else --rules)")
	fs.IntVar(&f.overlap, "overlap", 1, "how many people label each item")
	fs.IntVar(&f.extra, "extra", 0, "how many more people label an item on which those of --overlap do not all say the same")
	fs.StringVar(&f.gold, "gold", "", "known answers: a `file` in the shape of import labels, or another queue of the dataset (settled, or unanimous)")
	fs.StringVar(&f.goldRate, "gold-rate", "", "about which `share` of the items has a known answer (default 10%); which ones, nobody who labels is told")
	fs.StringVar(&f.stratum, "stratum", "", "random (feeds rates) or priority (does not); default: by how it is drawn")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the draw")
	fs.StringSliceVar(&f.models, "model", nil, "only predictions of these `models`")
	fs.StringVar(&f.anchor, "anchor", "", "of pairs: the `model` that the others are set against")
	fs.BoolVar(&f.whole, "whole", false, "draw samples, and take all passes of a drawn one (what circular accuracy is corrected by)")
	fs.BoolVar(&f.criteria, "criteria", false, "of pairs: show each sample's criteria")
	fs.UintSliceVar(&f.runs, "run", nil, "only these runs, by `number`")
	fs.StringVar(&f.guideline, "guideline", "", "text `file` shown to annotators")
	fs.StringVar(&f.by, "as", userName(), "who makes the queue")
	a.require(cmd, "dataset")
	return cmd
}

// files are those that the draw reads by itself.
func (f *queueFlags) files() []string {
	if f.gold == "" {
		return nil
	}
	return []string{f.gold}
}

// queue reads the flags into a queue that is not drawn yet.
func (f *queueFlags) queue(name string, now time.Time, read opener) (annotate.Queue, error) {
	if err := namable("queue", name); err != nil {
		return annotate.Queue{}, err
	}
	q := annotate.Queue{Name: annotate.QueueName(name), Overlap: f.overlap, By: annotate.Annotator(f.by), Stratum: annotate.Random}
	q.Rule = annotate.Rule{Dataset: eval.DatasetName(f.dataset), Rules: f.rules, Seed: f.seed, Whole: f.whole}
	for _, r := range f.runs {
		q.Rule.Runs = append(q.Rule.Runs, eval.RunID(r))
	}
	if err := f.learns(&q); err != nil {
		return q, err
	}
	if f.overlap < 1 {
		return q, fmt.Errorf("--overlap %d: at least one person labels each item", f.overlap)
	}
	var err error
	if q.Rule.From, err = annotate.ParseFrom(f.from); err != nil {
		return q, err
	}
	switch pairs := q.Rule.From == annotate.FromPairs; {
	case pairs && f.whole:
		return q, fmt.Errorf("--whole is for predictions: of a drawn sample all pairs are taken anyway")
	case pairs:
		q.Rule.Rules, q.Criteria = "", f.criteria
	case f.criteria || f.anchor != "":
		return q, fmt.Errorf("--criteria and --anchor are for pairs of answers: give --from pairs with them")
	}
	if err := f.size(&q.Rule); err != nil {
		return q, err
	}
	if f.ids != "" {
		if q.Rule.IDs, err = readIDs(f.ids, read); err != nil {
			return q, err
		}
	}
	if err := f.ordered(&q.Rule); err != nil {
		return q, err
	}
	if q.Stratum, err = f.stratumOf(&q.Rule); err != nil {
		return q, err
	}
	if f.guideline != "" {
		text, err := readGuideline(f.guideline, read)
		if err != nil {
			return q, err
		}
		if q.Guideline, err = q.Guideline.Next(text, q.By, now); err != nil {
			return q, fmt.Errorf("read guideline %s: %w", f.guideline, err)
		}
	}
	return q, nil
}

func (f *queueFlags) size(r *annotate.Rule) (err error) {
	if f.sample != "" && f.per != "" {
		return fmt.Errorf("--sample and --per both say how many: give one")
	}
	if f.per != "" {
		r.Level, r.PerLevel, err = annotate.ParseLevel(f.per)
		return err
	}
	if f.sample == "" {
		return nil
	}
	if share, ok := strings.CutSuffix(f.sample, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || p <= 0 || p > 100 {
			return fmt.Errorf("--sample %q: want a rate above 0%% and up to 100%%", f.sample)
		}
		r.Rate = p / 100
		return nil
	}
	if r.Number, err = strconv.Atoi(f.sample); err != nil || r.Number < 1 {
		return fmt.Errorf("--sample %q: want a rate like 10%% or a number like 200", f.sample)
	}
	return nil
}

func readIDs(path string, read opener) ([]eval.SampleID, error) {
	text, err := read(path, longestSource)
	if err != nil {
		return nil, fmt.Errorf("read ids: %w", err)
	}
	var ids []eval.SampleID
	for line := range strings.Lines(string(text)) {
		if id := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); id != "" {
			ids = append(ids, eval.SampleID(id))
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("read ids: %s has none", path)
	}
	return ids, nil
}

func newQueueListCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the queues, with how far each person has come",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.read(cmd.Context(), func(st *store.Store) error { return listQueues(a, st) })
		},
	}
}

// queueLine is a queue as queue list prints it.
type queueLine struct {
	Queue      annotate.QueueName         `json:"queue"`
	Dataset    eval.DatasetName           `json:"dataset"`
	From       string                     `json:"from"`
	Rules      string                     `json:"rules"`
	Order      string                     `json:"order,omitempty"`
	Stratum    string                     `json:"stratum"`
	Overlap    int                        `json:"overlap"`
	Extra      int                        `json:"extra"`
	Items      int                        `json:"items"`
	Golds      int                        `json:"golds"`
	Population int                        `json:"population"`
	Growing    bool                       `json:"growing"`
	Whole      bool                       `json:"whole,omitempty"`
	Synthetic  bool                       `json:"synthetic,omitempty"`
	Models     []string                   `json:"models,omitempty"`   // of pairs
	Anchor     string                     `json:"anchor,omitempty"`   // of pairs; "" when each is set against each
	Criteria   *bool                      `json:"criteria,omitempty"` // of pairs: they are shown
	Labelled   map[annotate.Annotator]int `json:"labelled"`
	Created    time.Time                  `json:"created"`
}

func listQueues(a *app, st *store.Store) error {
	queues, err := st.Queues().List()
	if err != nil {
		return err
	}
	lines := make([]queueLine, 0, len(queues))
	for _, q := range queues {
		tally, err := st.Acts().Tally(q.Name)
		if err != nil {
			return err
		}
		done := make(map[annotate.Annotator]int, len(tally))
		for who, t := range tally {
			done[who] = t.Labelled
		}
		line := queueLine{
			Queue: q.Name, Dataset: q.Rule.Dataset, From: q.Rule.From.String(), Rules: q.Rule.Rules, Order: q.Rule.Order.String(),
			Stratum: q.Stratum.String(), Overlap: q.Overlap, Extra: q.Extra, Items: q.Items, Golds: q.Golds, Population: q.Population,
			Growing: q.Growing, Whole: q.Rule.Whole, Synthetic: q.Synthetic, Labelled: done, Created: q.Created,
		}
		if q.Rule.From == annotate.FromPairs {
			if err := line.pairs(st, &q); err != nil {
				return err
			}
		}
		lines = append(lines, line)
	}
	if a.json {
		return a.writeJSON(map[string]any{"report": "queues", "confidence": stat.Confidence, "rows": lines})
	}
	return printQueues(a, lines)
}

// pairs adds whose answers a queue of pairs compares.
func (l *queueLine) pairs(st *store.Store, q *annotate.Queue) error {
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

// drawnBy is what a table says of a queue's rule: its rule set, or, of pairs,
// what is compared.
func (l *queueLine) drawnBy() string {
	if l.Criteria == nil {
		return l.Rules
	}
	out := strings.Join(l.Models, " : ")
	if l.Anchor != "" {
		out = few(l.Models) + " : " + l.Anchor
	}
	if *l.Criteria {
		out += ", criteria"
	}
	return out
}

func printQueues(a *app, lines []queueLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.out, "no queues yet (make one with: concord queue create NAME --dataset NAME)")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "QUEUE\tDATASET\tFROM\tRULES\tSTRATUM\tITEMS\tPOPULATION\tOVERLAP\tLABELLED")
	for _, l := range lines {
		items, stratum := strconv.Itoa(l.Items), l.Stratum
		if l.Order == annotate.ByDisagreement.String() {
			stratum += ", by " + l.Order
		}
		overlap := strconv.Itoa(l.Overlap)
		if l.Extra > 0 {
			overlap += fmt.Sprintf("+%d", l.Extra)
		}
		if l.Growing {
			items += " (growing)"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", visible(string(l.Queue)), visible(string(l.Dataset)),
			l.From, visible(l.drawnBy()), stratum, items, l.Population, overlap, labelled(l.Labelled))
	}
	return w.Flush()
}
