package eval

import (
	"context"
	"iter"
	"time"
)

// Question is a sample with the predictions that a run already holds for it, in the order of
// their passes; passes may be missing. Judgments are the newest of each judge on each of them.
type Question struct {
	Sample      Sample
	Predictions []Prediction
	Judgments   []Judgment
}

// Source hands a run its questions.
type Source interface {
	// Questions yields the samples of the run's dataset in the order of their
	// ordinals, each with what the run holds already. An error ends the run.
	Questions(ctx context.Context, r Run) iter.Seq2[Question, error]
}

// PassState is what is known of one pass of a question, as far as it decides
// what to ask next. The zero value is a pass that is still to be asked.
type PassState uint8

// The states of a pass.
const (
	PassUnset  PassState = iota // not asked, or failed in an earlier session
	PassFailed                  // failed in this session: not asked again before the next
	PassLost                    // refused for what the sample is: not asked again unless somebody wants it
	PassOpen                    // answered, and not read as one option, or without a truth to compare
	PassRight                   // found and right
	PassWrong                   // found and wrong
)

// NextPass gives the pass that a question needs next, or done when it needs none. Of total passes (one
// under Vanilla), the first that is still to be asked comes next, unless one before it is found and
// wrong and not all passes are wanted: nothing else ends a question early, because a judge, a better
// rule or a person may still read an open pass as right (MMBench, Sec. 4.2).
func NextPass(s Strategy, allPasses bool, passes []PassState, total int) (Pass, bool) {
	if s != Circular {
		total = min(total, 1)
	}
	for p := range total {
		state := PassUnset
		if p < len(passes) {
			state = passes[p]
		}
		switch state {
		case PassUnset:
			return Pass(p), false
		case PassWrong:
			if !allPasses {
				return 0, true
			}
		case PassFailed, PassLost, PassOpen, PassRight:
		}
	}
	return 0, true
}

// IsClosed reports whether a question needs no further pass, in this session or a later one: a
// pass that failed is still to be asked, and one that was lost is not.
func IsClosed(s Strategy, allPasses bool, passes []PassState, total int) bool {
	again := make([]PassState, len(passes))
	for i, p := range passes {
		if p != PassFailed {
			again[i] = p
		}
	}
	_, done := NextPass(s, allPasses, again, total)
	return done
}

// StateOfFailure gives what a stored failure says about its pass. One that is the sample's own
// is a fact like an answer: a content filter does not change its mind by being asked again.
func StateOfFailure(f *Failure) PassState {
	return Either(f.Kind == FailureSample, PassLost, PassUnset)
}

// StateOfPass gives what is known of a pass: that its call failed, or else what the rules read,
// and where they read no choice, what the decider read (Config.DecidingJudge).
func StateOfPass(p *Prediction, shown Shown, e Extraction, decider string, judgments []Judgment) PassState {
	if p.Failure != nil {
		return StateOfFailure(p.Failure)
	}
	if decider != "" && e.IsUnparsable() {
		for i := range judgments {
			j := &judgments[i]
			if j.Key == p.Key && j.Judge == decider && j.HasReply() && j.Extraction.IsFound() {
				e = j.Extraction
			}
		}
	}
	return StateOfReading(shown, e)
}

// StateOfReading gives what a reading of an answer to shown says about its pass.
func StateOfReading(shown Shown, e Extraction) PassState {
	switch {
	case !e.IsFound() || shown.Answer == "":
		return PassOpen
	case e.Choice == shown.Answer:
		return PassRight
	}
	return PassWrong
}

// DuePasses are the passes of a question that can be asked now, for whoever asks elsewhere than through
// a Runner: under early stop the next one, since what it gives decides about those behind it, else all
// that are missing. Calls that failed are asked again, but for those that the sample is to blame for.
func DuePasses(c Config, q *Question, r Reader) []Pass {
	total := Either(c.Strategy == Circular, q.Sample.PassCount(), 1)
	passes := make([]PassState, total)
	for i := range q.Predictions {
		if p := &q.Predictions[i]; int(p.Pass) < total {
			passes[p.Pass] = StateOfPass(p, p.ShownQuestion(&q.Sample), ReadPrediction(r, &q.Sample, p), c.DecidingJudge(), q.Judgments)
		}
	}
	var due []Pass
	for {
		p, done := NextPass(c.Strategy, c.AllPasses, passes, total)
		if done {
			return due
		}
		due = append(due, p)
		if c.Strategy == Circular && !c.AllPasses {
			return due
		}
		passes[p] = PassOpen
	}
}

