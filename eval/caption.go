package eval

import (
	"context"
	"time"
)

// Caption is a model's description of a sample's picture, which stands for the
// picture where a judge is shown none (MLLM-Bench, App. F.6): a fact. A call
// that failed has a Failure. Of several captions by one model the newest that
// did not fail counts.
type Caption struct {
	Dataset DatasetName
	Sample  Ordinal
	Model   string // as reports name it
	Text    string
	Prompt  string // hash of the prompt template, "" when unknown
	Setup   string // hash of the model's settings, "" when unknown
	Served  string // the model as the endpoint named it, "" when unknown
	Finish  string
	Usage   Usage
	Latency time.Duration
	At      time.Time
	Failure *Failure
}

// Reads reports whether the caption is one: a failed call is none.
func (c *Caption) Reads() bool { return c.Failure == nil }

// Captioner describes pictures by asking a model. It is called from several
// goroutines at once and returns soon after ctx ends. Its errors are those of
// a Model; the caption beside an error says what the failed call cost. The
// engine sets Latency and At.
type Captioner interface {
	Name() string
	Caption(ctx context.Context, s Sample, pictures func(PictureHash) ([]byte, error)) (Caption, error)
}

// CaptionRecorder makes captions durable.
type CaptionRecorder interface {
	RecordCaption(ctx context.Context, c Caption) error
}
