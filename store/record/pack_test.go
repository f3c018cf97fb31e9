package record

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"concord/eval"
)

// TestPackedTexts stores texts of all lengths and kinds: each comes back as it was, a short one stands as
// it is, a long one takes less room where it can.
func TestPackedTexts(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	r := rand.New(rand.NewPCG(7, 8))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	for _, n := range []int{0, 1, 511, 512, 513, 1000, 5000, 300_000} {
		for name, text := range map[string]string{"words": strings.Repeat("The dog is left of the cat. ", n/28+1)[:n], "noise": noise(n)} {
			p := eval.Prediction{Key: eval.Key{Run: 1}, Text: text, Reasoning: text}
			raw := got[[]byte](t)(c.Encode(NewPrediction(&p)))
			back := got[eval.Prediction](t)(c.ReadPrediction(PredictionKey(p.Key), raw))
			if back.Text != text || back.Reasoning != text {
				t.Errorf("%s of %d bytes come back otherwise", name, n)
			}
			packed := len(raw) < 2*n
			if want := n >= packedFrom && name == "words"; packed != want && n > 0 {
				t.Errorf("%s of %d bytes, twice, take %d", name, n, len(raw))
			}
		}
	}
}

// What is no frame, and a frame of more than a text may have, is damage and no memory.
func TestPackedTextsThatAreNone(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	enc, err := packer()
	must(t, err)
	for _, packed := range [][]byte{[]byte("no frame"), enc.EncodeAll(make([]byte, mostUnpacked+1), nil)} {
		raw := got[[]byte](t)(c.Encode(Prediction{Packed: packed}))
		if _, err := c.ReadPrediction(PredictionKey(eval.Key{}), raw); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d bytes: %v", len(packed), err)
		}
	}
}

// A value is packed where that is lossless: what a later program added to a record stays with it.
func TestPackLeavesWhatItDoesNotKnow(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	long := strings.Repeat("The dog is left of the cat. ", 40)
	type later struct {
		Text string `cbor:"1,keyasint,omitempty"`
		More string `cbor:"99,keyasint,omitempty"`
	}
	plain := got[[]byte](t)(c.Encode(later{Text: long}))
	more := got[[]byte](t)(c.Encode(later{long, "x"}))
	if b := c.PackTexts(TablePredictions, plain); len(b) > 100 || got[eval.Prediction](t)(c.ReadPrediction(PredictionKey(eval.Key{}), b)).Text != long {
		t.Errorf("packed to %d bytes", len(b))
	}
	for _, v := range []struct {
		table Table
		raw   []byte
	}{{TablePredictions, more}, {TableSamples, plain}, {TablePredictions, plain[:600]}, {TablePredictions, nil}} {
		if b := c.PackTexts(v.table, v.raw); string(b) != string(v.raw) {
			t.Errorf("%s: %d bytes became %d", v.table, len(v.raw), len(b))
		}
	}
}
