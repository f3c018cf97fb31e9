package judge

import (
	"strings"

	"concord/eval"
)

// votes are the only ways to say one (MLLM-Bench, Sec. 5.1).
var votes = map[string]eval.Vote{
	"answer1":                         eval.Answer1,
	"answer2":                         eval.Answer2,
	"unable to decide: situation one": eval.SituationOne,
	"unable to decide: situation two": eval.SituationTwo,
}

// Vote reads which of two answers a reply prefers. The last line that is not
// empty must be a vote and nothing else, in whatever case, with a full stop
// and marks of emphasis, code, headings or quotes around it at most. What a
// reply argues before that is not looked at, and a last line that was cut off
// may have gone on, so it says nothing.
func Vote(r eval.Reply) (eval.Vote, bool) {
	if r.Finish == "length" {
		return eval.VoteUnset, false
	}
	text := strings.TrimSpace(r.Text)
	if i := strings.LastIndexAny(text, "\n\r"); i >= 0 {
		text = text[i+1:]
	}
	const longest = 128 // bytes of a line with a vote
	if len(text) > longest {
		return eval.VoteUnset, false
	}
	line := strings.TrimLeft(strings.TrimSpace(text), "#> ")
	line = strings.Trim(line, "*_` .")
	v, ok := votes[strings.ToLower(strings.Join(strings.Fields(line), " "))]
	return v, ok
}