// Judgment is a judge model's reading of one prediction: a fact, with the judge's raw reply.
// Extraction.Choice is a letter as shown in that pass. A reply that does not parse is a
// judgment with status Missing and its raw text; a call that failed is one with a Failure,
// which a later judgment of the same judge takes the place of.
type Judgment struct {
	Key
	Call
	Judge      string
	Extraction Extraction
	Raw        string
	Earlier    []string // replies before Raw that did not parse, in their order
	// Confidence is the probability that the judge gave to the words of its choice, in
	// (0, 1]; 0 where none is known. It is the judge's own and not calibrated.
	Confidence float64
}

// JudgeQuestion is what a judge is asked about.
type JudgeQuestion struct {
	Run        Run
	Sample     Sample
	Shown      Shown // as the model that is judged saw the question
	Prediction Prediction
	Attempt    int // 0 for the first call, counting retries
}

// Judge reads a prediction by asking a judge model (MMBench, Sec. 3, step 2). It is called from several
// goroutines at once and returns soon after ctx ends. Its errors are those of a Model; the judgment
// beside an error says what the failed call cost. The engine sets Key, Latency and At.
type Judge interface {
	Name() string
	Judge(ctx context.Context, j JudgeQuestion) (Judgment, error)
}

// JudgmentRecorder makes judgments durable.
type JudgmentRecorder interface {
	// RecordJudgment returns once the judgment is committed, beside the earlier
	// ones of that judge on that prediction. closes tells that by it no further
	// pass of the question will be asked, which counts like Fact.Closes.
	RecordJudgment(ctx context.Context, j Judgment, closes bool) error
}

// IsFinal reports whether the judge is asked about the prediction again only when somebody
// wants failed calls retried: it has had its say, or failed for what the sample is.
func (j *Judgment) IsFinal() bool { return j.HasReply() || j.Failure.Kind == FailureSample }

// State is where a runner stands.
type State uint8

// The states of a runner. Done, Cancelled and Failed are final.
const (
	StateUnset State = iota
	Waiting          // built, not started
	Running
	Paused    // no call is started; those in flight finish
	Holding   // the endpoint does not answer: one call at a time tries whether it does again
	Done      // every question was worked through; failures may be left to retry
	Cancelled // stopped from outside
	Failed    // ended by a configuration failure, or by what it reads from or writes to
)

var stateNames = [...]string{"", "waiting", "running", "paused", "holding", "done", "cancelled", "failed"}

// String returns the name of the state.
func (s State) String() string { return EnumName(stateNames[:], s) }

// IsFinal reports whether the runner has ended.
func (s State) IsFinal() bool { return s == Done || s == Cancelled || s == Failed }

// Progress is a snapshot of work under way. Of a run, Run, Total, Counts and
// Judges say how far it is; of any other job, Tally.
type Progress struct {
	Job         Job
	Tally       Tally
	Run         RunID
	State       State
	Total       int    // questions of the dataset; Counts.Questions of them are closed
	Counts      Counts // all that is stored, of earlier sessions too
	InFlight    int    // calls under way
	Retrying    int    // calls waiting to be tried again
	CallsLeft   int    // expected, from the passes that a question took so far
	Rate        float64
	Started     time.Time // zero before Run
	Ended       time.Time // zero before the end
	LastFailure string    // "" when none happened in this session
	Err         error     // why State is Failed
	Why         string    // why State is Paused or Holding, when the runner decided so; "" otherwise
	Until       time.Time // when Holding tries again; zero otherwise
	Judges      []JudgeProgress
	Cost        float64 // of all that is stored and of what failed in this session, by the plan's prices
	Priced      bool    // every price that Cost needs is known
	Budget      float64 // the cost at which the run pauses; 0: none
	JudgesOnly  bool    // no model is asked: judges read what is stored
	Workers     []WorkerProgress
}

// WorkerProgress is what a worker that shares a run has done for it.
type WorkerProgress struct {
	Name     string  `json:"name"`
	Endpoint string  `json:"endpoint"`
	Capacity int     `json:"concurrency"`
	Answered int     `json:"answered"`
	Failed   int     `json:"failed"`          // calls, those that were given back too
	Rate     float64 `json:"rate"`            // answers a second, of late
	State    string  `json:"state,omitempty"` // "": it is at work; silent, gone, left, or no answers of its endpoint
	Last     string  `json:"last,omitempty"`  // its last error, or why it left
}

// JudgeProgress is how far one judge has come.
type JudgeProgress struct {
	Judge  string
	Counts JudgeCounts
	Asked  bool // by the runner whose progress it is; else what is stored of it
	Lost   int  // of Counts.Failures, calls of this session that an outage took: they are made again
}

