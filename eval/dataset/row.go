package dataset

import (
	"slices"
	"strconv"
	"strings"

	"concord/eval/dataset/internal/fastio"
)

// row is one row of a file as its source cut it: cells by the columns of a
// header. The cells are valid until the next row.
type row struct {
	line   int // where it starts in the file, from 1
	head   *header
	cells  [][]byte
	broken bool // bytes that are no valid UTF-8 were replaced before it was cut
}

// header says which columns of a file hold what, by the names that
// VLMEvalKit writes and those of its neighbours. -1: not there.
type header struct {
	names                          []string
	index, group                   int
	question, hint, answer         int
	category, coarse, fine         int // category, l2-category, l2_category
	image, imagePath               int
	taxonomy                       int // a list of levels
	questionType, model            int // of MLLM-Bench's files alone
	typed                          int // the type of a question of any kind, as exports of this package write it
	kind                           int // "open" where an answer of yes or no is a reference all the same
	split, source, bench           int
	prediction, optionList, letter int // letter: the first option column
	scores                         int // of logs alone
	hit, extracted, score          int // of the kit's files of results: what it made of the predictions
	letters                        [26]int
}

func newHeader(names []string) *header {
	find := func(wanted ...string) int {
		for _, w := range wanted {
			if i := slices.Index(names, w); i >= 0 {
				return i
			}
		}
		return -1
	}
	h := &header{
		names: slices.Clone(names),
		index: find("index", "id", "doc_id", "question_id"), group: find("g_index"),
		question: find("question"), hint: find("hint"), answer: find("answer"),
		category: find("category"), coarse: find("l2-category"), fine: find("l2_category"),
		taxonomy: find("taxonomy"), questionType: find(benchType), model: find(benchModel), typed: find(columnType), kind: find("kind"),
		image: find("image"), imagePath: find("image_path"),
		split: find("split"), source: find("source"), bench: find("bench"),
		prediction: find("prediction", "response"), optionList: find("options", "index2ans"), letter: -1,
		scores: find(columnScores), hit: -1, extracted: -1, score: -1,
	}
	if find("log") >= 0 {
		h.hit = find("hit")
	}
	if score := find("score"); score >= 0 && find("extracted") >= 0 {
		h.extracted, h.score = find("extracted"), score
	}
	for i := range h.letters {
		h.letters[i] = find(string(rune('A' + i)))
		if h.letter < 0 {
			h.letter = h.letters[i]
		}
	}
	return h
}

// cell returns the cell of a column, empty when there is none.
func (r *row) cell(column int) []byte {
	if column < 0 || column >= len(r.cells) {
		return nil
	}
	return r.cells[column]
}

func (r *row) text(column int) string { return string(r.cell(column)) }

// name returns a short cell as a name: without white space around it.
func (r *row) name(column int) string { return strings.TrimSpace(r.text(column)) }

// id returns the row's index as the benchmark means it: pandas writes whole
// numbers as 241.0 when a column has gaps.
func (r *row) id(column int) string {
	s := r.name(column)
	whole, zeros, ok := strings.Cut(s, ".")
	if ok && fastio.IsInteger([]byte(whole)) && strings.Trim(zeros, "0") == "" {
		return whole
	}
	if strings.ContainsAny(s, "eE") && strings.ContainsAny(s[:1], "0123456789") {
		if f, err := strconv.ParseFloat(s, 64); err == nil && f >= 0 && f < 1<<53 && f == float64(int64(f)) {
			return strconv.FormatInt(int64(f), 10)
		}
	}
	return s
}
