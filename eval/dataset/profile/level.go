package profile

import "strings"

// The first level of MMBench's taxonomy by the second (MMBench, Sec. 3.1,
// Fig. 2), which its files do not write. Names are compared without case,
// underscores and hyphens, as the releases differ in those.
var firstLevels = map[string]string{
	"coarse perception":                        "perception",
	"finegrained perception (single instance)": "perception",
	"finegrained perception (instance level)":  "perception",
	"finegrained perception (cross instance)":  "perception",
	"attribute reasoning":                      "reasoning",
	"relation reasoning":                       "reasoning",
	"logic reasoning":                          "reasoning",
}

// FirstLevelOf is the first level of MMBench's taxonomy above one of its second;
// "" where there is none.
func FirstLevelOf(second string) string { return firstLevels[normalizeLevel(second)] }

var spaced = strings.NewReplacer("_", " ", "-", " ")

func normalizeLevel(level string) string {
	level = spaced.Replace(strings.ToLower(level))
	return strings.Join(strings.Fields(strings.ReplaceAll(level, "fine grained", "finegrained")), " ")
}
