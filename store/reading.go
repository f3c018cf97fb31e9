package store

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"concord/eval"
	"concord/store/column"
	"concord/store/file"
	"concord/store/record"
)

// Readings yields what Questions does, read by rule sets, out of columns where there are some: samples and
// predictions have no texts then. There are no judgments. Columns that are missing, or of other records
// than there are now, are built meanwhile, all in one pass over the texts, and kept. Where figures need
// texts, all are there.
func (r *Runs) Readings(ctx context.Context, run eval.Run, rules ...eval.Reader) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		now, ok := readRecordSums(r.s.file, run)
		if !ok || len(rules) == 0 {
			r.Questions(ctx, run)(yield)
			return
		}
		b := columnBuild{runs: r, run: run, of: now, samples: r.s.samples.loadColumns(r.s.columns, run.Config.Dataset, now.samples)}
		switch have := b.loadReadings(rules); {
		case b.samples != nil && b.samples.Texts:
			r.Questions(ctx, run)(yield)
		case len(have) == len(b.rules):
			r.s.samples.setOptions(b.samples, nil)
			b.yieldFromColumns(ctx, column.JoinReadings(have), yield)
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

// setOptions keeps the options of samples, or none, unless those of another dataset were read meanwhile.
func (c *sampleColumns) setOptions(of *column.Samples, o [][]eval.Option) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.have == of {
		c.options = o
	}
}

// samplesWithOptions yields the samples with their options; nil where these are not at hand.
func (c *sampleColumns) samplesWithOptions(of *column.Samples) iter.Seq2[eval.Sample, error] {
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
	if !in.LoadColumns(what, version, &have) || len(have.Which) != sum.Records {
		return nil
	}
	c.name, c.have, c.options = what+version, &have, nil
	return c.have
}

func (c *sampleColumns) storeColumns(in column.Folder, d eval.DatasetName, sum record.Sum, have *column.Samples) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	what, version := sampleColumnsName(d, sum)
	c.name, c.have, c.options = what+version, have, nil
	return in.SaveColumns(what, version, have)
}

// columnBuild is a run on its way out of columns, or into them.
type columnBuild struct {
	runs    *Runs
	run     eval.Run
	of      recordSums
	samples *column.Samples // nil: they are built, too
	rules   []*rulesColumn
}

// rulesColumn is what one rule set reads.
type rulesColumn struct {
	rules    eval.Reader
	id       string // of the rules
	readings column.Readings
	isKept   bool // else it is built
}

// loadReadings loads the columns of rule sets, each once.
func (b *columnBuild) loadReadings(rules []eval.Reader) (have []*column.Readings) {
	var known []string
	for _, r := range rules {
		c := &rulesColumn{rules: r, id: eval.ReaderID(r)}
		if slices.Contains(known, c.id) {
			continue
		}
		known = append(known, c.id)
		isThere := b.samples != nil && !eval.IsVolatile(r) && b.runs.s.columns.LoadColumns(b.columnsName(c), b.versionKey(c), &c.readings) && c.readings.FitsSamples(b.samples)
		if c.isKept = isThere && (len(have) == 0 || len(have[0].Which) == len(c.readings.Which)); c.isKept {
			have = append(have, &c.readings)
		} else {
			c.readings = column.Readings{} // without what was read of a damaged one
		}
		b.rules = append(b.rules, c)
	}
	return have
}

func (b *columnBuild) columnsName(c *rulesColumn) string {
	return fmt.Sprintf("extracted %d %s", b.run.ID, c.rules.Name())
}

func (b *columnBuild) versionKey(c *rulesColumn) string { return fmt.Sprint(c.id, b.of) }

func (b *columnBuild) yieldFromColumns(ctx context.Context, readings *column.Readings, yield func(eval.Question, error) bool) {
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
		at = readings.ReadPredictions(b.run.ID, &q, at, room)
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
				b.extractBatch(l)
				close(l.read)
			}
		})
	}
	wg.Go(func() {
		defer close(order)
		defer close(work)
		b.distributeBatches(ctx, work, order, done)
	})
	fresh, whole := b.newSamplesWithRoom(), true
	options, room := [][]eval.Option(nil), optionsAtHand
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
			if whole {
				b.addReadings(q)
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
	if ctx.Err() != nil { // batches were left out
		yield(eval.Question{}, context.Cause(ctx))
	} else if now, ok := readRecordSums(b.runs.s.file, b.run); whole && ok && now == b.of {
		b.storeColumns(fresh)
		b.runs.s.samples.setOptions(b.samples, options)
	}
}

// newSamplesWithRoom makes room for all that is read, in the columns that are missing.
func (b *columnBuild) newSamplesWithRoom() *column.Samples {
	fresh := new(column.Samples)
	if b.samples == nil {
		fresh.ReserveSamples(b.of.samples.Records)
	}
	for _, c := range b.rules {
		if !c.isKept {
			c.readings.ReservePredictions(b.of.predictions.Records)
		}
	}
	return fresh
}

// distributeBatches hands questions out in their order, to be read and to be yielded.
func (b *columnBuild) distributeBatches(ctx context.Context, work, order chan<- *questionBatch, done <-chan *questionBatch) {
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
	for q, err := range b.runs.joinQuestions(ctx, b.run, b.runs.s.samples.samplesWithOptions(b.samples), false) {
		l.questions, l.errs = append(l.questions, q), append(l.errs, err)
		if len(l.questions) == size && !send() {
			return
		}
	}
	if len(l.questions) > 0 {
		send()
	}
}

// addReadings takes what the rule sets read in a question's predictions, in the order of extractBatch.
func (b *columnBuild) addReadings(q *eval.Question) {
	for i := range q.Predictions {
		p := &q.Predictions[i]
		x := p.Extracted
		for _, c := range b.rules {
			if !c.isKept {
				c.readings.AddPrediction(&q.Sample, p, &eval.Extracted{Reader: c.id, Extraction: x.Extraction, Bare: true})
			}
			x = x.Next
		}
	}
}

// extractBatch reads predictions by each rule set, the last of which stands at the end of what is read.
func (b *columnBuild) extractBatch(l *questionBatch) {
	extracted := make([]eval.Extracted, 0, len(b.rules)*eval.Sum(l.questions, func(q eval.Question) int { return len(q.Predictions) }))
	for i := range l.questions {
		q := &l.questions[i]
		for j := range q.Predictions {
			p := &q.Predictions[j]
			var read *eval.Extracted
			for _, c := range slices.Backward(b.rules) {
				extracted = append(extracted, eval.Extracted{Reader: c.id, Extraction: eval.ReadPrediction(c.rules, &q.Sample, p), Next: read})
				read = &extracted[len(extracted)-1]
			}
			p.Extracted = read
		}
	}
}

// storeColumns keeps columns for the next time. Without them the next time takes longer,
// and nothing else: a folder that cannot be written is no error.
func (b *columnBuild) storeColumns(fresh *column.Samples) {
	s := b.runs.s
	var err error
	if b.samples == nil {
		err = s.samples.storeColumns(s.columns, b.run.Config.Dataset, b.of.samples, fresh)
		b.samples = fresh
	}
	for _, c := range b.rules {
		if err == nil && !c.isKept && !b.samples.Texts && !eval.IsVolatile(c.rules) {
			err = s.columns.SaveColumns(b.columnsName(c), b.versionKey(c), &c.readings)
		}
	}
	if err != nil {
		s.log.Warn("keep columns", "run", b.run.ID, "err", err)
	}
}
