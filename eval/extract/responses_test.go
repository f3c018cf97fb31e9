package extract

import (
	"os"
	"strings"
	"testing"

	"concord/eval"
)

// written is a response of testdata with a person's reading.
type written struct {
	options    []eval.Option
	text, read string
}

func writtenResponses(t *testing.T, file string) []written {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []written
	for i, question := range strings.Split(string(b), "\n? ")[1:] {
		head, rest, _ := strings.Cut(question, "\n= ")
		options := opts(strings.Split(head, " | ")...)
		for _, response := range strings.Split(rest, "\n= ") {
			read, text, ok := strings.Cut(response, "\n")
			if !ok {
				t.Fatalf("question %d: response %q has no text", i+1, response)
			}
			out = append(out, written{options, strings.TrimSuffix(text, "\n"), read})
		}
	}
	return out
}

// TestWrittenResponses holds the rules to the readings of a person on
// responses that were written as hard cases, before the rules were run on them.
func TestWrittenResponses(t *testing.T) {
	rd := readerOf(t, Default, eval.KindChoice)
	for file, want := range map[string]struct{ least, most int }{ // percent read right, and how many may be picked where none should
		"responses.txt": {93, 4}, "asides.txt": {96, 2}, "replies.txt": {84, 2}, "unsettled.txt": {85, 8}, "messy.txt": {91, 0},
	} {
		var f figures
		for _, w := range writtenResponses(t, file) {
			r := row{Human: w.read, Kind: "other"}
			if len(w.read) == 1 {
				r.Kind = "option"
			}
			e := rd.Read(w.options, w.text)
			f.add(r, e)
			if r.Kind == "option" && string(e.Choice) != w.read || r.Kind != "option" && e.IsFound() {
				t.Logf("%q: %s %s by %s, a person reads %s", w.text, e.Choice, e.Status, e.Method, w.read)
			}
		}
		t.Log(file, f)
		if 100*f.right < want.least*f.options || f.wrong > 0 || f.picks > want.most {
			t.Errorf("%s: %v: want right >= %d %%, none wrong, picks <= %d", file, f, want.least, want.most)
		}
	}
}
