package eval

import "fmt"

// What an estimate assumes where nothing else is said.
const (
	AnswerTokens      = 16  // of an answer to a multiple-choice or yes/no question
	OpenAnswerTokens  = 300 // of an answer to an open question
	VerdictTokens     = 4   // of a judge's reply
	JudgePromptTokens = 220 // of a judge's prompt, without question, options and answer
	UnreadShare       = 0.1 // of the answers, which the rules leave to the judges
)

// Assumed is what an estimate rests on beside the dataset.
type Assumed struct {
	Answer        int     // tokens of an answer; 0: AnswerTokens, and OpenAnswerTokens for open questions
	Verdict       int     // tokens of a judge's reply; 0: there is no judge
	JudgePrompt   int     // tokens of a judge's prompt without the item; 0: there is no judge
	Unread        float64 // share of the answers that judges read
	PictureTokens int     // tokens of a picture; 0: by tiles
	Edge          int     // longer edge that pictures are scaled down to; 0: never
	Guessed       int     // pictures whose size was not known
	From          int     // questions that stand for all of them; 0: every one was added
}

// Lines says in words what was assumed, one assumption a line.
func (a Assumed) Lines() []string {
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
