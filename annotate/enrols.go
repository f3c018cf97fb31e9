package annotate

import (
	"encoding/binary"
	"hash/fnv"

	"concord/eval"
)

// enrols reports whether the rule of a queue that grows draws a prediction:
// whether hash(seed, key) falls under the rate.
func enrols(r Rule, k eval.Key) bool {
	var b [24]byte
	binary.BigEndian.PutUint64(b[:], r.Seed)
	binary.BigEndian.PutUint64(b[8:], uint64(k.Run))
	binary.BigEndian.PutUint32(b[16:], uint32(k.Sample))
	b[20] = byte(k.Pass)
	h := fnv.New64a()
	_, _ = h.Write(b[:])
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11)/(1<<53) < r.Rate
}
