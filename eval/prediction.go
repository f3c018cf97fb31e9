package eval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Key names a prediction: the run, the sample and the pass.
type Key struct {
	Run    RunID
	Sample Ordinal
	Pass   Pass
}

// String writes the key as run/sample.pass, for messages and logs.
func (k Key) String() string { return fmt.Sprintf("%d/%d.%d", k.Run, k.Sample, k.Pass) }

// Usage is what a call cost, in tokens.
type Usage struct {
	Prompt     int
	Cached     int // of Prompt, what the endpoint had kept of earlier calls
	Completion int // all that the model wrote, its thinking included
	Reasoning  int // of Completion, its thinking
}

// Prediction is a model's raw answer to a sample in one pass: a fact, written once. A call that failed is a
// prediction with a Failure and no text; only such a one may be replaced, by the outcome of a retry.
type Prediction struct {
	Key
	Text      string
	Reasoning string  // what a reasoning model thought, apart from its answer; never read as one
	Shown     *Shown  // what was asked, when it is not Sample.ShowInPass(Pass)
	Finish    string  // the endpoint's finish reason; "" when unknown
	Served    string  // the model as the endpoint named what answered; "" when unknown
	Tokens    []Token // with their log probabilities, where the model was asked for them
	Usage     Usage
	Latency   time.Duration
	At        time.Time
	Failure   *Failure
	Sent      Sent
	Extracted *Extracted // what a rule set read in it, where that is known; not stored with it
}

// Extracted is what a rule set read in a prediction.
type Extracted struct {
	Reader string // as ReaderID writes it
	Extraction
	Bare bool       // the prediction comes without its text: no other reader can read it
	Next *Extracted // what another rule set read in it; nil: nothing is known of others
}

func (x *Extracted) isByReader(r Reader) bool {
	version, ok := strings.CutPrefix(x.Reader, r.Name())
	return ok && strings.HasPrefix(version, "@") && version[1:] == r.Version()
}

// ShownQuestion is the question as the model saw it.
func (p *Prediction) ShownQuestion(s *Sample) Shown {
	if p.Shown != nil {
		return *p.Shown
	}
	return s.ShowInPass(p.Pass)
}

// FailureKind tells the failures of calls apart. The zero value is unset.
type FailureKind uint8

// The kinds of failures, after what can be done about them.
const (
	FailureUnset         FailureKind = iota
	FailureConfiguration             // wrong key, model or address: stop the run
	FailureTransient                 // limits, timeouts, broken connections, replies that are no answer: try again
	FailureSample                    // this sample only: content filter, a request that the endpoint refuses
)

var failureNames = [...]string{"", "configuration", "transient", "sample"}

// String returns the name of the kind.
func (k FailureKind) String() string { return EnumName(failureNames[:], k) }

// Failure is why a call gave no answer.
type Failure struct {
	Kind    FailureKind
	Message string
	After   time.Duration // the endpoint asked not to be called again before; 0 when it said nothing
	Status  int           // HTTP status; 0 when there was none
	Unasked bool          // no call was made: it says nothing about the endpoint; not stored
	Sign    FailureSign   // what it says about the endpoint; not stored
}

// FailureSign tells what a transient failure says about the endpoint. The zero value says nothing.
type FailureSign uint8

// The signs of transient failures.
const (
	SignUnset      FailureSign = iota
	SignUnusable               // something replied, and not with an answer: a web page, cut JSON, an error in status 200
	SignUnresolved             // the host's name does not resolve
	SignUncarried              // it is well: what it said, or was to be told, is too large to be carried by way of workers
)

// Error makes a Failure an error, so that a Model returns it as one.
func (f *Failure) Error() string { return f.Kind.String() + ": " + f.Message }

// Price is what an endpoint charges, in its currency per million tokens. The
// zero value is not known: a cost by it is 0 and says nothing.
type Price struct {
	Prompt     float64 `toml:"price_prompt"`
	Cached     float64 `toml:"price_cached"`     // of prompt tokens that the endpoint had kept; the configuration makes it Prompt where it is not set
	Completion float64 `toml:"price_completion"` // reasoning tokens are part of a completion's
}

// IsKnown reports whether there is a price.
func (p Price) IsKnown() bool { return p != Price{} }

