package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"concord/eval"
)

var _ unit = (*task)(nil)

// task is a question on its way through a worker: what is known of its
// passes, which of them hold a failure that an answer will replace, and which
// answers judges have still to read.
type task struct {
	*answering
	sample  eval.Sample
	passes  []eval.PassState
	failed  []bool // stored as failures
	retry   []bool // lost, and to be asked again all the same
	answers []answer
	asking  bool // passes may be asked
	stored  int  // predictions stored, failures included
	total   int
}

// task takes up a question, or gives nil when it needs no call. Stored answers
// are read by the plan's reader of today, so that a rescoring that opened a
// question again completes it.
func (a *answering) task(q *eval.Question) *task {
	p := a.plan
	t := &task{answering: a, sample: q.Sample, total: q.Sample.Passes(), asking: p.Model != nil}
	if p.Run.Config.Strategy != eval.Circular {
		t.total = 1
	}
	t.passes = make([]eval.PassState, t.total)
	t.failed = make([]bool, t.total)
	t.retry = make([]bool, t.total)
	for i := range q.Predictions {
		if p := &q.Predictions[i]; int(p.Pass) < t.total {
			t.stored++
			t.take(p)
		}
	}
	if _, done := t.nextPass(); len(p.Judges) == 0 && (done || p.FailedOnly && !t.due()) {
		return nil // no reading can make a difference
	}
	t.reread(q)
	t.asking = t.asking && (!p.FailedOnly || t.due())
	if _, more := t.next(); !more {
		return nil
	}
	return t
}

// take takes up a stored prediction, unread.
func (t *task) take(p *eval.Prediction) {
	if p.Failure == nil {
		t.passes[p.Pass] = eval.PassOpen
		return
	}
	t.failed[p.Pass], t.passes[p.Pass] = true, eval.StateOfFailure(p.Failure)
	t.retry[p.Pass] = t.plan.FailedOnly && t.passes[p.Pass] == eval.PassLost
}

// reread reads the stored answers.
func (t *task) reread(q *eval.Question) {
	for i := range q.Predictions {
		p := &q.Predictions[i]
		if p.Failure != nil {
			continue
		}
		shown := p.Asked(&t.sample)
		reading := eval.ReadText(t.plan.Reader, t.sample.Kind, shown.Options, p.Text)
		if int(p.Pass) < t.total {
			t.passes[p.Pass] = eval.StateOfPass(p, shown, reading, t.decider, q.Judgments)
		}
		t.expect(p, shown, reading, true, q.Judgments)
	}
}

// due reports whether a stored failure is still to be asked again: none behind
// a pass that ended the question is.
func (t *task) due() bool {
	for p, failed := range t.failed {
		switch {
		case failed && (t.passes[p] == eval.PassUnset || t.retry[p]):
			return true
		case t.passes[p] == eval.PassWrong && !t.plan.Run.Config.AllPasses:
			return false
		}
	}
	return false
}

// nextPass is the pass to ask next, or done.
func (t *task) nextPass() (eval.Pass, bool) {
	for p, again := range t.retry {
		if again {
			return eval.Pass(p), false
		}
		if t.passes[p] == eval.PassWrong && !t.plan.Run.Config.AllPasses {
			break // nothing behind it matters
		}
	}
	return eval.Next(t.plan.Run.Config.Strategy, t.plan.Run.Config.AllPasses, t.passes, t.total)
}

// closed reports whether no later session asks a pass either: an imported file
// does not grow.
func (t *task) closed() bool {
	return t.plan.Run.Config.Origin == eval.Imported && t.stored > 0 || eval.IsClosed(t.plan.Run.Config.Strategy, t.plan.Run.Config.AllPasses, t.passes, t.total)
}

func (t *task) size() (stored, total int, closed bool) { return t.stored, t.total, t.closed() }

// next has judges read what is there before it asks the next pass.
func (t *task) next() (call, bool) {
	for i := range t.answers {
		for k, wanted := range t.answers[i].wanted {
			if wanted {
				return t.judging(i, k), true
			}
		}
	}
	pass, done := t.nextPass()
	if done || !t.asking {
		return call{}, false
	}
	return t.question(pass), true
}

// question is the call that asks a pass.
func (t *task) question(p eval.Pass) call {
	return call{to: t.model, try: func(ctx context.Context, attempt int) outcome {
		out := t.answer(ctx, eval.Request{
			Run: t.plan.Run, Sample: t.sample, Pass: p, Attempt: attempt,
			Shown: t.sample.Show(p), Pictures: t.plan.Pictures,
		})
		blank := out.Failure == nil && out.Finish == "stop" && strings.TrimSpace(out.Text+out.Reasoning) == ""
		return outcome{usage: out.Usage, failure: out.Failure, blank: blank, settle: func(ctx context.Context) error {
			return t.settle(ctx, out)
		}}
	}}
}

// answer asks the model once. A panic of the model is the sample's failure.
func (t *task) answer(ctx context.Context, q eval.Request) (p eval.Prediction) {
	start := t.plan.Now()
	p.Key = q.Key()
	defer func() {
		if v := recover(); v != nil {
			p.Failure = &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("model panicked: %v", v)}
		}
		p.At = t.plan.Now()
		p.Latency = p.At.Sub(start)
	}()
	reply, err := t.plan.Model.Answer(ctx, q)
	p.Finish, p.Served, p.Usage, p.Failure = reply.Finish, reply.Model, reply.Usage, eval.FailureOf(err)
	p.Sent = reply.Sent
	if err == nil {
		p.Text, p.Reasoning = reply.Text, reply.Reasoning
	}
	return p
}

