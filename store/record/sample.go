package record

import (
	"time"

	"concord/eval"
)

// SampleKey is the key of a sample.
func SampleKey(name eval.DatasetName, o eval.Ordinal) []byte {
	return AppendU32(AppendName(nil, string(name)), uint32(o))
}

// IDKey is the key of a sample's id.
func IDKey(name eval.DatasetName, id eval.SampleID) []byte {
	return append(AppendName(nil, string(name)), id...)
}

// The records of samples, of which there are the most beside predictions: both are
// copied by functions of their own.
type (
	// Sample is the record of a sample.
	Sample struct {
		ID       string    `cbor:"1,keyasint,omitempty"`
		Kind     uint8     `cbor:"2,keyasint,omitempty"`
		Question string    `cbor:"3,keyasint,omitempty"`
		Hint     string    `cbor:"4,keyasint,omitempty"`
		Options  []Option  `cbor:"5,keyasint,omitempty"`
		Answer   string    `cbor:"6,keyasint,omitempty"`
		Pictures []Picture `cbor:"7,keyasint,omitempty"`
		Taxonomy []string  `cbor:"8,keyasint,omitempty"`
		Split    string    `cbor:"9,keyasint,omitempty"`
		Source   string    `cbor:"10,keyasint,omitempty"`
		Ref      string    `cbor:"11,keyasint,omitempty"`
		Type     uint8     `cbor:"12,keyasint,omitempty"`
		Columns  []Column  `cbor:"13,keyasint,omitempty"`

		Refs   []string   `cbor:"14,keyasint,omitempty"`
		Metric string     `cbor:"15,keyasint,omitempty"`
		Groups []Column   `cbor:"16,keyasint,omitempty"`
		Also   [][]string `cbor:"17,keyasint,omitempty"`
	}
	// Column is the record of a further column of a sample.
	Column struct {
		Name  string `cbor:"1,keyasint,omitempty"`
		Value string `cbor:"2,keyasint,omitempty"`
	}
	// Option is the record of an option.
	Option struct {
		Letter string `cbor:"1,keyasint,omitempty"`
		Text   string `cbor:"2,keyasint,omitempty"`
	}
	// Picture is the record of a picture of a sample.
	Picture struct {
		Hash string `cbor:"1,keyasint,omitempty"`
		Name string `cbor:"2,keyasint,omitempty"`
	}
)

// NewSample makes the record of a sample.
func NewSample(s *eval.Sample) Sample {
	r := Sample{
		ID: string(s.ID), Kind: uint8(s.Kind), Question: s.Question, Hint: s.Hint,
		Options: eval.Map(s.Options, fromOption), Answer: string(s.Answer), Taxonomy: s.Taxonomy,
		Split: s.Split, Source: s.Source, Ref: s.Reference, Type: uint8(s.Type),
		Refs: s.References, Metric: s.Metric, Also: s.Also, Groups: eval.Map(s.Groups, fromColumn), Columns: eval.Map(s.Columns, fromColumn),
	}
	for _, p := range s.Pictures {
		r.Pictures = append(r.Pictures, Picture{Hash: string(p.Hash), Name: p.Name})
	}
	return r
}

// ToSample gives the sample that the record holds.
func (r Sample) ToSample(o eval.Ordinal) eval.Sample {
	s := eval.Sample{
		Ordinal: o, ID: eval.SampleID(r.ID), Kind: eval.Kind(r.Kind), Question: r.Question, Hint: r.Hint,
		Options: eval.Map(r.Options, Option.toOption), Answer: eval.Choice(r.Answer), Taxonomy: r.Taxonomy,
		Split: r.Split, Source: r.Source, Reference: r.Ref, Type: eval.QuestionType(r.Type),
		References: r.Refs, Metric: r.Metric, Also: r.Also, Groups: eval.Map(r.Groups, Column.toColumn), Columns: eval.Map(r.Columns, Column.toColumn),
	}
	for _, p := range r.Pictures {
		s.Pictures = append(s.Pictures, eval.Picture{Hash: eval.PictureHash(p.Hash), Name: p.Name})
	}
	return s
}

func fromOption(o eval.Option) Option { return Option{Letter: string(o.Letter), Text: o.Text} }

func (o Option) toOption() eval.Option {
	return eval.Option{Letter: eval.Choice(o.Letter), Text: o.Text}
}

func fromColumn(c eval.Column) Column { return Column(c) }

func (c Column) toColumn() eval.Column { return eval.Column(c) }

