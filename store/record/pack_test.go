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
