package annotate

import (
	"fmt"
	"strconv"
	"strings"
)

// FinestLevel stands for the whole taxonomy path, however long it is.
const FinestLevel = 255

// levels are the names that benchmarks give to their levels, counted from the
// coarse end: MMBench's L1 to L3, of which its files call L3 the category;
// MMStar's core and axis; MLLM-Bench's level and capability; MME's subtask.
var levels = map[string]int{
	"l1": 1, "l2": 2, "l3": 3, "l2-category": 2, "category": FinestLevel,
	"core": 1, "axis": 2, "l2_category": 2, "level": 1, "capability": 2, "subtask": 2, "finest": FinestLevel,
}

// ParseLevel reads "LEVEL:N", how many items of each group of a taxonomy
// level: "category:2", "l2:5", or by the level's number, "1:5".
func ParseLevel(s string) (level, n int, err error) {
	name, count, ok := strings.Cut(s, ":")
	if !ok {
		return 0, 0, fmt.Errorf("parse %q: want LEVEL:N, as in category:2", s)
	}
	n, err = strconv.Atoi(count)
	if err != nil || n < 1 {
		return 0, 0, fmt.Errorf("parse %q: %q is not a number of items", s, count)
	}
	name = strings.ToLower(strings.TrimSpace(name))
	level, ok = levels[name]
	if !ok {
		level, err = strconv.Atoi(name)
		if err != nil || level < 1 || level > FinestLevel {
			return 0, 0, fmt.Errorf("parse %q: unknown level %q: want a number from 1, or l1, l2, l3, category, core, axis, level, capability, subtask, finest", s, name)
		}
	}
	return level, n, nil
}
