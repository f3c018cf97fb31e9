package draw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"concord/annotate"
	"concord/annotate/sample"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/bound"
	"concord/store"
)

// Options are the flags of queue create, as typed.
type Options struct {
	Dataset, From, Sample, Per, IDs, Rules, Stratum, Anchor, Guideline, By string
	Models, Among                                                          []string
	Order, Gold, GoldFile, GoldRate                                        string  // goldFile: where gold lies; "": where it says
	rate                                                                   float64 // of goldRate
	Uniform                                                                string  // of a draw by uncertainty, the share that is uniform
	Extra                                                                  int
	Runs                                                                   []uint
	Overlap                                                                int
	Seed                                                                   uint64
	Criteria, Whole                                                        bool
	Labels, Tags                                                           string // names of sets
}

// FillLabelSets gives the queue the sets of words that the flags name.
func (f *Options) FillLabelSets(a *project.Project, q *annotate.Queue) error {
	if from := q.Rule.From; f.Labels+f.Tags != "" && (from == annotate.FromPairs || from == annotate.FromCriteria || f.Gold != "") {
		return errors.New("--labels and --tags are for responses that people label: they go with neither --from pairs, --from criteria nor --gold (make a queue of its own for those)")
	}
	c, err := a.LoadConfig()
	if err != nil {
		return err
	}
	if q.Labels, err = config.FindLabelSet(c, "labels", f.Labels); err == nil {
		q.Tags, err = config.FindLabelSet(c, "tags", f.Tags)
	}
	return err
}

// readItemOrder reads in which order items come, and whose readings are compared.
func (f *Options) readItemOrder(r *annotate.Rule) (err error) {
	if f.Order != "" {
		if r.Order, err = annotate.ParseOrder(f.Order); err != nil {
			return err
		}
	}
	if r.Order.ComparesExtractors() && r.From == annotate.FromPairs {
		return fmt.Errorf("--order %s is for predictions: pairs have no extracted answers to compare", r.Order)
	}
	if err := f.readUncertainDraw(r); err != nil {
		return err
	}
	if r.Order.IsTargeted() && r.Whole {
		return fmt.Errorf("--order %s takes predictions one by one, and --whole all of a question: give one", r.Order)
	}
	if r.Among = f.Among; len(f.Among) > 0 && (!r.ComparesExtractors() || r.Order.IsOfJudges()) {
		return fmt.Errorf("--among names the rule sets that are compared: give --order disagreement or --from disagreements with it, or --order uncertain")
	}
	return nil
}

// readUncertainDraw reads the mixture of a draw by uncertainty.
func (f *Options) readUncertainDraw(r *annotate.Rule) error {
	share, err := annotate.DefaultUniform, error(nil)
	if f.Uniform != "" {
		share, err = strconv.ParseFloat(f.Uniform, 64)
	}
	switch {
	case r.Order != annotate.ByUncertainty && f.Uniform != "":
		return fmt.Errorf("--uniform %s: give --order uncertain with it", f.Uniform)
	case r.Order != annotate.ByUncertainty:
		return nil
	case err != nil || !(share >= annotate.LeastUniform && share <= 1):
		return fmt.Errorf("--uniform %q: want a share of at least %v and at most 1: with less, what extractors agree on is hardly looked at", f.Uniform, annotate.LeastUniform)
	case r.PerLevel > 0:
		return fmt.Errorf("--order uncertain draws from all groups together: give --sample in place of --per")
	case r.From != annotate.FromAll && r.From != annotate.FromUnparsable:
		return fmt.Errorf("--order uncertain draws from all predictions, or from unparsed ones: give --from all")
	}
	r.Drawing.Uniform = share
	return nil
}

