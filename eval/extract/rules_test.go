package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"concord/eval"
)

// TestSets holds what stands in stored counts, queues and saved reports. A
// version changes with the rules; one that changes without makes them stale.
func TestSets(t *testing.T) {
	check := func(id string, kinds ...eval.Kind) {
		t.Helper()
		name, version, _ := strings.Cut(id, "@")
		s, err := FindRules(name)
		if err != nil || s.Name() != name || s.Version() != version {
			t.Errorf("rules %q: %s@%s, %v, want version %s", name, s.Name(), s.Version(), err, version)
		}
		for kind := eval.KindUnset; kind <= eval.KindOpen; kind++ {
			want := slices.Contains(kinds, kind)
			_, err := FindRulesFor(name, kind)
			if s.ReadsKind(kind) != want || (err == nil) != want || slices.Contains(RuleNamesFor(kind), name) != want {
				t.Errorf("rules %q, kind %q: reads %v, error %v, want %v", name, kind, s.ReadsKind(kind), err, want)
			}
			if e := s.Read(kind, opts("yes", "no"), "A. Yes."); (e.Status != eval.StatusUnset) != want {
				t.Errorf("rules %q, kind %q: %+v", name, kind, e)
			}
		}
	}
	check("concord@9.1", eval.KindChoice, eval.KindYesNo)
	check("vlmevalkit-2026@1", eval.KindChoice)
	check("vlmevalkit-2024@1", eval.KindChoice)
	check("mmbench@2", eval.KindChoice)
	check("mmstar@1", eval.KindChoice)
	check("vlmevalkit@1", eval.KindYesNo)
	check("mme@1", eval.KindYesNo)
	if n := len(AllSets()); n != 7 {
		t.Errorf("%d sets are not all checked", n)
	}
}

func TestUnknownRules(t *testing.T) {
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	_, err := FindRules("nonsense")
	check(err, "want one of concord, vlmevalkit-2026, vlmevalkit-2024, mmbench, mmstar, vlmevalkit, mme")
	_, err = FindRulesFor("nonsense", eval.KindYesNo)
	check(err, "want one of concord, vlmevalkit, mme")
	_, err = FindRulesFor("mme", eval.KindChoice)
	check(err, "want one of concord, vlmevalkit-2026, vlmevalkit-2024, mmbench, mmstar")
	_, err = FindRulesFor(Default, eval.KindOpen)
	check(err, `kind "open" is not read by rules`)
}

// versioned are rules of which only the version matters.
type versioned string

func (v versioned) Version() string { return string(v) }

func (versioned) Read([]eval.Option, string) eval.Extraction { return eval.Extraction{} }

func TestVersionCoversEveryKind(t *testing.T) {
	check := func(choice, yesNo rules, want string) {
		t.Helper()
		if got := (Set{choice: choice, yesNo: yesNo}).Version(); got != want {
			t.Errorf("version %q, want %q", got, want)
		}
	}
	check(versioned("1"), versioned("1"), "1")
	check(versioned("2"), versioned("1"), "2.1")
	check(versioned("1"), versioned("2"), "1.2")
	check(versioned("2"), versioned("2"), "2")
	check(versioned("3"), nil, "3")
	check(nil, versioned("3"), "3")
}

func TestMMStar(t *testing.T) {
	rd := readerOf(t, "mmstar", eval.KindChoice)
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
	rd := readerOf(t, "mmbench", eval.KindChoice)
	check := func(text, want string) {
		t.Helper()
		if e := rd.Read(opts("dog", "cat", "red bus", "C"), text); string(e.Choice) != want {
			t.Errorf("%q: got %+v, want %q", text, e, want)
		}
	}
	check("B", "B")
	check("A", "A")
	check(" A\n", "A")
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
		if got := kitAnswer(readerOf(t, "vlmevalkit-2026", eval.KindChoice).Read(options, text)); got != want2026 {
			t.Errorf("2026 %q: got %q, want %q", text, got, want2026)
		}
		if got := kitAnswer(readerOf(t, "vlmevalkit-2024", eval.KindChoice).Read(options, text)); got != want2024 {
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

func ExampleFindRules() {
	rules, err := FindRules(Default)
	if err != nil {
		fmt.Println(err)
		return
	}
	options := []eval.Option{{Letter: "A", Text: "a dog"}, {Letter: "B", Text: "a cat"}}
	for _, text := range []string{"The answer is **B**.", "It is a dog.", "A or B", "None of the above."} {
		e := rules.Read(eval.KindChoice, options, text)
		fmt.Printf("%q %s %s\n", e.Choice, e.Status, e.Method)
	}
	// Output:
	// "B" found stated
	// "A" found contained
	// "" ambiguous listed
	// "" none none-of-them
}
