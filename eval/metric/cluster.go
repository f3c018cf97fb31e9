package metric

import (
	"hash/fnv"
	"strings"

	"concord/eval"
)

// Cluster names what a sample shares with others so that their answers depend
// on each other: what it says itself, or else the image that several questions are
// about, its first one. That is the same by its content, or else by its name, which counts within its place
// in the taxonomy alone (each folder of MME has an image 0001.png). It is "" where
// a sample has no image.
func Cluster(s *eval.Sample) string {
	switch {
	case s.Cluster != "":
		return "\x00" + s.Cluster
	case len(s.Pictures) == 0:
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

// ClusterNumber is a number for Cluster; 0: the sample stands alone.
func ClusterNumber(s *eval.Sample) uint64 { return numberOf(Cluster(s)) }

// Wider is a number for what samples share beyond their image; 0: nothing.
func Wider(s *eval.Sample) uint64 { return numberOf(s.Cluster) }

func numberOf(name string) uint64 {
	if name == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash never refuses
	return h.Sum64() | 1<<63     // never 0
}
