package profile

import (
	"slices"
	"strconv"

	"concord/eval/dataset/format"
)

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
	return "", false
}

// kitColumn names it as VLMEvalKit's TSV does.
func kitColumn(path []string) (string, bool) {
	name, ok := ownColumn(path)
	if name == "L2-category" {
		name = "l2-category"
	}
	return name, ok
}

// numbering numbers the rows of a parquet file without an index. In MME's file
// a question's id is its picture's name, which two rows share.
type numbering struct {
	names []string // with those that are added; nil when nothing is
	from  []string // the names that they were made of
	twice int      // the cell that question_id fills beside its own; -1: none
}

// of finds out what the columns lack.
func (n *numbering) of(names []string) {
	*n = numbering{from: names, twice: -1}
	if slices.Contains(names, "index") || slices.Contains(names, "id") {
		return
	}
	question := slices.Index(names, "question_id")
	mme := question >= 0 && slices.Contains(names, "category") && !slices.Contains(names, "A") && !slices.Contains(names, "options")
	if question >= 0 && !mme {
		return
	}
	n.names = append(slices.Clone(names), "index")
	if mme && !slices.Contains(n.names, "image_path") {
		n.twice = question
		n.names = append(n.names, "image_path")
	}
}

// add gives a row what it lacks.
func (n *numbering) add(r *format.Row) {
	if !slices.Equal(n.from, r.Names) {
		n.of(r.Names)
	}
	if n.names == nil {
		return
	}
	r.Names, r.Cells = n.names, append(r.Cells, strconv.AppendInt(nil, int64(r.Line-1), 10))
	if n.twice >= 0 {
		r.Cells = append(r.Cells, r.Cells[n.twice])
	}
}
