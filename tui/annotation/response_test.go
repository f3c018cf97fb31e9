package annotation_test

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
)

// Of a judge's reply the last line is read: it is marked, where it says a vote.
func TestVerdictIsMarked(t *testing.T) {
	th := annotationtest.NewTheme(termenv.ANSI, true)
	check := func(vote eval.Vote, raw, marked string) {
		t.Helper()
		spans := annotation.VoteRange(vote, raw)
		got := ""
		for _, s := range spans {
			got += raw[s.From:s.To]
		}
		if got != marked {
			t.Errorf("%q: marks %q, want %q", raw, got, marked)
		}
		lines := strings.Join(annotation.DrawQuoted(th, th.Text, "| ", raw, spans, 40), "\n")
		if marked != "" && !strings.Contains(lines, th.Selected.Render(marked)) {
			t.Errorf("%q: %q is not marked in %q", raw, marked, lines)
		}
	}
	check(eval.Answer1, "The first names the cat.\nAnswer1\n", "Answer1")
	check(eval.Answer2, "Answer2", "Answer2")
	check(eval.VoteUnset, "I cannot say.\nAnswer1 or Answer2", "")
}
