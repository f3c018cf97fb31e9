package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"unicode"
)

// Load is what one question asks of a model: its prompt in one pass, which is as long in every other.
type Load struct {
	Kind     Kind
	Text     int           // tokens of the prompt (EstimateTextTokens)
	Judged   int           // tokens of question and options, which a judge sees too
	Pictures []PictureSize // as they are before scaling
	Passes   int           // Sample.PassCount
	Truth    bool          // without a ground truth, no pass ends its question early
}

// EstimateSampleLoad loads the load of a sample that is asked with this chat, whose pictures
// have these sizes. Passes are those of the sample.
func EstimateSampleLoad(s *Sample, c Chat, pictures []PictureSize) Load {
	l := Load{Kind: s.Kind, Text: EstimateTextTokens(c.System), Judged: EstimateTextTokens(s.Question), Pictures: pictures, Passes: s.PassCount(), Truth: s.Answer != ""}
	l.Text += Sum(c.Turns, func(t Turn) int { return EstimateTextTokens(t.Text) })
	l.Judged += Sum(s.Options, func(o Option) int { return EstimateTextTokens(o.Text) + optionMarks })
	return l
}

const optionMarks = 3 // tokens around an option's text: letter, full stop, line end

// JudgeLoad is a judge as an estimate sees it. Judges are asked about open questions by no one.
type JudgeLoad struct {
	Judge string
	Price Price
}

// Workload is a run before it runs. Questions are added one by one; of a large
// dataset a part of them will do, when Total says how many there are.
type Workload struct {
	Strategy      Strategy
	AllPasses     bool
	Total         int     // questions of the dataset; 0: those that were added
	Edge          int     // pictures are scaled down to this longer edge; 0: never
	PictureTokens int     // tokens of a picture whatever its size; 0: by tiles
	Answer        int     // tokens of an answer, thinking included; 0: AnswerTokens, OpenAnswerTokens
	Verdict       int     // tokens of a judge's reply, thinking included; 0: VerdictTokens
	JudgePrompt   int     // tokens of a judge's prompt without the item; 0: JudgePromptTokens
	Unread        float64 // share of the answers that the rules leave to the judges; 0: UnreadShare; below 0: none
	Price         Price
	Judges        []JudgeLoad

	added              int
	calls, judge       callSpan // of all questions; judge: those that a judge may be asked about
	prompt, completion callSpan
	seen               callSpan // tokens of question, options and answer over the judgeable calls
	guessed            int      // pictures of unknown size
}

// callSpan goes from what early stop needs at least to what it needs at most.
type callSpan struct{ low, high float64 }

func (s *callSpan) addTimesEach(least, most int, each float64) {
	s.low += float64(least) * each
	s.high += float64(most) * each
}

// AddQuestion adds a question.
func (w *Workload) AddQuestion(l Load) {
	least, most := w.estimatePasses(l)
	answer := float64(w.estimateAnswerTokens(l.Kind))
	prompt := l.Text
	for _, p := range l.Pictures {
		if !p.isKnown() {
			w.guessed++
		}
		prompt += Either(w.PictureTokens > 0, w.PictureTokens, p.EstimateTokens(w.Edge))
	}
	w.added++
	w.calls.addTimesEach(least, most, 1)
	w.prompt.addTimesEach(least, most, float64(prompt))
	w.completion.addTimesEach(least, most, answer)
	if l.Kind == KindChoice || l.Kind == KindYesNo {
		w.judge.addTimesEach(least, most, 1)
		w.seen.addTimesEach(least, most, float64(l.Judged)+answer)
	}
}

// estimatePasses estimates how many passes the question takes at least and at most: under
// early stop a model that is wrong at once needs one (MMBench, Sec. 4.2).
func (w *Workload) estimatePasses(l Load) (least, most int) {
	if w.Strategy != Circular {
		return 1, 1
	}
	most = max(l.Passes, 1)
	if w.AllPasses || !l.Truth {
		return most, most
	}
	return 1, most
}

func (w *Workload) estimateAnswerTokens(k Kind) int {
	switch {
	case w.Answer > 0:
		return w.Answer
	case k == KindOpen:
		return OpenAnswerTokens
	}
	return AnswerTokens
}

// Range is a range of an estimate.
type Range struct{ Low, High float64 }

