package draw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/sample"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset/rowfile"
	"concord/eval/metric"
	"concord/store"
)

// pairPopulation is the population of a queue of pairs: the answers of each model
// beside the anchor's, on every sample that both have answered.
type pairPopulation struct {
	*comparedRuns
	st       *store.Store
	wanted   map[eval.SampleID]bool // empty: all
	leftOut  map[string]int         // why -> pairs
	anchored map[eval.Ordinal]string
	removed  map[eval.Ordinal]bool
	written  map[eval.Ordinal]bool // samples with criteria
}

func newPairPopulation(st *store.Store, r *annotate.Rule, m *comparedRuns) *pairPopulation {
	return &pairPopulation{
		comparedRuns: m, st: st, leftOut: make(map[string]int),
		wanted:   eval.IndexBy(r.IDs, func(id eval.SampleID) (eval.SampleID, bool) { return id, true }),
		anchored: make(map[eval.Ordinal]string), removed: make(map[eval.Ordinal]bool), written: make(map[eval.Ordinal]bool),
	}
}

// readAnchorAnswers finds what the anchor has answered, and what curators made of the samples.
func (p *pairPopulation) readAnchorAnswers(ctx context.Context) error {
	for q, err := range facts.ReadQuestionsOfRun(ctx, p.st, p.anchor) {
		if err != nil {
			return err
		}
		p.anchored[q.Sample.Ordinal] = whyUnanswered(&q, p.anchor.Config.Model)
	}
	for set, err := range p.st.Criteria().All(ctx, p.anchor.Config.Dataset) {
		if err != nil {
			return err
		}
		p.removed[set.Sample] = set.Removed != nil
		p.written[set.Sample] = len(set.Criteria()) > 0
	}
	return nil
}

// whyUnanswered is why a question has no answer that could be voted on; "" when it has one.
func whyUnanswered(q *eval.Question, model string) string {
	at := slices.IndexFunc(q.Predictions, func(p eval.Prediction) bool { return p.Pass == 0 })
	switch {
	case at < 0:
		return "no answer by " + model
	case q.Predictions[at].Failure != nil:
		return "call of " + model + " failed"
	}
	return ""
}

const discardedSample = "discarded sample"

func (p *pairPopulation) eachCandidate(ctx context.Context) iter.Seq2[sample.Candidate, error] {
	return func(yield func(sample.Candidate, error) bool) {
		for _, run := range p.models {
			for q, err := range facts.ReadQuestionsOfRun(ctx, p.st, run) {
				if err != nil {
					yield(sample.Candidate{}, err)
					return
				}
				if c, ok := p.makeCandidate(run, &q); ok && !yield(c, nil) {
					return
				}
			}
		}
	}
}

// makeCandidate makes the pair of a run's answer and the anchor's, or false, and
// counted, where there is none.
func (p *pairPopulation) makeCandidate(run eval.Run, q *eval.Question) (c sample.Candidate, ok bool) {
	if len(p.wanted) > 0 && !p.wanted[q.Sample.ID] {
		return c, false
	}
	why := eval.Either(p.removed[q.Sample.Ordinal], discardedSample, cmp.Or(whyUnanswered(q, run.Config.Model), p.anchored[q.Sample.Ordinal]))
	if why != "" {
		p.leftOut[why]++
		return c, false
	}
	return sample.Candidate{Key: eval.Key{Run: run.ID, Sample: q.Sample.Ordinal}, Against: p.anchor.ID, Sample: q.Sample.ID, Taxonomy: q.Sample.Taxonomy}, true
}

// describeLeftOut says which pairs were left out, and why; "" when none was.
func (p *pairPopulation) describeLeftOut(before string) string {
	parts := eval.Map(slices.Sorted(maps.Keys(p.leftOut)), func(why string) string {
		return fmt.Sprintf("%d (%s)", p.leftOut[why], why)
	})
	return eval.Either(len(parts) == 0, "", before+strings.Join(parts, ", "))
}

// countSamplesOfItems counts how many samples the items are about, and how many of these have no criteria.
func (p *pairPopulation) countSamplesOfItems(items []annotate.QueueItem) (n, bare int) {
	seen := eval.IndexBy(items, func(it annotate.QueueItem) (eval.Ordinal, bool) { return it.Key.Sample, p.written[it.Key.Sample] })
	return len(seen), eval.Count(slices.Collect(maps.Values(seen)), func(written bool) bool { return !written })
}

// goldSource finds the items whose answer is known: in a file of labels, or in
// what people have agreed on in another queue.
type goldSource struct {
	st      *store.Store
	queue   *annotate.Queue
	runs    *facts.RunSet
	golds   []annotate.Gold
	known   map[annotate.ItemKey]annotate.Reading
	skipped map[string]int // reason -> rows, or items
}

