package metric

import (
	"hash/fnv"
	"strings"

	"concord/eval"
)

// ImageOf is the number of the image that a sample is about: its first one, by
// content or else by name, which counts within its place in the taxonomy alone
// (each folder of MME has an image 0001.png). Samples of one image are one
// cluster of units. 0: the sample has none.
func ImageOf(s *eval.Sample) uint64 {
	if len(s.Pictures) == 0 {
		return 0
	}
	h, p := fnv.New64a(), s.Pictures[0]
	name := string(p.Hash)
	if name == "" {
		if p.Name == "" {
			return 0
		}
		name = p.Name + "\x00" + strings.Join(s.Taxonomy, "\x00")
	}
	_, _ = h.Write([]byte(name)) // a hash never refuses
	return h.Sum64() | 1<<63     // never 0
}
