package record

import "concord/eval"

// Measure is the record of a measure; benchmark, model, metric and
// revision stand in its key. A value is never left out: 0 is a score.
type Measure struct {
	Value  float64 `cbor:"1,keyasint"`
	Source string  `cbor:"2,keyasint,omitempty"`
	N      int     `cbor:"3,keyasint,omitempty"`
	File   string  `cbor:"4,keyasint,omitempty"`
	At     int64   `cbor:"5,keyasint,omitempty"`
}

// FromMeasure makes the record of a score measured elsewhere.
func FromMeasure(m *eval.Measure) Measure {
	return Measure{Value: m.Value, Source: m.Source, N: m.N, File: m.File, At: Millis(m.At)}
}

// MeasureKey is the part of a key that the revisions of a score share.
func MeasureKey(m *eval.Measure) []byte {
	return AppendName(AppendName(AppendName(nil, m.Benchmark), m.Model), m.Metric)
}
