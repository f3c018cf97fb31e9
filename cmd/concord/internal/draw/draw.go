package draw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/sample"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
)

// CreateDrawnQueue draws a queue's items from the predictions of its dataset.
func CreateDrawnQueue(ctx context.Context, a *project.Project, st *store.Store, q annotate.Queue, f *Options) error {
	d, err := ChooseItemsOfQueue(ctx, a, st, &q, f)
	if err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	if len(d.items) == 0 && !q.Growing {
		why := eval.Either(q.Population > 0, "a larger --sample chooses more", "--from all takes every prediction")
		return fmt.Errorf("create queue %s: nothing to draw: %d predictions are %s, none was chosen (%s)", q.Name, q.Population, q.Rule.From.DisplayName(), why)
	}
	if err := storeQueue(ctx, st, q, d.items, d.golds...); err != nil {
		return err
	}
	return printQueueCreated(a, &q, d.Drawn)
}

// Result is what a queue will hold.
type Result struct {
	items []annotate.QueueItem
	golds []annotate.Gold
	Drawn int // of the items; the others are known answers beside them
}

// ChooseItemsOfQueue draws the items of a queue, and writes into it what it comes to. Nothing is stored.
func ChooseItemsOfQueue(ctx context.Context, a *project.Project, st *store.Store, q *annotate.Queue, f *Options) (d Result, err error) {
	reader, err := facts.FindRules(q.Rule.Rules)
	if err != nil {
		return d, err
	}
	q.Rule.Rules = eval.ReaderID(reader)
	compared, err := findComparedRules(&q.Rule)
	if err != nil {
		return d, err
	}
	if _, err := st.Datasets().Dataset(q.Rule.Dataset); err != nil {
		return d, err
	}
	if err := requireKnownIDs(st, &q.Rule); err != nil {
		return d, err
	}
	runs, err := findRunsOfRule(st, &q.Rule, f.Models)
	if err != nil {
		return d, err
	}
	if q.Growing, err = requireWholeRuns(a, st, &q.Rule, runs); err != nil {
		return d, err
	}
	p := population{st: st, rule: &q.Rule, reader: reader, among: compared, runs: runs}
	if q.Rule.From == annotate.FromCriteria {
		if p.graded, err = requireSamplesWithCriteria(ctx, st, q.Rule.Dataset); err != nil {
			return d, err
		}
	}
	if err := p.requireTwoExtractors(ctx); err != nil {
		return d, err
	}
	if q.Rule.Order == annotate.ByUncertainty {
		d.items, q.Population, err = sample.DrawUncertain(&q.Rule, p.eachCandidate(ctx))
	} else {
		d.items, q.Population, err = sample.DrawItems(q.Rule, p.eachCandidate(ctx))
	}
	if err != nil {
		return d, err
	}
	if d.Drawn = len(d.items); d.Drawn > 0 || q.Growing {
		if d.items, d.golds, err = f.insertGold(ctx, st, q, d.items); err != nil {
			return d, err
		}
	}
	q.Items, q.GoldItems, q.Created = len(d.items), len(d.golds), a.Now()
	q.Synthetic = slices.ContainsFunc(runs, func(r eval.Run) bool { return r.Config.Synthetic })
	return d, nil
}

