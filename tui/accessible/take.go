package accessible

import (
	"context"
	"strings"
	"time"

	"concord/annotate"
	"concord/tui/widget"
)

// longestSpent bounds the time of an answer: nothing tells here whether
// somebody is still there.
const longestSpent = 2 * time.Minute

// command is what a word does, with what follows it.
type command struct {
	words []string
	help  string
	do    func(s *queueSession, ctx context.Context, rest string) error
}

// commands are in the order of help. They are words: one letter is always an
// option.
func commands() []command {
	return []command{
		{[]string{"skip"}, "put the item off", (*queueSession).skip},
		{[]string{"undo"}, "take the last act back", (*queueSession).undo},
		{[]string{"redo"}, "do again what was taken back", (*queueSession).redo},
		{[]string{"flag"}, "mark the item for a second look, or take that mark away", (*queueSession).flag},
		{[]string{"comment", "note"}, "comment TEXT: write a comment", (*queueSession).note},
		{[]string{"why"}, "why TEXT: comment; 80% before it gives your confidence", (*queueSession).why},
		{[]string{"guideline"}, "tell the guideline", (*queueSession).guide},
		{[]string{"reveal"}, "show the extracted answer, after your own answer", (*queueSession).reveal},
		{[]string{"again", "item"}, "tell the item once more", (*queueSession).again},
		{[]string{"next"}, "go to the next unlabeled item", (*queueSession).next},
		{[]string{"back", "previous"}, "go to the item before", (*queueSession).back},
		{[]string{"where"}, "tell how far you are", (*queueSession).where},
		{[]string{"save"}, "save again what could not be saved", (*queueSession).retry},
	}
}

// take does what a line says, and reports whether it leaves the queue.
func (s *queueSession) take(ctx context.Context, text string) (left bool, err error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return false, nil
	case "quit":
		return true, s.save(ctx)
	case "help", "?":
		s.out.help()
		return false, nil
	}
	for _, c := range commands() {
		for _, w := range c.words {
			if w == word {
				return false, c.do(s, ctx, rest)
			}
		}
	}
	if !s.any {
		s.out.say("No item is selected. undo takes the last answer back, quit leaves.")
		return false, nil
	}
	r, why := s.front.reading(word, rest)
	if why != "" {
		s.out.say("%s: %s help tells all commands.", widget.Line(widget.Cut(word, 20)), why)
		return false, nil
	}
	return false, s.label(ctx, r)
}

func (s *queueSession) label(ctx context.Context, r annotate.Reading) error {
	a, ok := s.session.LabelBecause(r, s.grounds, s.spent())
	if !ok {
		s.out.say("The item takes no answer now.")
		return nil
	}
	return s.submit(ctx, a, title(s.out.word(a.Reading)))
}

func (s *queueSession) spent() time.Duration { return min(s.Now().Sub(s.at), longestSpent) }
