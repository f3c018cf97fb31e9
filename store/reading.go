package store

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"

	"concord/eval"
	"concord/store/column"
	"concord/store/file"
	"concord/store/record"
)

// Readings yields what Questions does, read by a rule set, out of columns where there are some: samples
// and predictions have no texts then. There are no judgments. Columns that are missing, or of other
// records than there are now, are built meanwhile and kept. Where figures need texts, all are there.
func (r *Runs) Readings(ctx context.Context, run eval.Run, rules eval.Reader) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		now, ok := readRecordSums(r.s.file, run)
		if !ok {
			r.Questions(ctx, run)(yield)
			return
		}
		b := columnBuild{runs: r, run: run, rules: rules, id: eval.ReaderID(rules), of: now, samples: r.s.samples.loadColumns(r.s.columns, run.Config.Dataset, now.samples)}
		switch have := b.samples; {
		case have != nil && have.Texts:
			r.Questions(ctx, run)(yield)
		case have != nil && !eval.IsVolatile(rules) && r.s.columns.Load(b.name(), b.versionKey(), &b.readings) && b.readings.FitsSamples(have):
			r.s.samples.setOptions(nil)
			b.yieldFromColumns(ctx, yield)
		default:
			b.buildColumns(ctx, yield)
		}
	}
}

// recordSums are those of what columns are made of.
type recordSums struct{ samples, predictions record.Sum }

// readRecordSums gives the sums of a run's records; false where nothing vouches for
// them, or damage is to be told.
func readRecordSums(f *file.File, run eval.Run) (now recordSums, ok bool) {
	samples, sealed, err := f.GroupSum(record.TableSamples, record.AppendName(nil, string(run.Config.Dataset)))
	predictions, _, perr := f.GroupSum(record.TablePredictions, record.RunKey(run.ID))
	return recordSums{samples, predictions}, sealed && err == nil && perr == nil && samples.Records > 0
}

// sampleColumns are those of the dataset that was read last.
type sampleColumns struct {
	mu      sync.Mutex
	name    string
	have    *column.Samples
	options [][]eval.Option // of the samples, while columns are built of one run after the other; nil otherwise
}

func (c *sampleColumns) setOptions(o [][]eval.Option) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.options = o
}

// withOptions yields the samples with their options; nil where these are not at hand.
func (c *sampleColumns) withOptions(of *column.Samples) iter.Seq2[eval.Sample, error] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if options := c.options; of != nil && of == c.have && len(options) == len(of.Which) {
		return func(yield func(eval.Sample, error) bool) {
			var s eval.Sample
			for i := range options {
				of.ReadSample(i, &s)
				if s.Options = options[i]; !yield(s, nil) {
					return
				}
			}
		}
	}
	return nil
}

// optionsAtHand is how many bytes of options are kept while columns are built, about. A dataset of
// longer ones is read again for each run.
const optionsAtHand = 1 << 27

func sampleColumnsName(d eval.DatasetName, of record.Sum) (what, version string) {
	return "samples " + string(d), fmt.Sprint(of)
}

// loadColumns gives the columns of a dataset; nil where there are none.
func (c *sampleColumns) loadColumns(in column.Folder, d eval.DatasetName, sum record.Sum) *column.Samples {
	c.mu.Lock()
	defer c.mu.Unlock()
	what, version := sampleColumnsName(d, sum)
	if c.have != nil && c.name == what+version {
		return c.have
	}
	var have column.Samples
	if !in.Load(what, version, &have) || len(have.Which) != sum.Records {
		return nil
	}
	c.name, c.have, c.options = what+version, &have, nil
	return c.have
}

func (c *sampleColumns) keepColumns(in column.Folder, d eval.DatasetName, sum record.Sum, have *column.Samples) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	what, version := sampleColumnsName(d, sum)
	c.name, c.have, c.options = what+version, have, nil
	return in.Save(what, version, have)
}

// columnBuild is a run on its way out of columns, or into them.
type columnBuild struct {
	runs     *Runs
	run      eval.Run
	rules    eval.Reader
	id       string // of the rules
	of       recordSums
	samples  *column.Samples // nil: they are built, too
	readings column.Readings
}

func (b *columnBuild) name() string { return fmt.Sprintf("extracted %d %s", b.run.ID, b.rules.Name()) }

func (b *columnBuild) versionKey() string { return fmt.Sprint(b.id, b.of) }