// Cost is what a usage costs at this price.
func (p Price) Cost(u Usage) float64 {
	return (float64(u.Prompt-u.Cached)*p.Prompt + float64(u.Cached)*p.Cached + float64(u.Completion)*p.Completion) / 1e6
}

// Add adds o to u.
func (u *Usage) Add(o Usage) {
	u.Prompt += o.Prompt
	u.Cached += o.Cached
	u.Completion += o.Completion
	u.Reasoning += o.Reasoning
}

// Request is one call: a sample as asked in one pass of a run. It carries the whole sample and
// run, so that a model that builds prompts finds all that a prompt can depend on, and pictures
// by reference, so that a model that needs none reads none.
type Request struct {
	Run      Run
	Sample   Sample
	Pass     Pass
	Shown    Shown                             // the options and the answer as asked in Pass
	Attempt  int                               // 0 for the first call, counting retries
	Pictures func(PictureHash) ([]byte, error) // nil when the plan has none
}

// Key names the prediction that the request asks for.
func (r *Request) Key() Key { return Key{Run: r.Run.ID, Sample: r.Sample.Ordinal, Pass: r.Pass} }

// Reply is what a model answered: its raw text, what it thought before (kept apart), why it stopped (""
// when unknown), and what the call cost. A reply beside an error is what a failed call cost all the same.
type Reply struct {
	Text, Reasoning, Finish string
	Usage                   Usage
	Model                   string        // as the endpoint names what answered; "" when it does not say
	Sent                    Sent          // beside an error, too
	Tokens                  []Token       // of all that was written, where the endpoint gave their log probabilities
	Latency                 time.Duration // as it was measured elsewhere; 0: whoever asks measures it
}

// Token is a piece of a reply, and the natural logarithm of the probability with
// which the model wrote it after what stands before it.
type Token struct {
	Text    string
	LogProb float64
}

// Call is what is known of the calls behind what a judge or a model said, beside
// what that was. One that failed has a Failure.
type Call struct {
	Prompt  string // hash or name of the prompt template, "" when unknown
	Setup   string // hash of the settings of who was asked (JudgeSetup), "" when unknown
	Served  string // the model as the endpoint named what replied; "" when unknown
	Finish  string
	Usage   Usage // of all calls that led to it
	Latency time.Duration
	At      time.Time
	Failure *Failure
}

// HasReply reports whether who was asked had its say: an unparsed reply is a say, a failed call is none.
func (c *Call) HasReply() bool { return c.Failure == nil }

// Model answers questions. It is called from several goroutines at once and
// returns soon after ctx ends. An error that is a *Failure says by its kind
// whether to stop the run, to try again or to go on with the next sample.
type Model interface {
	Answer(ctx context.Context, r Request) (Reply, error)
}

// FailureOfError is the failure behind an error of a Model. An error that is no *Failure is transient when
// it says that time ran out (net.Error and context.DeadlineExceeded do), else it is the sample's own.
func FailureOfError(err error) *Failure {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*Failure](err); ok && f.Kind != FailureUnset {
		return f
	}
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return &Failure{Kind: FailureTransient, Message: err.Error()}
	}
	return &Failure{Kind: FailureSample, Message: err.Error()}
}

// Verdict is what a rater says of one criterion of a response. The zero value: nothing could be read.
type Verdict uint8

// The verdicts.
const (
	VerdictUnset Verdict = iota
	Met                  // the response does what the criterion asks
	Partial              // it does so in part
	Unmet                // it does not
	Unable               // the rater cannot tell
	Scored               // a number on the criterion's own scale
)

// Verdicts is how many verdicts there are, for arrays indexed by Verdict.
const Verdicts = int(Scored) + 1

var verdictNames = [...]string{"", "met", "partial", "unmet", "unable", "score"}

// String returns the name that files and reports use.
func (v Verdict) String() string { return EnumName(verdictNames[:], v) }

// ParseVerdict reads what String writes.
func ParseVerdict(s string) (Verdict, error) {
	return ParseEnum[Verdict](verdictNames[:Scored], s, "verdict")
}

// Graded is what is said of one criterion. Score is given with Scored alone.
type Graded struct {
	Verdict Verdict
	Score   float64
	Label   string // the rater's own word where a file has it
}

