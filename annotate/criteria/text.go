package criteria

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Text is criteria as judges are shown them, and as MLLM-Bench's files hold
// them: one numbered line after the other, without the types.
func Text(cs []Criterion) string {
	var b strings.Builder
	for i, c := range cs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(i+1) + ". " + strings.TrimSpace(c.Text))
	}
	return b.String()
}

// Hash is the SHA-256 of Text, in hexadecimal: what a judgment calls the
// criteria that its judge saw (eval.Preference.Text). No criteria have none.
func Hash(cs []Criterion) string {
	if len(cs) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(Text(cs)))
	return hex.EncodeToString(sum[:])
}

// Parse reads numbered text, as "1. ..." or "1) ...". A criterion begins on
// a line with the next number and something behind it, so that lists and
// numbers within a criterion stay in it. A text that does not begin with 1 is
// one criterion. The types are left unset: the text does not say them.
func Parse(text string) []Criterion {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return nil
	}
	if _, ok := numbered(firstLine(text), 1); !ok {
		return []Criterion{{Text: text}}
	}
	var out []Criterion
	for line := range strings.Lines(text) {
		if rest, ok := numbered(line, len(out)+1); ok {
			out = append(out, Criterion{Text: rest})
		} else {
			out[len(out)-1].Text += line
		}
	}
	for i := range out {
		out[i].Text = strings.TrimSpace(out[i].Text)
	}
	return out
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// numbered cuts the number n off a line; false when it does not begin with
// it, or when nothing stands behind it.
func numbered(line string, n int) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeft(line, " \t"), strconv.Itoa(n))
	if !ok || rest == "" || rest[0] != '.' && rest[0] != ')' || strings.TrimSpace(rest[1:]) == "" {
		return "", false
	}
	// "2.5 metres" continues what stands above it.
	if rest[1] >= '0' && rest[1] <= '9' {
		return "", false
	}
	return strings.TrimLeft(rest[1:], " \t"), true
}