// readStratum reads what the labels may be used for. Whoever names the stratum says how a list,
// or a filter for interest, came about; the order by disagreement leaves nothing to say.
func (f *Options) readStratum(r *annotate.Rule) (annotate.Stratum, error) {
	learns := r.Order.IsTargeted()
	s := eval.Either(learns || f.IDs != "" || r.From == annotate.FromDisagreements, annotate.Priority, annotate.Random)
	if f.Stratum == "" {
		return s, nil
	}
	s, err := annotate.ParseStratum(f.Stratum)
	if err == nil && learns && s == annotate.Random {
		return s, fmt.Errorf("--sampling random: what is differed on comes first, so its labels say nothing about the others and feed no rate; --order %s is of targeted sampling", r.Order)
	}
	return s, err
}

// insertGold puts known answers among what was drawn, where they are asked for.
func (f *Options) insertGold(ctx context.Context, st *store.Store, q *annotate.Queue, drawn []annotate.QueueItem) ([]annotate.QueueItem, []annotate.Gold, error) {
	if f.Gold == "" {
		return drawn, nil, nil
	}
	if q.Growing {
		return nil, nil, errors.New("--gold: a queue that grows takes no known answers, since their share of it is not known yet; draw from whole runs")
	}
	m, err := newGoldSource(ctx, st, q, f.Gold, cmp.Or(f.GoldFile, f.Gold))
	if err != nil {
		return nil, nil, err
	}
	items, golds := sample.InsertGold(drawn, m.golds, f.rate, q.Rule.Seed)
	return items, golds, nil
}

// readQualityControl reads what watches over labels while they are given: people who are
// asked where others differ, and items whose answer is known.
func (f *Options) readQualityControl(q *annotate.Queue) (err error) {
	if q.Extra = f.Extra; f.Extra < 0 || f.Extra > 0 && f.Overlap < 2 {
		return fmt.Errorf("--extra %d: one more person is asked where those of --overlap differ, which takes at least two", f.Extra)
	}
	if f.Gold == "" {
		if f.GoldRate != "" {
			return fmt.Errorf("--gold-rate %s: give the known answers with --gold", f.GoldRate)
		}
		return nil
	}
	switch f.From {
	case annotate.FromPairs.String():
		return fmt.Errorf("--gold is for labels: a vote is an opinion, and no answer of it is known")
	case annotate.FromCriteria.String():
		return fmt.Errorf("--gold is for labels: a queue of criteria takes no known answers")
	}
	f.rate = goldShare
	if f.GoldRate != "" {
		share, err := strconv.ParseFloat(strings.TrimSuffix(f.GoldRate, "%"), 64)
		if f.rate = share / 100; err != nil || !strings.HasSuffix(f.GoldRate, "%") || share <= 0 || share > 50 {
			return fmt.Errorf("--gold-rate %q: want a rate above 0%% and up to 50%%", f.GoldRate)
		}
	}
	return nil
}

// findComparedRuns finds the runs that the flags ask to compare.
func (f *Options) findComparedRuns(ctx context.Context, st *store.Store, d eval.DatasetName) (*comparedRuns, error) {
	on, err := facts.NewRunSet(st, d, f.Runs)
	if err != nil {
		return nil, err
	}
	m := &comparedRuns{}
	named := f.Models
	if f.Anchor != "" {
		m.anchor, err = on.FindRunOfModel(f.Anchor)
	} else {
		m.anchor, err = on.FindJudgesAnchor(ctx, st, named)
	}
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		named = on.ModelsToCompare()
	}
	for _, name := range named {
		run, err := on.FindRunOfModel(name)
		if err != nil {
			return nil, err
		}
		if run.ID != m.anchor.ID && !slices.ContainsFunc(m.models, func(r eval.Run) bool { return r.ID == run.ID }) {
			m.models = append(m.models, run)
		}
	}
	switch n := len(m.models); {
	case m.anchor.ID != 0 && n > 0:
	case m.anchor.ID == 0 && n == 2:
		m.models, m.anchor, m.each = m.models[:1], m.models[1], true
	case m.anchor.ID == 0 && n > 2:
		return nil, cli.NewUsageError(fmt.Errorf("%s are to be compared, and no votes tell with which: name that one with --anchor (models: %s)", cli.FormatCount(n, "model"), cli.JoinFirstNames(modelNames(m.models))))
	default:
		return nil, cli.NewUsageError(fmt.Errorf("a pair needs two models: name another one with --model or --anchor (models on dataset %s: %s)", d, cli.JoinFirstNames((&facts.RunSet{Runs: on.Runs}).ModelsToCompare())))
	}
	return m, nil
}

