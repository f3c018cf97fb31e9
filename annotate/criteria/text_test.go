package criteria

import (
	"slices"
	"strings"
	"testing"
)

func texts(cs []Criterion) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Text)
	}
	return out
}

func TestParse(t *testing.T) {
	check := func(in string, want ...string) {
		t.Helper()
		if got := texts(ParseText(in)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	check("")
	check(" \n ")
	check("1. a\n2. b\n3. c", "a", "b", "c")
	check("1) a\n 2) b\r\n 3.c\n", "a", "b", "c")
	check("Count 10.", "Count 10.")
	check("1. a\nmore\n\n2. b", "a\nmore", "b")
	check("1. a\n3. b\n2. c", "a\n3. b", "c")
	check("1. a\n2.5 metres\n2. b", "a\n2.5 metres", "b")
	check("1. a 2. b", "a 2. b")
	check("1.\n2. b", "1.\n2. b")
	check("Heed:\n1. a\n2. b", "Heed:\n1. a\n2. b")
	check("1. {\n  \"tracks\": 1\n}\n2. b", "{\n  \"tracks\": 1\n}", "b")
	check("1. \xff", "\uFFFD")
}

func TestHash(t *testing.T) {
	cs := []Criterion{{Type: ExactReference, Text: "a"}, {Type: Range, Text: "b"}}
	if got := FormatText(cs); got != "1. a\n2. b" {
		t.Errorf("%q", got)
	}
	if HashCriteria(cs) != HashCriteria(ParseText("1) a\n 2. b\n")) || HashCriteria(cs) == HashCriteria(cs[:1]) || HashCriteria(nil) != "" {
		t.Error("the hash is not that of what judges see")
	}
}

// Nothing of a text is lost, and nothing is added to it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "1. a\n2. b", "1) a\n 2)b\n3.c", "x", "1. a\n1. b", "1.\n2. b", "1. a\n2.5\n2. \xff", "10. a"} {
		f.Add(s)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	f.Fuzz(func(t *testing.T, text string) {
		cs := ParseText(text)
		for _, c := range cs {
			if c.Text == "" || c.Text != strings.TrimSpace(c.Text) {
				t.Fatalf("%q has the criterion %q", text, c.Text)
			}
		}
		want := squeeze(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), ")", "."))
		got := squeeze(strings.ReplaceAll(FormatText(cs), ")", "."))
		if got != want && got != "1."+want {
			t.Fatalf("%q became %q", text, FormatText(cs))
		}
	})
}

func TestWarnings(t *testing.T) {
	check := func(cs []Criterion, want ...Warning) {
		t.Helper()
		if got := FindWarnings(cs); !slices.Equal(got, want) {
			t.Errorf("%v: got %v, want %v", cs, got, want)
		}
	}
	c := Criterion{Type: Range, Text: "a"}
	check(nil, NoCriteria)
	check([]Criterion{c})
	check([]Criterion{c, c, c, c}, ManyCriteria)
	check([]Criterion{{Text: "a"}}, UntypedText)
	for _, cs := range [][]Criterion{{{Type: Range, Text: " "}}, {{Type: Range, Text: "\xff"}}, {{Type: 9, Text: "a"}}, slices.Repeat([]Criterion{c}, 20_001), {{Type: Range, Text: strings.Repeat("a", maxText+1)}}} {
		if validateCriteria(cs) == nil {
			t.Errorf("%.40v can be kept", cs)
		}
	}
}

// A judge that was shown a file's own numbering saw the same criteria.
func TestSaw(t *testing.T) {
	s := script(t, nil, "ann draft a|b", "ann submit", "ann revise a|c")
	check := func(text string, want int) {
		t.Helper()
		hash := HashCriteria(ParseText(text))
		got := 1 + slices.IndexFunc(s.Revisions, func(r Revision) bool { return hash != "" && r.Hash == hash })
		if got != want {
			t.Errorf("%q: revision %d, want %d", text, got, want)
		}
	}
	check("1. a\n2. b", 1)
	check("1) a\n 2.c\n", 2)
	check("1. a", 0)
	check("", 0)
}
