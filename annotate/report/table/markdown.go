package table

import (
	"fmt"
	"strings"

	"concord/eval/text"
)

// RenderMarkdown prints the table as a GitHub-flavoured one.
func (t Table) RenderMarkdown() []byte {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "**%s**\n\n", escapeMarkdown(t.heading()))
	}
	if len(t.Columns) > 0 {
		head, rule := make([]string, len(t.Columns)), make([]string, len(t.Columns))
		for i, c := range t.Columns {
			head[i], rule[i] = escapeMarkdown(c.Name), "---"
			if c.Kind != KindText {
				rule[i] = "--:"
			}
		}
		fmt.Fprintf(&b, "| %s |\n| %s |\n", strings.Join(head, " | "), strings.Join(rule, " | "))
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			if cells[i] = escapeMarkdown(c.String()); c.best {
				cells[i] = "**" + cells[i] + "**"
			}
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", escapeMarkdown(n))
	}
	return []byte(b.String())
}

// EscapeMarkdown makes text from outside safe to stand in Markdown.
func EscapeMarkdown(s string) string { return escapeMarkdown(s) }

func escapeMarkdown(s string) string { return text.Outside(s).ForMarkdown() }
