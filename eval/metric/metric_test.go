package metric

import (
	"math"
	"testing"

	"concord/eval"
	"concord/eval/stat"
)

// letters reads a text that is a letter as that option.
type letters struct{}

func (letters) Name() string    { return "letters" }
func (letters) Version() string { return "1" }

func (letters) Read(_ eval.Kind, options []eval.Option, text string) eval.Extraction {
	for _, o := range options {
		if string(o.Letter) == text {
			return eval.Extraction{Choice: o.Letter, Status: eval.Found}
		}
	}
	return eval.Extraction{Status: eval.Missing}
}

func scheme(strategy eval.Strategy, origin eval.Origin) *Scheme {
	return &Scheme{
		Run:   eval.Run{ID: 1, Config: eval.Config{Strategy: strategy, Origin: origin}},
		Rules: letters{},
	}
}

// ask makes a question of three options whose answer is A, with a prediction
// for each pass: right (+), wrong (-), unread (?), refused by the endpoint (!),
// failed in an outage (~), not there (.).
func ask(passes string) eval.Question {
	q := eval.Question{Sample: eval.Sample{Kind: eval.KindChoice, Answer: "A", Options: []eval.Option{
		{Letter: "A", Text: "a"}, {Letter: "B", Text: "b"}, {Letter: "C", Text: "c"},
	}}}
	for i, mark := range passes {
		p := eval.Prediction{Key: eval.Key{Run: 1, Pass: eval.Pass(i)}}
		truth := q.Sample.ShowInPass(p.Pass).Answer
		switch mark {
		case '.':
			continue
		case '+':
			p.Text = string(truth)
		case '-':
			p.Text = map[eval.Choice]string{"A": "B", "B": "C", "C": "A"}[truth]
		case '!':
			p.Failure = &eval.Failure{Kind: eval.FailureSample}
		case '~':
			p.Failure = &eval.Failure{Kind: eval.FailureTransient}
		}
		q.Predictions = append(q.Predictions, p)
	}
	return q
}

func TestOutcome(t *testing.T) {
	check := func(s *Scheme, passes string, vanilla, circular QuestionState, irregular bool) {
		t.Helper()
		q := ask(passes)
		o := s.Decide(&q)
		if o.Vanilla != vanilla || o.Circular != circular || o.Irregular != irregular {
			t.Errorf("%q: vanilla %v, circular %v, irregular %v, want %v, %v, %v",
				passes, o.Vanilla, o.Circular, o.Irregular, vanilla, circular, irregular)
		}
	}
	own := scheme(eval.Circular, eval.Asked)
	check(own, "+++", Right, Right, false)
	check(own, "+-", Right, NotRight, false)
	check(own, "-", NotRight, NotRight, false)
	check(own, "++", Right, Pending, false)
	check(own, "?", NotRight, Pending, false)
	check(own, "?-", NotRight, NotRight, false)
	check(own, "?++", NotRight, NotRight, false)
	check(own, "+!+", Right, NotRight, false)
	check(own, "+!", Right, Pending, false)
	check(own, "!", NotRight, Pending, false)
	check(own, "+~+", Right, Pending, false)
	check(own, "~++", Pending, Pending, false)
	check(own, "+~-", Right, NotRight, false)
	check(own, "", Pending, Pending, false)
	check(own, ".++", Pending, Pending, false)
	file := scheme(eval.Circular, eval.Imported)
	check(file, "+++", Right, Right, false)
	check(file, "++", Right, Right, true)
	check(file, "+-", Right, NotRight, true)
	check(file, "+?", Right, NotRight, true)
	check(file, "~++", NotRight, NotRight, false)
	check(file, ".++", Unanswered, Right, true)
	check(file, "", Unanswered, Unanswered, false)
	check(file, "--+", NotRight, NotRight, false)
	vanilla := scheme(eval.Vanilla, eval.Imported)
	check(vanilla, "+", Right, Right, false)
	check(vanilla, "?", NotRight, NotRight, false)
	check(scheme(eval.Vanilla, eval.Asked), "", Pending, Pending, false)
}

// choiceOnly has no rules for other kinds.
type choiceOnly struct{ letters }

func (c choiceOnly) Read(kind eval.Kind, options []eval.Option, text string) eval.Extraction {
	if kind != eval.KindChoice {
		return eval.Extraction{}
	}
	return c.letters.Read(kind, options, text)
}

