package openaitest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// Juror votes on pairs of answers, for whoever plays a judge model. What it
// says follows from the two answers and the seed alone, whichever is shown
// first, but for its share of positional votes. The shares are taken in this
// order and add up to at most 1; what they leave goes to one of the answers on
// its merits.
type Juror struct {
	Seed      uint64
	First     float64 // share of the pairs of which the answer shown first is preferred
	Undecided float64 // share of the pairs that it cannot decide, half of them in each situation
	Wordy     float64 // share of the pairs on which its reply holds no vote, every other one also when asked again
}

// Vote is the reply to a prompt that shows two answers behind lines that end in
// "Answer1" and "Answer2"; false for any other prompt.
func (j Juror) Vote(r *Request) (Response, bool) {
	if len(r.Turns) == 0 {
		return Response{}, false
	}
	a, b, ok := Answers(r.Turns[0].Text)
	if !ok {
		return Response{}, false
	}
	return Response{Text: j.say(a, b, len(r.Turns) > 1)}, true
}

func (j Juror) say(a, b string, again bool) string {
	swapped := b < a
	if swapped {
		a, b = b, a
	}
	h := fnv.New64a()
	_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(a))))
	_, _ = h.Write([]byte(a + b))
	g := rand.New(rand.NewPCG(j.Seed, h.Sum64()))
	share, other := g.Float64(), g.IntN(2) == 1
	switch {
	case share < j.First:
		return "Answer1"
	case share < j.First+j.Undecided && other:
		return "unable to decide: situation one"
	case share < j.First+j.Undecided:
		return "unable to decide: situation two"
	case share < j.First+j.Undecided+j.Wordy && (other || !again):
		return "Both have something to them, and I would not like to choose."
	case other != swapped:
		return "The second fits better.\n\nAnswer2"
	}
	return "Answer1"
}

// Answers finds the two answers in a prompt: each between a line that ends in
// its name and the next line that begins as that one does.
func Answers(prompt string) (a, b string, ok bool) {
	lines := strings.Split(prompt, "\n")
	fence := ""
	for i, l := range lines {
		if mark, found := strings.CutSuffix(l, " Answer1"); found && mark != "" && !strings.Contains(mark, " ") {
			fence, lines = mark+" ", lines[i+1:]
			break
		}
	}
	if fence == "" {
		return "", "", false
	}
	var parts [2][]string
	at := 0
	for _, l := range lines {
		switch {
		case at == 0 && l == fence+"Answer2":
			at = 1
		case strings.HasPrefix(l, fence):
			return strings.Join(parts[0], "\n"), strings.Join(parts[1], "\n"), at == 1
		default:
			parts[at] = append(parts[at], l)
		}
	}
	return "", "", false
}
