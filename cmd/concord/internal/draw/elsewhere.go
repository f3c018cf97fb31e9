package draw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"concord/annotate"
	"concord/annotate/sample"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// DrawnElsewhere says how the items of a file of labels were drawn: the flags of import labels, as typed.
type DrawnElsewhere struct {
	Of, Dataset, Rules, Probability, Weight string
	Models                                  []string
	Runs                                    []uint
	Seed                                    uint64
	By                                      annotate.Annotator
}

// DeclaredDesign is what the flags declare of a file's items.
func (f *DrawnElsewhere) DeclaredDesign(path string) annotate.Design {
	return annotate.Design{File: filepath.Base(path), Column: cmp.Or(f.Probability, f.Weight), Weights: f.Weight != "", Seed: f.Seed}
}

// CheckFlags says what is wrong with the flags together, of which changed tells those that were given.
func (f *DrawnElsewhere) CheckFlags(changed func(flag string) bool, own ...string) error {
	for _, name := range append(own, "probability", "weight", "seed") {
		if f.Of == "" && changed(name) {
			return cli.NewUsageError(fmt.Errorf("--%s goes with --sample-of, which says what the sample was drawn from", name))
		}
	}
	if f.Probability != "" && f.Weight != "" {
		return cli.NewUsageError(errors.New("--probability and --weight: a weight is 1 over the probability; give one"))
	}
	return nil
}

// newDeclaredQueue gives the queue that the flags declare, without what the file holds.
func (f *DrawnElsewhere) newDeclaredQueue(name annotate.QueueName, path string) (q annotate.Queue, err error) {
	q = annotate.Queue{
		Name: name, Stratum: annotate.Random, By: f.By,
		Rule:   annotate.Rule{Dataset: eval.DatasetName(f.Dataset), Rules: f.Rules, Seed: f.Seed, Runs: facts.RunIDs(f.Runs)},
		Design: f.DeclaredDesign(path),
	}
	if q.Rule.From, err = annotate.ParseFrom(f.Of); err != nil || q.Rule.From != annotate.FromAll && q.Rule.From != annotate.FromUnparsable {
		return q, cli.NewUsageError(fmt.Errorf("--sample-of %q: want %s or %s", f.Of, annotate.FromAll, annotate.FromUnparsable))
	}
	if f.Dataset == "" {
		return q, cli.NewUsageError(errors.New("--sample-of takes --dataset, whose predictions the sample was drawn from"))
	}
	return q, nil
}

// ImportSample imports the labels of a sample that was drawn elsewhere into a queue of its own. The
// file is judged as a whole before anything is written: a row that cannot be taken refuses it, and rows
// on what is not of the population are skipped. The same file once more adds nothing.
func ImportSample(ctx context.Context, a *project.Project, st *store.Store, name annotate.QueueName, path string, f *DrawnElsewhere) error {
	q, err := f.newDeclaredQueue(name, path)
	if err != nil {
		return err
	}
	in, items, err := f.prepareLabelImport(ctx, a, st, &q, path)
	if err == nil && in.Holds != nil {
		err = storeQueue(ctx, st, q, items)
	}
	if err == nil {
		err = in.Commit(ctx)
	}
	if err != nil {
		return fmt.Errorf("import labels: %w", err)
	}
	in.Sum.Sample = exchange.DescribeDeclaredSample(&in.Queue)
	return exchange.PrintRowsImported(a, in.Sum)
}

// prepareLabelImport makes the queue of the file, and its labels. Nothing is stored.
func (f *DrawnElsewhere) prepareLabelImport(ctx context.Context, a *project.Project, st *store.Store, q *annotate.Queue, path string) (*exchange.LabelImporter, []annotate.QueueItem, error) {
	reader, err := facts.FindRules(q.Rule.Rules)
	if err != nil {
		return nil, nil, err
	}
	q.Rule.Rules = eval.ReaderID(reader)
	runs, err := findRunsOfRule(st, &q.Rule, f.Models)
	if err != nil {
		return nil, nil, err
	}
	for _, run := range runs {
		q.Synthetic = q.Synthetic || run.Config.Synthetic
		if why, err := facts.WhyUnfinished(st, run); err != nil || why != "" {
			return nil, nil, cmp.Or(err, fmt.Errorf("a sample is of whole runs, and %s", why))
		}
	}
	index, err := facts.NewNamedRunSet(st, q.Rule.Dataset, q.Rule.Runs)
	if err != nil {
		return nil, nil, err
	}
	p := population{st: st, rule: &q.Rule, reader: reader, runs: runs}
	all, err := eval.IndexRead(p.eachCandidate(ctx), func(c sample.Candidate) (eval.Key, bool) { return c.Key, true })
	if err != nil {
		return nil, nil, err
	}
	q.Population, q.Created = len(all), a.Now()
	s := &drawnRows{in: exchange.NewSampleImport(st, *q, index, path, a), design: &q.Design, all: all, chance: make(map[annotate.ItemKey]float64), who: make(map[exchange.PersonItem]int), people: make(map[annotate.ItemKey]int)}
	if err := s.readLabelFile(path); err != nil {
		return nil, nil, err
	}
	items := s.makeQueueItems(q)
	s.in.Queue = *q
	old, err := st.Queues().Queue(q.Name)
	switch {
	case errors.Is(err, eval.ErrNotFound):
	case err != nil:
		return nil, nil, err
	case !old.Design.IsDeclared() || !old.Design.IsSame(&q.Design) || old.Rule.Dataset != q.Rule.Dataset || old.Rule.From != q.Rule.From || old.Items != q.Items || old.Population != q.Population:
		return nil, nil, fmt.Errorf("queue %s is there already and was drawn otherwise, or of other items: %w; name another one with --queue", q.Name, annotate.ErrQueueExists)
	default:
		if s.in, err = exchange.NewLabelImport(st, q.Name, path, a); err != nil {
			return nil, nil, err
		}
	}
	if err := eval.Each(s.rows, func(row rowfile.LabelRow) error { return s.in.ImportRow(row, nil) }); err != nil {
		return nil, nil, err
	}
	s.in.Sum.Warnings += s.warnOfImplausibleWeights(a, q)
	return s.in, items, nil
}

