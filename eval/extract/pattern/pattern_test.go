package pattern

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/extract"
)

// kit says in plain patterns what the exact matching of VLMEvalKit of 2024 does.
//
//go:embed kit2024.toml
var kit string

var colours = []eval.Option{{Letter: "A", Text: "red"}, {Letter: "B", Text: "blue"}, {Letter: "C", Text: "dark red"}}

func TestRead(t *testing.T) {
	const pick = "[[pattern]]\nname = 'p'\nmatch = '(?i)answer is (?P<choice>[a-z ]+)'\n"
	for _, c := range []struct{ file, text, want string }{
		{pick, "The answer is b", "B found p"},
		{pick, "The answer is Dark Red", "C found p"},
		{pick, "The answer is green", " missing nothing-matched"},
		{pick, "answer is a. answer is b", " ambiguous p"},
		{pick + "several = 'first'", "answer is a. answer is b", "A found p"},
		{pick + "several = 'last'", "answer is b. answer is a. answer is b", "B found p"},
		{pick + "several = 'next'\n[[pattern]]\nmatch = 'surely'\nchoice = 'C'", "answer is a. answer is b, surely", "C found pattern-2"},
		{"refusals = ['I Cannot']\n" + pick, "I cannot say. The answer is b", " refused refusal"},
		{"none = ['neither of']\n" + pick, "Neither of them", " none none"},
		{"prepare = ['markdown', 'spaces']\n" + pick, "The **answer**\n is\t`b`", "B found p"},
		{"content = 'inside'", "It looks blue to me", "B found content"},
		{"content = 'inside'", "It looks dark red to me", " missing nothing-matched"}, // and red
		{"content = 'whole'", " Dark red. ", "C found content"},
		{"content = 'whole'", "not red", " missing nothing-matched"},
		{pick, "Error: 500 internal. The answer is b", " missing failure"},
		{pick, "", " missing nothing-matched"},
		{"kind = 'yesno'\n[[pattern]]\nmatch = '(?i)\\b(?P<choice>yes|no)\\b'\n[[pattern]]\nmatch = 'Absolutely'\nchoice = 'yes'", "Absolutely", "yes found pattern-2"},
		{kit, "I take (B), since it is cold.", "B found one-letter"},
		{kit, "B. Or A B?", " missing nothing-matched"},
	} {
		r, err := ParseRules([]byte(c.file))
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		e := r.Read(colours, c.text)
		if got := string(e.Choice) + " " + e.Status.String() + " " + e.Method; got != c.want {
			t.Errorf("%s\n%q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	for file, want := range map[string]string{
		"":                                    "reads nothing",
		"kind = 'open'\ncontent = 'whole'":    "rules read choice and yesno, not open",
		"kind = 'poem'":                       "poem",
		"content = 'around'":                  `unknown word "around"`,
		"prepare = ['upper']":                 `unknown step "upper"`,
		"refusals = [' ']\ncontent = 'whole'": "phrase is empty",
		"content = 'whole'\nregex = 'x'":      "line 2: unknown key regex",
		"content = ":                          "line 1",
		"[[pattern]]\nname = 'p'\nmatch = '('\nchoice = 'A'":      "pattern 1 (p): error parsing regexp",
		"[[pattern]]\nmatch = 'x'":                                "pattern 1 (pattern-1): want a group",
		"[[pattern]]\nmatch = '(?P<choice>x)'\nchoice = 'A'":      "not both",
		"[[pattern]]\nchoice = 'A'":                               "match is missing",
		"[[pattern]]\nmatch = 'x'\nchoice = 'A'\nseveral = 'all'": `unknown word "all"`,
		"[[pattern]]\nmatch = 'x(?=y)'\nchoice = 'A'":             "error parsing regexp",
		"[[replace]]\nmatch = '['":                                "replacement 1",
	} {
		if _, err := ParseRules([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", file, err, want)
		}
	}
}

func TestVersionIsTheFiles(t *testing.T) {
	a, err := ParseRules([]byte(kit))
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseRules([]byte(kit + "# another one\n"))
	if err != nil {
		t.Fatal(err)
	}
	if a.Version() == b.Version() || len(a.Version()) != 12 {
		t.Errorf("versions %s and %s", a.Version(), b.Version())
	}
}

// TestKitInPlainPatterns holds the guide's rule set against the built-in one on
// responses that people labelled.
func TestKitInPlainPatterns(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "extraction", "choices.jsonl"))
	if err != nil {
		t.Skipf("real data is absent: %v", err)
	}
	defer func() { _ = f.Close() }()
	mine, err := ParseRules([]byte(kit))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := extract.FindRules("vlmevalkit-2024")
	if err != nil {
		t.Fatal(err)
	}
	same, all := 0, 0
	for l, err := range extract.ReadLabelled(f, "human") {
		if err != nil {
			t.Fatal(err)
		}
		all++
		if mine.Read(l.Options, l.Prediction).Choice == theirs.Read(eval.KindChoice, l.Options, l.Prediction).Choice {
			same++
		}
	}
	t.Logf("%d of %d responses are read alike", same, all)
	if all == 0 || float64(same) < .995*float64(all) {
		t.Errorf("%d of %d responses are read alike", same, all)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(kit, "The answer is (B).")
	f.Add("refusals = ['no']\ncontent = 'inside'", "red")
	f.Add("[[pattern]]\nmatch = '(?P<choice>.)'\nseveral = 'last'", "abc")
	f.Fuzz(func(t *testing.T, file, text string) {
		r, err := ParseRules([]byte(file))
		if err != nil {
			return
		}
		e := r.Read(colours, text)
		if e.IsFound() != (e.Choice != "") || e.Status == eval.StatusUnset || e != r.Read(colours, text) {
			t.Errorf("%q reads %q as %+v", file, text, e)
		}
	})
}