func (b *columnBuild) yieldFromColumns(ctx context.Context, yield func(eval.Question, error) bool) {
	const some = 1024
	var room []eval.Prediction
	var q eval.Question
	at := 0
	for o := range b.samples.Which {
		if o%some == 0 && ctx.Err() != nil {
			yield(eval.Question{}, context.Cause(ctx))
			return
		}
		if cap(room)-len(room) < 32 {
			room = make([]eval.Prediction, 0, some)
		}
		b.samples.ReadSample(o, &q.Sample)
		at = b.readings.ReadPredictions(b.run.ID, &q, at, room)
		room = room[:len(room)+len(q.Predictions)]
		if !yield(q, nil) {
			return
		}
	}
}

// questionBatch is questions that are read together.
type questionBatch struct {
	questions []eval.Question
	errs      []error // of each question
	read      chan struct{}
}

// collectAt is the garbage, in percent of what is live, at which it is collected while columns are built:
// all texts of a run are garbage soon, and little else.
const collectAt = 200

// buildColumns yields questions with their texts, reads them on all processors, and
// keeps what was read once all of it is.
func (b *columnBuild) buildColumns(ctx context.Context, yield func(eval.Question, error) bool) {
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	workers := max(1, runtime.GOMAXPROCS(0))
	work, order := make(chan *questionBatch, 2*workers), make(chan *questionBatch, 2*workers)
	done := make(chan *questionBatch, 6*workers) // to be filled again
	for range workers {
		wg.Go(func() {
			for l := range work {
				b.readBatch(l)
				close(l.read)
			}
		})
	}
	wg.Go(func() {
		defer close(order)
		defer close(work)
		b.distribute(ctx, work, order, done)
	})
	fresh, whole := new(column.Samples), true
	if b.samples == nil {
		fresh.Grow(b.of.samples.Records)
	}
	b.readings.Grow(b.of.predictions.Records)
	var options [][]eval.Option
	room := optionsAtHand
	for l := range order {
		<-l.read
		for i := range l.questions {
			q := &l.questions[i]
			whole = whole && l.errs[i] == nil && (b.samples != nil || fresh.AddSample(&q.Sample))
			for _, o := range q.Sample.Options {
				room -= len(o.Text) + 64
			}
			if options = append(options, q.Sample.Options); room < 0 {
				options = nil
			}
			for j := range q.Predictions {
				if p := &q.Predictions[j]; whole {
					b.readings.AddPrediction(&q.Sample, p, &eval.Extracted{Reader: b.id, Extraction: p.Extracted.Extraction, Bare: true})
				}
			}
			if !yield(*q, l.errs[i]) {
				return
			}
		}
		select {
		case done <- l:
		default:
		}
	}
	if now, ok := readRecordSums(b.runs.s.file, b.run); whole && ok && now == b.of && ctx.Err() == nil {
		b.keepColumns(fresh)
		b.runs.s.samples.setOptions(options)
	}
}

// distribute hands questions out in their order, to be read and to be yielded.
func (b *columnBuild) distribute(ctx context.Context, work, order chan<- *questionBatch, done <-chan *questionBatch) {
	const size = 256
	fresh := func() *questionBatch {
		select {
		case l := <-done:
			return &questionBatch{l.questions[:0], l.errs[:0], make(chan struct{})}
		default:
			return &questionBatch{make([]eval.Question, 0, size), make([]error, 0, size), make(chan struct{})}
		}
	}
	l := fresh()
	send := func() bool {
		select {
		case order <- l:
			work <- l
		case <-ctx.Done():
			return false
		}
		l = fresh()
		return true
	}
	for q, err := range b.runs.joinQuestions(ctx, b.run, b.runs.s.samples.withOptions(b.samples), false) {
		l.questions, l.errs = append(l.questions, q), append(l.errs, err)
		if len(l.questions) == size && !send() {
			return
		}
	}
	if len(l.questions) > 0 {
		send()
	}
}

func (b *columnBuild) readBatch(l *questionBatch) {
	extracted := make([]eval.Extracted, 0, eval.Sum(l.questions, func(q eval.Question) int { return len(q.Predictions) }))
	for i := range l.questions {
		q := &l.questions[i]
		for j := range q.Predictions {
			p := &q.Predictions[j]
			extracted = append(extracted, eval.Extracted{Reader: b.id, Extraction: eval.ReadPrediction(b.rules, &q.Sample, p)})
			p.Extracted = &extracted[len(extracted)-1]
		}
	}
}

