package chars

import (
	"strings"
	"unicode/utf8"
)

// Very long texts are read at both ends only: an answer opens a text or
// closes it, and the work stays bounded.
const (
	headBytes = 16 << 10
	tailBytes = 48 << 10
)

// Fold gives the text in which the rules look: bounded in length, without
// the reasoning that a closing think tag ends, with full-width and styled
// characters as plain ones and the many kinds of spaces and quotes as one. A
// plain ASCII text of usual length is returned as it is.
func Fold(text string) string {
	if len(text) > headBytes+tailBytes {
		text = clip(text)
	}
	if strings.IndexByte(text, '<') >= 0 {
		if i := strings.LastIndex(text, "</think>"); i >= 0 && !Blank(text[i+len("</think>"):]) {
			text = text[i+len("</think>"):]
		}
	}
	if ASCII(text) {
		return text
	}
	return foldWide(text)
}

func clip(text string) string {
	head, tail := headBytes, len(text)-tailBytes
	for head > 0 && !utf8.RuneStart(text[head]) && headBytes-head < utf8.UTFMax {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) && tail-(len(text)-tailBytes) < utf8.UTFMax {
		tail++
	}
	return text[:head] + "\n\n" + text[tail:]
}

// foldWide copies what stays in runs, and nothing if all of the text stays.
func foldWide(text string) string {
	var b strings.Builder
	var room [8]byte
	copied := 0 // of the text
	for i := 0; i < len(text); {
		if i+8 <= len(text) && Eight(text[i:])&highBits == 0 {
			i += 8
			continue
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < 0x4e00 || r > 0x9fff { // the commonest characters stay
			if folded := appendFolded(room[:0], r); string(folded) != text[i:i+size] {
				if copied == 0 {
					b.Grow(len(text) + 8)
				}
				b.WriteString(text[copied:i])
				b.Write(folded)
				copied = i + size
			}
		}
		i += size
	}
	if copied == 0 {
		return text
	}
	b.WriteString(text[copied:])
	return b.String()
}

func appendFolded(b []byte, r rune) []byte {
	switch {
	case r >= 0xff01 && r <= 0xff5e: // full-width forms of ASCII
		return append(b, byte(r-0xff01+'!'))
	case r >= 0x24b6 && r <= 0x24cf: // circled letters
		return append(b, byte(r-0x24b6+'A'))
	case r >= 0x1f130 && r <= 0x1f189 && (r-0x1f130)%0x20 < 26: // squared and circled letters
		return append(b, byte((r-0x1f130)%0x20+'A'))
	case r >= 0x1d400 && r <= 0x1d6a3: // mathematical letters
		k := (r - 0x1d400) % 52
		if k < 26 {
			return append(b, byte(k+'A'))
		}
		return append(b, byte(k-26+'a'))
	case r >= 0x2000 && r <= 0x200a, r == 0xa0, r == 0x202f, r == 0x205f, r == 0x3000:
		return append(b, ' ')
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r == 0xfeff, r == 0xad, r >= 0xfe00 && r <= 0xfe0f:
		return b // invisible
	}
	switch r {
	case 0x2028, 0x2029, 0x85:
		return append(b, '\n')
	case '‘', '’', '‚', '′', 'ʼ':
		return append(b, '\'')
	case '“', '”', '„', '″', '「', '」', '『', '』', '《', '》', '«', '»':
		return append(b, '"')
	case '–', '—', '―', '−', '‐', '‑':
		return append(b, '-')
	case '。', '｡':
		return append(b, '.')
	case '、':
		return append(b, ',')
	case '【', '〔', '［':
		return append(b, '[')
	case '】', '〕', '］':
		return append(b, ']')
	case '…':
		return append(b, "..."...)
	case '•', '●', '▪', '‣', '◦', '✓', '✔', '✅', '☑':
		return append(b, '*')
	case '→', '⇒', '➡':
		return append(b, "->"...)
	}
	return utf8.AppendRune(b, r)
}

// Blank reports whether there is nothing but white space.
func Blank(s string) bool {
	for i := range len(s) {
		if Kind[s[i]]&Space == 0 {
			return false
		}
	}
	return true
}
