package accessible

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"concord/tui/widget"
)

// Ask asks for a line.
func Ask(ctx context.Context, in *Lines, out io.Writer, prompt string) (string, error) {
	if _, err := io.WriteString(out, prompt); err != nil {
		return "", err
	}
	return in.Next(ctx)
}

// Choose asks for one of several by its number, until it is given one, and
// returns its index.
func Choose(ctx context.Context, in *Lines, out io.Writer, question string, of []string) (int, error) {
	_, _ = fmt.Fprintln(out, question)
	for i, text := range of {
		_, _ = fmt.Fprintf(out, "  %d: %s\n", i+1, widget.Line(text))
	}
	for {
		text, err := Ask(ctx, in, out, "> ")
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(of) {
			return n - 1, nil
		}
		_, _ = fmt.Fprintf(out, "Type a number from 1 to %d.\n", len(of))
	}
}
