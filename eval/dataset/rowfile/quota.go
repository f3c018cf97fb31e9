package rowfile

import (
	"errors"
	"fmt"
	"iter"
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
// *problem.Problem, and the rows go on.
func ReadQuotas(path string) iter.Seq2[QuotaRow, error] {
	return readTable(path, []string{"n"}, func(c columns) (QuotaRow, error) {
		out := QuotaRow{Line: c.Line}
		if list, ok := fastio.ParseList([]byte(c.Get("taxonomy"))); ok {
			for _, l := range list {
				out.Path = append(out.Path, string(l))
			}
		} else {
			if l := c.Get("taxonomy"); l != "" {
				out.Path = strings.Split(l, " / ")
			}
			for _, column := range []string{"level", "capability", "axis"} {
				if l := c.Get(column); l != "" {
					out.Path = append(out.Path, l)
				}
			}
		}
		if len(out.Path) == 0 {
			return out, errors.New("the row names no level")
		}
		text := c.ID(c.Column("n"))
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return out, fmt.Errorf("n %.20q is not a number of samples", text)
		}
		out.N = n
		return out, nil
	})
}
