package dataset

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"concord/eval/dataset/internal/fastio"
)

// QuotaRow is how many samples a group of the taxonomy is to have.
type QuotaRow struct {
	Line int
	Path []string
	N    int
}

// ReadQuotas reads quotas from JSON lines, CSV, TSV or xlsx with the columns
// n and taxonomy (a list, or a path with " / "), or level, capability and axis,
// of which any but one may be empty. A line that cannot be taken comes as a
// *Problem, and the rows go on.
func ReadQuotas(path string) iter.Seq2[QuotaRow, error] {
	return readTable(path, []string{"n"}, func(c columns) (QuotaRow, error) {
		out := QuotaRow{Line: c.line}
		if list, ok := fastio.ParseList([]byte(c.get("taxonomy"))); ok {
			for _, l := range list {
				out.Path = append(out.Path, string(l))
			}
		} else {
			if l := c.get("taxonomy"); l != "" {
				out.Path = strings.Split(l, " / ")
			}
			for _, column := range []string{"level", "capability", "axis"} {
				if l := c.get(column); l != "" {
					out.Path = append(out.Path, l)
				}
			}
		}
		if len(out.Path) == 0 {
			return out, errors.New("the row names no level")
		}
		text := c.id(slices.Index(c.head.names, "n"))
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return out, fmt.Errorf("n %.20q is not a number of samples", text)
		}
		out.N = n
		return out, nil
	})
}
