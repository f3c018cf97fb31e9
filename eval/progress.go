package eval

import "time"

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
func (s State) String() string { return NameOf(stateNames[:], s) }

// Final reports whether the runner has ended.
func (s State) Final() bool { return s == Done || s == Cancelled || s == Failed }

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

// Waiting is how many unparsable predictions the judge has not been asked
// about, of those that the run's rules leave.
func (c JudgeCounts) Waiting(run Counts) int {
	return max(run.Unparsable()-c.Judged-c.Failures, 0)
}

// Take counts a judgment, in the place of the last one of its judge on that
// prediction; last is nil when there is none.
func (c *JudgeCounts) Take(j, last *Judgment) {
	if last != nil {
		c.add(last, -1)
	}
	c.add(j, 1)
	c.Usage.Add(j.Usage)
}

func (c *JudgeCounts) add(j *Judgment, n int) {
	if !j.Reads() {
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

// Unparsed is how many replies do not parse and have nothing drawn for them.
func (c JudgeCounts) Unparsed() int { return c.Statuses[Missing] - c.Fallback }

// Done is how much of what the job is for needs no further call, and how much
// that is: questions of a run, facts of any other job.
func (p Progress) Done() (done, total int) {
	if p.Job.Work == Answering {
		return p.Questions()
	}
	return p.Tally.Done(), p.Tally.Wanted
}

// Questions is how many questions need no further pass, and of how many.
func (p Progress) Questions() (done, total int) { return p.Counts.Questions, p.Total }

// ETA is how long the calls left will take at the present rate. It is not
// known (false) unless the run is running and answers have come lately.
func (p Progress) ETA() (time.Duration, bool) {
	if p.State != Running || p.Rate <= 0 {
		return 0, false
	}
	return time.Duration(float64(p.CallsLeft) / p.Rate * float64(time.Second)), true
}
