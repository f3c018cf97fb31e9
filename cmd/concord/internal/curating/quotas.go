package curating

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval/dataset/rowfile"
)

// ParseQuotas reads the values of --quota, in their order.
func ParseQuotas(values []string) ([]criteria.Quota, error) {
	var out []criteria.Quota
	for _, v := range values {
		level, n, ok := strings.Cut(v, "=")
		if _, err := os.Stat(v); err != nil && ok {
			if q, ok := groupQuota(level, n); ok {
				out = append(out, q)
				continue
			}
			l, count, err := annotate.ParseLevel(level + ":" + n)
			if err != nil {
				return nil, fmt.Errorf("quota %q: %w", v, err)
			}
			out = append(out, criteria.Quota{Level: l, N: count})
			continue
		}
		for row, err := range rowfile.ReadQuotas(v) {
			if err != nil {
				return nil, fmt.Errorf("quota: %w", err)
			}
			out = append(out, criteria.Quota{Path: row.Path, N: row.N})
		}
	}
	return out, nil
}

// groupQuota reads "GROUP / GROUP=N", what one group is to have.
func groupQuota(path, n string) (criteria.Quota, bool) {
	levels := strings.Split(path, " / ")
	count, err := strconv.Atoi(strings.TrimSpace(n))
	if err != nil || count < 1 || len(levels) < 2 {
		return criteria.Quota{}, false
	}
	for i := range levels {
		if levels[i] = strings.TrimSpace(levels[i]); levels[i] == "" {
			return criteria.Quota{}, false
		}
	}
	return criteria.Quota{Path: levels, N: count}, true
}
