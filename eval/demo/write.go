package demo

import (
	"cmp"
	"embed"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"concord/eval"
)

// pseudo is the letter by which the recorded judge says that no option has the meaning of an answer.
const pseudo = "Z"

func (b *answerBook) writeAnswer(v *behavior, q *question, s *eval.Sample, p eval.Pass, h modelAnswers) answer {
	if f := h.free[p]; f != nil {
		return f.writeAnswer(q, s, p)
	}
	listed := h.believes
	if listed == "" {
		n := len(s.Options)
		listed = letterAt((n - int(p)%n) % n) // whatever stands at A in this pass
	}
	at := letterInPass(s, listed, p)
	text := b.drawStyle(v, q, s, listed, p).fillInText(q, s, listed, p)
	found := eval.Extraction{Choice: at, Status: eval.Found, Method: "recorded"}
	return answer{reply: eval.Reply{Text: text, Finish: "stop"}, meant: found, judged: found, raw: string(at)}
}

// letterInPass is the letter under which an option, as listed, stands in a pass.
func letterInPass(s *eval.Sample, listed eval.Choice, p eval.Pass) eval.Choice {
	return letterAt((int(listed[0]-'A') + int(p)) % len(s.Options))
}

// drawStyle draws one of the styles that a voice uses for such a pick.
func (b *answerBook) drawStyle(v *behavior, q *question, s *eval.Sample, listed eval.Choice, p eval.Pass) *style {
	fits := func(st *style) int {
		if st.Lang != q.languageOfText() || strings.Contains(st.Text, "{why}") && q.explainOption(listed) == "" {
			return 0
		}
		return st.Weight[v.index]
	}
	total := 0
	for i := range b.styles {
		total += fits(&b.styles[i])
	}
	draw := int(hashToUnit(v.name, s.ID, p, "style") * float64(total))
	for i := range b.styles {
		if draw -= fits(&b.styles[i]); draw < 0 {
			return &b.styles[i]
		}
	}
	return &b.styles[0]
}

func (st *style) fillInText(q *question, s *eval.Sample, listed eval.Choice, p eval.Pass) string {
	other := eval.Either(listed == q.Lure, q.Answer, q.Lure)
	text := func(c eval.Choice) string { return q.Options[c[0]-'A'] }
	list := eval.Map(s.ShowInPass(p).Options, func(o eval.Option) string { return string(o.Letter) + ". " + o.Text })
	return strings.NewReplacer(
		"{L}", string(letterInPass(s, listed, p)), "{T}", text(listed),
		"{M}", string(letterInPass(s, other, p)), "{N}", text(other),
		"{why}", q.explainOption(listed), "{list}", strings.Join(list, "\n"),
	).Replace(st.Text)
}

// writeAnswer gives a hand-written answer as given in a pass, with its readings.
func (f *freeAnswer) writeAnswer(q *question, s *eval.Sample, p eval.Pass) answer {
	a := answer{
		reply: eval.Reply{Text: f.Says, Finish: cmp.Or(f.Finish, "stop")},
		meant: expectedReading(s, f.Means, p), judged: expectedReading(s, cmp.Or(f.Judge, f.Means), p), free: true,
	}
	if a.judged.Status == eval.Refused || a.judged.Status == eval.Ambiguous {
		a.judged.Status = eval.None // the judge has one word for all of them
	}
	a.raw = f.writeJudgeReply(q, s, a.judged, p)
	return a
}

// expectedReading is what means says, for the options as shown in a pass.
func expectedReading(s *eval.Sample, means string, p eval.Pass) eval.Extraction {
	if status, ok := choiceless[means]; ok {
		return eval.Extraction{Method: "recorded", Status: status}
	}
	return eval.Extraction{Method: "recorded", Status: eval.Found, Choice: letterInPass(s, eval.Choice(means), p)}
}

// choiceless are the words of hand-written answers that name no option.
var choiceless = map[string]eval.Status{"none": eval.None, "refused": eval.Refused, "ambiguous": eval.Ambiguous, "unread": eval.Missing}

