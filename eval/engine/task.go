package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"concord/eval"
)

var _ unit = (*questionTask)(nil)

// questionTask is a question on its way through a worker: what is known of its passes, which of
// them hold a failure that an answer will replace, and which answers judges have still to read.
type questionTask struct {
	*runJob
	sample  eval.Sample
	passes  []eval.PassState
	failed  []bool // stored as failures
	retry   []bool // lost, and to be asked again all the same
	answers []unreadAnswer
	asking  bool // passes may be asked
	stored  int  // predictions stored, failures included
	total   int
}

// newQuestionTask takes up a question, or gives nil when it needs no call. Stored answers are read by
// the plan's reader of today, so that a rescoring that opened a question again completes it.
func (a *runJob) newQuestionTask(q *eval.Question) *questionTask {
	p := a.plan
	t := &questionTask{runJob: a, sample: q.Sample, total: q.Sample.PassCount(), asking: p.Model != nil}
	if p.Run.Config.Strategy != eval.Circular {
		t.total = 1
	}
	t.passes = make([]eval.PassState, t.total)
	t.failed = make([]bool, t.total)
	t.retry = make([]bool, t.total)
	for i := range q.Predictions {
		if p := &q.Predictions[i]; int(p.Pass) < t.total {
			t.stored++
			t.addStoredPrediction(p)
		}
	}
	if _, done := t.passToAskNext(); len(p.Judges) == 0 && (done || p.FailedOnly && !t.isFailureDue()) {
		return nil // no reading can make a difference
	}
	t.rereadAnswers(q)
	t.asking = t.asking && (!p.FailedOnly || t.isFailureDue())
	if _, more := t.nextCall(); !more {
		return nil
	}
	return t
}

// addStoredPrediction takes up a stored prediction, unread.
func (t *questionTask) addStoredPrediction(p *eval.Prediction) {
	if p.Failure == nil {
		t.passes[p.Pass] = eval.PassOpen
		return
	}
	t.failed[p.Pass], t.passes[p.Pass] = true, eval.StateOfFailure(p.Failure)
	t.retry[p.Pass] = t.plan.FailedOnly && t.passes[p.Pass] == eval.PassLost
}

func (t *questionTask) rereadAnswers(q *eval.Question) {
	for i := range q.Predictions {
		p := &q.Predictions[i]
		if p.Failure != nil {
			continue
		}
		shown := p.ShownQuestion(&t.sample)
		reading := eval.ReadText(t.plan.Reader, t.sample.Kind, shown.Options, p.Text)
		if int(p.Pass) < t.total {
			t.passes[p.Pass] = eval.StateOfPass(p, shown, reading, t.decider, q.Judgments)
		}
		t.addUnreadAnswer(p, shown, reading, true, q.Judgments)
	}
}

// isFailureDue reports whether a stored failure is still to be asked again: none behind
// a pass that ended the question is.
func (t *questionTask) isFailureDue() bool {
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

// passToAskNext is the pass to ask next, or done.
func (t *questionTask) passToAskNext() (eval.Pass, bool) {
	for p, again := range t.retry {
		if again {
			return eval.Pass(p), false
		}
		if t.passes[p] == eval.PassWrong && !t.plan.Run.Config.AllPasses {
			break // nothing behind it matters
		}
	}
	return eval.NextPass(t.plan.Run.Config.Strategy, t.plan.Run.Config.AllPasses, t.passes, t.total)
}

// isFinallyClosed reports whether no later session asks a pass either: an imported file does not grow.
func (t *questionTask) isFinallyClosed() bool {
	return t.plan.Run.Config.Origin == eval.Imported && t.stored > 0 || eval.IsClosed(t.plan.Run.Config.Strategy, t.plan.Run.Config.AllPasses, t.passes, t.total)
}

func (t *questionTask) countStored() (stored, total int, closed bool) {
	return t.stored, t.total, t.isFinallyClosed()
}

// nextCall has judges read what is there before it asks the next pass.
func (t *questionTask) nextCall() (call, bool) {
	for i := range t.answers {
		for k, wanted := range t.answers[i].wanted {
			if wanted {
				return t.makeJudgeCall(i, k), true
			}
		}
	}
	pass, done := t.passToAskNext()
	if done || !t.asking {
		return call{}, false
	}
	return t.makePassCall(pass), true
}

func (t *questionTask) makePassCall(p eval.Pass) call {
	return call{to: t.model, try: func(ctx context.Context, attempt int) outcome {
		out := t.askModel(ctx, eval.Request{Run: t.plan.Run, Sample: t.sample, Pass: p, Attempt: attempt, Shown: t.sample.ShowInPass(p), Pictures: t.plan.Pictures})
		blank := out.Failure == nil && out.Finish == "stop" && strings.TrimSpace(out.Text+out.Reasoning) == ""
		return outcome{usage: out.Usage, failure: out.Failure, blank: blank, settle: func(ctx context.Context) error {
			return t.recordOutcome(ctx, out)
		}}
	}}
}

// askModel asks the model once. A panic of the model is the sample's failure.
func (t *questionTask) askModel(ctx context.Context, q eval.Request) (p eval.Prediction) {
	start := t.plan.Now()
	p.Key = q.Key()
	var reply eval.Reply
	defer func() {
		if v := recover(); v != nil {
			p.Failure = &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("model panicked: %v", v)}
		}
		p.At = t.plan.Now()
		p.Latency = cmp.Or(reply.Latency, p.At.Sub(start))
	}()
	var err error
	reply, err = t.plan.Model.Answer(ctx, q)
	p.Finish, p.Served, p.Usage, p.Failure = reply.Finish, reply.Model, reply.Usage, eval.FailureOfError(err)
	p.Sent = reply.Sent
	if err == nil {
		p.Text, p.Reasoning, p.Tokens = reply.Text, reply.Reasoning, reply.Tokens
	}
	return p
}

