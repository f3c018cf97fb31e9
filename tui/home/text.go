package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

func notify(level widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: level, Text: text} }
}

// clip is a stranger's text for one line: it may be megabytes.
func clip(s string) string { return widget.Line(head(s)) }

// head is enough of a text for one line: a prediction may be megabytes.
func head(s string) string {
	const most = 1000
	if len(s) > most {
		return s[:most]
	}
	return s
}

// of writes how many of how many.
func of(done, total int) string { return widget.Count(done) + " of " + widget.Count(total) }

// join sets two texts apart, when there are two.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}

func share(k, n int) float64 {
	if n <= 0 {
		return 0
	}
	return float64(k) / float64(n)
}

// percent is whole percents; less than all is never 100.
func percent(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", 100*k/n)
}

// mark stands before names of what is synthetic: a name may be cut at its
// end.
const mark = "*"

// noStarter says why no run can be started.
const noStarter = "runs cannot be started here: the project is open read-only, or without its endpoints"

// price is what a model's tokens cost, per million.
func price(p eval.Price) string {
	if !p.Known() {
		return "price not known"
	}
	return widget.Money(p.Prompt) + " / " + widget.Money(p.Completion)
}
