package judge

import (
	"strings"

	"concord/eval"
)

const quoted = 2000 // bytes of a reply that it is reminded of

// remind is the chat so far, the reply, and what was wrong with it. Endpoints
// refuse empty turns, so an empty reply is spoken of in the same turn.
func remind(c eval.Chat, reply, hint string) eval.Chat {
	turns := append([]eval.Turn(nil), c.Turns...)
	if strings.TrimSpace(reply) == "" {
		turns[len(turns)-1].Text += "\n\n" + hint
	} else {
		turns = append(turns, eval.Turn{Role: eval.Assistant, Text: reply}, eval.Turn{Role: eval.User, Text: hint})
	}
	c.Turns = turns
	return c
}

// head is what a reply begins with.
func head(reply string) string {
	if len(reply) <= quoted || strings.TrimSpace(reply) == "" {
		return reply
	}
	return strings.ToValidUTF8(reply[:quoted], "") + " ..."
}

// tail is what a reply ends with, where a vote should have stood.
func tail(reply string) string {
	reply = strings.TrimSpace(reply)
	if len(reply) <= quoted {
		return reply
	}
	return "... " + strings.ToValidUTF8(reply[len(reply)-quoted:], "")
}