func (f *freeAnswer) writeJudgeReply(q *question, s *eval.Sample, judged eval.Extraction, p eval.Pass) string {
	verdict := eval.Either(judged.Status != eval.Found, pseudo, string(judged.Choice))
	if f.Raw != "" {
		pairs := []string{"{none}", pseudo}
		for i, text := range q.Options {
			at := string(letterInPass(s, letterAt(i), p))
			pairs = append(pairs, "{"+text+"}", at, "{"+strings.ToLower(text)+"}", at)
		}
		return strings.NewReplacer(pairs...).Replace(f.Raw)
	}
	forms := []string{"*", "*", "Answer: *", "The answer has the meaning of option *.\n*"}
	if judged.Status != eval.Found {
		forms = []string{"*", "*", "None of the options has the meaning of this answer.\n*"}
	}
	form := forms[int(hashToUnit(s.ID, p, f.Says)*float64(len(forms)))]
	return strings.ReplaceAll(form, "*", verdict)
}

//go:embed data/*.toml
var data embed.FS

// answerBook is what is written by hand: questions with their free answers, and the styles of all others.
type answerBook struct {
	questions []question
	styles    []style
}

// question is a question as data/*.toml writes it. Letters are those of the options as listed.
type question struct {
	ID      eval.SampleID `toml:"id"`
	Picture string        `toml:"picture"`
	Path    []string      `toml:"path"`
	Text    string        `toml:"text"`
	Hint    string        `toml:"hint"`
	Options []string      `toml:"options"`
	Answer  eval.Choice   `toml:"answer"`
	Lure    eval.Choice   `toml:"lure"` // the wrong option that is picked most
	Why     string        `toml:"why"`  // an explanation of the right option
	Slip    string        `toml:"slip"` // one of the lure
	Free    []freeAnswer  `toml:"free"`
}

// freeAnswer is an answer that no rule is meant to read.
type freeAnswer struct {
	Says   string `toml:"says"`
	Means  string `toml:"means"` // a letter, none, refused or ambiguous
	Judge  string `toml:"judge"` // where the judge reads it otherwise; unread: its reply is no reading
	Raw    string `toml:"raw"`   // the judge's reply; {text of an option} is its letter as shown
	Finish string `toml:"finish"`
}

// style is a way to write a choice down, with its weight for each model.
type style struct {
	Text   string `toml:"text"`
	Lang   string `toml:"lang"` // "" or zh
	Weight [3]int `toml:"weight"`
}

func readAnswerBook() (*answerBook, error) {
	b := &answerBook{}
	for _, topic := range []string{"shapes", "charts", "scenes", "signs", "logic", "chinese", "styles"} {
		raw, err := data.ReadFile("data/" + topic + ".toml")
		if err != nil {
			return nil, fmt.Errorf("read demo: %w", err)
		}
		var page struct {
			Question []question `toml:"question"`
			Style    []style    `toml:"style"`
		}
		if err := toml.Unmarshal(raw, &page); err != nil {
			return nil, fmt.Errorf("read demo %s: %w", topic, err)
		}
		b.questions = append(b.questions, page.Question...)
		b.styles = append(b.styles, page.Style...)
	}
	slices.SortFunc(b.questions, func(x, y question) int { // so that topics and languages mix
		return cmp.Compare(hashToUnit(x.ID, "order"), hashToUnit(y.ID, "order"))
	})
	return b, nil
}

func (q *question) toSample(o eval.Ordinal, p eval.Picture) eval.Sample {
	s := eval.Sample{
		Ordinal: o, ID: q.ID, Kind: eval.KindChoice,
		Question: q.Text, Hint: q.Hint, Answer: q.Answer,
		Pictures: []eval.Picture{p}, Taxonomy: q.Path, Split: "demo", Source: "synthetic",
	}
	for i, text := range q.Options {
		s.Options = append(s.Options, eval.Option{Letter: letterAt(i), Text: text})
	}
	return s
}

func letterAt(i int) eval.Choice { return eval.Choice(rune('A' + i)) }

// languageOfText is zh for a question in Chinese.
func (q *question) languageOfText() string {
	return eval.Either(strings.ContainsFunc(q.Text, func(r rune) bool { return unicode.Is(unicode.Han, r) }), "zh", "")
}

// explainOption explains the explanation of an option, where there is one.
func (q *question) explainOption(c eval.Choice) string {
	if c == q.Answer {
		return q.Why
	}
	return eval.Either(c == q.Lure, q.Slip, "")
}

