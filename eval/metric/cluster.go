package metric

import (
	"cmp"

	"concord/eval"
)

// Cluster names what a sample shares with others so that their answers depend
// on each other: the picture that two questions of MME are on (MME, Sec. 2.2).
// It is "" where a sample stands alone.
func Cluster(s *eval.Sample) string {
	subtask, ok := MMESubtask(s)
	if !ok || len(s.Pictures) == 0 {
		return ""
	}
	name := cmp.Or(s.Pictures[0].Name, string(s.Pictures[0].Hash))
	if name == "" {
		return ""
	}
	return subtask + "\x00" + name
}