// recordOutcome reads an outcome, makes it durable, and then counts it.
func (t *questionTask) recordOutcome(ctx context.Context, p eval.Prediction) error {
	f := eval.Fact{Prediction: p, Reader: t.reader}
	shown := p.ShownQuestion(&t.sample)
	before := t.isFinallyClosed()
	again := t.retry[p.Pass]
	t.retry[p.Pass] = false
	switch {
	case p.Failure == nil:
		f.Reading = eval.ReadText(t.plan.Reader, t.sample.Kind, shown.Options, p.Text)
		t.passes[p.Pass] = eval.StateOfReading(shown, f.Reading)
	case p.Failure.Kind == eval.FailureSample:
		t.passes[p.Pass] = eval.PassLost
	case again:
		return nil // an outage takes back nothing that is known
	default:
		t.passes[p.Pass] = eval.PassFailed
	}
	f.Closes = t.isFinallyClosed() && !before
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
	t.addUnreadAnswer(&p, shown, f.Reading, false, nil)
	t.asking = true
	t.tracker.addFactToProgress(&f, replaced)
	return nil
}

// Plan is what a Runner needs to bring one run further. Without a Model it asks no question and
// only has its judges read what is stored; without Judges nothing is judged. Judges are asked,
// in their order, about every prediction that the Reader cannot read, before the next pass. The
// first judge of the run's configuration (Config.Decider) decides, where the rules cannot,
// whether a pass ends its question, whether or not it is asked now.
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
	Workers     func() []eval.WorkerProgress           // who shares the run; nil: nobody does
}

// fillAndCheck fills in what was left out and names what must not be.
func (p *Plan) fillAndCheck() error {
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
	p.setDefaults()
	return nil
}

var _ job = (*runJob)(nil)

// runJob is a run as a job: its questions are the units.
type runJob struct {
	plan    *Plan
	reader  string // ReaderID of the plan's
	decider string // of the run's configuration
	tracker *tracker
	model   *endpointMonitor   // nil without a model
	judges  []*endpointMonitor // as in the plan
}

func newRunJob(p *Plan, t *tracker) *runJob {
	a := &runJob{plan: p, reader: eval.ReaderID(p.Reader), decider: p.Run.Config.DecidingJudge(), tracker: t}
	if p.Model != nil {
		a.model = newEndpointMonitor("ask "+p.Run.Config.Model, "", &p.Terms, t)
	}
	a.judges = eval.Map(p.Judges, func(j eval.Judge) *endpointMonitor {
		return newEndpointMonitor("ask judge "+j.Name(), j.Name(), &p.Terms, t)
	})
	return a
}

func (a *runJob) dueUnits(ctx context.Context) iter.Seq2[unit, error] {
	return func(yield func(unit, error) bool) {
		for q, err := range a.plan.Source.Questions(ctx, a.plan.Run) {
			if err != nil {
				yield(nil, fmt.Errorf("read questions of run %d: %w", a.plan.Run.ID, err))
				return
			}
			if t := a.newQuestionTask(&q); t != nil && !yield(t, nil) {
				return
			}
		}
	}
}

// callsLeft is the calls expected: those for passes, and those for judges about
// what waits for them and what is likely to.
func (a *runJob) callsLeft(t *tracker, p *eval.Progress) int {
	if a.plan.FailedOnly {
		n := 0
		if p.State == eval.Done {
			return n // what is left of failures failed again, or is of no use any more
		}
		if a.plan.Model != nil {
			n = p.Counts.Failures
		}
		for _, j := range a.plan.Judges {
			n += t.findJudgeProgress(j.Name()).Counts.Failures
		}
		return n
	}
	passes := eval.Either(a.plan.Model != nil, t.mean.estimateCallsLeft(p.Total-p.Counts.Questions, p.Counts.Questions), 0)
	n := passes
	for _, j := range a.plan.Judges {
		n += t.findJudgeProgress(j.Name()).Counts.CountWaiting(p.Counts)
		if answered := p.Counts.Predictions - p.Counts.Failures; answered > 0 {
			n += passes * p.Counts.CountUnparsed() / answered
		}
	}
	return n
}
