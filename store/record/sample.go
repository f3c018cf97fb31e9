package record

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"time"

	"concord/annotate/chain"
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
	return Sample{
		ID: string(s.ID), Kind: uint8(s.Kind), Question: s.Question, Hint: s.Hint,
		Options: eval.Map(s.Options, fromOption), Answer: string(s.Answer), Taxonomy: s.Taxonomy,
		Split: s.Split, Source: s.Source, Ref: s.Reference, Type: uint8(s.Type),
		Refs: s.References, Metric: s.Metric, Also: s.Also, Groups: eval.Map(s.Groups, fromColumn), Columns: eval.Map(s.Columns, fromColumn),
		Pictures: eval.Map(s.Pictures, func(p eval.Picture) Picture { return Picture{Hash: string(p.Hash), Name: p.Name} }),
	}
}

// ToSample gives the sample that the record holds.
func (r Sample) ToSample(o eval.Ordinal) eval.Sample {
	return eval.Sample{
		Ordinal: o, ID: eval.SampleID(r.ID), Kind: eval.Kind(r.Kind), Question: r.Question, Hint: r.Hint,
		Options: eval.Map(r.Options, Option.toOption), Answer: eval.Choice(r.Answer), Taxonomy: r.Taxonomy,
		Split: r.Split, Source: r.Source, Reference: r.Ref, Type: eval.QuestionType(r.Type),
		References: r.Refs, Metric: r.Metric, Also: r.Also, Groups: eval.Map(r.Groups, Column.toColumn), Columns: eval.Map(r.Columns, Column.toColumn),
		Pictures: eval.Map(r.Pictures, func(p Picture) eval.Picture { return eval.Picture{Hash: eval.PictureHash(p.Hash), Name: p.Name} }),
	}
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
		Text           string  `cbor:"1,keyasint,omitempty"`
		Shown          *Shown  `cbor:"2,keyasint,omitempty"`
		Finish         string  `cbor:"3,keyasint,omitempty"`
		Prompt         int     `cbor:"4,keyasint,omitempty"`
		Completion     int     `cbor:"5,keyasint,omitempty"`
		Reasoning      int     `cbor:"6,keyasint,omitempty"`
		Latency        int64   `cbor:"7,keyasint,omitempty"` // nanoseconds
		At             int64   `cbor:"8,keyasint,omitempty"`
		FailureKind    uint8   `cbor:"9,keyasint,omitempty"`
		FailureMessage string  `cbor:"10,keyasint,omitempty"`
		Failed         bool    `cbor:"11,keyasint,omitempty"`
		Thought        string  `cbor:"12,keyasint,omitempty"` // what it thought, apart from Text
		FailureAfter   int64   `cbor:"13,keyasint,omitempty"` // nanoseconds
		FailureStatus  int     `cbor:"14,keyasint,omitempty"`
		Served         string  `cbor:"15,keyasint,omitempty"`
		Sent           *Sent   `cbor:"16,keyasint,omitempty"`
		Cached         int     `cbor:"17,keyasint,omitempty"` // of Prompt
		Tokens         []Token `cbor:"18,keyasint,omitempty"`
		Packed         []byte  `cbor:"19,keyasint,omitempty"` // Text, compressed
		PackedThought  []byte  `cbor:"20,keyasint,omitempty"`
	}
	// Token is the record of a token.
	Token struct {
		Text    string  `cbor:"1,keyasint,omitempty"`
		LogProb float64 `cbor:"2,keyasint,omitempty"`
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
		Finish: p.Finish, Served: p.Served,
		Prompt: p.Usage.Prompt, Completion: p.Usage.Completion, Reasoning: p.Usage.Reasoning, Cached: p.Usage.Cached,
		Latency: int64(p.Latency), At: ToMillis(p.At),
	}
	r.Text, r.Packed = packText(p.Text)
	r.Thought, r.PackedThought = packText(p.Reasoning)
	r.Sent = newSent(p.Sent)
	r.Tokens = eval.Map(p.Tokens, func(t eval.Token) Token { return Token(t) })
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
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning, Cached: r.Cached},
		Latency: time.Duration(r.Latency), At: FromMillis(r.At),
	}
	p.Sent = r.Sent.toSent()
	p.Tokens = eval.Map(r.Tokens, func(t Token) eval.Token { return eval.Token(t) })
	if r.Shown != nil {
		p.Shown = &eval.Shown{Options: eval.Map(r.Shown.Options, Option.toOption), Answer: eval.Choice(r.Shown.Answer)}
	}
	if r.Failed {
		p.Failure = &eval.Failure{Kind: eval.FailureKind(r.FailureKind), Message: r.FailureMessage, After: time.Duration(r.FailureAfter), Status: r.FailureStatus}
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

	Worker   string `cbor:"6,keyasint,omitempty"`
	Endpoint string `cbor:"7,keyasint,omitempty"`
}

// newSent gives nil where nothing is known.
func newSent(s eval.Sent) *Sent {
	if !s.Known {
		return nil
	}
	return &Sent{Images: s.Images, Lacking: s.Lacking, Shots: s.Shots, Prompt: s.Prompt, Params: s.Params, Worker: s.Worker, Endpoint: s.Endpoint}
}

