package annotation

import (
	"fmt"
	"time"

	"concord/tui/widget"
)

// Section is a pane's title with the lines that it shows.
func Section(t *widget.Theme, name string, from, rows, lines int, more string, focused bool, width int) string {
	note := ""
	if rows < lines {
		note = fmt.Sprintf("lines %s-%s of %s", widget.Count(from+1), widget.Count(min(from+rows, lines)), widget.Count(lines))
		if more != "" {
			note += ", " + more
		}
	}
	return t.Section(name, note, focused, width)
}

// Scrolled is where a key that scrolls brings a pane whose first line shown is
// at: not yet held within its lines. page is how many lines a page goes.
func Scrolled(key string, at, page int) int {
	switch key {
	case "j", "down":
		return at + 1
	case "k", "up":
		return at - 1
	case "pgdown", "ctrl+d":
		return at + page
	case "pgup", "ctrl+u":
		return at - page
	case "g", "home":
		return 0
	case "e", "G", "end":
		return 1 << 30
	}
	return at
}

// Words are what a screen says at the end of a queue.
type Words struct {
	Waiting, Comes string // of a queue that grows and has nothing yet, and what will come
	Nothing        string // why a queue stands empty, when the screen knows; else ""
}

// Finished is what stands where no item is in front: the end of the queue,
// or nothing to do yet.
func (s *Sitting[B]) Finished(w Words) []string {
	t, n := s.Theme, s.Session
	var out []string
	say := func(style func(...string) string, format string, args ...any) {
		for _, l := range widget.Wrap(fmt.Sprintf(format, args...), max(1, s.Width-2)) {
			out = append(out, " "+style(l))
		}
	}
	say(t.Text.Render, "")
	switch {
	case n.Waits():
		say(t.Title.Render, "What is left is with others")
		say(t.Text.Render, "%s still open and with somebody else. What they leave comes here by itself.", are(n.Open()))
	case n.Open() > 0:
		say(t.Title.Render, "The end of the queue")
		say(t.Text.Render, "%s still open: %s goes to the next one.", are(n.Open()), s.Spelled("enter"))
	case s.Growing && n.Len() == 0:
		say(t.Title.Render, "%s", w.Waiting)
		say(t.Text.Render, "%s", w.Comes)
	case s.Growing:
		say(t.Title.Render, "All %s answered; waiting for more", are(n.Len()))
		say(t.Text.Render, "The evaluation still runs. New items appear here by themselves.")
	case n.Len() == 0:
		say(t.Title.Render, "Nothing to do in this queue")
		say(t.Text.Render, "%s", s.whyNothing(w.Nothing))
	default:
		done := "all " + are(n.Len())
		if n.Len() == 1 {
			done = "the one item is"
		}
		say(t.Title.Render, "Done: %s answered", done)
	}
	return out
}

// Done reports whether all of a queue that stands is answered.
func (s *Sitting[B]) Done() bool {
	return s.Session.Open() == 0 && !s.Growing && s.Session.Len() > 0
}

// whyNothing says why there is nothing to answer in a queue that stands.
func (s *Sitting[B]) whyNothing(known string) string {
	q := s.Session.Queue()
	switch {
	case q.Items == 0 && known != "":
		return known
	case q.Items == 0:
		return "It has no items."
	}
	return fmt.Sprintf("It asks for %s an item, and others have given them all. A queue made with --overlap %d asks for one more.",
		widget.Plural(q.Wanted(), "label"), q.Wanted()+1)
}

func are(n int) string {
	if n == 1 {
		return "1 item is"
	}
	return widget.Plural(n, "item") + " are"
}

// Tally is what the annotator has said, in the screen's words, and what it
// took.
func (s *Sitting[B]) Tally(said string) []string {
	t, c := s.Theme, s.Session.Tally()
	out := []string{" " + t.Field("you said", said, 9)}
	if c.Spent > 0 {
		each := c.Spent / time.Duration(max(c.Done, 1))
		out = append(out, " "+t.Field("time", fmt.Sprintf("%s, %.1f s an item", widget.Span(c.Spent), each.Seconds()), 9))
	}
	if c.Flagged > 0 {
		out = append(out, " "+t.Field("flagged", widget.Count(c.Flagged), 9))
	}
	return out
}