// settle reads an outcome, makes it durable, and then counts it.
func (t *task) settle(ctx context.Context, p eval.Prediction) error {
	f := eval.Fact{Prediction: p, Reader: t.reader}
	shown := p.Asked(&t.sample)
	before := t.closed()
	again := t.retry[p.Pass]
	t.retry[p.Pass] = false
	switch {
	case p.Failure == nil:
		f.Reading = eval.ReadText(t.plan.Reader, t.sample.Kind, shown.Options, p.Text)
		t.passes[p.Pass] = eval.StateOf(shown, f.Reading)
	case p.Failure.Kind == eval.FailureSample:
		t.passes[p.Pass] = eval.PassLost
	case again:
		return nil // an outage takes back nothing that is known
	default:
		t.passes[p.Pass] = eval.PassFailed
	}
	f.Closes = t.closed() && !before
	err := t.plan.Recorder.Record(ctx, f)
	switch {
	case errors.Is(err, eval.ErrRecorded):
		return nil
	case err != nil:
		return fmt.Errorf("record prediction %v: %w", p.Key, err)
	}
	replaced := t.failed[p.Pass]
	t.failed[p.Pass] = p.Failure != nil
	if !replaced {
		t.stored++
	}
	t.expect(&p, shown, f.Reading, false, nil)
	t.asking = true
	t.tracker.count(&f, replaced)
	return nil
}

// Plan is what a Runner needs to bring one run further. Without a Model it
// asks no question and only has its judges read what is stored; without
// Judges nothing is judged. Judges are asked, in their order, about every
// prediction that the Reader cannot read, before the next pass. The first
// judge of the run's configuration (Config.Decider) decides, where the rules
// cannot, whether a pass ends its question, whether or not it is asked now.
type Plan struct {
	Terms
	Run         eval.Run
	Model       eval.Model
	Judges      []eval.Judge
	Judgments   eval.JudgmentRecorder // needed with Judges
	Judged      []eval.JudgeProgress  // what is stored already
	FailedOnly  bool                  // ask again what failed, and nothing else
	Price       eval.Price            // of Model
	JudgePrices map[string]eval.Price // by the judge's name
	Reader      eval.Reader
	Source      eval.Source
	Recorder    eval.Recorder
	Pictures    func(eval.PictureHash) ([]byte, error) // handed to the model; may be nil
	Total       int                                    // questions of the dataset
	Counts      eval.Counts                            // what is stored already, as Reader reads it
}

// check fills in what was left out and names what must not be.
func (p *Plan) check() error {
	switch {
	case p.Run.ID == 0:
		return errors.New("plan run: no run")
	case p.Run.Config.Strategy == eval.StrategyUnset:
		return errors.New("plan run: no strategy")
	case p.Reader == nil || p.Source == nil:
		return errors.New("plan run: reader and source are both needed")
	case p.Model == nil && len(p.Judges) == 0:
		return errors.New("plan run: neither a model nor a judge")
	case p.Model != nil && p.Recorder == nil:
		return errors.New("plan run: a model needs a recorder")
	case len(p.Judges) > 0 && p.Judgments == nil:
		return errors.New("plan run: judges need a recorder of judgments")
	}
	names := make(map[string]bool)
	for _, j := range p.Judges {
		if name := j.Name(); name == "" || names[name] {
			return fmt.Errorf("plan run: two judges of the name %q, or none", name)
		}
		names[j.Name()] = true
	}
	p.fill()
	return nil
}

var _ job = (*answering)(nil)

// answering is a run as a job: its questions are the units.
type answering struct {
	plan    *Plan
	reader  string // ReaderID of the plan's
	decider string // of the run's configuration
	tracker *tracker
	model   *line   // nil without a model
	judges  []*line // as in the plan
}

func newAnswering(p *Plan, t *tracker) *answering {
	a := &answering{plan: p, reader: eval.ReaderID(p.Reader), decider: p.Run.Config.Decider(), tracker: t}
	if p.Model != nil {
		a.model = newLine("ask "+p.Run.Config.Model, "", &p.Terms, t)
	}
	for _, j := range p.Judges {
		a.judges = append(a.judges, newLine("ask judge "+j.Name(), j.Name(), &p.Terms, t))
	}
	return a
}

func (a *answering) due(ctx context.Context) iter.Seq2[unit, error] {
	return func(yield func(unit, error) bool) {
		for q, err := range a.plan.Source.Questions(ctx, a.plan.Run) {
			if err != nil {
				yield(nil, fmt.Errorf("read questions of run %d: %w", a.plan.Run.ID, err))
				return
			}
			if t := a.task(&q); t != nil && !yield(t, nil) {
				return
			}
		}
	}
}

// left is the calls expected: those for passes, and those for judges about
// what waits for them and what is likely to.
func (a *answering) left(t *tracker, p *eval.Progress) int {
	if a.plan.FailedOnly {
		n := 0
		if p.State == eval.Done {
			return n // what is left of failures failed again, or is of no use any more
		}
		if a.plan.Model != nil {
			n = p.Counts.Failures
		}
		for _, j := range a.plan.Judges {
			n += t.judgeProgress(j.Name()).Counts.Failures
		}
		return n
	}
	passes := 0
	if a.plan.Model != nil {
		passes = t.mean.left(p.Total-p.Counts.Questions, p.Counts.Questions)
	}
	n := passes
	for _, j := range a.plan.Judges {
		n += t.judgeProgress(j.Name()).Counts.Waiting(p.Counts)
		if answered := p.Counts.Predictions - p.Counts.Failures; answered > 0 {
			n += passes * p.Counts.Unparsable() / answered
		}
	}
	return n
}
