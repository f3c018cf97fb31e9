package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"concord/tui/widget"
)

// health is what the doctor says about one thing.
type health uint8

const (
	healthUnset  health = iota
	healthOK            // as it should be
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

// findings are rows in the order in which they are told.
type findings []finding

func (f *findings) ok(check, format string, args ...any) {
	*f = append(*f, finding{check, healthOK, fmt.Sprintf(format, args...), ""})
}

func (f *findings) look(check, advice, format string, args ...any) {
	*f = append(*f, finding{check, healthLook, fmt.Sprintf(format, args...), advice})
}

func (f *findings) broken(check, advice, format string, args ...any) {
	*f = append(*f, finding{check, healthBroken, fmt.Sprintf(format, args...), advice})
}

// worst counts the rows of the worse verdicts.
func (f *findings) worst() (look, broken int) {
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

func newDoctorCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the project, the config, the endpoints and the terminal",
		Long: `Checks the project's file, the configuration, every endpoint (by listing its
models: that spends no tokens) and the terminal, and says what to do about
each finding. Ends with status 1 when something is broken.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), a) },
	}
	addScreenFlags(a, cmd.Flags())
	return cmd
}

func runDoctor(ctx context.Context, a *app) error {
	var all findings
	if a.held != nil { // the process that asks looks after the rest itself
		checkFacts(ctx, a, a.held, &all)
	} else {
		checkFile(ctx, a, &all)
		if c := checkConfig(a, &all); c != nil {
			checkEndpoints(ctx, c, &all)
		}
		checkTerminal(newSight(a), &all)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := printFindings(a, all); err != nil {
		return err
	}
	if _, broken := all.worst(); broken > 0 {
		return statusError{code: exitFailed, quiet: true}
	}
	return nil
}

func printFindings(a *app, all findings) error {
	if a.json {
		return a.writeJSON(struct {
			Report string   `json:"report"`
			Rows   findings `json:"rows"`
		}{"doctor", all})
	}
	_, err := io.WriteString(a.out, all.text(a.width(), dyes(a.out)))
	return err
}

// dyes are the colours of the verdicts, for a terminal.
func dyes(out io.Writer) map[health]widget.Ink {
	f, ok := out.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return nil
	}
	t := widget.NewTheme(lipgloss.DefaultRenderer())
	return map[health]widget.Ink{healthOK: t.Good, healthLook: t.Warn, healthBroken: t.Bad}
}

const (
	verdictColumn = 8
	narrowest     = 40 // of the text column; below it lines are left to the terminal
)

// text lays the rows out in three columns, the advice below its finding.
func (f *findings) text(width int, dye map[health]widget.Ink) string {
	checks := 0
	for _, one := range *f {
		checks = max(checks, widget.Width(visible(one.Check)))
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
		b.WriteString(word + widget.Fit(visible(one.Check), checks) + "  ")
		b.WriteString(hanging(one.Finding, room, indent, "") + "\n")
		if one.Advice != "" {
			b.WriteString(strings.Repeat(" ", indent) + hanging(one.Advice, room, indent, "> ") + "\n")
		}
	}
	look, broken := f.worst()
	switch {
	case broken > 0:
		fmt.Fprintf(&b, "\n%s broken, %d to look at\n", counted(broken, "thing is", "things are"), look)
	case look > 0:
		fmt.Fprintf(&b, "\nnothing is broken, %d to look at\n", look)
	default:
		b.WriteString("\nall is well\n")
	}
	return b.String()
}

// hanging wraps a text into room cells; its further lines begin at indent.
func hanging(s string, room, indent int, mark string) string {
	s = strings.Join(strings.Fields(visible(s)), " ")
	if room == 0 {
		return mark + s
	}
	lines := widget.Wrap(s, room-len(mark))
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return mark + strings.Join(lines, "\n"+strings.Repeat(" ", indent+len(mark)))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
