package judge

import "strings"

// fold writes full-width forms and kinds of quotes, brackets, spaces and line
// ends as plain ones, and drops what is invisible.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xff01 + '!'
		case r == '\r' || r == 0x2028 || r == 0x2029 || r == 0x85:
			return '\n'
		case r == '\t' || r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x3000:
			return ' '
		case r >= 0x200b && r <= 0x200f || r == 0x2060 || r == 0xfeff || r == 0xfe0f:
			return -1
		}
		switch r {
		case '。', '｡':
			return '.'
		case '、':
			return ','
		case '“', '”', '「', '」', '『', '』', '«', '»':
			return '"'
		case '‘', '’':
			return '\''
		case '【', '〔', '《', '〈':
			return '['
		case '】', '〕', '》', '〉':
			return ']'
		}
		return r
	}, s)
}

// plain is a line without marks of emphasis, list bullets and headings, with
// single spaces and without a full stop.
func plain(line string) string {
	line = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`", r) {
			return -1
		}
		return r
	}, line)
	line = strings.Join(strings.Fields(line), " ")
	line = strings.TrimLeft(line, "#> ")
	line = strings.TrimPrefix(line, "- ")
	return strings.TrimRight(line, ". ")
}

// bare is what is left of a text without the marks around it: emphasis,
// brackets, quotes and a full stop. Marks that change a meaning (a question
// mark, a tilde that strikes out, a dash before a letter) stay.
func bare(s string) string {
	s = plain(strings.TrimSpace(s))
	return strings.Trim(s, "()[]{}\"'. ")
}