// What no rules read is neither wrong nor unparsable, and is counted apart.
func TestNotRead(t *testing.T) {
	s := scheme(eval.Vanilla, eval.Imported)
	s.Rules = choiceOnly{}
	tally := NewTally(s)
	for _, kind := range []eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen} {
		for _, answer := range "+?!" {
			q := ask(string(answer))
			if q.Sample.Kind = kind; kind == eval.KindOpen {
				q.Sample.Answer = ""
			}
			tally.AddQuestion(&q)
		}
	}
	f := tally.TotalCounts()
	score := f.Root.Vanilla
	if score.Accuracy != (stat.Count{K: 1, N: 4}) || score.NoRules != 2 || score.NoTruth != 3 || score.Questions() != 9 {
		t.Errorf("score %+v, want 1 of 4 (a failed call is not right), 2 without rules, 3 without a ground truth", score)
	}
	if r := f.Vanilla; r.Failures != 3 || r.Statuses[eval.StatusUnset] != 4 || r.Statuses[eval.Missing] != 1 || r.Statuses[eval.Found] != 1 {
		t.Errorf("records %+v, want 1 found, 1 missing, 4 not read, 3 failed", r)
	}
	if f.Steps.Rules.Count != (stat.Count{K: 1, N: 2}) || f.Positions.NotRead != 4 || f.Positions.Unread != 1 {
		t.Errorf("step 1 %+v, positions %+v, want 1 of 2, and 4 not read", f.Steps.Rules, f.Positions)
	}
	if r := (&Score{NoRules: 2}).Rate(); r.Undefined != "not read by these rules" {
		t.Errorf("rate %+v, want undefined", r)
	}
}

func TestNoTruth(t *testing.T) {
	tally := NewTally(scheme(eval.Vanilla, eval.Asked))
	for _, passes := range []string{"+", "-", "?", ""} {
		q := ask(passes)
		q.Sample.Answer = ""
		tally.AddQuestion(&q)
	}
	root := tally.TotalCounts().Root
	if root.Vanilla.NoTruth != 4 || root.Vanilla.Questions() != 4 || root.Vanilla.Accuracy.N != 0 {
		t.Errorf("score %+v, want 4 questions without a ground truth", root.Vanilla)
	}
	if r := root.Vanilla.Rate(); r.Undefined != "no ground truth" {
		t.Errorf("rate %+v, want undefined: no ground truth", r)
	}
	if f := root.FrequentChoiceBaseline(""); f.N != 0 {
		t.Errorf("frequent choice %+v of no truths", f)
	}
}

// Whatever goes in is counted: questions in one verdict, predictions in one
// class, and merging tallies gives what one tally would have counted.
func TestTallyCountsEverything(t *testing.T) {
	s := scheme(eval.Circular, eval.Asked)
	parts := []*Tally{NewTally(s), NewTally(s)}
	whole := NewTally(s)
	all := []string{"+++", "+-", "?", "", "+!+", "!", "++", "-"}
	predictions := 0
	for i, passes := range all {
		q := ask(passes)
		q.Sample.Taxonomy = []string{"x", string(rune('a' + i%2))}
		q.Sample.Split = []string{"dev", "test"}[i%2]
		predictions += len(q.Predictions)
		parts[i%2].AddQuestion(&q)
		whole.AddQuestion(&q)
	}
	parts[0].Merge(parts[1])
	for _, f := range []*RunCounts{whole.TotalCounts(), parts[0].TotalCounts()} {
		if n := f.Root.Circular.Questions(); n != len(all) {
			t.Errorf("%d questions of %d", n, len(all))
		}
		if f.Root.Circular.Accuracy != (stat.Count{K: 1, N: 4}) || f.Root.Circular.Pending != 4 {
			t.Errorf("circular %+v, want 1 of 4 and 4 pending", f.Root.Circular)
		}
		if f.Root.Vanilla.Accuracy != (stat.Count{K: 4, N: 7}) || f.Root.Vanilla.Pending != 1 {
			t.Errorf("vanilla %+v, want 4 of 7 and 1 pending", f.Root.Vanilla)
		}
		n := f.Circular.Failures
		for _, k := range f.Circular.Statuses {
			n += k
		}
		if n != predictions || f.Circular.Failures != 2 {
			t.Errorf("%d predictions of %d, %d failures", n, predictions, f.Circular.Failures)
		}
		if f.Steps.Rules.Count != (stat.Count{K: 10, N: 11}) {
			t.Errorf("step 1 %+v, want 10 of 11", f.Steps.Rules)
		}
		if f.Root.Paired != (stat.Pairs{Both: 1, Second: 2, Neither: 1}) {
			t.Errorf("circular and vanilla %+v", f.Root.Paired)
		}
		below := f.Root.Descendants()
		if len(below) != 3 || below[0].Circular.Questions() != 8 || below[1].Circular.Questions() != 4 {
			t.Errorf("levels %+v", below)
		}
	}
}

