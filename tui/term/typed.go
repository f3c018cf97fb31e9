package term

import (
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Type sends a program what was typed while the terminal was asked. It waits
// for the program to take it.
func (s *Session) Type(send func(tea.Msg)) {
	for _, k := range keysOf(s.typed) {
		send(k)
	}
}

// keysOf are the keys of typed bytes: characters and control characters. A
// key that is a sequence is left out, as nobody steers what is not there yet.
func keysOf(typed []byte) []tea.KeyMsg {
	var out []tea.KeyMsg
	for len(typed) > 0 {
		c, n := utf8.DecodeRune(typed)
		if c == esc && len(typed) > 1 {
			n = sequence(typed)
		}
		switch {
		case n > 1 && c == esc, c == utf8.RuneError:
		case c == ' ':
			out = append(out, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{c}})
		case c < ' ' || c == 0x7f:
			out = append(out, tea.KeyMsg{Type: tea.KeyType(c)})
		default:
			out = append(out, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
		}
		typed = typed[n:]
	}
	return out
}

// sequence is the length of the escape sequence at the beginning.
func sequence(b []byte) int {
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return len(b)
	case 'O':
		return min(3, len(b))
	}
	_, n := utf8.DecodeRune(b[1:])
	return 1 + n
}
