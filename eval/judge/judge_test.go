package judge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/prompt"
)

// script is a chatter that says its lines in turn and keeps what it was told.
type script struct {
	lines []string // "!" fails
	told  []eval.Chat
}

var errDown = &eval.Failure{Kind: eval.FailureTransient, Message: "down"}

func (s *script) Chat(_ context.Context, c eval.Chat) (eval.Reply, error) {
	if slices.ContainsFunc(s.told, func(t eval.Chat) bool { return t.System == c.System && slices.Equal(t.Turns, c.Turns) }) {
		return eval.Reply{}, errors.New("told the same twice")
	}
	s.told = append(s.told, c)
	line := s.lines[len(s.told)-1]
	reply := eval.Reply{Text: line, Finish: "stop", Usage: eval.Usage{Prompt: 100, Completion: 1}}
	if line == "!" {
		return eval.Reply{Usage: eval.Usage{Prompt: 10}}, errDown
	}
	return reply, nil
}

func newJudge(t testing.TB, o Options) *Judge {
	t.Helper()
	set, err := prompt.LoadSet(nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Set, o.Setup.Judge, o.Setup.Prompts = set, "judge-1", set.Refs(prompt.ExtractChoice, prompt.ReadYesNo)
	j, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func judging(s eval.Sample, p eval.Pass, text string) eval.JudgeQuestion {
	return eval.JudgeQuestion{
		Run: eval.Run{Config: eval.Config{Dataset: "d"}}, Sample: s, Shown: s.ShowInPass(p),
		Prediction: eval.Prediction{Key: eval.Key{Pass: p}, Text: text},
	}
}

var dog = eval.Sample{ID: "1", Kind: eval.KindChoice, Question: "What is it?", Options: []eval.Option{{Letter: "A", Text: "cat"}, {Letter: "C", Text: "dog"}}}

func TestJudge(t *testing.T) {
	check := func(o Options, lines []string, calls int, want eval.Extraction, raw string) {
		t.Helper()
		s := &script{lines: lines}
		o.Chatter = s
		j := newJudge(t, o)
		got, err := j.Judge(t.Context(), judging(dog, 0, "a puppy"))
		if err != nil || len(s.told) != calls {
			t.Fatalf("%q: %d calls, %v", lines, len(s.told), err)
		}
		ref, _ := o.Set.TemplateText(prompt.ExtractChoice, "en")
		hash, _ := HashSetup(j.means.Setup)
		if got.Extraction != want || got.Raw != raw || got.Judge != "judge-1" || got.Prompt != ref.Ref.Hash || got.Setup != hash ||
			got.Finish != "stop" || got.Usage != (eval.Usage{Prompt: 100 * calls, Completion: calls}) {
			t.Errorf("%q: %+v", lines, got)
		}
	}
	set, _ := prompt.LoadSet(nil)
	plain := Options{Set: set}
	found := eval.Extraction{Choice: "C", Status: eval.Found, Method: Method}
	check(plain, []string{"C"}, 1, found, "C")
	check(plain, []string{"Z"}, 1, eval.Extraction{Status: eval.None, Method: Method}, "Z")
	check(plain, []string{"Based on it", "C."}, 2, found, "C.")
	check(plain, []string{"", "C"}, 2, found, "C")
	check(plain, []string{"B", "B"}, 2, eval.Extraction{Status: eval.Missing, Method: Unparsed}, "B")
	check(Options{Set: set, Hints: 3}, []string{"", " ", "A or C", "hm"}, 4, eval.Extraction{Status: eval.Missing, Method: Unparsed}, "hm")
	check(Options{Set: set, Hints: -1}, []string{"hm"}, 1, eval.Extraction{Status: eval.Missing, Method: Unparsed}, "hm")
	check(Options{Set: set, Setup: eval.JudgeSetup{Pseudo: "C"}}, []string{"D"}, 1, eval.Extraction{Status: eval.None, Method: Method}, "D")
}

func TestHints(t *testing.T) {
	s := &script{lines: []string{"A or C", strings.Repeat("é", 3000), "C"}}
	j := newJudge(t, Options{Chatter: s, Hints: 2})
	if _, err := j.Judge(t.Context(), judging(dog, 0, "a puppy")); err != nil {
		t.Fatal(err)
	}
	turns := s.told[2].Turns
	if len(turns) != 5 || turns[1] != (eval.Turn{Role: eval.Assistant, Text: "A or C"}) ||
		!strings.Contains(turns[2].Text, "more than one choice") || !strings.Contains(turns[2].Text, "exactly one of A, C or Z") ||
		!strings.Contains(turns[4].Text, "more than the choice alone") || len(turns[3].Text) > quoted+4 {
		t.Errorf("turns %+v", turns)
	}
	for _, c := range s.told {
		if last := c.Turns[len(c.Turns)-1]; c.Turns[0].Role != eval.User || last.Role != eval.User {
			t.Errorf("turns %+v", c.Turns)
		}
	}
}

func TestUsageBesideAnError(t *testing.T) {
	j := newJudge(t, Options{Chatter: &script{lines: []string{"hm", "!"}}})
	got, err := j.Judge(t.Context(), judging(dog, 0, "a puppy"))
	if !errors.Is(err, errDown) || got.Usage != (eval.Usage{Prompt: 110, Completion: 1}) || got.Extraction != (eval.Extraction{}) || got.Judge == "" {
		t.Errorf("got %+v, %v", got, err)
	}
	// A failure stays one where a fallback is asked for.
	j = newJudge(t, Options{Chatter: &script{lines: []string{"!"}}, Fallback: true})
	if got, err = j.Judge(t.Context(), judging(dog, 0, "a puppy")); err == nil || got.Extraction != (eval.Extraction{}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestNotJudged(t *testing.T) {
	j := newJudge(t, Options{})
	check := func(q eval.JudgeQuestion, want string) {
		t.Helper()
		_, err := j.Judge(t.Context(), q)
		f := eval.FailureOfError(err)
		if f == nil || f.Kind != eval.FailureSample || !strings.Contains(f.Message, want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
		if got := j.ReadReply(q, eval.Reply{Text: "A"}); got.Failure == nil || got.Extraction != (eval.Extraction{}) {
			t.Errorf("read gives %+v", got)
		}
	}
	check(judging(eval.Sample{ID: "5", Kind: eval.KindOpen}, 0, "x"), "sample 5 is open")
	check(judging(eval.Sample{ID: "5", Kind: eval.KindChoice}, 0, "x"), "no options")
	failed := judging(dog, 0, "")
	failed.Prediction.Failure = errDown
	check(failed, "no answer to read")
}

func TestFallback(t *testing.T) {
	sample := dog
	sample.Options = options("ABD")
	seen := make(map[eval.Extraction]int)
	j := newJudge(t, Options{Fallback: true, Seed: 7})
	draw := func(id eval.SampleID, p eval.Pass) eval.Extraction {
		sample.ID = id
		got := j.ReadReply(judging(sample, p, "hm"), eval.Reply{Text: "no idea"})
		if got.Extraction.Method != eval.Fallback || got.Raw != "no idea" {
			t.Fatalf("got %+v", got)
		}
		return got.Extraction
	}
	for i := range 400 {
		id := eval.SampleID(rune('a' + i/2))
		e := draw(id, eval.Pass(i%2))
		if e != draw(id, eval.Pass(i%2)) {
			t.Fatal("a second draw gives another choice")
		}
		seen[e]++
	}
	want := []eval.Extraction{{Status: eval.None, Method: eval.Fallback}}
	for _, c := range []eval.Choice{"A", "B", "D"} {
		want = append(want, eval.Extraction{Choice: c, Status: eval.Found, Method: eval.Fallback})
	}
	for _, e := range want {
		if n := seen[e]; n < 70 || n > 130 {
			t.Errorf("%+v was drawn %d times of 400", e, n)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("drawn %v", seen)
	}
}

func TestYesNoAndLanguages(t *testing.T) {
	j := newJudge(t, Options{})
	en := judging(eval.Sample{Kind: eval.KindYesNo, Question: "Is it a cat? Please answer yes or no."}, 0, "a dog sits there")
	zh := judging(eval.Sample{Kind: eval.KindChoice, Question: "图中是什么？", Options: options("AB")}, 1, "一只狗")
	c, err := j.BuildChat(en)
	if err != nil || !strings.Contains(c.Turns[0].Text, "yes, no or unknown") || !strings.Contains(c.Turns[0].Text, "a dog sits there") {
		t.Errorf("got %+v, %v", c, err)
	}
	if got := j.ReadReply(en, eval.Reply{Text: "No."}); got.Extraction != (eval.Extraction{Choice: eval.No, Status: eval.Found, Method: Method}) {
		t.Errorf("got %+v", got)
	}
	c, err = j.BuildChat(zh)
	if err != nil || !strings.Contains(c.Turns[0].Text, "A、B 或 Z") || !strings.Contains(c.Turns[0].Text, "A. text B") {
		t.Errorf("got %+v, %v", c, err)
	}
	if got := newJudge(t, Options{Setup: eval.JudgeSetup{Language: "en"}}); got != nil {
		if c, _ = got.BuildChat(zh); !strings.Contains(c.Turns[0].Text, "A, B or Z") {
			t.Errorf("forced English: %+v", c)
		}
	}
}

// TestWorkedExamplesAgree looks for a letter that is an option's in a worked
// example and the pseudo-choice's at once.
func TestWorkedExamplesAgree(t *testing.T) {
	sample := dog
	for _, letters := range []string{"ABCD", "EFGHIJKLMNOPQRSTUVWXYZ", "ACDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
		sample.Options = options(letters)
		c, err := newJudge(t, Options{Setup: eval.JudgeSetup{Pseudo: "B"}}).BuildChat(judging(sample, 0, "x"))
		if err != nil {
			t.Fatal(err)
		}
		p := string(pseudoLetter("B", sample.Options))
		if !strings.Contains(c.Turns[0].Text, "Reply: "+p+"\n") || strings.Contains(c.Turns[0].Text, "\n"+p+". ") {
			t.Errorf("%s with %s:\n%s", letters, p, c.Turns[0].Text)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	set, _ := prompt.LoadSet(nil)
	check := func(o Options, want string) {
		t.Helper()
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	stale := set.Refs(prompt.ExtractChoice)
	stale[1].Hash = "0"
	check(Options{Set: set}, "no name")
	check(Options{Setup: eval.JudgeSetup{Judge: "j"}}, "no templates")
	check(Options{Set: set, Setup: eval.JudgeSetup{Judge: "j", Prompts: stale}}, "extract-choice/zh has changed")
	check(Options{Set: set, Setup: eval.JudgeSetup{Judge: "j", Pseudo: "z"}}, "no letter")
	check(Options{Set: set, Setup: eval.JudgeSetup{Judge: "j", Pseudo: "NONE"}}, "no letter")
	check(Options{Set: set, Setup: eval.JudgeSetup{Judge: "j", Language: "fr"}}, "unknown language")
}

func TestHash(t *testing.T) {
	refs := []eval.PromptRef{{Name: "b", Hash: "2"}, {Name: "a", Hash: "1"}}
	base := eval.JudgeSetup{Judge: "j", Params: `{"temperature":0,"seed":12345678901234567890}`, Prompts: refs}
	hash, text := HashSetup(base)
	if !json.Valid(text) || !strings.Contains(string(text), "12345678901234567890") || len(hash) != 64 {
		t.Errorf("got %s %s", hash, text)
	}
	if refs[0].Name != "b" {
		t.Error("the setup was changed")
	}
	// What is stored names setups by the hash that they had before there was an edge.
	if want := `{"judge":"j","endpoint":"","name":"","params":{"seed":12345678901234567890,"temperature":0},"prompts":[{"name":"a","language":"","version":"","hash":"1"},{"name":"b","language":"","version":"","hash":"2"}],"language":"","pseudo":"Z"}`; string(text) != want {
		t.Errorf("got %s", text)
	}
	same := base
	same.Pseudo, same.Params = "Z", `{ "seed":12345678901234567890, "temperature":0 }`
	same.Prompts = []eval.PromptRef{refs[1], refs[0]}
	if h, _ := HashSetup(same); h != hash {
		t.Error("an equal setup has another hash")
	}
	for _, other := range []func(*eval.JudgeSetup){
		func(s *eval.JudgeSetup) { s.Judge = "k" }, func(s *eval.JudgeSetup) { s.Params = "" }, func(s *eval.JudgeSetup) { s.Pseudo = "X" },
		func(s *eval.JudgeSetup) { s.Prompts = refs[:1] }, func(s *eval.JudgeSetup) { s.Language = "en" },
		func(s *eval.JudgeSetup) { s.Edge = 512 }, func(s *eval.JudgeSetup) { s.Endpoint = "e" }, func(s *eval.JudgeSetup) { s.Name = "n" },
	} {
		s := base
		other(&s)
		if h, _ := HashSetup(s); h == hash {
			t.Errorf("%+v has the same hash", s)
		}
	}
}