type drawnRows struct {
	in     *exchange.LabelImporter
	design *annotate.Design
	all    map[eval.Key]bool // the population
	rows   []rowfile.LabelRow
	order  []annotate.ItemKey
	chance map[annotate.ItemKey]float64
	who    map[exchange.PersonItem]int // the line of each label
	people map[annotate.ItemKey]int
	lost   error // why the first row is not of the population
}

func (s *drawnRows) readLabelFile(path string) error {
	for row, err := range rowfile.ReadLabels(path, s.design.Column) {
		var problem *dataset.Problem
		if errors.As(err, &problem) {
			return fmt.Errorf("%w (%w)", err, exchange.ErrNoSample)
		}
		if err != nil {
			return err
		}
		if err := s.addDrawnRow(&row); err != nil {
			return fmt.Errorf("%s:%d: %w (%w)", filepath.Base(path), row.Line, err, exchange.ErrNoSample)
		}
		s.rows = append(s.rows, row)
	}
	if len(s.order) == 0 && s.lost == nil {
		return errors.New("the file has no row")
	}
	if len(s.order) == 0 {
		return fmt.Errorf("the file has no label of the population: %w", s.lost)
	}
	return nil
}

// addDrawnRow judges one row. What is not of the population is left to the import, which skips it.
func (s *drawnRows) addDrawnRow(row *rowfile.LabelRow) error {
	reading, err := exchange.ReadingOfRow(row)
	if err != nil {
		return err
	}
	k, err := s.in.FindLabelledPrediction(*row, reading)
	switch {
	case k == annotate.ItemKey{} || errors.Is(err, eval.ErrNotFound) || err == nil && !s.all[k.Key]:
		s.lost = cmp.Or(s.lost, err, fmt.Errorf("sample %s pass %d is not %s", row.Sample, row.Pass, s.in.Queue.Rule.From.DisplayName()))
		return nil
	case err != nil:
		return err
	case row.Ruling:
		return nil
	}
	label := exchange.PersonItem{Who: row.Annotator, Item: k}
	if line, twice := s.who[label]; twice {
		return fmt.Errorf("%s has labelled sample %s pass %d in line %d already: one person gives an item one label", row.Annotator, row.Sample, row.Pass, line)
	}
	s.who[label] = row.Line
	s.people[k]++
	chance := 0.0
	if s.design.IsUneven() {
		if chance, err = s.design.ParseInclusionProbability(row.Drawn); err != nil {
			return fmt.Errorf("sample %s %w", row.Sample, err)
		}
	}
	if old, seen := s.chance[k]; seen && old != chance {
		return fmt.Errorf("sample %s pass %d has another %s than in a row before", row.Sample, row.Pass, s.design.Column)
	} else if !seen {
		s.order = append(s.order, k)
	}
	s.chance[k] = chance
	return nil
}

// makeQueueItems are those of the queue, which learns how many there are.
func (s *drawnRows) makeQueueItems(q *annotate.Queue) []annotate.QueueItem {
	var out []annotate.QueueItem
	for i, k := range s.order {
		chance := eval.Either(s.design.IsUneven(), s.chance[k], float64(len(s.order))/float64(q.Population))
		out = append(out, annotate.QueueItem{Index: i, Key: k, Inclusion: chance})
		s.in.Holds[k] = true
		q.Overlap = max(q.Overlap, s.people[k])
	}
	q.Items = len(out)
	return out
}

// warnOfImplausibleWeights tells of weights that do not add up to about the population.
func (s *drawnRows) warnOfImplausibleWeights(a *project.Project, q *annotate.Queue) int {
	sum := 0.0
	for _, chance := range s.chance {
		sum += 1 / chance
	}
	if !s.design.IsUneven() || sum > float64(q.Population)/2 && sum < 2*float64(q.Population) {
		return 0
	}
	_, _ = fmt.Fprintf(a.Err, "concord: the weights add up to %.0f, and the population has %d: are they 1 over the probability of being drawn?\n", sum, q.Population)
	return 1
}
