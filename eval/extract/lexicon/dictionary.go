package lexicon

import (
	"iter"
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

func newSpelling(w string) spelling {
	switch n := len(w); {
	case n >= 8:
		return spelling{chars.LowerEight(chars.LoadEight(w)), chars.LowerEight(chars.LoadEight(w[n-8:])), n}
	case n >= 4:
		return spelling{chars.LowerEight(uint64(chars.LoadFour(w)) | uint64(chars.LoadFour(w[n-4:]))<<32), 0, n}
	case n > 0:
		return spelling{chars.LowerEight(uint64(w[0]) | uint64(w[n/2])<<8 | uint64(w[n-1])<<16), 0, n}
	}
	return spelling{}
}

// firstSlot is where a dictionary looks for the word first.
func (s spelling) firstSlot() uint64 {
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
			d.addWord(w, l.class)
		}
	}
	return d
}()

func (d *dictionary) addWord(w string, c Class) {
	s := newSpelling(w)
	i := s.firstSlot()
	for ; d.slots[i] != 0; i = (i + 1) % uint64(len(d.slots)) {
		if e := &d.entries[d.slots[i]-1]; e.spelling == s {
			e.class |= c
			return
		}
	}
	d.entries = append(d.entries, entry{s, c})
	d.slots[i] = uint16(len(d.entries))
}

// ClassOfWord is the class of an English word as it is written.
func ClassOfWord(w string) Class {
	if len(w) > LongestWord {
		return Plain
	}
	s := newSpelling(w)
	for i := s.firstSlot(); english.slots[i] != 0; i = (i + 1) % uint64(len(english.slots)) {
		if e := &english.entries[english.slots[i]-1]; e.spelling == s {
			return e.class
		}
	}
	return Plain
}

// Class is what a word says about the letter that it stands near.
type Class uint32

// The classes. A word may be of several.
const (
	Plain     Class = 0
	Answer    Class = 1 << iota // names the answer: "answer", "choice" with a copula
	Option                      // names options: "option B"
	Copula                      // joins the answer to its name
	Chooses                     // a verb of choosing
	Filler                      // may stand between cue and letter
	Negates                     // turns the letter down
	Wrong                       // says that something is wrong
	Right                       // says that something is right
	Iffy                        // makes a supposition of it
	Corrects                    // takes back what was said before
	Concludes                   // closes a reasoning
	Joins                       // and, or: makes a list of letters
	Others                      // the options beside the answer
	Follows                     // may follow a letter that is an answer: "B because"
	Also                        // says that it is not the only one
	Fits                        // says that it may be right
	Tentative                   // says that it was thought at first
	Shows                       // says what is to be seen
	Voice                       // somebody else who chooses, an error that is one, or a topic
)

// lists are the English words of each class, in lower case. A word may be of several.
var lists = []struct {
	class Class
	words string
}{
	{Answer, "answer ans anwser verdict response solution respuesta antwort resposta risposta pick's"},
	{Option, "option choice letter alternative selection opt"},
	{Copula, "is be are was equals remains becomes being answer's it's that's 's i'd were been es est ist lautet"},
	{Chooses, `choose chose chosen choosing select selected selecting pick picked picking leaves leaving makes making
		say guess guessing think believe opting picks chooses selects go going went vote`},
	{Filler, `the likely most probably definitely clearly simply just only as to for with also still would should must
		will indeed certainly obviously maybe perhaps might may could can seems appears either both labeled labelled
		marked number my final correct best right me him one single that it have of by`},
	{Negates, `not isn't wasn't never cannot can't aren't don't doesn't didn't won't ruled eliminate eliminated
		eliminates eliminating exclude excludes excluded excluding except neither nor unlike than reject rejected discard
		discarded avoid versus vs couldn't shouldn't wouldn't without ruling fails lacks contradicts out over`},
	{Wrong, `incorrect wrong false invalid inaccurate impossible unlikely untrue irrelevant implausible inappropriate
		inconsistent unrelated misleading`},
	{Right, "correct best right final accurate appropriate true closest valid better suitable fitting ideal korrekt richtig"},
	{Iffy, "if whether suppose supposing assume assuming unless were's had"},
	{Corrects, "no wait actually correction sorry mean oops change revise hmm instead rather"},
	{Concludes, "therefore thus so hence finally conclusion conclude overall consequently ultimately"},
	{Joins, "and or"},
	{Others, "other others remaining rest"},
	{Follows, `as for with that of over instead rather but and or because since which based due given where while after
		from in at on when here i`},
	{Also, "another also equally alternatively too"},
	{Fits, "possibility candidate contender possible plausible acceptable reasonable good valid correct right likely"},
	{Tentative, "first initially originally glance"},
	{Shows, "shows show showing depicts depicting see sees count counted contains containing features displays represents resembles"},
	{Chooses, "thought meant mean means lean leaning choisis elijo escolho scelgo"},
	{Filler, "equally possibly correcta correta richtige la us towards toward daher also somit folglich"},
	{Voice, "people some somebody someone many they he she annotator annotators student students users mistake error trap tempting regarding concerning experts"},
}

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
			at := &b.slots[hashFourBytes(w)]
			if *at == 0 {
				*at = uint8(len(b.groups))
				b.groups = append(b.groups, nil)
			}
			b.groups[*at] = append(b.groups[*at], phrase{w, kind})
		}
	}
	return b
}

// hashFourBytes hangs on the first four bytes of s, whatever their case.
func hashFourBytes(s string) uint32 { return chars.LoadFour(s) & 0x1f1f1f1f * 0x9e3779b1 >> 22 }

// PhrasesThatMayMatch are the phrases that s may start with.
func (b *phrasebook) PhrasesThatMayMatch(s string) []phrase {
	if len(s) < 4 {
		return nil
	}
	return b.groups[b.slots[hashFourBytes(s)]]
}

// FindPhrases yields the phrases that occur in s from the start of a word on, and
// where. All phrases start with a letter or a character beyond ASCII.
func (b *phrasebook) FindPhrases(s string) iter.Seq2[int, phrase] {
	return func(yield func(int, phrase) bool) {
		for i := range chars.WordStarts(s) {
			if len(s)-i < 4 || b.slots[hashFourBytes(s[i:])] == 0 { // most words
				continue
			}
			for _, w := range b.PhrasesThatMayMatch(s[i:]) {
				if HasFoldedPrefix(s[i:], w.Text) && !yield(i, w) {
					return
				}
			}
		}
	}
}

// HasFoldedPrefix reports whether s starts with the lower-case prefix.
func HasFoldedPrefix(s, prefix string) bool {
	if len(s) < len(prefix) || len(prefix) >= 8 && chars.LowerEight(chars.LoadEight(s)) != chars.LoadEight(prefix) {
		return false
	}
	for i := range len(prefix) {
		if chars.ToLower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}