// printQueueCreated tells whoever made a queue what came of it.
func printQueueCreated(a *project.Project, q *annotate.Queue, drawn int) error {
	if a.JSON {
		return a.WriteJSON(map[string]any{
			"uncertain": countUncertain(q), "uniform": q.Rule.Drawing.Uniform, "lift": q.Rule.Drawing.Lift,
			"queue": q.Name, "dataset": q.Rule.Dataset, "from": q.Rule.From.String(), "rules": q.Rule.Rules,
			"order": cmp.Or(q.Rule.Order, annotate.ByHash).String(), "among": q.Rule.Among,
			"rate": q.Rule.Rate, "number": q.Rule.Number, "level": q.Rule.Level, "per_level": q.Rule.PerLevel,
			"items": q.Items, "drawn": drawn, "golds": q.GoldItems, "extra": q.Extra, "population": q.Population, "growing": q.Growing, "stratum": q.Stratum.String(), "overlap": q.Overlap, "seed": q.Rule.Seed, "whole": q.Rule.Whole,
		})
	}
	known := eval.Either(q.GoldItems > 0, fmt.Sprintf(", and %d of known answers beside them; the answers of %d of %d items are known", q.Items-drawn, q.GoldItems, q.Items), "")
	if lift := q.Rule.Drawing.Lift; lift > 0 {
		known = fmt.Sprintf("; %d are uncertain, and %.3g times as likely to be drawn%s", countUncertain(q), lift, known)
	}
	_, err := fmt.Fprintf(a.Out, "queue %s: %d of %d predictions (%s)%s. Label them with: concord review --queue %s\n",
		cli.EscapeControls(string(q.Name)), drawn, q.Population, q.Rule.From.DisplayName(), known, cli.QuoteForShell(string(q.Name)))
	return err
}

// countUncertain is how many of the predictions that a queue was drawn from are uncertain.
func countUncertain(q *annotate.Queue) int {
	return eval.Sum(q.Rule.Drawing.Unsure, func(n int) int { return n })
}

// storeQueue stores a queue, and says what to do where its name is taken.
func storeQueue(ctx context.Context, st *store.Store, q annotate.Queue, items []annotate.QueueItem, golds ...annotate.Gold) error {
	err := st.Queues().CreateQueue(ctx, q, items, golds...)
	if errors.Is(err, annotate.ErrQueueExists) {
		return fmt.Errorf("%w: a queue is frozen once it is made; choose another name (see: concord queue list)", err)
	}
	return err
}

// requireWholeRuns refuses to draw a fixed number from runs that are not whole: it would be no sample
// of what they will hold. A share of the unparsable is drawn from runs of concord's own as they go on:
// such a queue grows. Of others a share of what is there is drawn, and the reader told.
func requireWholeRuns(a *project.Project, st *store.Store, r *annotate.Rule, runs []eval.Run) (grows bool, err error) {
	for _, run := range runs {
		why, err := facts.WhyUnfinished(st, run)
		switch {
		case err != nil:
			return false, err
		case why == "":
		case r.Number > 0 || r.PerLevel > 0:
			return false, fmt.Errorf("a fixed number is drawn from whole runs only, and %s", why)
		case r.Order.ComparesExtractors():
			return false, fmt.Errorf("what is differed on is known of whole runs only, and %s", why)
		case drawsAsRunGrows(r, run):
			grows = true
			_, _ = fmt.Fprintf(a.Err, "concord: %s: the queue grows with it\n", cli.EscapeControls(why))
		default:
			_, _ = fmt.Fprintf(a.Err, "concord: %s: the queue holds what is there now\n", cli.EscapeControls(why))
		}
	}
	if grows && r.Rate == 0 {
		r.Rate = 1
	}
	return grows, nil
}

// drawsAsRunGrows reports whether a rule decides about each prediction of a run as
// it comes: a rate alone does, over what the run's own rules cannot read.
func drawsAsRunGrows(r *annotate.Rule, run eval.Run) bool {
	reader, err := facts.FindRulesOfRun(run)
	return err == nil && run.Config.Origin == eval.Asked && r.From == annotate.FromUnparsable &&
		len(r.IDs) == 0 && r.Rules == eval.ReaderID(reader)
}