func (r *Sent) toSent() eval.Sent {
	if r == nil {
		return eval.Sent{}
	}
	return eval.Sent{Known: true, Images: r.Images, Lacking: r.Lacking, Shots: r.Shots, Prompt: r.Prompt, Params: r.Params, Worker: r.Worker, Endpoint: r.Endpoint}
}

// Kind is how values of T stand in a table: what of them their key says, and the rest in a record.
type Kind[T any] struct {
	Table    Table
	key      []keyPart
	tail     int // bytes of a key behind its parts
	mapping  *mapping
	check    func(*T) string                                 // what is wrong with a value; "" for one that may be stored
	form     func(*T) chain.Form                             // of acts
	cutOther func(v *T, key []byte) (behind []byte, ok bool) // of keys that are not told by their parts
}

// keyPart is a part of a key, and the field of T that it is; nil of what T does not say.
type keyPart struct {
	label string
	at    []int
	size  int // bytes of a number; or named, or rest
}

// newKind describes a table. The key is told by the fields of T that it is made
// of, in their order: numbers take as many bytes as their type, 4 for an int,
// and names stand behind their length, or, with "..." behind it, to the end of the key. "_" is a name that T does not
// say, and "+" the number of a revision. The record is told by fields, as newMapping reads them.
func newKind[T any](t Table, key, fields string, check func(*T) string) *Kind[T] {
	domain := reflect.TypeFor[T]()
	k := &Kind[T]{Table: t, mapping: newMapping(domain, fields), check: check}
	for word := range strings.FieldsSeq(key) {
		switch word {
		case "+":
			k.tail = 4
			continue
		case "_":
			k.key = append(k.key, keyPart{size: named})
			continue
		}
		path, whole := strings.CutSuffix(word, "...")
		at, of := findField(domain, path)
		part := keyPart{label: strings.ToLower(path), at: at, size: int(of.Size())}
		switch {
		case whole:
			part.size = rest
		case of.Kind() == reflect.String:
			part.size = named
		case of.Kind() == reflect.Int:
			part.size = 4
		}
		k.key = append(k.key, part)
	}
	return k
}

// Key is the key of a value, less the number of its revision.
func (k *Kind[T]) Key(v *T) []byte {
	var b []byte
	for _, p := range k.key {
		f := reflect.ValueOf(v).Elem().FieldByIndex(p.at)
		switch p.size {
		case rest:
			b = append(b, f.String()...)
		case named:
			b = AppendName(b, f.String())
		default:
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], numberOfValue(f))
			b = append(b, n[8-p.size:]...)
		}
	}
	return b
}

// ParseKey sets of a value what a key begins with, and gives what stands behind that.
func (k *Kind[T]) ParseKey(key []byte) (v T, behind []byte, ok bool) {
	if k.cutOther != nil {
		behind, ok = k.cutOther(&v, key)
		return v, behind, ok
	}
	for _, p := range k.key {
		var name string
		switch {
		case p.size == named:
			if name, key, ok = CutName(key); !ok {
				return v, nil, false
			}
		case p.size == rest:
			name, key = string(key), nil
		case len(key) < p.size:
			return v, nil, false
		default:
			var n [8]byte
			copy(n[8-p.size:], key)
			setNumber(reflect.ValueOf(&v).Elem().FieldByIndex(p.at), binary.BigEndian.Uint64(n[:]))
			key = key[p.size:]
			continue
		}
		if p.at != nil {
			reflect.ValueOf(&v).Elem().FieldByIndex(p.at).SetString(name)
		}
	}
	return v, key, true
}

// Validate refuses names that cannot be a part of a key, and values that are none.
func (k *Kind[T]) Validate(v *T) error {
	for _, p := range k.key {
		if p.at == nil || p.size != named && p.size != rest {
			continue
		}
		if err := CheckName(p.label, reflect.ValueOf(v).Elem().FieldByIndex(p.at).String()); err != nil {
			return err
		}
	}
	if k.check != nil {
		if why := k.check(v); why != "" {
			return fmt.Errorf("%w: %s", ErrInvalid, why)
		}
	}
	return nil
}

func (k *Kind[T]) toRecord(v *T) reflect.Value { return k.mapping.toRecord(reflect.ValueOf(v).Elem()) }

// Encode gives the bytes of a value's record, of one that may be stored.
func (k *Kind[T]) Encode(c Codec, v *T) ([]byte, error) {
	if err := k.Validate(v); err != nil {
		return nil, err
	}
	return c.Encode(k.toRecord(v).Interface())
}

// Read reads a stored value. It gives a DamageError for a key or a record that
// is none of this kind, and for a value that may not be stored.
func (k *Kind[T]) Read(c Codec, key, raw []byte) (T, error) {
	var none T
	r := reflect.New(k.mapping.record)
	if err := c.Decode(k.Table, key, raw, r.Interface()); err != nil {
		return none, err
	}
	v, ok := k.fromRecord(key, r)
	if !ok {
		return none, NewCorruptError(k.Table, key, "no key of a record of this table")
	}
	if k.check != nil {
		if why := k.check(&v); why != "" {
			return none, NewCorruptError(k.Table, key, why)
		}
	}
	return v, nil
}

func (k *Kind[T]) fromRecord(key []byte, r reflect.Value) (v T, ok bool) {
	v, behind, ok := k.ParseKey(key)
	if !ok || len(behind) != k.tail {
		return v, false
	}
	k.mapping.copyToDomain(reflect.ValueOf(&v).Elem(), r.Elem())
	return v, true
}
