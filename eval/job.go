package eval

// Work is a kind of work that a Runner does. The zero value is unset.
type Work uint8

// The kinds of work.
const (
	WorkUnset  Work = iota
	Answering       // a model answers a dataset, and judges read what the rules cannot
	Voting          // a judge says which of two answers is better
	Scoring         // a judge scores open answers
	Captioning      // a model describes pictures
)

var workNames = [...]string{"", "answering", "voting", "scoring", "captioning"}

// String returns the name of the kind of work.
func (w Work) String() string { return NameOf(workNames[:], w) }

// Job says what a Runner works on: for screens, which know by it whose
// progress they show.
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

// Tally is how far a job has come that consists of single calls. What such a
// job asks again, since it failed or is stale, counts as not there until the
// new fact is.
type Tally struct {
	Wanted   int   // facts that the job is for, those stored already too
	Stored   int   // of Wanted: replies that hold what was asked for
	Unparsed int   // of Wanted: replies that hold none
	Failed   int   // of Wanted: failures that are stored, and asked again only on request
	PutOff   int   // of Wanted: put off, since calls of this session came to nothing that may another time
	Usage    Usage // of every call behind a stored fact
}

// Done counts the facts that are stored, whatever they hold.
func (t *Tally) Done() int { return t.Stored + t.Unparsed + t.Failed }

// Pending is how many facts are still to be asked for, by this session or
// another one.
func (t *Tally) Pending() int { return max(t.Wanted-t.Done(), 0) }
