package lexicon

import (
	"iter"
	"math/bits"

	"concord/eval/extract/chars"
)

// phrase is one of a phrasebook, in lower case.
type phrase struct {
	Text string
	Kind int // which of the phrasebook's lists it is of
}

// phrasebook has phrases of four bytes or more by their first four bytes: few
// words of a text start like one of them.
type phrasebook struct {
	slots  [1 << 10]uint8 // which of the groups
	groups [][]phrase     // the first one is empty
}

// NewPhrasebook makes a phrasebook of lists of phrases in lower case.
func NewPhrasebook(lists ...[]string) (b phrasebook) {
	b.groups = [][]phrase{nil}
	for kind, list := range lists {
		for _, w := range list {
			at := &b.slots[phraseHash(w)]
			if *at == 0 {
				*at = uint8(len(b.groups))
				b.groups = append(b.groups, nil)
			}
			b.groups[*at] = append(b.groups[*at], phrase{w, kind})
		}
	}
	return b
}

// phraseHash hangs on the first four bytes of s, whatever their case.
func phraseHash(s string) uint32 { return chars.LoadFour(s) & 0x1f1f1f1f * 0x9e3779b1 >> 22 }

// PhrasesAt are the phrases that s may start with.
func (b *phrasebook) PhrasesAt(s string) []phrase {
	if len(s) < 4 {
		return nil
	}
	return b.groups[b.slots[phraseHash(s)]]
}

// FindPhrases yields the phrases that occur in s from the start of a word on, and
// where. All phrases start with a letter or a character beyond ASCII.
func (b *phrasebook) FindPhrases(s string) iter.Seq2[int, phrase] {
	return func(yield func(int, phrase) bool) {
		var starts, inWord uint64
		for block := 0; block < len(s); block += 64 {
			starts, inWord = chars.StartBits(s, block, inWord)
			for ; starts != 0; starts &= starts - 1 {
				i := block + bits.TrailingZeros64(starts)
				for _, w := range b.PhrasesAt(s[i:]) {
					if HasFoldedPrefix(s[i:], w.Text) && !yield(i, w) {
						return
					}
				}
			}
		}
	}
}

// HasFoldedPrefix reports whether s starts with the lower-case prefix.
func HasFoldedPrefix(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if chars.ToLower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}
