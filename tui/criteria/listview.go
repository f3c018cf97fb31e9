package criteria

import (
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// headLines stand over the list: title, what waits for the person, filter.
const headLines = 3

func mark(t *widget.Theme, text string, on bool) string {
	if on {
		return t.Accent.Render("[" + text + "]")
	}
	return t.Faint.Render(text)
}

// cell is a cell of a sample's line, shown from a width on.
type cell struct {
	text  string
	wide  int
	least int
}

// head is the beginning of a text: enough for a line.
func head(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// namedFrom is the width from which rows name a warning.
const namedFrom = 150

func warnWidth(width int) int {
	if width >= namedFrom {
		return 26
	}
	return 2
}

func names(who []annotate.Annotator) string {
	out := make([]string, len(who))
	for i, w := range who {
		out[i] = widget.Line(string(w))
	}
	return strings.Join(out, ", ")
}

func shortType(t eval.QuestionType) string {
	switch t {
	case eval.OpenEnded:
		return "open"
	case eval.ClosedEnded:
		return "closed"
	case eval.Compound:
		return "comp."
	case eval.TypeUnset:
	}
	return "–"
}

func stateWord(s criteria.State, long bool) string {
	switch s {
	case criteria.InReview:
		if !long {
			return "review"
		}
	case criteria.ChangesRequested:
		if !long {
			return "changes"
		}
	case criteria.Unwritten:
		if !long {
			return "to do"
		}
	default:
	}
	return strings.ReplaceAll(s.String(), "_", " ")
}
