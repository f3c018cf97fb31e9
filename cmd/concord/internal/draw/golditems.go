package draw

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// goldSource finds the items whose answer is known: in a file of labels, or in
// what people have agreed on in another queue.
type goldSource struct {
	st      *store.Store
	queue   *annotate.Queue
	runs    facts.RunIndex
	golds   []annotate.Gold
	known   map[annotate.ItemKey]annotate.Reading
	skipped map[string]int // reason -> rows, or items
}

// newGoldSource reads the known answers that --gold names: a queue, or a file, which lies
// at path.
func newGoldSource(ctx context.Context, st *store.Store, q *annotate.Queue, source, path string) (*goldSource, error) {
	runs, err := facts.IndexRuns(st, q.Rule.Dataset, q.Rule.Runs)
	if err != nil {
		return nil, err
	}
	m := &goldSource{st: st, queue: q, runs: runs, known: make(map[annotate.ItemKey]annotate.Reading), skipped: make(map[string]int)}
	from, err := st.Queues().Queue(annotate.QueueName(source))
	switch {
	case err == nil:
		err = m.readQueue(ctx, from)
	case errors.Is(err, eval.ErrNotFound):
		err = m.readFile(path)
	}
	if err == nil && len(m.golds) == 0 {
		err = fmt.Errorf("it knows the answer of no prediction that the queue could hold%s", formatReasons(m.skipped))
	}
	if err != nil {
		return nil, fmt.Errorf("read known answers of %s: %w", source, err)
	}
	return m, nil
}

func formatReasons(n map[string]int) string {
	out := ""
	for _, why := range slices.Sorted(maps.Keys(n)) {
		out += fmt.Sprintf("; %s: %d", why, n[why])
	}
	return out
}

// readFile reads rows in the shape of import labels; who labelled them, if it is
// said, means nothing. Two rows that contradict each other are an error: neither is known.
func (m *goldSource) readFile(path string) error {
	in := &exchange.LabelImporter{Store: m.st, Queue: *m.queue, Runs: m.runs}
	for row, err := range rowfile.ReadAnswers(path) {
		if err != nil {
			return err
		}
		reading, err := exchange.ReadReading(&row)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Base(path), row.Line, err)
		}
		k, err := in.FindPrediction(row, reading)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Base(path), row.Line, err)
		}
		if old, ok := m.known[k]; ok && old.Word() != reading.Word() {
			return fmt.Errorf("%s:%d: sample %s pass %d: another row knows another answer (%s)", filepath.Base(path), row.Line, row.Sample, row.Pass, old.Word())
		}
		m.addGold(k, reading, filepath.Base(path))
	}
	return nil
}

// readQueue takes what an adjudicator has settled in another queue, else what
// all people say, of whom there are as many as it asks for.
func (m *goldSource) readQueue(ctx context.Context, from annotate.Queue) error {
	if err := from.ForReadings(); err != nil {
		return err
	}
	if from.Rule.Dataset != m.queue.Rule.Dataset {
		return fmt.Errorf("queue %s is of dataset %s", from.Name, from.Rule.Dataset)
	}
	people, err := report.ReadStanding(ctx, facts.Source{Store: m.st}, from.Name)
	if err != nil {
		return err
	}
	basis := annotate.Basis{Policy: annotate.Adjudicated, Undecided: annotate.Dropped}
	for it, err := range m.st.Queues().QueueItems(ctx, from.Name) {
		if err != nil {
			return err
		}
		one := annotate.AlignItem{Key: it.Key, Labels: people.ByItem[it.Key], Ruling: people.RulingOn(it.Key), Excluded: people.Excluded[it.Key]}
		reading, why := basis.Resolve(&one)
		switch {
		case why != "":
			m.skipped[why]++
		case one.Ruling == nil && eval.Count(one.Labels, func(l annotate.Label) bool { return !l.Informed }) < from.WantedLabels():
			m.skipped["fewer labels than asked for"]++
		case !slices.ContainsFunc(m.runs.Runs, func(r eval.Run) bool { return r.ID == it.Key.Run }):
			m.skipped["of a run that is not drawn from"]++
		default:
			m.addGold(it.Key, reading, "queue "+string(from.Name))
		}
	}
	return nil
}

func (m *goldSource) addGold(k annotate.ItemKey, r annotate.Reading, from string) {
	if _, ok := m.known[k]; ok {
		return
	}
	m.known[k] = r
	m.golds = append(m.golds, annotate.Gold{Key: k, From: from, Reading: annotate.Reading{Kind: r.Kind, Choice: r.Choice, Score: r.Score}})
}

// goldShare is about how many of a queue's items have a known answer where
// nobody says otherwise.
const goldShare = 0.1