// keepColumns keeps columns for the next time. Without them the next time takes longer,
// and nothing else: a folder that cannot be written is no error.
func (b *columnBuild) keepColumns(fresh *column.Samples) {
	s := b.runs.s
	var err error
	if b.samples == nil {
		err = s.samples.keepColumns(s.columns, b.run.Config.Dataset, b.of.samples, fresh)
		b.samples = fresh
	}
	if err == nil && !b.samples.Texts && !eval.IsVolatile(b.rules) {
		err = s.columns.Save(b.name(), b.versionKey(), &b.readings)
	}
	if err != nil {
		s.log.Warn("keep columns", "run", b.run.ID, "err", err)
	}
}

// Questions yields the samples of the run's dataset by ordinal, each with the predictions that
// the run holds, by pass, and the newest judgment of each judge on each of them. A record that
// cannot be read yields an error that names it, and the scan goes on without it.
func (r *Runs) Questions(ctx context.Context, run eval.Run) iter.Seq2[eval.Question, error] {
	return r.joinQuestions(ctx, run, nil, true)
}

// joinQuestions yields them with judgments or without. Samples that are at hand are not read.
func (r *Runs) joinQuestions(ctx context.Context, run eval.Run, samples iter.Seq2[eval.Sample, error], judged bool) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		datasets := r.s.Datasets()
		if _, err := datasets.Dataset(run.Config.Dataset); err != nil {
			yield(eval.Question{}, err)
			return
		}
		predictions := newOrdinalMerge(r.Predictions(ctx, run.ID, eval.Key{}), func(p eval.Prediction) eval.Ordinal { return p.Sample })
		defer predictions.stop()
		judged := newOrdinalMerge(allJudgments(ctx, r.s, run.ID, judged), func(j eval.Judgment) eval.Ordinal { return j.Sample })
		defer judged.stop()
		if samples == nil {
			samples = datasets.Samples(ctx, run.Config.Dataset)
		}
		for sample, err := range samples {
			if err != nil {
				if !yield(eval.Question{}, err) {
					return
				}
				continue
			}
			q := eval.Question{Sample: sample}
			errs := predictions.advanceTo(sample.Ordinal, func(p eval.Prediction) { q.Predictions = append(q.Predictions, p) })
			errs = append(errs, judged.advanceTo(sample.Ordinal, func(j eval.Judgment) { q.Judgments = putNewest(q.Judgments, j) })...)
			for _, err := range errs {
				if !yield(eval.Question{Sample: sample}, err) {
					return
				}
			}
			if !yield(q, nil) {
				return
			}
		}
	}
}

// allJudgments are all judgments of a run, failed ones too. A run that nobody has
// judged is not searched for them.
func allJudgments(ctx context.Context, s *Store, id eval.RunID, any bool) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		if !any {
			return
		}
		for _, err := range s.file.Scan(ctx, record.TableJudges, record.RunKey(id), nil) {
			if err != nil {
				yield(eval.Judgment{}, err)
				return
			}
			scanUnder(ctx, s, record.Judgments, record.RunKey(id))(yield)
			return
		}
	}
}

// putNewest appends a judgment, or puts it in the place of its judge's last one on that prediction.
func putNewest(all []eval.Judgment, j eval.Judgment) []eval.Judgment {
	if n := len(all); n > 0 && all[n-1].Key == j.Key && all[n-1].Judge == j.Judge {
		all[n-1] = j
		return all
	}
	return append(all, j)
}

// ordinalMerge walks what is kept of a run, in the order of samples, beside them.
type ordinalMerge[T any] struct {
	of   func(T) eval.Ordinal
	next func() (T, error, bool)
	stop func()
	v    T
	err  error
	more bool
}

func newOrdinalMerge[T any](seq iter.Seq2[T, error], of func(T) eval.Ordinal) *ordinalMerge[T] {
	m := &ordinalMerge[T]{of: of}
	m.next, m.stop = iter.Pull2(seq)
	m.advance()
	return m
}

func (m *ordinalMerge[T]) advance() { m.v, m.err, m.more = m.next() }

// advanceTo moves on behind the records of a sample and hands them over. It gives
// the errors that it met on the way.
func (m *ordinalMerge[T]) advanceTo(o eval.Ordinal, take func(T)) (errs []error) {
	for ; m.more && (m.err != nil || m.of(m.v) <= o); m.advance() {
		switch {
		case m.err != nil:
			errs = append(errs, m.err)
		case m.of(m.v) == o:
			take(m.v)
		}
	}
	return errs
}
