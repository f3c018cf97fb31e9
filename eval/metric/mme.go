package metric

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"concord/eval"
)

// MME counts the questions of MME's subtasks by picture: two questions are
// asked about each, and accuracy+ is the share of pictures with both right
// (MME, Sec. 2.2). Questions of other datasets do not enter.
type MME struct{ pictures map[picture][]Look }

// picture is a picture within a subtask.
type picture struct{ subtask, name string }

// Look is one question about a picture, and what became of it.
type Look struct {
	Sample   eval.Ordinal
	Verdict  Verdict
	Answered bool        // there is a text
	Follows  bool        // it begins with yes or no, as the question asks
	Said     eval.Choice // what is read in it; "" when nothing is
	cluster  uint64      // what the question shares beyond its picture; 0: nothing
}

func look(q *eval.Question, o *Outcome) Look {
	out := Look{Sample: q.Sample.Ordinal, Verdict: o.Vanilla, cluster: Wider(&q.Sample)}
	if len(o.Readings) > 0 && o.Readings[0].Pass == 0 && !o.Readings[0].Failed {
		out.Answered, out.Follows, out.Said = true, Follows(q.Predictions[0].Text), o.Readings[0].Combined.Choice
	}
	return out
}

// Follows reports that an answer begins with yes or no, which MME's questions
// ask for (Sec. 2.2): in any case, as a word, behind white space alone.
func Follows(answer string) bool {
	s := strings.ToLower(strings.TrimSpace(answer))
	for _, word := range []string{"yes", "no"} {
		if rest, ok := strings.CutPrefix(s, word); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}
	}
	return false
}

// Add counts a question as it was decided; those of other datasets are left
// out.
func (m *MME) Add(q *eval.Question, o *Outcome) {
	subtask, ok := MMESubtask(&q.Sample)
	if !ok {
		return
	}
	at := picture{subtask: subtask}
	if ps := q.Sample.Pictures; len(ps) > 0 {
		// A name comes before the content: some pictures are there twice.
		at.name = cmp.Or(ps[0].Name, string(ps[0].Hash))
	}
	if m.pictures == nil {
		m.pictures = make(map[picture][]Look)
	}
	m.pictures[at] = append(m.pictures[at], look(q, o))
}

// MMESubtask is the subtask of MME that a sample is of; false for others.
func MMESubtask(s *eval.Sample) (string, bool) {
	levels := s.Taxonomy
	if s.Kind != eval.KindYesNo || len(levels) == 0 || eval.MMEAbility(levels[len(levels)-1]) == "" {
		return "", false
	}
	return levels[len(levels)-1], true
}

func (m *MME) merge(o *MME) {
	if m.pictures == nil && len(o.pictures) > 0 {
		m.pictures = make(map[picture][]Look)
	}
	for p, qs := range o.pictures {
		m.pictures[p] = append(m.pictures[p], qs...)
	}
}

// Looks yields the questions of each subtask by the picture that they are
// about, in no order: two, or one that has no other or whose picture is not
// known. Files name some pictures twice over: then each two questions in their
// order are a pair.
func (m *MME) Looks() iter.Seq2[string, []Look] {
	return func(yield func(string, []Look) bool) {
		for p, qs := range m.pictures {
			for some := range p.chunks(qs) {
				if !yield(p.subtask, some) {
					return
				}
			}
		}
	}
}

// chunks are the questions about a picture, two by two in their order.
func (p picture) chunks(qs []Look) iter.Seq[[]Look] {
	size := 2
	if p.name == "" {
		size = 1
	}
	sorted := slices.SortedFunc(slices.Values(qs), func(a, b Look) int { return cmp.Compare(a.Sample, b.Sample) })
	return slices.Chunk(sorted, size)
}