// InputFiles are those that the draw reads by itself.
func (f *Options) InputFiles() []string { return eval.Either(f.Gold == "", nil, []string{f.Gold}) }

// NewUndrawnQueue reads the flags into a queue that is not drawn yet.
func (f *Options) NewUndrawnQueue(name string, now time.Time, read cli.Opener) (annotate.Queue, error) {
	if err := cli.CheckOneLineName("queue", name); err != nil {
		return annotate.Queue{}, err
	}
	q := annotate.Queue{Name: annotate.QueueName(name), Overlap: f.Overlap, By: annotate.Annotator(f.By), Stratum: annotate.Random}
	q.Rule = annotate.Rule{Dataset: eval.DatasetName(f.Dataset), Rules: f.Rules, Seed: f.Seed, Whole: f.Whole, Runs: facts.RunIDs(f.Runs)}
	if err := f.readQualityControl(&q); err != nil {
		return q, err
	}
	if f.Overlap < 1 {
		return q, fmt.Errorf("--overlap %d: at least one person labels each item", f.Overlap)
	}
	var err error
	from := eval.Either(f.Labels+f.Tags != "", annotate.FromAll.String(), "unparsed")
	if q.Rule.From, err = annotate.ParseFrom(cmp.Or(f.From, from)); err != nil {
		return q, err
	}
	switch pairs := q.Rule.From == annotate.FromPairs; {
	case pairs && f.Whole:
		return q, fmt.Errorf("--whole is for predictions: of a drawn sample all pairs are taken anyway")
	case pairs:
		q.Rule.Rules, q.Criteria = "", f.Criteria
	case f.Criteria || f.Anchor != "":
		return q, fmt.Errorf("--criteria and --anchor are for pairs of answers: give --from pairs with them")
	}
	if err := f.readSampleSize(&q.Rule); err != nil {
		return q, err
	}
	if f.IDs != "" {
		if q.Rule.IDs, err = readIDs(f.IDs, read); err != nil {
			return q, err
		}
	}
	if err := f.readItemOrder(&q.Rule); err != nil {
		return q, err
	}
	if q.Stratum, err = f.readStratum(&q.Rule); err != nil {
		return q, err
	}
	if f.Guideline != "" {
		text, err := ReadGuideline(f.Guideline, read)
		if err != nil {
			return q, err
		}
		if q.Guideline, err = q.Guideline.NextVersion(text, q.By, now); err != nil {
			return q, fmt.Errorf("read guideline %s: %w", f.Guideline, err)
		}
	}
	return q, nil
}

func (f *Options) readSampleSize(r *annotate.Rule) (err error) {
	if f.Sample != "" && f.Per != "" {
		return fmt.Errorf("--sample and --per both say how many: give one")
	}
	if f.Per != "" {
		r.Level, r.PerLevel, err = annotate.ParseLevelCount(f.Per)
		return err
	}
	if f.Sample == "" {
		return nil
	}
	if share, ok := strings.CutSuffix(f.Sample, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || p <= 0 || p > 100 {
			return fmt.Errorf("--sample %q: want a rate above 0%% and up to 100%%", f.Sample)
		}
		r.Rate = p / 100
		return nil
	}
	if r.Number, err = strconv.Atoi(f.Sample); err != nil || r.Number < 1 {
		return fmt.Errorf("--sample %q: want a rate like 10%% or a number like 200", f.Sample)
	}
	return nil
}