func TestJudgeIsStepTwo(t *testing.T) {
	s := scheme(eval.Circular, eval.Asked)
	readings := map[eval.Pass]eval.Extraction{
		0: {Choice: "A", Status: eval.Found},
		1: {Status: eval.None},
		2: {Status: eval.Missing},
	}
	s.Judges = []Judge{{Name: "gpt", Reading: func(k eval.Key) (eval.Extraction, bool) {
		e, ok := readings[k.Pass]
		return e, ok
	}}}
	q := ask("???")
	if o := s.Decide(&q); o.Vanilla != NotRight {
		t.Errorf("a judge that was not asked for decided: %v", o.Vanilla)
	}
	s.Second = 1
	o := s.Decide(&q)
	if o.Vanilla != Right || o.Circular != NotRight {
		t.Errorf("vanilla %v, circular %v, want right and wrong", o.Vanilla, o.Circular)
	}
	if got := o.Readings[1].Combined.Status; got != eval.None {
		t.Errorf("the judge's pseudo-choice is %v", got)
	}
	tally := NewTally(s)
	tally.AddQuestion(&q)
	if j := tally.TotalCounts().Steps.Judges[0]; j.Read.Count != (stat.Count{K: 2, N: 3}) || j.Asked != 3 || j.Unparsed != 1 {
		t.Errorf("step 2 %+v, want 2 of 3", j)
	}
	delete(readings, 1)
	again := false
	s.Judges[0].Failed = func(k eval.Key) (bool, bool) { return again, k.Pass < 2 } // the first has a reading all the same
	tally = NewTally(s)
	tally.AddQuestion(&q)
	if j := tally.TotalCounts().Steps.Judges[0]; j.Read.Count != (stat.Count{K: 1, N: 3}) || j.Asked != 2 || j.Failed != 1 || j.Unparsed != 1 {
		t.Errorf("step 2 with a failed call %+v, want 1 of 3 and 1 failed", j)
	}
	// An outage of the judge decides nothing, and is in no rate.
	again = true
	tally = NewTally(s)
	tally.AddQuestion(&q)
	if j := tally.TotalCounts().Steps.Judges[0]; j.Read.Count != (stat.Count{K: 1, N: 2}) || j.Failed != 1 {
		t.Errorf("step 2 with a call that is made again %+v, want 1 of 2 and 1 failed", j)
	}
	if o := s.Decide(&q); o.Vanilla != Right || o.Circular != Pending {
		t.Errorf("vanilla %v, circular %v, want right and pending", o.Vanilla, o.Circular)
	}
	if r := tally.TotalCounts().Positions.Right.Rate("none"); r.K != 1 || r.N != 2 {
		t.Errorf("all passes: %+v, want 1 of 2", r)
	}
	delete(readings, 0)
	if o := s.Decide(&q); o.Vanilla != Pending {
		t.Errorf("vanilla %v, want pending", o.Vanilla)
	}
	readings[0] = eval.Extraction{Choice: "A", Status: eval.Found}
	readings[1] = eval.Extraction{Status: eval.None}
	q = ask("-??")
	if o := s.Decide(&q); o.Vanilla != NotRight || o.Readings[0].Combined.Choice != "B" {
		t.Errorf("the judge overruled the rules: %+v", o.Readings[0])
	}
	readings[2] = eval.Extraction{Choice: "B", Status: eval.Found, Method: eval.Fallback}
	tally = NewTally(s)
	q = ask("??+")
	q.Predictions[2].Text = ""
	tally.AddQuestion(&q)
	if j := tally.TotalCounts().Steps.Judges[0]; j.Read.Count != (stat.Count{K: 2, N: 3}) || j.Fallback != 1 {
		t.Errorf("a choice drawn at random: %+v, want 2 of 3 read and 1 drawn", j)
	}
}

func TestBaselines(t *testing.T) {
	l := newLevel(nil)
	for i, answer := range []eval.Choice{"A", "A", "B"} {
		q := ask("+")
		q.Sample.Answer = answer
		if i == 2 {
			q.Sample.Options = q.Sample.Options[:2]
		}
		l.addQuestion(&q, &Outcome{}, 0)
	}
	if f := l.FrequentChoiceBaseline(""); f.K != 2 || f.N != 3 {
		t.Errorf("frequent choice %+v, want 2 of 3", f)
	}
	check := func(s eval.Strategy, want float64) {
		t.Helper()
		if got, ok := l.RandomBaseline(s); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("random under %v: %v, want %v", s, got, want)
		}
	}
	check(eval.Vanilla, (1.0/3+1.0/3+1.0/2)/3)
	check(eval.Circular, (1.0/27+1.0/27+1.0/4)/3)
	if _, ok := newLevel(nil).RandomBaseline(eval.Vanilla); ok {
		t.Error("a baseline of no questions")
	}
}

func TestDeciding(t *testing.T) {
	s := scheme(eval.Circular, eval.Imported)
	check := func(passes string, want eval.Pass, there bool) {
		t.Helper()
		q := ask(passes)
		o := s.Decide(&q)
		if got, ok := o.DecidingPass(); got != want || ok != there {
			t.Errorf("%q: pass %d, %v, want %d, %v", passes, got, ok, want, there)
		}
	}
	check("+++", 0, true)
	check("+?-", 2, true)
	check("++?", 2, true)
	check("", 0, false)
}
