package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"concord/eval"
)

func TestVerdict(t *testing.T) {
	check := func(text string, want eval.Verdict) {
		t.Helper()
		if got := ReadVerdict(eval.Reply{Text: text}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	check("It names the dose.\n\nmet", eval.Met)
	check("**Unmet.**\n", eval.Unmet)
	check("Nothing says so.\nVerdict: cannot tell", eval.Unable)
	check("> `met`", eval.Met)
	check("**Verdict:** met", eval.Met)
	check("The criterion is met", eval.VerdictUnset)
	check("met\nbut not quite", eval.VerdictUnset)
	check("not met", eval.VerdictUnset)
	check("met or unmet", eval.VerdictUnset)
	check("", eval.VerdictUnset)
	if got := ReadVerdict(eval.Reply{Text: "why\nmet", Finish: "length"}); got != eval.VerdictUnset {
		t.Errorf("one that was cut off is %q", got)
	}
}

func TestVerdicts(t *testing.T) {
	check := func(text, finish string, want ...eval.Verdict) {
		t.Helper()
		if got := ReadVerdicts(eval.Reply{Text: text, Finish: finish}, len(want)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	check("1: It says so. => met\n2: No. => unmet\n3: Who knows? => cannot tell", "", eval.Met, eval.Unmet, eval.Unable)
	check("Here they are:\n**2.** No. => **unmet**\n- 1) Yes => Met.", "", eval.Met, eval.Unmet)
	check("1: a => b => met", "", eval.Met)
	check("1: met\n2: so => perhaps", "", eval.VerdictUnset, eval.VerdictUnset)
	check("1: yes => met\n1: no => unmet\n2: yes => met\n2: yes => met", "", eval.VerdictUnset, eval.Met)
	check("3: of none => met\n0: of none => met\n1: yes => met", "", eval.Met)
	check("1: yes => met\n2: yes => met", "length", eval.Met, eval.VerdictUnset)
}

func FuzzVerdict(f *testing.F) {
	for _, s := range []string{"met", "why\n**unmet**.", "cannot  tell\n", "1: so => met\n2: so => unmet", "# > _met_", "\x00met", "Verdict: met", "1: => => met"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v := ReadVerdict(eval.Reply{Text: text}); v != eval.VerdictUnset {
			lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
			if !strings.Contains(strings.ToLower(lines[len(lines)-1]), strings.Fields(map[eval.Verdict]string{eval.Met: "met", eval.Unmet: "unmet", eval.Unable: "tell"}[v])[0]) && strings.TrimSpace(lines[len(lines)-1]) != "" {
				t.Fatalf("%q is %s", text, v)
			}
		}
		for i, v := range ReadVerdicts(eval.Reply{Text: text}, 3) {
			if v != eval.VerdictUnset && (!strings.Contains(text, "=>") || !strings.Contains(text, fmt.Sprint(i+1))) {
				t.Fatalf("%q says %s of %d", text, v, i+1)
			}
		}
	})
}
