package config

import (
	"strings"
	"testing"
)

func TestSetPrompt(t *testing.T) {
	const line = `"extract-choice@mini" = "prompts/a.txt"` + "\n"
	for name, c := range map[string]struct{ before, want string }{
		"nothing":         {"", "[prompts]\n" + line},
		"no table":        {"default_endpoint = \"x\"\n", "default_endpoint = \"x\"\n\n[prompts]\n" + line},
		"a table":         {"[prompts] # mine\ncaption = \"c.txt\"\n\n[ui]\ntheme = \"dark\"\n", "[prompts] # mine\n" + line + "caption = \"c.txt\"\n\n[ui]\ntheme = \"dark\"\n"},
		"another prompt":  {"[prompts]\n\"extract-choice@mini\" = \"old.txt\"\n\"extract-choice\" = \"all.txt\"\n", "[prompts]\n" + line + "\"extract-choice\" = \"all.txt\"\n"},
		"of another name": {"[prompts]\n\"extract-choice@mini-2\" = \"old.txt\"\n", "[prompts]\n" + line + "\"extract-choice@mini-2\" = \"old.txt\"\n"},
	} {
		got, err := SetPromptLine([]byte(c.before), "extract-choice@mini", "prompts/a.txt")
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	for _, bad := range []string{"[prompts\n", "prompts = 3\n"} {
		if got, err := SetPromptLine([]byte(bad), "extract-choice@mini", "a.txt"); err == nil || strings.Contains(string(got), "a.txt") {
			t.Errorf("%q became %q", bad, got)
		}
	}
}