// JudgeCounts are a judge's totals over a run, kept like Counts.
type JudgeCounts struct {
	Judged   int           // predictions that the judge has had its say on
	Failures int           // predictions whose newest judgment is a failed call
	Fallback int           // of Judged, drawn at random because the judge could not read them
	Statuses [Statuses]int // of Judged, as the judge replied; Missing is a reply that does not parse, drawn for or not
	Usage    Usage         // of every judgment recorded
}

// CountWaiting counts how many unparsable predictions the judge has not been asked
// about, of those that the run's rules leave.
func (c JudgeCounts) CountWaiting(run Counts) int {
	return max(run.CountUnparsed()-c.Judged-c.Failures, 0)
}

// CountJudgment counts a judgment, in the place of the last one of its judge on that
// prediction; last is nil when there is none.
func (c *JudgeCounts) CountJudgment(j, last *Judgment) {
	if last != nil {
		c.countTimes(last, -1)
	}
	c.countTimes(j, 1)
	c.Usage.Add(j.Usage)
}

func (c *JudgeCounts) countTimes(j *Judgment, n int) {
	if !j.HasReply() {
		c.Failures += n
		return
	}
	c.Judged += n
	if j.Extraction.Method == Fallback {
		c.Fallback += n
		c.Statuses[Missing] += n
		return
	}
	if int(j.Extraction.Status) < Statuses {
		c.Statuses[j.Extraction.Status] += n
	}
}

// CountUnparsed is how many replies do not parse and have nothing drawn for them.
func (c JudgeCounts) CountUnparsed() int { return c.Statuses[Missing] - c.Fallback }

// CountDoneOfAll is how much of what the job is for needs no further call, and how much
// that is: questions of a run, facts of any other job.
func (p Progress) CountDoneOfAll() (done, total int) {
	if p.Job.Work == Answering {
		return p.CountDoneQuestions()
	}
	return p.Tally.CountStored(), p.Tally.Wanted
}

// CountDoneQuestions is how many questions need no further pass, and of how many.
func (p Progress) CountDoneQuestions() (done, total int) { return p.Counts.Questions, p.Total }

// ETA is how long the calls left will take at the present rate. It is not
// known (false) unless the run is running and answers have come lately.
func (p Progress) ETA() (time.Duration, bool) {
	if p.State != Running || p.Rate <= 0 {
		return 0, false
	}
	return time.Duration(float64(p.CallsLeft) / p.Rate * float64(time.Second)), true
}

// Work is a kind of work that a Runner does. The zero value is unset.
type Work uint8

// The kinds of work.
const (
	WorkUnset  Work = iota
	Answering       // a model answers a dataset, and judges read what the rules cannot
	Voting          // a judge says which of two answers is better
	Scoring         // a judge scores open answers
	Captioning      // a model describes pictures
	Grading         // a judge says which criteria a response meets
	Reading         // a judge reads answers that people have labelled
)

var workNames = [...]string{"", "answering", "voting", "scoring", "captioning", "grading", "reading"}

// String returns the name of the kind of work.
func (w Work) String() string { return EnumName(workNames[:], w) }

// Job says what a Runner works on: for screens, which know by it whose progress they show.
type Job struct {
	Work        Work
	Dataset     DatasetName
	Asked       string       // the model or judge that is asked
	Runs        []RunID      // whose answers it is about: the one that answers, those that are scored or compared
	Comparisons []Comparison // of votes
	LeftOut     []LeftOut    // what cannot be asked, and is not part of Tally.Wanted
}

// LeftOut is how many facts of a job cannot be asked for, for one reason, or
// are asked for although something is missing.
type LeftOut struct {
	Reason string
	Facts  int
	Asked  bool // asked all the same: part of Tally.Wanted
}

// Tally is how far a job has come that consists of single calls. What such a job asks again,
// since it failed or is stale, counts as not there until the new fact is.
type Tally struct {
	Wanted   int   // facts that the job is for, those stored already too
	Stored   int   // of Wanted: replies that hold what was asked for
	Unparsed int   // of Wanted: replies that hold none
	Failed   int   // of Wanted: failures that are stored, and asked again only on request
	PutOff   int   // of Wanted: put off, since calls of this session came to nothing that may another time
	Usage    Usage // of every call behind a stored fact
}

// CountStored counts the facts that are stored, whatever they hold.
func (t *Tally) CountStored() int { return t.Stored + t.Unparsed + t.Failed }

// CountPending is how many facts are still to be asked for, by this session or another one.
func (t *Tally) CountPending() int { return max(t.Wanted-t.CountStored(), 0) }
