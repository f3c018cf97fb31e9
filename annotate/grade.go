package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
	Criterion, Hash string
	Verdict         eval.Verdict
}

// formatGrades is one verdict by its name, and several by their numbers.
func formatGrades(all []Grade) string {
	if len(all) == 1 {
		return all[0].Criterion + " " + all[0].Verdict.String()
	}
	n := make(map[eval.Verdict]int)
	for _, g := range all {
		n[g.Verdict]++
	}
	return strings.Join(eval.FilterMap([]eval.Verdict{eval.Met, eval.Partial, eval.Unmet, eval.Unable}, func(v eval.Verdict) (string, bool) {
		return fmt.Sprintf("%d %s", n[v], v), n[v] > 0
	}), ", ")
}

// gradesAnswerName names what grades say, whatever the order and the wording of their criteria.
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
	at := eval.IndexBy(all, func(g Grade) ([2]string, Grade) { return [2]string{g.Criterion, g.Hash}, g })
	for i := range cs {
		if g, ok := at[[2]string{cs[i].Name, cs[i].Hash}]; ok {
			out = append(out, g)
		}
	}
	return out, len(out) == len(cs)
}

// FindContestedCriteria finds the names of the criteria of a response on which people who graded
// it differ; what was said of different wordings does not.
func FindContestedCriteria(labels []Label) map[string]bool {
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

// LabelSet is a set of words of a user's own: what people can say of each item of a
// queue in the place of its options, or which tags they can put on it. A queue keeps
// it as it was when the queue was made. The zero value is none.
type LabelSet struct {
	Name    string
	Hash    string        // over keys and words, in their order
	Options []eval.Option // by their keys, which are letters
}

// ErrOwnLabels says that a queue's labels are no readings of a response.
var ErrOwnLabels = errors.New("no extractor reads such labels: report annotators has how people use them, and export labels has them")

// The bounds of a set: each word has a letter, and a line on the screen.
const (
	mostWords   = 26
	longestWord = 80
)

// NewLabelSet makes a set. keys are one letter for each word; without any they are A, B, C and so on.
func NewLabelSet(name string, words, keys []string) (LabelSet, error) {
	s := LabelSet{Name: name}
	switch {
	case len(words) == 0 || len(words) > mostWords:
		return s, fmt.Errorf("has %d options: want 1 to %d", len(words), mostWords)
	case len(keys) > 0 && len(keys) != len(words):
		return s, fmt.Errorf("has %d keys for %d options: want one for each, or none at all", len(keys), len(words))
	}
	sum := sha256.New()
	for i, w := range words {
		key := string(rune('A' + i))
		if len(keys) > 0 {
			key = strings.ToUpper(keys[i])
		}
		w = strings.TrimSpace(w)
		switch {
		case len(key) != 1 || key < "A" || key > "Z":
			return s, fmt.Errorf("has the key %.20q: want one letter from A to Z", key)
		case w == "" || len(w) > longestWord || strings.Contains(w, ","):
			return s, fmt.Errorf("has the option %.90q: want 1 to %d bytes without a comma", w, longestWord)
		case slices.ContainsFunc(s.Options, func(o eval.Option) bool { return string(o.Letter) == key || strings.EqualFold(o.Text, w) }):
			return s, fmt.Errorf("has the key %s or the option %.90q twice", key, w)
		}
		s.Options = append(s.Options, eval.Option{Letter: eval.Choice(key), Text: w})
		_, _ = fmt.Fprintf(sum, "%s %q\n", key, w) // a hash never refuses what is written to it
	}
	s.Hash = hex.EncodeToString(sum.Sum(nil)[:6])
	return s, nil
}

// ID names the set as reports and files do, name@hash; "" of none.
func (s *LabelSet) ID() string { return eval.Either(s.Name == "", "", s.Name+"@"+s.Hash) }

// TagMark stands between the tags of an act, which hold none.
const TagMark = ", "

// ListTags lists the tags of the text of an act.
func ListTags(text string) []string {
	return eval.Either(text == "", nil, strings.Split(text, TagMark))
}

// ToggleTag gives the text of an act that puts a tag of the set beside those that an item
// has, or takes it away; false where the set has none such.
func (s *LabelSet) ToggleTag(has []string, tag string) (text string, ok bool) {
	var out []string
	for _, o := range s.Options {
		ok = ok || o.Text == tag
		if slices.Contains(has, o.Text) != (o.Text == tag) {
			out = append(out, o.Text)
		}
	}
	return strings.Join(out, TagMark), ok
}

// WordOfKey gives the word of a key; "" where the set has none such.
func (s *LabelSet) WordOfKey(key eval.Choice) string {
	o, _ := eval.FirstWanted(s.Options, func(o eval.Option) bool { return o.Letter == key })
	return o.Text
}
