package record

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

// fillAtRandom sets fields of a record, some of them, to values of all sizes.
func fillAtRandom(r *rand.Rand, v reflect.Value) {
	if r.IntN(3) == 0 {
		return
	}
	switch to := v.Addr().Interface().(type) {
	case *string:
		*to = string(bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(1<<r.IntN(12))))
	case *int:
		*to = int(r.Int64()>>r.IntN(64)) - r.IntN(3)
	case *int64:
		*to = r.Int64()>>r.IntN(64) - int64(r.IntN(3))
	case *uint8:
		*to = uint8(r.IntN(256))
	case *bool:
		*to = true
	case *float64:
		*to = r.Float64()
	default:
		fillParts(r, v)
	}
}

// fillParts sets what a pointer, a slice or a struct is made of.
func fillParts(r *rand.Rand, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		fillAtRandom(r, v.Elem())
		return
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(30), 30))
		for i := range v.Len() {
			fillAtRandom(r, v.Index(i))
		}
		return
	}
	for i := range v.NumField() {
		fillAtRandom(r, v.Field(i))
	}
}

// TestFieldsAreReadAsTheCodecDoes reads records of all shapes in both ways.
func TestFieldsAreReadAsTheCodecDoes(t *testing.T) {
	c, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	read := map[bool]int{}
	for range 1000 {
		for _, record := range []any{new(Sample), new(Prediction)} {
			v := reflect.ValueOf(record).Elem()
			for i := range v.NumField() {
				if i < 12 || r.IntN(4) == 0 {
					fillAtRandom(r, v.Field(i))
				}
			}
			raw, err := c.EncodeBare(record)
			if err != nil {
				t.Fatal(err)
			}
			read[compareFields(t, c, raw, record)]++
		}
	}
	if read[true] < 100 || read[false] < 100 {
		t.Errorf("fields read %d, left to the codec %d: want both", read[true], read[false])
	}
}

// compareFields reports whether fields are read, which then are what the codec reads.
func compareFields(t *testing.T, c Codec, raw []byte, of any) bool {
	t.Helper()
	typ := reflect.TypeOf(of).Elem()
	got, want := reflect.New(typ), reflect.New(typ)
	if !readCommonFields(raw, got.Interface()) {
		if !got.Elem().IsZero() {
			t.Errorf("%x: fields of a record that was not read", raw)
		}
		return false
	}
	if err := c.dec.Unmarshal(raw, want.Interface()); err != nil {
		t.Errorf("%x: read, but: %v", raw, err)
	}
	if !reflect.DeepEqual(got.Interface(), want.Interface()) {
		t.Errorf("%x: got %+v, want %+v", raw, got, want)
	}
	return true
}

// FuzzFields reads damaged records: what is read is what the codec reads.
func FuzzFields(f *testing.F) {
	c, err := NewCodec()
	if err != nil {
		f.Fatal(err)
	}
	for _, record := range []any{
		Sample{ID: "a", Kind: 1, Question: "What?", Options: []Option{{"A", "cat"}, {"B", "dog"}}, Answer: "A", Taxonomy: []string{"x", "y"}, Columns: []Column{{"n", "v"}}},
		Prediction{Text: "The answer is B.", Shown: &Shown{Options: []Option{{"A", "cat"}}, Answer: "A"}, Prompt: 70000, At: 1 << 40, Sent: &Sent{Images: 2, Prompt: "p"}},
	} {
		raw, err := c.EncodeBare(record)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		compareFields(t, c, raw, new(Sample))
		compareFields(t, c, raw, new(Prediction))
	})
}
