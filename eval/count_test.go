package eval

import "testing"

// letters reads the text itself as the choice.
type letters struct{}

func (letters) Name() string    { return "letters" }
func (letters) Version() string { return "1" }
func (letters) Read(kind Kind, _ []Option, text string) Extraction {
	if kind == KindOpen {
		return Extraction{}
	}
	if text == "" {
		return Extraction{Status: Missing}
	}
	return Extraction{Status: Found, Choice: Choice(text)}
}

func TestCount(t *testing.T) {
	sample := Sample{Kind: KindChoice, Answer: "A", Options: []Option{{"A", "x"}, {"B", "y"}, {"C", "z"}}}
	answer := func(texts ...string) []Prediction {
		var out []Prediction
		for i, s := range texts {
			p := Prediction{Key: Key{Pass: Pass(i)}, Text: s}
			switch s {
			case "!":
				p.Text, p.Failure = "", &Failure{Kind: FailureSample}
			case "~":
				p.Text, p.Failure = "", &Failure{Kind: FailureTransient}
			}
			out = append(out, p)
		}
		return out
	}
	check := func(name string, o Origin, found, missing, failures, questions int, texts ...string) {
		t.Helper()
		c := CountsOfQuestion(Config{Strategy: Circular, Origin: o}, &Question{Sample: sample, Predictions: answer(texts...)}, letters{})
		if c.Statuses[Found] != found || c.Statuses[Missing] != missing || c.Failures != failures ||
			c.Questions != questions || c.Predictions != len(texts) || c.Reader != "letters@1" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	check("nothing", Asked, 0, 0, 0, 0)
	check("right so far", Asked, 2, 0, 0, 0, "A", "B")
	check("all passes", Asked, 3, 0, 0, 1, "A", "B", "C")
	check("found and wrong ends", Asked, 1, 0, 0, 1, "B")
	check("unread ends nothing", Asked, 1, 1, 0, 0, "", "B")
	check("an outage is to be asked again", Asked, 2, 0, 1, 0, "A", "~", "C")
	check("what the sample is to blame for is not", Asked, 2, 0, 1, 1, "A", "!", "C")
	check("a file does not grow", Imported, 1, 0, 0, 1, "A")
}

// What the rules cannot read, the judge of the configuration decides; what
// they can, it does not.
func TestCountWithJudge(t *testing.T) {
	sample := Sample{Kind: KindChoice, Answer: "A", Options: []Option{{"A", "x"}, {"B", "y"}}}
	config := Config{Strategy: Circular, Settings: Settings{Judges: []JudgeSetup{{Judge: "gpt"}, {Judge: "qwen"}}}}
	check := func(name, text, judge string, e Extraction, failure *Failure, questions int) {
		t.Helper()
		q := Question{
			Sample: sample, Predictions: []Prediction{{Text: text, Usage: Usage{Prompt: 3}}},
			Judgments: []Judgment{{Judge: judge, Extraction: e, Call: Call{Failure: failure}}},
		}
		if c := CountsOfQuestion(config, &q, letters{}); c.Questions != questions || c.Usage.Prompt != 3 {
			t.Errorf("%s: %+v, want %d questions", name, c, questions)
		}
	}
	wrong, right := Extraction{Status: Found, Choice: "B"}, Extraction{Status: Found, Choice: "A"}
	check("found and wrong ends", "", "gpt", wrong, nil, 1)
	check("found and right continues", "", "gpt", right, nil, 0)
	check("none ends nothing", "", "gpt", Extraction{Status: None}, nil, 0)
	check("a failed call says nothing", "", "gpt", wrong, &Failure{}, 0)
	check("another judge decides nothing", "", "qwen", wrong, nil, 0)
	check("the rules come first", "A", "gpt", wrong, nil, 0)
}

// An answer that no rule reads is not what the rules could not read.
func TestCountOfOpenAnswers(t *testing.T) {
	q := Question{Sample: Sample{Kind: KindOpen}, Predictions: []Prediction{{Text: "once upon a time"}}}
	c := CountsOfQuestion(Config{Strategy: Vanilla, Origin: Imported}, &q, letters{})
	if c.Predictions != 1 || c.Questions != 1 || c.CountUnparsed() != 0 || c.Statuses[Found] != 0 {
		t.Errorf("%+v, %d unparsable, want one prediction that is neither", c, c.CountUnparsed())
	}
}