// requireKnownIDs checks that the dataset has the samples that a rule asks for: a
// misspelt one would silently be missing from the queue.
func requireKnownIDs(st *store.Store, r *annotate.Rule) error {
	var unknown []string
	for _, id := range r.IDs {
		_, err := st.Datasets().SampleByID(r.Dataset, id)
		if errors.Is(err, eval.ErrNotFound) {
			unknown = append(unknown, string(id))
		} else if err != nil {
			return err
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	shown := strings.Join(unknown[:min(len(unknown), 5)], ", ")
	return eval.NewNotFoundError("dataset %s does not have %s of --ids: %s", r.Dataset, cli.FormatCount(len(unknown), "sample"), shown)
}

// findRunsOfRule finds the runs that a rule draws from; the rule keeps their numbers.
func findRunsOfRule(st *store.Store, r *annotate.Rule, models []string) ([]eval.Run, error) {
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	out := eval.Select(all, func(run eval.Run) bool {
		return run.Config.Dataset == r.Dataset && (len(models) == 0 || slices.Contains(models, run.Config.Model)) &&
			(len(r.Runs) == 0 || slices.Contains(r.Runs, run.ID))
	})
	if len(out) == 0 {
		return nil, eval.NewNotFoundError("dataset %s has no run to draw from (see: concord import predictions --help)", r.Dataset)
	}
	for _, m := range models {
		if !slices.ContainsFunc(out, func(run eval.Run) bool { return run.Config.Model == m }) {
			return nil, eval.NewNotFoundError("dataset %s has no run of model %s to draw from", r.Dataset, m)
		}
	}
	r.Runs = eval.Map(out, func(run eval.Run) eval.RunID { return run.ID })
	return out, nil
}

type population struct {
	st     *store.Store
	rule   *annotate.Rule
	reader eval.Reader
	among  []eval.Reader // rule sets that are compared, with each other and with judges
	runs   []eval.Run
	graded map[eval.Ordinal]bool // samples with criteria, for grades
}

func requireSamplesWithCriteria(ctx context.Context, st *store.Store, d eval.DatasetName) (map[eval.Ordinal]bool, error) {
	out := make(map[eval.Ordinal]bool)
	for set, err := range st.Criteria().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		if len(set.Criteria()) > 0 && set.Removed == nil {
			out[set.Sample] = true
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("dataset %s has no criteria yet: write some in the app, or import them with concord import criteria", d)
	}
	return out, nil
}

func (p *population) eachCandidate(ctx context.Context) iter.Seq2[sample.Candidate, error] {
	return func(yield func(sample.Candidate, error) bool) {
		for _, run := range p.runs {
			questions := report.ReadQuestions(ctx, facts.NewSource(p.st), run, append([]eval.Reader{p.reader}, p.among...)...)
			for q, err := range p.st.Judgments().JoinToQuestions(ctx, questions, run.ID) {
				if err != nil {
					yield(sample.Candidate{}, err)
					return
				}
				if !p.yieldCandidates(&q, yield) {
					return
				}
			}
		}
	}
}

func (p *population) yieldCandidates(q *eval.Question, yield func(sample.Candidate, error) bool) bool {
	for i := range q.Predictions {
		pr := &q.Predictions[i]
		read := func() eval.Extraction { return eval.ReadPrediction(p.reader, &q.Sample, pr) }
		heard := p.readComparedClasses(q, pr)
		if !p.rule.IncludesPrediction(pr, read, heard) || p.graded != nil && !p.graded[pr.Sample] || p.rule.From == annotate.FromWrong && !p.isKnownWrong(q, pr) {
			continue
		}
		c := sample.Candidate{Key: pr.Key, Sample: q.Sample.ID, Taxonomy: q.Sample.Taxonomy, Differ: annotate.ComputeDisagreement(heard), Uncertain: annotate.IsUncertain(heard)}
		var err error
		switch p.rule.Order {
		case annotate.ByMetric:
			c.Differ, err = p.compareWithMetric(q, pr)
		case annotate.ByConfidence:
			c.Differ = greatestJudgeDoubt(q, pr)
		default:
		}
		if !yield(c, err) || err != nil {
			return false
		}
	}
	return true
}

// FormatLabelCounts writes how many items each person has labelled.
func FormatLabelCounts(tally map[annotate.Annotator]int) string {
	if len(tally) == 0 {
		return "-"
	}
	return eval.JoinList(slices.Sorted(maps.Keys(tally)), func(who annotate.Annotator) string {
		return fmt.Sprintf("%s %d", cli.EscapeControls(string(who)), tally[who])
	})
}

// findComparedRules finds the rule sets that a queue's rule compares: those that were
// named, or, where the order asks for extractors and none was, all of them. One
// that does not read a sample's kind has no say there. The rule keeps versions.
func findComparedRules(r *annotate.Rule) ([]eval.Reader, error) {
	names := eval.Either(len(r.Among) == 0 && r.Order.ComparesExtractors() && !r.Order.IsOfJudges(), append(extract.RuleNamesFor(eval.KindChoice), extract.RuleNamesFor(eval.KindYesNo)...), r.Among)
	var out []eval.Reader
	r.Among = nil
	for _, name := range names {
		reader, err := facts.FindRules(name)
		if err != nil {
			return nil, err
		}
		if id := eval.ReaderID(reader); !slices.Contains(r.Among, id) {
			out, r.Among = append(out, reader), append(r.Among, id)
		}
	}
	return out, nil
}

// requireTwoExtractors refuses an order by what extractors read where fewer than two could differ.
func (p *population) requireTwoExtractors(ctx context.Context) error {
	if !p.rule.Order.ComparesExtractors() {
		return nil
	}
	extractors, told := len(p.among), false
	for _, run := range p.runs {
		judges, err := p.st.Judgments().Judges(run.ID)
		if err != nil {
			return err
		}
		extractors += eval.Count(judges, func(name string) bool { return eval.JudgeOfCandidate(name) == "" })
		if p.rule.Order == annotate.ByConfidence {
			for j, err := range p.st.Judgments().Calls(ctx, run.ID) {
				if err != nil {
					return err
				}
				if told = told || j.Confidence > 0 && eval.JudgeOfCandidate(j.Judge) == ""; told {
					break
				}
			}
		}
		if p.rule.Order == annotate.ByMetric {
			scorers, err := p.st.Scores().Counts(run.ID)
			if err != nil {
				return err
			}
			extractors += eval.Count(scorers, func(p eval.ScoreProgress) bool { return eval.JudgeOfCandidate(p.Judge) == "" })
		}
	}
	switch {
	case p.rule.Order == annotate.ByConfidence && !told:
		return errors.New("--order confidence: no confidence is known of a judge that has read these runs: logprobs = true in its section of concord.toml keeps it of what it reads from then on")
	case p.rule.Order == annotate.ByMetric && extractors == 0:
		return errors.New("--order metric: no judge has read or scored these runs")
	case !p.rule.Order.IsOfJudges() && extractors < 2:
		return fmt.Errorf("--order %s: nothing can differ, since %s and no judge has read these runs", p.rule.Order, cli.FormatCount(len(p.among), "rule set"))
	}
	return nil
}

// greatestJudgeDoubt gives how unsure the least sure of the judges is of what it read, from 0 to 1, in
// steps of a thousandth; 0 where none has told.
func greatestJudgeDoubt(q *eval.Question, pr *eval.Prediction) float64 {
	sure := make(map[string]float64) // by judge; the newest comes last
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == pr.Key && j.Confidence > 0 && eval.JudgeOfCandidate(j.Judge) == "" {
			sure[j.Judge] = j.Confidence
		}
	}
	least := 1.0
	for _, told := range sure {
		least = min(least, told)
	}
	return math.Round(1000*(1-least)) / 1000
}

// readComparedClasses reads the classes that the compared rule sets read in a prediction, and
// the judges that have read it.
func (p *population) readComparedClasses(q *eval.Question, pr *eval.Prediction) []eval.Choice {
	if !p.rule.ComparesExtractors() {
		return nil
	}
	out := eval.FilterMap(p.among, func(r eval.Reader) (eval.Choice, bool) {
		e := eval.ReadPrediction(r, &q.Sample, pr)
		return e.AlignmentClass(), e.Status != eval.StatusUnset
	})
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == pr.Key && j.HasReply() && eval.JudgeOfCandidate(j.Judge) == "" {
			out = append(out, j.Extraction.AlignmentClass())
		}
	}
	return out
}
