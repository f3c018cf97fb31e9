package extract

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/extract/reading"
)

var fuzzTexts = []string{
	"", "A", "The answer is **C**.", "答案是B，因为", "（Ｂ）", "\\boxed{\\text{(B)}}", "<answer>A</answer>", "A or B", "not A, but B", "<think>x</think>", "</think>",
	"I'm sorry, but I can't", "\xff\xfeA\x80", "İΣ. answer ıſ D", "yes/no", "1,000.50", "'", "\\(", "<", "{A", "A}", "A.\nB.\nC.", "\u202eA", "🅱️", strings.Repeat("A ", 100),
}

// FuzzChoice holds for every rule set: no panic, a found choice is one of
// the options, anything else is no choice, and equal inputs read equal.
func FuzzChoice(f *testing.F) {
	for _, t := range fuzzTexts {
		f.Add(t, "dog", "1\x00Σ", "ABCD")
	}
	f.Fuzz(func(t *testing.T, text, first, second, letters string) {
		var options []eval.Option
		for i := range min(len(letters), 26) {
			l := eval.Choice('A' + letters[i]%26)
			if !reading.HasLetter(options, l) {
				options = append(options, eval.Option{Letter: l, Text: []string{first, second, text}[i%3]})
			}
		}
		for _, name := range RuleNamesFor(eval.KindChoice) {
			rd := readerOf(t, name, eval.KindChoice)
			e := rd.Read(options, text)
			if e.IsFound() != reading.HasLetter(options, e.Choice) || !e.IsFound() && e.Choice != "" || e.Status == eval.StatusUnset || e.Method == "" {
				t.Errorf("%s reads %q of %q as %+v", name, text, options, e)
			}
			if again := rd.Read(options, text); again != e {
				t.Errorf("%s reads %q as %+v, then as %+v", name, text, e, again)
			}
		}
	})
}

func FuzzYesNo(f *testing.F) {
	for _, t := range fuzzTexts {
		f.Add(t)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range RuleNamesFor(eval.KindYesNo) {
			e := readerOf(t, name, eval.KindYesNo).Read(nil, text)
			if e.IsFound() != (e.Choice == eval.Yes || e.Choice == eval.No) || e.Status == eval.StatusUnset || e.Method == "" {
				t.Errorf("%s reads %q as %+v", name, text, e)
			}
		}
	})
}

// FuzzFilter holds one output line for each input line that is not blank at
// the end.
func FuzzFilter(f *testing.F) {
	f.Add([]byte(`{"id":1,"options":{"A":"x"},"prediction":"A"}` + "\n\n{}\n[]\n\n"))
	f.Add([]byte("\xef\xbb\xbfnull\r\n{\"id\":{\"a\":\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		malformed, err := FilterLines(context.Background(), bytes.NewReader(in), &out, Default, eval.KindChoice)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if in = bytes.TrimPrefix(in, []byte("\xef\xbb\xbf")); len(bytes.TrimSpace(in)) > 0 {
			want = bytes.Count(bytes.TrimRight(in, " \t\r\n\v\f\u0085\u00a0"), []byte("\n")) + 1
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != want && utf8.Valid(in) {
			t.Errorf("%q: %d lines out, want %d", in, got, want)
		}
		if n := bytes.Count(out.Bytes(), []byte(`{"line":`)); n < malformed {
			t.Errorf("%q: malformed %d, error lines %d", in, malformed, n)
		}
	})
}

// TestLongAndBroken reads what no parser was made for, in linear time.
func TestLongAndBroken(t *testing.T) {
	options := opts("dog", "cat", "a cat and a dog")
	for _, part := range []string{"A ", "(A)\n", "A, B or ", "answer is ", "dog cat ", "答案", "\xff", "1,", "<", "\\boxed{", "'", "İ", "i cannot ", "\n", "Σ", "not ", "a) "} {
		text := strings.Repeat(part, 10<<20/len(part))
		readerOf(t, Default, eval.KindChoice).Read(options, text)
		readerOf(t, Default, eval.KindYesNo).Read(nil, text)
		text = text[:256<<10]
		for _, name := range RuleNamesFor(eval.KindChoice) {
			readerOf(t, name, eval.KindChoice).Read(options, text)
		}
		for _, name := range RuleNamesFor(eval.KindYesNo) {
			readerOf(t, name, eval.KindYesNo).Read(nil, text)
		}
	}
	long := strings.Repeat("Some words about it. ", 1<<17)
	for text, want := range map[string]eval.Choice{
		"Answer: B\n" + long: "B", long + "\n\nThe answer is B.": "B", "B. cat\n" + long + "\n": "B", long + "<think></think>\nB": "B",
	} {
		if e := readerOf(t, Default, eval.KindChoice).Read(options, text); e.Choice != want {
			t.Errorf("%.20q...%q: got %+v, want %s", text, text[len(text)-20:], e, want)
		}
	}
}
