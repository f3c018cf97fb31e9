package extract

import (
	"fmt"
	"strings"
	"testing"

	"concord/eval"
)

func TestRules(t *testing.T) {
	for _, kind := range []eval.Kind{eval.KindChoice, eval.KindYesNo} {
		names := Names(kind)
		if len(names) == 0 || names[0] != Default {
			t.Errorf("kind %s: names %v, want the default first", kind, names)
		}
		for _, name := range names {
			if rd := rules(t, name, kind); rd.Name() != name || rd.Version() == "" {
				t.Errorf("rules %q: name %q, version %q", name, rd.Name(), rd.Version())
			}
		}
		_, err := Rules("nonsense", kind)
		if err == nil || !strings.Contains(err.Error(), strings.Join(names, ", ")) {
			t.Errorf("kind %s: error %v, want the known names", kind, err)
		}
	}
	if _, err := Rules(Default, eval.KindOpen); err == nil || Names(eval.KindOpen) != nil {
		t.Error("open answers are not read by rules")
	}
}

func TestMMStar(t *testing.T) {
	rd := rules(t, "mmstar", eval.KindChoice)
	check := func(text, want string) {
		t.Helper()
		if e := rd.Read(opts("w", "x", "y", "z"), text); string(e.Choice) != want {
			t.Errorf("%q: got %+v, want %q", text, e, want)
		}
	}
	check("B", "B")
	check(" b", "B")
	check("Bananas", "B")
	check("(C) y", "C")
	check("Option D", "D")
	check("The answer is\nC.", "C")
	check("the answer is b", "B")
	check("I choose B", "")
	check("E", "")
	check("", "")
	check("答案是B", "")
}

func TestMMBench(t *testing.T) {
	rd := rules(t, "mmbench", eval.KindChoice)
	check := func(text, want string) {
		t.Helper()
		if e := rd.Read(opts("dog", "cat", "red bus", "C"), text); string(e.Choice) != want {
			t.Errorf("%q: got %+v, want %q", text, e, want)
		}
	}
	check("B", "B")
	check("A", "")
	check("A.", "A")
	check("(A)", "A")
	check("A cat", "B")
	check("A. cat", "")
	check("It is a Dog!", "A")
	check("hotdog", "")
	check("**B**, I think", "B")
	check("B or C", "")
	check("the red bus.", "C")
	check("B. cat", "B")
	check("C", "")
	check("一只cat", "B")
	check("", "")
}

// TestKitByTheLetter has the places where the kit's Python shows.
func TestKitByTheLetter(t *testing.T) {
	options := opts("dog", "cat", "red bus", "two people")
	check := func(text, want2026, want2024 string) {
		t.Helper()
		if got := kitAnswer(rules(t, "vlmevalkit-2026", eval.KindChoice).Read(options, text)); got != want2026 {
			t.Errorf("2026 %q: got %q, want %q", text, got, want2026)
		}
		if got := kitAnswer(rules(t, "vlmevalkit-2024", eval.KindChoice).Read(options, text)); got != want2024 {
			t.Errorf("2024 %q: got %q, want %q", text, got, want2024)
		}
	}
	check("B", "B", "B")
	check("B\x1cx", "B", "B")
	check("B\u200bx", "", "")
	check("B one two three four", "", "B")
	check("**B** one two three", "B", "B")
	check("Z", "Z", "Z")
	check("I can't process this file. B", "Z", "Z")
	check("Failed to obtain answer via API. cat", "B", "B")
	check("Failed to obtain answer via API. B", "", "")
	check("answer is Based on one two three four five", "B", "")
	check("an\u017fwer \u0130s ccc one two three four five", "C", "")
	check("AN\u017fWER \u0130S c", "C", "")
	check("the cat sat on the mat and then it went on to sleep all day", "", "B")
	check("B、", "", "")
	check("A or B; the Correct  Answer\nis **d** maybe but who knows", "D", "")
	check("dog and cat", "", "")
}

func ExampleRules() {
	rules, err := Rules(Default, eval.KindChoice)
	if err != nil {
		fmt.Println(err)
		return
	}
	options := []eval.Option{{Letter: "A", Text: "a dog"}, {Letter: "B", Text: "a cat"}}
	for _, text := range []string{"The answer is **B**.", "It is a dog.", "A or B", "None of the above."} {
		e := rules.Read(options, text)
		fmt.Printf("%q %s %s\n", e.Choice, e.Status, e.Method)
	}
	// Output:
	// "B" found stated
	// "A" found contained
	// "" ambiguous listed
	// "" none none-of-them
}
