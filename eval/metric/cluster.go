package metric

import (
	"hash/fnv"
	"strings"

	"concord/eval"
)

// Cluster names what a sample shares with others so that their answers depend
// on each other: the image that several questions are about, its first one. That
// is the same by its content, or else by its name, which counts within its place
// in the taxonomy alone (each folder of MME has an image 0001.png). It is "" where
// a sample has no image.
func Cluster(s *eval.Sample) string {
	if len(s.Pictures) == 0 {
		return ""
	}
	p := &s.Pictures[0]
	switch {
	case p.Hash != "":
		return string(p.Hash)
	case p.Name == "":
		return ""
	}
	return p.Name + "\x00" + strings.Join(s.Taxonomy, "\x00")
}

// clusterOf is a number for Cluster; 0: the sample stands alone.
func clusterOf(s *eval.Sample) uint64 {
	name := Cluster(s)
	if name == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash never refuses
	return h.Sum64() | 1<<63     // never 0
}
