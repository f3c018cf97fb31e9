package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/rules"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/stat"
	"concord/eval/text"
	"concord/store"
)

// NewRulesCmd makes the command rules.
func NewRulesCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("rules", "List the rule sets, and try one of your own against people's labels", newRulesListCmd(a), newRulesTestCmd(a))
}

func newRulesListCmd(a *project.Project) *cobra.Command {
	return project.NewCmd("list", "List the rule sets with their versions", cobra.NoArgs, func(*cobra.Command, []string) error {
		type line struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Reads   string `json:"reads"`
			Origin  string `json:"origin"`
		}
		var all []line
		rows := [][]string{{"name", "version", "reads", "origin"}}
		for _, s := range extract.AllSets() {
			l := line{Name: s.Name(), Version: s.Version()}
			reads := eval.Select([]eval.Kind{eval.KindChoice, eval.KindYesNo}, s.ReadsKind)
			l.Reads, l.Origin = eval.JoinList(reads, eval.Kind.String), "your own"
			if _, err := extract.BuiltInSet(l.Name); err == nil {
				l.Origin = "built in"
			}
			all, rows = append(all, l), append(rows, []string{l.Name, l.Version, l.Reads, l.Origin})
		}
		if a.JSON {
			return a.WriteJSON(all)
		}
		return cli.WriteColumns(a.Out, rows)
	})
}

func newRulesTestCmd(a *project.Project) *cobra.Command {
	var against, queue, label string
	var most int
	cmd := project.NewCmd("test RULES", "Try a rule set against people's labels: right, wrong, abstained, and the cases", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		set, err := findNamedRules(args[0])
		if err != nil {
			return cli.NewUsageError(err)
		}
		t := &ruleTrial{Rules: set.Name(), Version: set.Version(), Against: against, set: set}
		if against == "labels" {
			err = a.ReadStore(cmd.Context(), func(st *store.Store) error { return t.tryOnQueues(cmd.Context(), st, annotate.QueueName(queue)) })
		} else {
			err = t.tryLabelledFile(against, label)
		}
		if err == nil {
			err = context.Cause(cmd.Context())
		}
		if err != nil {
			return fmt.Errorf("test rules %s: %w", args[0], err)
		}
		return t.printTrial(a, most)
	})
	cmd.Flags().StringVar(&against, "against", "labels", "`labels` of the project's queues, or a file of labelled lines")
	cmd.Flags().StringVar(&queue, "queue", "", "with labels: only those of this queue")
	cmd.Flags().StringVar(&label, "label", "label", "with a file: the `field` of people's label")
	cmd.Flags().IntVar(&most, "cases", 20, "print at most this `number` of cases (--json has all)")
	return cmd
}

// findNamedRules finds the rule set that an argument names: a file, or a name.
func findNamedRules(arg string) (extract.Set, error) {
	if !strings.HasSuffix(arg, ".toml") {
		return extract.FindRules(arg)
	}
	s, err := rules.ReadRuleFile(arg)
	return s, eval.WrapError(err, "%s", arg)
}

// ruleTrial is a rule set beside people's labels.
type ruleTrial struct {
	Rules   string `json:"rules"`
	Version string `json:"version"`
	Against string `json:"against"`

	Right     int        `json:"right"`     // it reads the choice that people read
	Wrong     int        `json:"wrong"`     // another one
	Abstained int        `json:"abstained"` // none
	Silent    int        `json:"silent"`    // people found no choice, nor does it
	Picked    int        `json:"picked"`    // people found no choice, and it reads one
	Accuracy  stat.Rate  `json:"accuracy"`  // right, of those where people read a choice
	LeftOut   int        `json:"left_out"`  // no label, or no consensus
	Cases     []ruleCase `json:"cases"`     // of all that is not as people read it

	set extract.Set
}

// ruleCase is a response that the rules do not read as people do.
type ruleCase struct {
	Was      string `json:"was"` // wrong, abstained or picked
	ID       string `json:"id"`
	People   string `json:"people"` // "": no choice
	Choice   string `json:"choice"`
	Status   string `json:"status"`
	Method   string `json:"method"`
	Response string `json:"response"`
}

func (t *ruleTrial) countExtraction(id, people string, e eval.Extraction, response string) {
	c := ruleCase{ID: id, People: people, Choice: string(e.Choice), Status: e.Status.String(), Method: e.Method, Response: response}
	switch {
	case people == "" && !e.IsFound():
		t.Silent++
		return
	case people == c.Choice:
		t.Right++
		return
	case people == "":
		t.Picked++
		c.Was = "picked"
	case e.IsFound():
		t.Wrong++
		c.Was = "wrong"
	default:
		t.Abstained++
		c.Was = "abstained"
	}
	t.Cases = append(t.Cases, c)
}

// tryLabelledFile reads labelled lines. A line that cannot be read ends it, by its number.
func (t *ruleTrial) tryLabelledFile(path, label string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	for l, err := range extract.ReadLabelled(f, label) {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		case !l.HasLabel:
			t.LeftOut++
		default:
			t.countExtraction(l.ID, l.Label, t.set.Read(l.KindByOptions(), l.Options, l.Prediction), l.Prediction)
		}
	}
	return nil
}

