package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

// Criterion is one thing that a response is graded by, as people are shown it.
type Criterion struct {
	Name    string // within the sample
	Hash    string // of the text
	Text    string
	Partial bool // it can be met in part
}

// Grade is what a person says of one criterion of a response: its name within
// the sample, the hash of its text as they were shown it, and the verdict.
type Grade struct {
	Criterion string
	Hash      string
	Verdict   eval.Verdict
}

// gradesText is one verdict by its name, and several by their numbers.
func gradesText(all []Grade) string {
	if len(all) == 1 {
		return all[0].Criterion + " " + all[0].Verdict.String()
	}
	n := make(map[eval.Verdict]int)
	for _, g := range all {
		n[g.Verdict]++
	}
	var parts []string
	for _, v := range []eval.Verdict{eval.Met, eval.Partial, eval.Unmet, eval.Unable} {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	return strings.Join(parts, ", ")
}

// gradesAnswerName names what grades say, whatever the order and the wording of
// their criteria.
func gradesAnswerName(all []Grade) string {
	all = slices.SortedFunc(slices.Values(all), func(a, b Grade) int { return cmp.Compare(a.Criterion, b.Criterion) })
	sum := sha256.New()
	for _, g := range all {
		_, _ = fmt.Fprintf(sum, "%q %s\n", g.Criterion, g.Verdict)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// ReplaceGrade is grades with one of a criterion in the place of an earlier one.
func ReplaceGrade(all []Grade, one Grade) []Grade {
	out := slices.DeleteFunc(slices.Clone(all), func(g Grade) bool { return g.Criterion == one.Criterion })
	return append(out, one)
}

// SelectGrades selects the grades of criteria as they are worded, in their order; false
// while one of them lacks its grade.
func SelectGrades(cs []Criterion, all []Grade) (out []Grade, complete bool) {
	at := eval.Index(all, func(g Grade) ([2]string, Grade) { return [2]string{g.Criterion, g.Hash}, g })
	for i := range cs {
		if g, ok := at[[2]string{cs[i].Name, cs[i].Hash}]; ok {
			out = append(out, g)
		}
	}
	return out, len(out) == len(cs)
}

// FindContested finds the names of the criteria of a response on which people who graded
// it differ; what was said of different wordings does not.
func FindContested(labels []Label) map[string]bool {
	first, out := make(map[[2]string]eval.Verdict), make(map[string]bool)
	for i := range labels {
		for _, g := range labels[i].Reading.Grades {
			of := [2]string{g.Criterion, g.Hash}
			if v, ok := first[of]; ok && v != g.Verdict {
				out[g.Criterion] = true
			}
			first[of] = g.Verdict
		}
	}
	return out
}