// newGoldSource reads the known answers that --gold names: a queue, or a file, which lies at path.
func newGoldSource(ctx context.Context, st *store.Store, q *annotate.Queue, source, path string) (*goldSource, error) {
	runs, err := facts.NewNamedRunSet(st, q.Rule.Dataset, q.Rule.Runs)
	if err != nil {
		return nil, err
	}
	m := &goldSource{st: st, queue: q, runs: runs, known: make(map[annotate.ItemKey]annotate.Reading), skipped: make(map[string]int)}
	from, err := st.Queues().Queue(annotate.QueueName(source))
	switch {
	case err == nil:
		err = m.takeGoldFromQueue(ctx, from)
	case errors.Is(err, eval.ErrNotFound):
		err = m.readGoldFile(path)
	}
	if err == nil && len(m.golds) == 0 {
		reasons := eval.Map(slices.Sorted(maps.Keys(m.skipped)), func(why string) string { return fmt.Sprintf("; %s: %d", why, m.skipped[why]) })
		err = fmt.Errorf("it knows the answer of no prediction that the queue could hold%s", strings.Join(reasons, ""))
	}
	return m, eval.WrapError(err, "read known answers of %s", source)
}

// readGoldFile reads rows in the shape of import labels; who labelled them, if it is
// said, means nothing. Two rows that contradict each other are an error: neither is known.
func (m *goldSource) readGoldFile(path string) error {
	in := &exchange.LabelImporter{Store: m.st, Queue: *m.queue, Runs: m.runs}
	return eval.EachRead(rowfile.ReadKnownAnswers(path), func(row rowfile.LabelRow) error {
		reading, err := exchange.ReadingOfRow(&row)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Base(path), row.Line, err)
		}
		k, err := in.FindLabelledPrediction(row, reading)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Base(path), row.Line, err)
		}
		if old, ok := m.known[k]; ok && old.Word() != reading.Word() {
			return fmt.Errorf("%s:%d: sample %s pass %d: another row knows another answer (%s)", filepath.Base(path), row.Line, row.Sample, row.Pass, old.Word())
		}
		m.addGold(k, reading, filepath.Base(path))
		return nil
	})
}

// takeGoldFromQueue takes what an adjudicator has settled in another queue, else what
// all people say, of whom there are as many as it asks for.
func (m *goldSource) takeGoldFromQueue(ctx context.Context, from annotate.Queue) error {
	if err := from.CheckTakesReadings(); err != nil {
		return err
	}
	if from.Rule.Dataset != m.queue.Rule.Dataset {
		return fmt.Errorf("queue %s is of dataset %s", from.Name, from.Rule.Dataset)
	}
	people, err := report.ReadStandingLabels(ctx, facts.NewSource(m.st), from.Name)
	if err != nil {
		return err
	}
	basis := annotate.Basis{Policy: annotate.Adjudicated, Undecided: annotate.Dropped}
	for it, err := range m.st.Queues().QueueItems(ctx, from.Name) {
		if err != nil {
			return err
		}
		one := annotate.AlignItem{Key: it.Key, Labels: people.ByItem[it.Key], Ruling: people.RulingOn(it.Key), Excluded: people.Excluded[it.Key]}
		reading, why := basis.ResolveItem(&one)
		switch {
		case why != "":
			m.skipped[why]++
		case one.Ruling == nil && eval.Count(one.Labels, func(l annotate.Label) bool { return !l.Informed }) < from.WantedLabelsIfAgreed():
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

// goldShare is about how many of a queue's items have a known answer where nobody says otherwise.
const goldShare = 0.1

// isKnownWrong reports whether a prediction is known to be wrong: the ground truth is not what
// the rules read in it or, where they find nothing, what the last judge does.
func (p *population) isKnownWrong(q *eval.Question, pr *eval.Prediction) bool {
	read := (&metric.Scheme{Rules: p.reader}).ReadPrediction(&q.Sample, pr)
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == pr.Key && j.HasReply() && !read.Rules.IsFound() && eval.JudgeOfCandidate(j.Judge) == "" {
			read.Combined = j.Extraction
		}
	}
	return read.Answer != "" && read.Combined.Status != eval.StatusUnset && !read.IsRight()
}

// compareWithMetric gives how far judges are from the dataset's own metric on a
// response, from 0 to 1 in the mean over judges: 0 where none has a say. A judge
// gives a score from 1 to eval.TopScore, or a choice, which is right or not.
func (p *population) compareWithMetric(q *eval.Question, pr *eval.Prediction) (float64, error) {
	read := (&metric.Scheme{Rules: p.reader}).ReadPrediction(&q.Sample, pr)
	isRight := func(e eval.Extraction) (score float64) {
		if read.Combined = e; read.IsRight() {
			score = 1
		}
		return score
	}
	measured, ok := metric.ScoreAnswer(&q.Sample, pr.Text)
	if !ok {
		measured = isRight(read.Rules)
	}
	if !ok && read.Answer == "" {
		return 0, nil
	}
	said := make(map[string]float64) // by judge; the newest comes last
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == pr.Key && j.HasReply() && read.Answer != "" && eval.JudgeOfCandidate(j.Judge) == "" {
			said[j.Judge] = isRight(j.Extraction)
		}
	}
	scores, err := p.st.Scores().OfPrediction(pr.Key)
	for _, s := range scores {
		if s.Value > 0 && eval.JudgeOfCandidate(s.Judge) == "" { // the reply held one
			said[s.Judge] = float64(s.Value-1) / (eval.TopScore - 1)
		}
	}
	sum := 0.0
	for _, score := range said {
		sum += math.Abs(score-measured) / float64(len(said))
	}
	return sum, err
}
