package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// headerBanner is the header of the app.
type headerBanner struct {
	theme     *widget.Theme
	project   string
	synthetic bool // the project is a demo
	can       access
	tab       Tab
	who       annotate.Annotator
	width     int
}

// header is the line with the tabs and the rule under it, heavy under the open tab: seen without
// colours. News fades over the rule's end, so that nothing under it moves.
func (b *headerBanner) drawLines(info string) []string {
	t := b.theme
	right := b.formatAnnotator()
	left, between := b.formatLeftOfTabs()
	rule, heavy := widget.TextWidth(left), 0
	for i, name := range tabNames {
		if !b.can.hasTab(Tab(i)) {
			continue
		}
		if Tab(i) == b.tab {
			heavy = widget.TextWidth(name) + 2
			left += " " + t.Title.Render(name) + " "
		} else {
			if Tab(i) < b.tab {
				rule += widget.TextWidth(name) + 2 + len(between)
			}
			left += " " + t.Faint.Render(name) + " "
		}
		left += between
	}
	rule = min(rule, b.width)
	heavy = min(heavy, b.width-rule)
	line := t.Border.Render(strings.Repeat("─", rule)) + t.Accent.Render(strings.Repeat("━", heavy)) +
		t.Border.Render(strings.Repeat("─", b.width-rule-heavy))
	if info != "" {
		line = ansi.Truncate(line, b.width-widget.TextWidth(info)-3, "") + " " + info + t.Border.Render(" ─")
	}
	return []string{widget.JoinEnds(left, right, b.width), line}
}

// drawOneLineHeader draws the header where there is one line for it: the open tab, and news.
func (b *headerBanner) drawOneLineHeader(info string) string {
	left := b.formatProjectName() + b.theme.Title.Render(tabNames[b.tab])
	return eval.Either(info != "", widget.JoinEnds(left, info+" ", b.width), widget.JoinEnds(left, b.formatAnnotator(), b.width))
}

// formatAnnotator stands at the header's end.
func (b *headerBanner) formatAnnotator() string {
	return eval.Either(b.who == "", "", b.theme.Faint.Render("as ")+widget.CutWidth(widget.CleanLine(string(b.who)), 20)+" ")
}

// formatLeftOfTabs gives what stands before the tabs, and what between them: less where the
// tabs need the room, since one that is cut is not found.
func (b *headerBanner) formatLeftOfTabs() (left, between string) {
	tabs, beside := 0, widget.TextWidth(b.formatAnnotator())
	for i, name := range tabNames {
		if b.can.hasTab(Tab(i)) {
			tabs += widget.TextWidth(name) + 3
		}
	}
	left = b.formatProjectName()
	if widget.TextWidth(left)+tabs+beside <= b.width {
		return left, " "
	}
	if left = " "; b.synthetic {
		left += b.theme.Warn.Render("synthetic")
		return left, " "
	}
	left += b.theme.Strong.Render("concord")
	return left, ""
}

// formatProjectName gives all that there is to say before the tabs.
func (b *headerBanner) formatProjectName() string {
	t := b.theme
	left := " " + t.Strong.Render("concord")
	if b.width < 80 && b.synthetic {
		left = "" // the tabs need the room
	}
	if b.project != "" && (b.width >= 80 || !b.synthetic) {
		left += t.Faint.Render("  " + widget.CutWidth(widget.CleanLine(b.project), max(0, b.width/4)))
	}
	if b.synthetic {
		left += t.Warn.Render("  synthetic")
	}
	if b.width >= 80 {
		left += "  "
	}
	left += " "
	return left
}

// tabAtColumn is the tab whose name is drawn at a column of the header.
func (b *headerBanner) tabAtColumn(x int) (Tab, bool) {
	left, between := b.formatLeftOfTabs()
	at := widget.TextWidth(left)
	for i, name := range tabNames {
		if !b.can.hasTab(Tab(i)) {
			continue
		}
		wide := widget.TextWidth(name) + 2
		if x >= at && x < at+wide {
			return Tab(i), true
		}
		at += wide + len(between)
	}
	return 0, false
}