// Plus adds two ranges.
func (b Range) Plus(o Range) Range { return Range{b.Low + o.Low, b.High + o.High} }

func (b Range) scale(f float64) Range { return Range{b.Low * f, b.High * f} }

// Estimate is what a workload will take: calls, tokens and cost, from what
// early stop needs at least to what it needs at most.
type Estimate struct {
	Lacking                      int // questions of the dataset that lack an image that they have or name, where images are asked for
	Questions                    int
	Calls                        Range // of the model
	Prompt                       Range // its tokens
	Completion                   Range
	JudgeCalls                   Range // of all judges
	JudgePrompt, JudgeCompletion Range
	Cost                         Range // of the model's calls
	JudgeCost                    Range
	Priced                       bool     // every price that Cost and JudgeCost need is known
	Unpriced                     []string // whose price is not known: judges by name, "" the model
	Assumed                      Assumptions
}

// TotalCost is the cost of model and judges.
func (e Estimate) TotalCost() Range { return e.Cost.Plus(e.JudgeCost) }

// Estimate works out what the workload takes. Retries, hints to a judge and what vendors add are not in it.
func (w Workload) Estimate() Estimate {
	e := Estimate{Questions: w.added, Assumed: Assumptions{Answer: w.Answer, PictureTokens: w.PictureTokens, Edge: w.Edge, Guessed: w.guessed}}
	scale := 1.0
	if w.added > 0 && w.Total > 0 && w.Total != w.added {
		scale = float64(w.Total) / float64(w.added)
		e.Questions, e.Assumed.From = w.Total, w.added
	}
	of := func(s callSpan) Range { return Range{s.low, s.high}.scale(scale) }
	e.Calls, e.Prompt, e.Completion = of(w.calls), of(w.prompt), of(w.completion)
	e.Cost = costRange(w.Price, e.Prompt, e.Completion)
	if !w.Price.IsKnown() {
		e.Unpriced = append(e.Unpriced, "")
	}
	if len(w.Judges) > 0 {
		w.addJudgeCalls(&e, of(w.judge), of(w.seen))
	}
	e.Priced = len(e.Unpriced) == 0
	return e
}

// addJudgeCalls adds what the judges take: each is asked about every unread answer.
func (w *Workload) addJudgeCalls(e *Estimate, answers, seen Range) {
	a := &e.Assumed
	a.Verdict, a.JudgePrompt = cmp.Or(max(w.Verdict, 0), VerdictTokens), cmp.Or(max(w.JudgePrompt, 0), JudgePromptTokens)
	a.Unread = max(cmp.Or(w.Unread, UnreadShare), 0)
	calls := answers.scale(a.Unread)
	prompt := calls.scale(float64(a.JudgePrompt)).Plus(seen.scale(a.Unread))
	completion := calls.scale(float64(a.Verdict))
	for _, j := range w.Judges {
		e.JudgeCalls = e.JudgeCalls.Plus(calls)
		e.JudgePrompt = e.JudgePrompt.Plus(prompt)
		e.JudgeCompletion = e.JudgeCompletion.Plus(completion)
		e.JudgeCost = e.JudgeCost.Plus(costRange(j.Price, prompt, completion))
		if !j.Price.IsKnown() {
			e.Unpriced = append(e.Unpriced, j.Judge)
		}
	}
}

func costRange(p Price, prompt, completion Range) Range {
	return prompt.scale(p.Prompt / 1e6).Plus(completion.scale(p.Completion / 1e6))
}

// Role says who speaks in a Turn. The zero value is unset.
type Role uint8

// The roles of a chat beside the system's, which has its own field.
const (
	RoleUnset Role = iota
	User
	Assistant
)

var roleNames = [...]string{"", "user", "assistant"}

// String returns the name that the wire format uses.
func (r Role) String() string { return EnumName(roleNames[:], r) }

// Turn is one message of a chat.
type Turn struct {
	Role Role
	Text string
}

// Chat is what one call says to a chat endpoint: a filled prompt. The first and last turn are the user's.
type Chat struct {
	System   string // "" for none
	Turns    []Turn
	Pictures [][]byte // encoded files (PNG, JPEG, WebP, GIF), shown before the text of the first turn
	Places   []Place  // of pictures that stand within that text instead, in their order there
}

