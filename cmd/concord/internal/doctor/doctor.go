package doctor

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"concord/cmd/concord/internal/cli"
	"concord/tui/widget"
)

// health is what the doctor says about one thing.
type health uint8

// What a check finds, the best first.
const (
	healthUnset  health = iota
	HealthOK            // as it should be
	healthLook          // works, or may not: worth a look
	healthBroken        // does not work
)

var healthNames = [...]string{"", "ok", "look", "broken"}

// String is the word that people and scripts read.
func (h health) String() string { return healthNames[h] }

// MarshalText writes what String says.
func (h health) MarshalText() ([]byte, error) {
	if h == healthUnset {
		return nil, errors.New("write verdict: there is none")
	}
	return []byte(h.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (h *health) UnmarshalText(text []byte) error {
	for i, name := range healthNames {
		if name == string(text) {
			*h = health(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", text)
}

// finding is one row of the doctor's report.
type finding struct {
	Check   string `json:"check"`
	Verdict health `json:"verdict"`
	Finding string `json:"finding"`
	Advice  string `json:"advice"` // "" when there is nothing to do
}

// Findings are rows in the order in which they are told.
type Findings []finding

func (f *Findings) ok(check, format string, args ...any) {
	*f = append(*f, finding{check, HealthOK, fmt.Sprintf(format, args...), ""})
}

func (f *Findings) look(check, advice, format string, args ...any) {
	*f = append(*f, finding{check, healthLook, fmt.Sprintf(format, args...), advice})
}

func (f *Findings) broken(check, advice, format string, args ...any) {
	*f = append(*f, finding{check, healthBroken, fmt.Sprintf(format, args...), advice})
}

// Worst counts the rows of the worse verdicts.
func (f *Findings) Worst() (look, broken int) {
	for _, one := range *f {
		switch one.Verdict {
		case healthLook:
			look++
		case healthBroken:
			broken++
		default:
		}
	}
	return look, broken
}

// Dyes are the colours of the verdicts, for a terminal.
func Dyes(out io.Writer) map[health]widget.CachedStyle {
	if cli.Terminal(out) == nil {
		return nil
	}
	t := widget.NewTheme(lipgloss.DefaultRenderer())
	return map[health]widget.CachedStyle{HealthOK: t.Good, healthLook: t.Warn, healthBroken: t.Bad}
}

const (
	verdictColumn = 8
	narrowest     = 40 // of the text column; below it lines are left to the terminal
)

// Text lays the rows out in three columns, the advice below its finding.
func (f *Findings) Text(width int, dye map[health]widget.CachedStyle) string {
	checks := 0
	for _, one := range *f {
		checks = max(checks, widget.Width(cli.Visible(one.Check)))
	}
	indent := verdictColumn + checks + 2
	room := 0
	if width-indent >= narrowest {
		room = width - indent
	}
	var b strings.Builder
	for _, one := range *f {
		word := fmt.Sprintf("%-*s", verdictColumn, one.Verdict)
		if style, ok := dye[one.Verdict]; ok {
			word = style.Render(word)
		}
		b.WriteString(word + widget.Fit(cli.Visible(one.Check), checks) + "  ")
		b.WriteString(hanging(one.Finding, room, indent, "") + "\n")
		if one.Advice != "" {
			b.WriteString(strings.Repeat(" ", indent) + hanging(one.Advice, room, indent, "> ") + "\n")
		}
	}
	look, broken := f.Worst()
	switch {
	case broken > 0:
		fmt.Fprintf(&b, "\n%s broken, %d to look at\n", cli.Counted(broken, "thing is", "things are"), look)
	case look > 0:
		fmt.Fprintf(&b, "\nnothing is broken, %d to look at\n", look)
	default:
		b.WriteString("\nall is well\n")
	}
	return b.String()
}

// hanging wraps a text into room cells; its further lines begin at indent.
func hanging(s string, room, indent int, mark string) string {
	s = strings.Join(strings.Fields(cli.Visible(s)), " ")
	if room == 0 {
		return mark + s
	}
	lines := widget.Wrap(s, room-len(mark))
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return mark + strings.Join(lines, "\n"+strings.Repeat(" ", indent+len(mark)))
}