// tryOnQueues reads what people agree on in the project's queues of responses.
func (t *ruleTrial) tryOnQueues(ctx context.Context, st *store.Store, only annotate.QueueName) error {
	all, err := st.Queues().List()
	if err != nil {
		return err
	}
	some := false
	for _, q := range all {
		if only != "" && q.Name != only || only == "" && q.CheckTakesReadings() != nil {
			continue
		}
		some = true
		if err := t.tryOnQueue(ctx, st, q.Name); err != nil {
			return err
		}
	}
	if !some {
		return cli.NewUsageError(errors.New("there is no queue of labels to test against (see: concord queue list)"))
	}
	return nil
}

func (t *ruleTrial) tryOnQueue(ctx context.Context, st *store.Store, name annotate.QueueName) error {
	o := alignment.Options{Queue: name, Rules: []string{t.Rules}, Reader: func(string) (eval.Reader, error) { return t.set, nil }}
	c, err := alignment.CompareQueue(ctx, facts.NewSource(st), "", func(eval.Key) (bool, error) { return true, nil }, o)
	if err != nil {
		return err
	}
	for i := range c.Items {
		it := &c.Items[i]
		if len(it.Compared) == 0 || it.Compared[0].LeftOut != "" {
			t.LeftOut++
			continue
		}
		p, err := st.Runs().Prediction(it.Key.Key)
		if err != nil {
			return err
		}
		r := it.Compared[0].People
		people := eval.Either(r.Kind == annotate.PickedOption, string(r.Choice), "")
		t.countExtraction(string(name)+" "+string(it.Sample), people, it.Compared[0].Machine, p.Text)
	}
	return nil
}

func (t *ruleTrial) printTrial(a *project.Project, most int) error {
	t.Accuracy = stat.NewRate(t.Right, t.Right+t.Wrong+t.Abstained)
	if a.JSON {
		return a.WriteJSON(t)
	}
	share := "no label names a choice"
	if n := t.Accuracy.N; n > 0 {
		share = fmt.Sprintf("%.1f %% of %d where people read a choice, 95 %% interval %.1f to %.1f", 100*t.Accuracy.Value, n, 100*t.Accuracy.Low, 100*t.Accuracy.High)
	}
	_, _ = fmt.Fprintf(a.Out, "%s@%s against %s\n", t.Rules, t.Version, cli.EscapeControls(t.Against))
	rows := [][]string{
		{"right", strconv.Itoa(t.Right), share},
		{"wrong", strconv.Itoa(t.Wrong), "it reads another choice than people"},
		{"abstained", strconv.Itoa(t.Abstained), "people read a choice, it reads none"},
		{"picked", strconv.Itoa(t.Picked), "people read no choice, it reads one"},
		{"silent", strconv.Itoa(t.Silent), "neither people nor it read a choice"},
		{"left out", strconv.Itoa(t.LeftOut), "no label, or no consensus"},
	}
	if err := cli.WriteColumns(a.Out, rows); err != nil || len(t.Cases) == 0 {
		return err
	}
	rows = [][]string{{"\ncase", "id", "people", "rules", "method", "response"}}
	for _, c := range t.Cases[:min(most, len(t.Cases))] {
		rows = append(rows, []string{c.Was, c.ID, c.People, c.Choice + " " + c.Status, c.Method, text.Outside(c.Response).Shorten(60)})
	}
	if err := cli.WriteColumns(a.Out, rows); err != nil || len(t.Cases) <= most {
		return err
	}
	_, err := fmt.Fprintf(a.Out, "and %d more: --cases %d, or --json\n", len(t.Cases)-most, len(t.Cases))
	return err
}

// NewExtractCmd makes the command extract.
func NewExtractCmd(a *project.Project) *cobra.Command {
	var rules, kind string
	cmd := &cobra.Command{
		Use:   "extract [FILE]",
		Short: "Read choices out of predictions: JSON lines in, JSON lines out",
		Long: `Reads JSON lines {"id", "options": {"A": ..}, "prediction"} from FILE or
standard input, and writes one line for each: the same id with choice, status
and method. It needs no project.

Rule sets: ` + strings.Join(extract.RuleNamesFor(eval.KindChoice), ", ") + `;
for yes/no: ` + strings.Join(extract.RuleNamesFor(eval.KindYesNo), ", ") + `.`,
		Example: `  echo '{"id":1,"options":{"A":"cat","B":"dog"},"prediction":"It is a dog."}' | concord extract`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := eval.ParseKind(kind)
			if err != nil {
				return cli.NewUsageError(err)
			}
			if _, err := extract.FindRulesFor(rules, k); err != nil {
				return cli.NewUsageError(err)
			}
			in := a.In
			if len(args) == 1 && args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return fmt.Errorf("open predictions: %w", err)
				}
				defer func() { _ = f.Close() }()
				in = f
			}
			return extractLines(a, cmd, in, rules, k)
		},
	}
	cmd.Flags().StringVar(&rules, "rules", extract.Default, "rule `set` that reads the predictions")
	cmd.Flags().StringVar(&kind, "kind", "choice", "kind of question: choice or yesno")
	return cmd
}

func extractLines(a *project.Project, cmd *cobra.Command, in io.Reader, rules string, kind eval.Kind) error {
	malformed, err := extract.FilterLines(cmd.Context(), in, a.Out, rules, kind)
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	if malformed > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s could not be read; see their \"error\"\n", cli.FormatCount(malformed, "line"))
		return cli.StatusError{Code: cli.ExitFailed, Quiet: true}
	}
	return nil
}
