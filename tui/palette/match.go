package palette

import (
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// names are the titles of entries, as they are matched loosely.
type names []Entry

func (n names) Len() int            { return len(n) }
func (n names) String(i int) string { return n[i].Title }

// match is the places of the entries that a text means, the best first; all of
// them for no text. Spaces part words that may stand in any order: each is a
// piece of what the entry says of itself, or its characters stand in the title
// in their order, and not too far apart.
func match(text string, entries []Entry) []int {
	out := make([]int, len(entries))
	for i := range entries {
		out[i] = i
	}
	parts := strings.Fields(strings.ToLower(text))
	if len(parts) == 0 {
		return out
	}
	scores, hits := make([]int, len(entries)), make([]int, len(entries))
	for _, part := range parts {
		loose := make(map[int]int)
		for _, m := range fuzzy.FindFromNoSort(part, names(entries)) {
			if m.Score > 0 {
				loose[m.Index] = m.Score
			}
		}
		for i := range entries {
			if s := score(&entries[i], part, loose[i]); s > 0 {
				hits[i]++
				scores[i] += s
			}
		}
	}
	out = slices.DeleteFunc(out, func(i int) bool { return hits[i] < len(parts) })
	slices.SortStableFunc(out, func(a, b int) int { return scores[b] - scores[a] })
	return out
}

// What a match is worth: a piece of the title, at its beginning or that of a
// word, before a piece of the other words, before scattered characters.
const (
	first  = 4000
	begins = 3000
	piece  = 2000
	beside = 1000
)

// score is what one word of the text is worth for an entry; 0 when it is not
// meant. loose is what its characters are worth that stand apart.
func score(e *Entry, part string, loose int) int {
	title := strings.ToLower(e.Title)
	switch at := strings.Index(title, part); {
	case at == 0:
		return first
	case at > 0 && title[at-1] == ' ':
		return begins
	case at > 0:
		return piece
	case strings.Contains(strings.ToLower(e.Kind+" "+e.Words), part):
		return beside
	}
	return min(loose, beside-1)
}
