package eval

import (
	"context"
	"time"
)

// Judgment is a judge model's reading of one prediction: a fact, with the
// judge's raw reply. Extraction.Choice is a letter as shown in that pass. A
// reply that does not parse is a judgment with status Missing and its raw
// text; a call that failed is one with a Failure, which a later judgment of
// the same judge takes the place of.
type Judgment struct {
	Key
	Judge      string
	Extraction Extraction
	Raw        string
	Earlier    []string // replies before Raw that did not parse, in their order
	Prompt     string   // hash or name of the prompt template, "" when unknown
	Setup      string   // hash of the judge's settings (JudgeSetup), "" when unknown
	Finish     string
	Served     string // the model as the endpoint named what replied; "" when unknown
	Usage      Usage  // of all calls that led to the reading
	Latency    time.Duration
	At         time.Time
	Failure    *Failure
}

// Judging is what a judge is asked about.
type Judging struct {
	Run        Run
	Sample     Sample
	Shown      Shown // as the model that is judged saw the question
	Prediction Prediction
	Attempt    int // 0 for the first call, counting retries
}

// Judge reads a prediction by asking a judge model (MMBench, Sec. 3, step 2).
// It is called from several goroutines at once and returns soon after ctx
// ends. Its errors are those of a Model; the judgment beside an error says
// what the failed call cost. The engine sets Key, Latency and At.
type Judge interface {
	Name() string
	Judge(ctx context.Context, j Judging) (Judgment, error)
}

// JudgmentRecorder makes judgments durable.
type JudgmentRecorder interface {
	// RecordJudgment returns once the judgment is committed, beside the earlier
	// ones of that judge on that prediction. closes tells that by it no further
	// pass of the question will be asked, which counts like Fact.Closes.
	RecordJudgment(ctx context.Context, j Judgment, closes bool) error
}

// Final reports whether the judge is asked about the prediction again only
// when somebody wants failed calls retried: it has had its say, or failed for
// what the sample is.
func (j *Judgment) Final() bool { return j.Reads() || j.Failure.Kind == FailureSample }

// Reads reports whether the judge has had its say on the prediction: an
// unparsed reply is a say, a failed call is none.
func (j *Judgment) Reads() bool { return j.Failure == nil }
