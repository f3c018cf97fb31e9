package eval

import "fmt"

// task is a question on its way through a worker: what is known of its
// passes, and which of them hold a failure that an answer will replace.
type task struct {
	plan   *Plan
	sample Sample
	passes []PassState
	failed []bool // stored as failures
	stored int    // predictions stored, failures included
	total  int
}

// task takes up a question. Stored answers are read by the plan's reader of
// today, so that a rescoring that opened a question again completes it.
func (c *crew) task(q Question) *task {
	t := &task{plan: c.plan, sample: q.Sample, total: q.Sample.Passes()}
	if c.plan.Run.Config.Strategy != Circular {
		t.total = 1
	}
	t.passes = make([]PassState, t.total)
	t.failed = make([]bool, t.total)
	for i := range q.Predictions {
		if p := &q.Predictions[i]; int(p.Pass) < t.total {
			t.stored++
			t.failed[p.Pass] = p.Failure != nil
			if p.Failure == nil {
				t.passes[p.Pass] = PassOpen
			}
		}
	}
	if !t.done() { // else no reading can make a difference
		t.reread(q.Predictions)
	}
	return t
}

// reread reads the stored answers.
func (t *task) reread(stored []Prediction) {
	for i := range stored {
		p := &stored[i]
		if int(p.Pass) >= t.total || p.Failure != nil {
			continue
		}
		shown := p.Asked(&t.sample)
		reading, _ := t.read(shown, p.Text)
		t.passes[p.Pass] = state(shown, reading)
	}
}

func (t *task) next() (Pass, bool) {
	return Next(t.plan.Run.Config.Strategy, t.plan.Run.Config.AllPasses, t.passes, t.total)
}

func (t *task) done() bool {
	_, done := t.next()
	return done
}

func (t *task) closed() bool {
	return closed(t.plan.Run.Config.Strategy, t.plan.Run.Config.AllPasses, t.passes, t.total)
}

func (t *task) request(p Pass) Request {
	return Request{
		Run: t.plan.Run, Sample: t.sample, Pass: p,
		Shown: t.sample.Show(p), Pictures: t.plan.Pictures,
	}
}

// settle reads an outcome, notes it, and makes the fact of it; replaced tells
// that a stored failure gives way to it.
func (t *task) settle(p Prediction) (f Fact, replaced bool) {
	f = Fact{Reader: ReaderID(t.plan.Reader)}
	shown := p.Asked(&t.sample)
	if p.Failure == nil {
		f.Reading, p.Failure = t.read(shown, p.Text)
	}
	if p.Failure != nil {
		f.Reading = Extraction{}
		t.passes[p.Pass] = PassFailed
	} else {
		t.passes[p.Pass] = state(shown, f.Reading)
	}
	replaced = t.failed[p.Pass]
	if !replaced {
		t.stored++
	}
	t.failed[p.Pass] = p.Failure != nil
	f.Prediction, f.Closes = p, t.closed()
	return f, replaced
}

// read reads an answer; a panic of the reader is the sample's failure.
func (t *task) read(shown Shown, text string) (e Extraction, failure *Failure) {
	defer func() {
		if v := recover(); v != nil {
			failure = &Failure{Kind: FailureSample, Message: fmt.Sprintf("reader panicked: %v", v)}
			e = Extraction{Status: Missing, Method: "panic"}
		}
	}()
	return t.plan.Reader.Read(t.sample.Kind, shown.Options, text), nil
}