// Chatter is an endpoint's model with its parameters: what stands behind both
// evaluated models and judges. It is called from several goroutines at once
// and returns soon after ctx ends. Its errors are those of a Model.
type Chatter interface {
	Chat(ctx context.Context, c Chat) (Reply, error)
}

// What an estimate assumes where nothing else is said.
const (
	AnswerTokens      = 16  // of an answer to a multiple-choice or yes/no question
	OpenAnswerTokens  = 300 // of an answer to an open question
	VerdictTokens     = 4   // of a judge's reply
	JudgePromptTokens = 220 // of a judge's prompt, without question, options and answer
	UnreadShare       = 0.1 // of the answers, which the rules leave to the judges
)

// Assumptions is what an estimate rests on beside the dataset.
type Assumptions struct {
	Answer        int     // tokens of an answer; 0: AnswerTokens, and OpenAnswerTokens for open questions
	Verdict       int     // tokens of a judge's reply; 0: there is no judge
	JudgePrompt   int     // tokens of a judge's prompt without the item; 0: there is no judge
	Unread        float64 // share of the answers that judges read
	PictureTokens int     // tokens of a picture; 0: by tiles
	Edge          int     // longer edge that pictures are scaled down to; 0: never
	Guessed       int     // pictures whose size was not known
	From          int     // questions that stand for all of them; 0: every one was added
}

// DescribeLines says in words what was assumed, one assumption a line.
func (a Assumptions) DescribeLines() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if a.From > 0 {
		say("questions: %d were looked at to estimate all", a.From)
	}
	say("text: %d characters a token, a CJK character one", charsPerToken)
	switch {
	case a.PictureTokens > 0:
		say("images: %d tokens each", a.PictureTokens)
	case a.Edge > 0:
		say("images: by tiles of 512 pixels, scaled down to %d", a.Edge)
	default:
		say("images: by tiles of 512 pixels")
	}
	if a.Guessed > 0 {
		say("images of unknown size: %d, taken as %d x %d", a.Guessed, unknownWidth, unknownHeight)
	}
	if a.Answer > 0 {
		say("answers: %d tokens each", a.Answer)
	} else {
		say("answers: %d tokens each, open ones %d", AnswerTokens, OpenAnswerTokens)
	}
	if a.Verdict > 0 {
		say("judges: asked about %.0f %% of the answers, %d tokens of prompt around each, %d of reply", 100*a.Unread, a.JudgePrompt, a.Verdict)
	}
	return out
}

const charsPerToken = 4 // of text in an alphabet

// EstimateTextTokens estimates about how many tokens a text takes: one for four characters
// of an alphabet, one for each CJK character.
func EstimateTextTokens(text string) int {
	wide, narrow := 0, 0
	for _, r := range text {
		if r >= 0x1100 && isWide(r) {
			wide++
		} else {
			narrow++
		}
	}
	return wide + (narrow+charsPerToken-1)/charsPerToken
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0x3001 && r <= 0x303f || r >= 0xff01 && r <= 0xff60 // their punctuation
}

// PictureSize is a picture's size in pixels. The zero value is not known.
type PictureSize struct{ Width, Height int }

func (p PictureSize) isKnown() bool { return p.Width > 0 && p.Height > 0 }

// What a picture of unknown size is taken as: two tiles.
const (
	unknownWidth  = 640
	unknownHeight = 480
)

// EstimateTokens estimates what a picture costs, scaled down to the longer edge (0: as it is),
// by the tile formula that vendors publish: it is scaled down to fit 2048 x 2048, then to a
// shorter edge of 768, and costs 85 tokens and 170 more for each tile of 512 x 512.
func (p PictureSize) EstimateTokens(edge int) int {
	if !p.isKnown() {
		p = PictureSize{unknownWidth, unknownHeight}
	}
	x, y := float64(p.Width), float64(p.Height)
	shrink := func(now, to float64) {
		if now > to {
			x, y = x*to/now, y*to/now
		}
	}
	if edge > 0 {
		shrink(max(x, y), float64(edge))
	}
	shrink(max(x, y), 2048)
	shrink(min(x, y), 768)
	tiles := func(length float64) int { return max(int(math.Ceil(length/512-1e-9)), 1) }
	return 85 + 170*tiles(x)*tiles(y)
}
