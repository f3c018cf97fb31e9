package lexicon

import (
	"strings"

	"concord/eval/extract/chars"
)

// LongestWord is how many bytes the longest word of the lexicon has at most.
const LongestWord = 16

// spelling is a word of up to longestWord bytes in lower case, such that two
// are compared in two steps: its first and its last bytes, as far as they fit.
type spelling struct {
	first, last uint64
	n           int
}

func spell(w string) spelling {
	switch n := len(w); {
	case n >= 8:
		return spelling{chars.Lower8(chars.Eight(w)), chars.Lower8(chars.Eight(w[n-8:])), n}
	case n >= 4:
		return spelling{chars.Lower8(uint64(chars.Four(w)) | uint64(chars.Four(w[n-4:]))<<32), 0, n}
	case n > 0:
		return spelling{chars.Lower8(uint64(w[0]) | uint64(w[n/2])<<8 | uint64(w[n-1])<<16), 0, n}
	}
	return spelling{}
}

// slot is where a dictionary looks for the word first.
func (s spelling) slot() uint64 {
	return (s.first + s.last*31 + uint64(s.n)) * 0x9e3779b97f4a7c15 >> (64 - slotBits)
}

const slotBits = 10

// dictionary finds the classes of a word. Most words of a text have none, and
// every word beside a letter is looked up: an empty slot answers for most of
// them, in less than half the time that a switch over the words takes.
type dictionary struct {
	slots   [1 << slotBits]uint16 // what is one behind its entry, or 0
	entries []entry
}

type entry struct {
	spelling
	class Class
}

// english is the dictionary of the lexicon. It is read-only.
var english = func() (d dictionary) {
	for _, l := range lists {
		for _, w := range strings.Fields(l.words) {
			d.add(w, l.class)
		}
	}
	return d
}()

func (d *dictionary) add(w string, c Class) {
	s := spell(w)
	i := s.slot()
	for ; d.slots[i] != 0; i = (i + 1) % uint64(len(d.slots)) {
		if e := &d.entries[d.slots[i]-1]; e.spelling == s {
			e.class |= c
			return
		}
	}
	d.entries = append(d.entries, entry{s, c})
	d.slots[i] = uint16(len(d.entries))
}

// ClassOf is the class of an English word as it is written.
func ClassOf(w string) Class {
	if len(w) > LongestWord {
		return Plain
	}
	s := spell(w)
	for i := s.slot(); english.slots[i] != 0; i = (i + 1) % uint64(len(english.slots)) {
		if e := &english.entries[english.slots[i]-1]; e.spelling == s {
			return e.class
		}
	}
	return Plain
}
