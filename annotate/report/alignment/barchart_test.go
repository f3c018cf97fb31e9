package alignment

import (
	"bytes"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

func TestChartOfAlignment(t *testing.T) {
	r := align(t, unread(), Options{})
	draw := func(width int) string {
		var b bytes.Buffer
		if err := report.RenderReport(&b, r, table.FormatTable, width); err != nil {
			t.Fatal(err)
		}
		_, chart, _ := strings.Cut(b.String(), "\n  "+strings.Repeat(" ", 13)+"0 ")
		return chart
	}
	want := `
all runs, 8 items
  rules:first  ██████├───────────────▼───────┤··  66.7%  n 3
  gpt          ██├────────●──────────▽───┤······  33.3%  n 3
  left out: rules:letters: the queue holds only what letters@1 could not read
`
	if got := draw(60); !strings.Contains(got, want[1:]) || !strings.Contains(got, "run 2, n, 4 items") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
	if got := draw(0) + draw(30); got != "" {
		t.Errorf("without a terminal, or on a small one: %s", got)
	}
}
