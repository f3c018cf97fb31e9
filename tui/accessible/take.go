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
	do    func(s *sitting, ctx context.Context, rest string) error
}

// commands are in the order of help. Their words are the keys of the screens,
// and words for who hears them.
func commands() []command {
	return []command{
		{[]string{"s", "skip"}, "put the item off", (*sitting).skip},
		{[]string{"u", "undo"}, "take the last act back", (*sitting).undo},
		{[]string{"redo"}, "do again what was taken back", (*sitting).redo},
		{[]string{"f", "flag"}, "mark the item for a second look, or take that mark away", (*sitting).flag},
		{[]string{"n", "note"}, "n TEXT: write a note", (*sitting).note},
		{[]string{"y", "why"}, "y TEXT: say why; 80% before it says how sure you are", (*sitting).why},
		{[]string{"i", "guideline"}, "tell the guideline", (*sitting).guide},
		{[]string{"r", "reveal"}, "tell what machines made of it, after your own answer", (*sitting).reveal},
		{[]string{"again", "item"}, "tell the item once more", (*sitting).again},
		{[]string{"next"}, "go to the next open item", (*sitting).next},
		{[]string{"back", "previous"}, "go to the item before", (*sitting).back},
		{[]string{"where"}, "tell how far you are", (*sitting).where},
		{[]string{"save"}, "save again what could not be saved", (*sitting).retry},
	}
}

// take does what a line says, and reports whether it leaves the queue.
func (s *sitting) take(ctx context.Context, text string) (left bool, err error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return false, nil
	case "q", "quit":
		return true, s.save(ctx)
	case "help", "?", "h":
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
		s.out.say("No item is in front. u takes the last answer back, q leaves.")
		return false, nil
	}
	r, why := s.front.reading(word, rest)
	if why != "" {
		s.out.say("%s: %s help tells all commands.", widget.Line(widget.Cut(word, 20)), why)
		return false, nil
	}
	return false, s.label(ctx, r)
}

func (s *sitting) label(ctx context.Context, r annotate.Reading) error {
	a, ok := s.session.LabelBecause(r, s.grounds, s.spent())
	if !ok {
		s.out.say("The item takes no answer now.")
		return nil
	}
	return s.submit(ctx, a, title(s.out.word(a.Reading)))
}

func (s *sitting) spent() time.Duration { return min(s.Now().Sub(s.at), longestSpent) }