// behavior is how a made-up model behaves: how much it knows, and how often it takes the first option else.
type behavior struct {
	name         string
	index        int // column of the styles' weights
	knows, first float64
	share        float64 // of the hand-written answers, beside the others'
	pace         Speed
	free         float64 // hand-written answers dealt to it so far, over its share
}

func modelBehaviors() []*behavior {
	return []*behavior{
		{name: "sketch-7b (synthetic)", index: 0, knows: 0.64, first: 0.65, share: 0.85, pace: Speed{Fixed: 350 * time.Millisecond, Jitter: 600 * time.Millisecond, Concurrency: 2}},
		{name: "mural-13b (synthetic)", index: 1, knows: 0.77, first: 0.15, share: 1, pace: Speed{Fixed: 300 * time.Millisecond, Jitter: 500 * time.Millisecond, Concurrency: 2}},
		{name: "fresco-34b (synthetic)", index: 2, knows: 0.85, first: 0, share: 1.05, pace: Speed{Fixed: 200 * time.Millisecond, Jitter: 600 * time.Millisecond, Concurrency: 2}},
	}
}

// hashToUnit draws a number in [0, 1) from what names the draw.
func hashToUnit(parts ...any) float64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = fmt.Fprint(h, p, "\x00")
	}
	// The low bits of FNV are the ones that mix well; a multiplication carries them up.
	return float64((h.Sum64()*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// believedOption is the option that a voice holds to be right, as listed, or "" when
// it takes whatever option stands first.
func (v *behavior) believedOption(q *question) eval.Choice {
	switch {
	case hashToUnit(v.name, q.ID, "knows") < v.knows:
		return q.Answer
	case hashToUnit(v.name, q.ID, "first") < v.first:
		return ""
	}
	return q.Lure
}

// modelAnswers is what a voice says to a question: a belief for each pass, and
// hand-written answers in some.
type modelAnswers struct {
	believes eval.Choice
	free     map[eval.Pass]*freeAnswer
}

// writeModelAnswers writes down what every model answers to every question in every pass.
func writeModelAnswers(b *answerBook, samples []eval.Sample) []*Model {
	all := modelBehaviors()
	models := eval.Map(all, func(v *behavior) *Model { return &Model{Name: v.name, Speed: v.pace, answers: map[samplePass]answer{}} })
	for i := range b.questions {
		q, s := &b.questions[i], &samples[i]
		hands := assignFreeAnswers(q, all, s.PassCount())
		for k, v := range all {
			for p := range eval.Pass(s.PassCount()) {
				models[k].answers[samplePass{s.ID, p}] = b.writeAnswer(v, q, s, p, hands[k])
			}
		}
	}
	return models
}

// assignFreeAnswers deals a question's hand-written answers: each goes to a voice that
// believes what it means, if there is one, else to one that comes to believe
// it; among those, to the one that got the fewest.
func assignFreeAnswers(q *question, all []*behavior, passes int) []modelAnswers {
	hands := eval.Map(all, func(v *behavior) modelAnswers {
		return modelAnswers{believes: v.believedOption(q), free: map[eval.Pass]*freeAnswer{}}
	})
	for j := range q.Free {
		f := &q.Free[j]
		means := eval.Either(len(f.Means) == 1, eval.Choice(f.Means), "") // as listed
		v := slices.MinFunc(all, func(a, b *behavior) int {
			fits := func(v *behavior) int {
				h := hands[v.index]
				switch {
				case len(h.free) == passes:
					return 2
				case means != "" && h.believes != means:
					return 1
				}
				return 0
			}
			return cmp.Or(cmp.Compare(fits(a), fits(b)), cmp.Compare(a.free, b.free), cmp.Compare(a.index, b.index))
		})
		h := &hands[v.index]
		if means != "" {
			h.believes = means
		}
		h.free[h.chooseFreePass(q, j, passes)] = f
		v.free += 1 / v.share
	}
	return hands
}

// chooseFreePass gives where a hand-written answer goes: mostly where an early stop does not cut it off.
func (h *modelAnswers) chooseFreePass(q *question, j, passes int) eval.Pass {
	at := 0
	if u := hashToUnit(q.ID, j, "pass"); u > 0.34 {
		at = 1 + int((u-0.34)/0.66*float64(passes-1))
	}
	for h.free[eval.Pass(at)] != nil {
		at = (at + 1) % passes
	}
	return eval.Pass(at)
}
