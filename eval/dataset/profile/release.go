package profile

import "strings"

// metaInfo is MMStar's struct of a row's origin; its fields are columns of
// the benchmark's TSV.
const metaInfo = "meta_info"

// ownColumn names a column of a parquet file as the file does.
func ownColumn(path []string) (string, bool) {
	switch {
	case len(path) == 1:
		return path[0], true
	case len(path) == 2 && path[0] == metaInfo:
		return path[1], true
	}
	return strings.Join(path, "."), true
}

// kitColumn names it as VLMEvalKit's TSV does.
func kitColumn(path []string) (string, bool) {
	name, ok := ownColumn(path)
	if name == "L2-category" {
		name = "l2-category"
	}
	return name, ok
}