// Grade is what a judge says of one criterion of a response: a fact, with the raw reply. A
// reply that holds no verdict has VerdictUnset; a call that failed has a Failure.
type Grade struct {
	Key
	Judge     string
	Criterion string // its name within the sample
	Hash      string // of the criterion's text, as the judge saw it
	Repeat    int    // from 0
	Graded
	Call

	Expected      *float64  // the mean score by Probabilities; nil: not known
	Probabilities []float64 // of the classes in their order; nil: not known

	Raw     string
	Earlier []string // replies before Raw that did not parse, in their order
}

// GradeQuestion is all that a judge is shown to grade a response: one criterion, or all of its sample.
type GradeQuestion struct {
	Sample     Sample
	Prediction Prediction
	Criteria   []AskedCriterion
	Repeat     int // from 0
	Pictures   func(PictureHash) ([]byte, error)
}

// AskedCriterion is a criterion as a judge is shown it.
type AskedCriterion struct {
	Name string // within the sample
	Hash string // of its text
	Text string
}

// Grader grades responses by asking a judge model. It is called from several goroutines at once
// and returns soon after ctx ends. Its errors are those of a Model; the first grade beside an
// error says what the failed call cost. The engine sets Latency and At.
type Grader interface {
	Name() string
	Grade(ctx context.Context, q GradeQuestion) ([]Grade, error) // one a criterion, in their order
}

// TopScore is the best that an open answer can be given; the worst is 1 (MMBench, App. D.2).
const TopScore = 5

// Score is how similar a judge model finds an open answer to its reference, from 1 (completely
// wrong) to TopScore (completely right): a fact, with the raw reply. A reply that holds no
// score has Value 0; a call that failed has a Failure.
type Score struct {
	Key
	Call
	Judge   string
	Value   int
	Raw     string
	Earlier []string // replies before Raw that did not parse, in their order
}

// ScoreCounts are a judge's totals over the answers of a run: what stands, kept
// in the transaction of the score that changes it.
type ScoreCounts struct {
	Values   [TopScore + 1]int // by score; 0: replies that hold none
	Failures int               // answers about which every call has failed
	Usage    Usage             // of every call recorded
}

// CountScored counts how many answers have a score.
func (c *ScoreCounts) CountScored() int { return Sum(c.Values[1:], func(n int) int { return n }) }

// CountScore counts a score that is recorded behind last, the one that stood for the
// answer: nil without one. A failed call takes the place of no reply.
func (c *ScoreCounts) CountScore(s, last *Score) {
	c.Usage.Add(s.Usage)
	had := callOutcome{}
	if last != nil {
		had = callOutcome{last.Value, last.HasReply(), true}
	}
	countInsteadOfOld(c.Values[:], &c.Failures, callOutcome{s.Value, s.HasReply(), true}, had)
}

// ScoreProgress is a judge of a run's answers and how far it has come.
type ScoreProgress struct {
	Judge  string
	Counts ScoreCounts
}

// ScoreQuestion is what a judge is asked about an open answer. The sample carries the reference.
type ScoreQuestion struct {
	Sample     Sample
	Prediction Prediction
}

// Scorer scores open answers by asking a judge model. It is called from several goroutines at
// once and returns soon after ctx ends. Its errors are those of a Model; the score beside an
// error says what the failed call cost. The engine sets Latency and At.
type Scorer interface {
	Name() string
	Score(ctx context.Context, q ScoreQuestion) (Score, error)
}

// The abilities that MME sums its subtasks up to (MME, Sec. 2).
const (
	Perception = "perception"
	Cognition  = "cognition"
)

// MMEAbilityOf is the ability that a subtask of MME belongs to, of its ten of
// perception and four of cognition (MME, Sec. 2.3). Names are compared without
// case, spaces and underscores. "" for what is no subtask of MME.
func MMEAbilityOf(subtask string) string {
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(subtask)), " ", "_") {
	case "existence", "count", "position", "color", "posters", "celebrity", "scene", "landmark", "artwork", "ocr":
		return Perception
	case "commonsense_reasoning", "numerical_calculation", "text_translation", "code_reasoning":
		return Cognition
	}
	return ""
}

// CountMMESubtasks counts how many subtasks of an ability MME has.
func CountMMESubtasks(ability string) int {
	return map[string]int{Perception: 10, Cognition: 4}[ability]
}
