package annotation

import (
	"fmt"
	"slices"

	"concord/tui/widget"
)

// The lines of a screen that are always there.
const (
	HeaderLines = 2 // the queue, and the item in front
	StatusLines = 1
)

// Frame draws the screen in exactly the size that Resize gave. main draws what
// stands between header and status, so many lines in exactly the width: pictures
// take long to measure, and it knows theirs. place is the second line of the header.
func (s *Sitting[B]) Frame(place func() string, main func(height int) []string, status func() string) []string {
	if s.Width <= 0 || s.Height <= 0 {
		return nil
	}
	var lines []string
	switch pg := s.Page(); {
	case s.Err != nil:
		lines = s.trouble("The queue cannot be opened: " + s.Err.Error())
	case s.Session != nil && s.Session.Displaced():
		lines = s.trouble("You have opened this queue in another session, and go on there. " +
			"What you did here is kept. Opened here once more, it comes back to this one.")
	case s.Session == nil:
		lines = []string{"", " " + s.Theme.Faint.Render("opening "+widget.Line(string(s.deps.Queue))+"…")}
	case s.Mode == Zooming && pg != nil:
		lines = s.zoomed(pg, status())
	default:
		head := widget.Block([]string{s.header(), place()}, s.Width, HeaderLines)
		lines = slices.Concat(head, s.main(main), widget.Block([]string{status()}, s.Width, StatusLines))
		if len(lines) == s.Height {
			return lines
		}
	}
	return widget.Block(lines, s.Width, s.Height)
}

// Exact reports whether Frame fills this size, measured.
func (s *Sitting[B]) Exact(width, height int) bool { return s.Width == width && s.Height == height }

// Main is how many lines stand between header and status.
func (s *Sitting[B]) Main() int { return max(1, s.Height-HeaderLines-StatusLines) }

func (s *Sitting[B]) main(draw func(height int) []string) []string {
	height := s.Main()
	pg := s.Page()
	switch {
	case s.Mode == Guiding || s.Front() < 0:
		return draw(height)
	case pg == nil:
		return widget.Block([]string{"", " " + s.Theme.Faint.Render("reading the item…")}, s.Width, height)
	case pg.Err != nil:
		return widget.Block(s.trouble("This item cannot be read: "+pg.Err.Error()), s.Width, height)
	}
	return draw(height)
}

// trouble is a problem in the place of what it keeps from being shown.
func (s *Sitting[B]) trouble(text string) []string {
	lines := []string{""}
	for _, l := range widget.Wrap(text, max(1, s.Width-2)) {
		lines = append(lines, " "+s.Theme.Bad.Render(l))
	}
	return lines
}

// header is the queue with the annotator's own progress and what is saved.
func (s *Sitting[B]) header() string {
	t := s.Theme
	done, all := s.Session.Len()-s.Session.Open(), s.Session.Len()
	left := " " + t.Strong.Render(widget.Cut(widget.Line(string(s.deps.Queue)), max(8, s.Width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.Count(done), widget.Count(all))
	if all > 0 {
		left += t.Bar(min(20, s.Width/6), float64(done)/float64(all))
	}
	if s.Session.Queue().Synthetic && s.Width >= 80 {
		left += t.Warn.Render("  synthetic")
	}
	if s.stay {
		left += t.Warn.Render("  stays")
	}
	if n := len(s.Session.State().Skipped); n > 0 {
		left += t.Faint.Render(fmt.Sprintf("  %d put off", n))
	}
	if checks := s.checks(); checks != "" {
		left += t.Faint.Render(checks)
	}
	if team := s.team(); team != "" {
		left += t.Faint.Render(team)
	}
	return widget.Ends(left, s.saved()+" ", s.Width)
}

// team is how far everybody is, while others are at work in the queue.
func (s *Sitting[B]) team() string {
	team := s.Session.Team()
	if team.Here < 2 || team.Wanted == 0 {
		return ""
	}
	out := fmt.Sprintf("  all %d%%", 100*team.Given/team.Wanted)
	if s.Width >= 80 {
		out += fmt.Sprintf(", %d here", team.Here)
	}
	return out
}

// saved is the state of the annotator's acts: saved only once committed.
func (s *Sitting[B]) saved() string {
	t, st := s.Theme, s.saving
	switch {
	case st.Err != nil:
		room := max(12, s.Width/2-13)
		return t.Bad.Render("NOT SAVED: " + widget.Cut(widget.Line(st.Err.Error()), room))
	case st.Pending > 0:
		return t.Warn.Render("saving…")
	case !st.At.IsZero():
		return t.Good.Render("saved " + st.At.Local().Format("15:04:05"))
	}
	return ""
}

// Place is what the header says of the item in front; "" when there is none.
func (s *Sitting[B]) Place() string {
	t := s.Theme
	_, k, ok := s.Session.Current()
	if !ok {
		return ""
	}
	left := t.Faint.Render(fmt.Sprintf(" item %s of %s", widget.Count(s.Session.At()+1), widget.Count(s.Session.Len())))
	if s.Session.State().Flagged[k] {
		left += t.Warn.Render("  ⚑ flagged")
	}
	if s.Session.State().Skipped[k] {
		left += t.Faint.Render("  put off before")
	}
	if pg := s.Page(); pg != nil && pg.Err == nil {
		left += t.Faint.Render("  sample " + widget.Cut(widget.Line(string(pg.Item.Sample)), 16))
	}
	return left
}

// Status is the last line: why the last key did nothing, the note that is
// typed, a failure, or what the annotator said of the item in front.
func (s *Sitting[B]) Status(word func() string) string {
	t := s.Theme
	if s.Refusal != "" && !s.Typing() {
		return widget.Fit(" "+t.Warn.Render("✗ "+s.Refusal), s.Width)
	}
	if s.Mode == Noting {
		return widget.Fit(" "+t.Title.Render("NOTE")+" "+s.note.View(), s.Width)
	}
	if s.Mode == Explaining {
		return widget.Fit(" "+t.Title.Render("WHY")+" "+s.note.View(), s.Width)
	}
	if s.Mode == Weighing {
		return widget.Fit(" "+t.Title.Render("HOW SURE?")+" 1 hardly … 5 certain", s.Width)
	}
	if st := s.saving; st.Err != nil {
		return t.Bad.Render(widget.Fit(fmt.Sprintf(" NOT SAVED: %s. They are kept: %s saves again.",
			widget.Plural(st.Pending, "act"), s.Spelled("ctrl+s")), s.Width))
	}
	if n := len(s.typed); n > 0 {
		return t.Faint.Render(widget.Fit(" "+widget.Plural(n, "key")+" typed ahead", s.Width))
	}
	return widget.Fit(s.said(word), s.Width)
}

// said is what the annotator has said of the item in front, in the screen's
// words, and their note.
func (s *Sitting[B]) said(word func() string) string {
	t := s.Theme
	_, k, ok := s.Session.Current()
	if !ok {
		return ""
	}
	var out string
	if l, done := s.Own(); done {
		out += " " + t.Good.Render("▸ "+word())
		if l.Imported {
			out += t.Faint.Render(" (imported)")
		}
	}
	if g := because(s.grounds()); g != "" {
		out += "  " + t.Faint.Render(g)
	}
	if n := s.Session.State().Notes[k]; n != "" {
		out += "  " + t.Faint.Render("note: ") + widget.Line(n)
	}
	return out
}