func readIDs(path string, read cli.Opener) ([]eval.SampleID, error) {
	text, err := read(path, bound.Source)
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

// ReadGuideline reads a guideline from a file.
func ReadGuideline(path string, read cli.Opener) (string, error) {
	text, err := read(path, bound.Text)
	switch {
	case err != nil:
		return "", fmt.Errorf("read guideline: %w", err)
	case !utf8.Valid(text):
		return "", fmt.Errorf("read guideline: %s is no UTF-8 text", path)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}

// CreateDrawnPairs draws a queue of pairs of answers.
func CreateDrawnPairs(ctx context.Context, a *project.Project, st *store.Store, q annotate.Queue, f *Options) error {
	if _, err := st.Datasets().Dataset(q.Rule.Dataset); err != nil {
		return err
	}
	if err := requireKnownIDs(st, &q.Rule); err != nil {
		return err
	}
	m, err := f.findComparedRuns(ctx, st, q.Rule.Dataset)
	if err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	m.keepRunsInRule(&q.Rule)
	if _, err := requireWholeRuns(a, st, &q.Rule, m.allRuns()); err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	p := newPairPopulation(st, &q.Rule, m)
	if err := p.readAnchorAnswers(ctx); err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	items, size, err := sample.DrawItems(q.Rule, p.eachCandidate(ctx))
	switch {
	case err != nil:
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	case len(items) == 0:
		return fmt.Errorf("create queue %s: nothing to draw: of %s none was chosen%s", q.Name, cli.FormatCount(size, "pair"), p.describeLeftOut("; left out: "))
	}
	q.Items, q.Population, q.Created = len(items), size, a.Now()
	q.Synthetic = slices.ContainsFunc(m.allRuns(), func(r eval.Run) bool { return r.Config.Synthetic })
	if err := storeQueue(ctx, st, q, items); err != nil {
		return err
	}
	return printPairsCreated(a, &q, m, p, items)
}

func printPairsCreated(a *project.Project, q *annotate.Queue, m *comparedRuns, p *pairPopulation, items []annotate.QueueItem) error {
	samples, bare := p.countSamplesOfItems(items)
	if q.Criteria && bare > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %d of %s have no criteria yet: people see none there until they are written\n", bare, cli.FormatCount(samples, "sample"))
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{
			"queue": q.Name, "dataset": q.Rule.Dataset, "from": q.Rule.From.String(), "models": modelNames(m.models), "anchor": m.anchor.Config.Model,
			"each": q.Rule.Anchor == 0, "criteria": q.Criteria, "rate": q.Rule.Rate, "number": q.Rule.Number, "level": q.Rule.Level, "per_level": q.Rule.PerLevel,
			"items": len(items), "samples": samples, "without_criteria": bare, "population": q.Population, "left_out": p.leftOut,
			"stratum": q.Stratum.String(), "overlap": q.Overlap, "extra": q.Extra, "seed": q.Rule.Seed,
		})
	}
	_, err := fmt.Fprintf(a.Out, "queue %s: %d of %s, of %s, against %s%s. Vote on them with: concord vote --queue %s\n",
		cli.EscapeControls(string(q.Name)), len(items), cli.FormatCount(q.Population, "pair"), cli.FormatCount(samples, "sample"),
		cli.EscapeControls(m.anchor.Config.Model), cli.EscapeControls(p.describeLeftOut("; left out: ")), cli.QuoteForShell(string(q.Name)))
	return err
}

type comparedRuns struct {
	models []eval.Run
	anchor eval.Run
	each   bool // nobody is the anchor: two models are set against each other
}

func (m *comparedRuns) allRuns() []eval.Run { return append(slices.Clone(m.models), m.anchor) }

// keepRunsInRule has a queue's rule keep the runs.
func (m *comparedRuns) keepRunsInRule(r *annotate.Rule) {
	r.Runs = eval.Map(m.models, func(run eval.Run) eval.RunID { return run.ID })
	if m.each {
		r.Runs = append(r.Runs, m.anchor.ID)
	} else {
		r.Anchor = m.anchor.ID
	}
}

func modelNames(runs []eval.Run) []string {
	return eval.Map(runs, func(r eval.Run) string { return r.Config.Model })
}