// The record of a prediction. Its key is the record's.
type (
	// Prediction is the record of a prediction.
	Prediction struct {
		Text           string `cbor:"1,keyasint,omitempty"`
		Shown          *Shown `cbor:"2,keyasint,omitempty"`
		Finish         string `cbor:"3,keyasint,omitempty"`
		Prompt         int    `cbor:"4,keyasint,omitempty"`
		Completion     int    `cbor:"5,keyasint,omitempty"`
		Reasoning      int    `cbor:"6,keyasint,omitempty"`
		Latency        int64  `cbor:"7,keyasint,omitempty"` // nanoseconds
		At             int64  `cbor:"8,keyasint,omitempty"`
		FailureKind    uint8  `cbor:"9,keyasint,omitempty"`
		FailureMessage string `cbor:"10,keyasint,omitempty"`
		Failed         bool   `cbor:"11,keyasint,omitempty"`
		Thought        string `cbor:"12,keyasint,omitempty"` // what it thought, apart from Text
		FailureAfter   int64  `cbor:"13,keyasint,omitempty"` // nanoseconds
		FailureStatus  int    `cbor:"14,keyasint,omitempty"`
		Served         string `cbor:"15,keyasint,omitempty"`
		Sent           *Sent  `cbor:"16,keyasint,omitempty"`
	}
	// Shown is the record of options as they were shown.
	Shown struct {
		Options []Option `cbor:"1,keyasint,omitempty"`
		Answer  string   `cbor:"2,keyasint,omitempty"`
	}
)

// NewPrediction makes the record of a prediction.
func NewPrediction(p *eval.Prediction) Prediction {
	r := Prediction{
		Text: p.Text, Thought: p.Reasoning, Finish: p.Finish, Served: p.Served,
		Prompt: p.Usage.Prompt, Completion: p.Usage.Completion, Reasoning: p.Usage.Reasoning,
		Latency: int64(p.Latency), At: ToMillis(p.At),
	}
	r.Sent = newSent(p.Sent)
	if p.Shown != nil {
		r.Shown = &Shown{Options: eval.Map(p.Shown.Options, fromOption), Answer: string(p.Shown.Answer)}
	}
	if p.Failure != nil {
		r.Failed, r.FailureKind, r.FailureMessage = true, uint8(p.Failure.Kind), p.Failure.Message
		r.FailureAfter, r.FailureStatus = int64(p.Failure.After), p.Failure.Status
	}
	return r
}

// ToPrediction gives the prediction that the record holds.
func (r Prediction) ToPrediction(k eval.Key) eval.Prediction {
	p := eval.Prediction{
		Key: k, Text: r.Text, Reasoning: r.Thought, Finish: r.Finish, Served: r.Served,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: FromMillis(r.At),
	}
	p.Sent = r.Sent.toSent()
	if r.Shown != nil {
		p.Shown = &eval.Shown{Options: eval.Map(r.Shown.Options, Option.toOption), Answer: eval.Choice(r.Shown.Answer)}
	}
	if r.Failed {
		p.Failure = &eval.Failure{
			Kind: eval.FailureKind(r.FailureKind), Message: r.FailureMessage, After: time.Duration(r.FailureAfter), Status: r.FailureStatus,
		}
		mendFailure(p.Failure)
	}
	return p
}

// ReadPrediction reads a stored prediction. It gives a DamageError for a key or
// a value that is no prediction's.
func (c Codec) ReadPrediction(key, raw []byte) (eval.Prediction, error) {
	var r Prediction
	if err := c.Decode(TablePredictions, key, raw, &r); err != nil {
		return eval.Prediction{}, err
	}
	k, _, ok := CutKey(key)
	if !ok {
		return eval.Prediction{}, NewCorruptError(TablePredictions, key, "no key of a prediction")
	}
	return r.ToPrediction(k), nil
}

// Sent is the record of what a call sent beside its text.
type Sent struct {
	Images  int    `cbor:"1,keyasint,omitempty"`
	Lacking int    `cbor:"2,keyasint,omitempty"`
	Shots   int    `cbor:"3,keyasint,omitempty"`
	Prompt  string `cbor:"4,keyasint,omitempty"`
	Params  string `cbor:"5,keyasint,omitempty"`
}

// newSent gives nil where nothing is known.
func newSent(s eval.Sent) *Sent {
	if !s.Known {
		return nil
	}
	return &Sent{Images: s.Images, Lacking: s.Lacking, Shots: s.Shots, Prompt: s.Prompt, Params: s.Params}
}

func (r *Sent) toSent() eval.Sent {
	if r == nil {
		return eval.Sent{}
	}
	return eval.Sent{Known: true, Images: r.Images, Lacking: r.Lacking, Shots: r.Shots, Prompt: r.Prompt, Params: r.Params}
}
