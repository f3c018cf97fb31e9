package profile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/internal/fastio"
)

// Row is one row of a file: cells by the columns of a header. The cells are
// valid until the next row. A nil cell is an absent value.
type Row struct {
	Line   int // where it starts in the file, from 1
	Head   *Header
	Cells  [][]byte
	Broken bool // bytes that are no valid UTF-8 were replaced before it was cut
}

// Header says which columns of a file hold what, by the names that
// VLMEvalKit writes and those of its neighbours. -1: not there.
type Header struct {
	Names                                []string
	Index, Group, Question, Hint, Answer int
	Category, Coarse, Fine               int // category, l2-category, l2_category
	Image, ImagePath                     int
	Taxonomy                             int // a list of levels
	QuestionType, Model                  int // of MLLM-Bench's files alone
	Typed                                int // the type of a question of any kind, as exports write it
	Kind                                 int // "open" where an answer of yes or no is a reference all the same
	Split, Source, Bench                 int
	Prediction, OptionList, Letter       int // Letter: the first option column
	Letters                              [26]int
	Further                              []int // the columns that mean nothing here

	// Twice are the names that several columns have, where only the first is
	// read; Clash is the first of those that mean something here.
	Twice []string
	Clash string

	Metric, Groups, References int // of a layout, or as exports write them
	Also                       int // paths beside that of the taxonomy; or that a category lists several
	Bare                       int // rows hold answers alone
	Repeat                     int // rows that repeat an id may be rows of their own
	Form                       int // how the answer is written: text, or list

	scores                int // of logs alone
	hit, extracted, score int // of the kit's files of results: what it made of the predictions
}

// ColumnType is the column of a question's type, as exports write it.
// MLLM-Bench's own name for it says more: that the question is open.
const ColumnType = column.QuestionType

// The columns that only MLLM-Bench's files have, as their rows name them.
const (
	BenchType  = "question type"
	benchModel = "gen_model_id"
)

// ofReplies are columns that tell of a model's reply, and not of the question.
var ofReplies = []string{"hit", "log", "extracted", "score", "thinking", "raw", "verdict", "judge"}

// keys are the names of the column that identifies a row.
var keys = []string{"index", "id", "doc_id", "question_id"}

// FindKnownColumns finds the columns among the names of a file's.
func FindKnownColumns(names []string) *Header {
	twice, clash := findRepeated(names), ""
	means := make([]bool, len(names))
	find := func(wanted ...string) int {
		for _, w := range wanted {
			if clash == "" && slices.Contains(twice, w) {
				clash = w
			}
			if i := slices.Index(names, w); i >= 0 {
				means[i] = true
				return i
			}
		}
		return -1
	}
	h := &Header{
		Names: slices.Clone(names),
		Index: find(keys...), Group: find("g_index"),
		Question: find("question"), Hint: find("hint"), Answer: find("answer"),
		Category: find("category"), Coarse: find("l2-category"), Fine: find("l2_category"),
		Taxonomy: find("taxonomy"), QuestionType: find(BenchType), Model: find(benchModel), Typed: find(ColumnType), Kind: find("kind"),
		Image: find("image"), ImagePath: find("image_path"),
		Split: find("split"), Source: find("source"), Bench: find("bench"),
		Prediction: find("prediction", "response"), OptionList: find("options", "index2ans"), Letter: -1,
		Metric: find(column.Metric), Groups: find(column.Groups), References: find(column.References), Also: find(column.Also),
		Bare: find(column.Bare), Repeat: find(column.Repeat), Form: find(column.Form),
		scores: find(column.Scores), hit: -1, extracted: -1, score: -1,
	}
	if find("log") >= 0 {
		h.hit = find("hit")
	}
	if score := find("score"); score >= 0 && find("extracted") >= 0 {
		h.extracted, h.score = find("extracted"), score
	}
	for i := range h.Letters {
		h.Letters[i] = find(string(rune('A' + i)))
		if h.Letter < 0 {
			h.Letter = h.Letters[i]
		}
	}
	for i, n := range names {
		reply := h.Prediction >= 0 && slices.Contains(ofReplies, n)
		if !means[i] && n != "" && slices.Index(names, n) == i && !reply {
			h.Further = append(h.Further, i)
		}
	}
	h.Twice, h.Clash = twice, clash
	return h
}

// findRepeated finds the names that come more than once, in their order.
func findRepeated(names []string) (out []string) {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] && n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
		seen[n] = true
	}
	return out
}

// Cell returns the cell of a column, empty when there is none.
func (r *Row) Cell(column int) []byte {
	if column < 0 || column >= len(r.Cells) {
		return nil
	}
	return r.Cells[column]
}

// Text is a cell as a text.
func (r *Row) Text(column int) string { return string(r.Cell(column)) }

// Name returns a short cell as a name: without white space around it.
func (r *Row) Name(column int) string { return strings.TrimSpace(r.Text(column)) }

// ID returns the row's index as the benchmark means it, a whole number: pandas writes 241.0 when a column
// has gaps.
func (r *Row) ID(column int) string {
	s := r.Name(column)
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

// ByteSize is how many bytes the cells have.
func (r *Row) ByteSize() (n int) {
	for _, c := range r.Cells {
		n += len(c)
	}
	return n
}

// Get gives the cell of a named column as valid UTF-8 without white space around it; "" when there is none.
func (r *Row) Get(column string) string { return strings.TrimSpace(r.RawText(column)) }

// RawText is the same with its white space.
func (r *Row) RawText(column string) string {
	return strings.ToValidUTF8(r.Text(r.ColumnIndex(column)), "\uFFFD")
}

// ColumnIndex is the place of a named column; -1 when there is none.
func (r *Row) ColumnIndex(name string) int { return slices.Index(r.Head.Names, name) }

// IDLimit is how many bytes an index may have.
const IDLimit = 255

// IsValidID tells what can name a sample.
func IsValidID(s string) bool { return len(s) <= IDLimit && utf8.ValidString(s) }

// PassOffset is what VLMEvalKit's circular layout adds to the index for each pass.
const PassOffset = 1_000_000

// ReferenceLimit is the longest image cell that names a row and holds no picture (VLMEvalKit's rule).
const ReferenceLimit = 64

// NamesAnotherRow reports whether an image names another row.
func NamesAnotherRow(image []byte) bool { return len(image) <= ReferenceLimit }

// ReferencedIndex is the index that an image cell names, in the form of Row.ID.
func ReferencedIndex(image []byte) string {
	r := Row{Cells: [][]byte{image}}
	return r.ID(0)
}

// PicturePaths returns the names of pictures that a row only names.
func (r *Row) PicturePaths() []string {
	cell := bytes.TrimSpace(r.Cell(r.Head.ImagePath))
	if len(cell) == 0 {
		return nil
	}
	list := column.SplitImageCell(cell)
	return eval.Map(list, func(n []byte) string { return string(bytes.ToValidUTF8(n, []byte("\uFFFD"))) })
}

// columnScores is where the readers of logs put what the log's own scorers say; no file has such a column.
const columnScores = column.Scores

// LogScore is what a log's scorer says of one answer.
type LogScore struct {
	Scorer string `json:"scorer"`
	Answer string `json:"answer"` // that it read
	Read   bool   `json:"read"`   // it says what it read, if only that it read nothing
	Right  bool   `json:"right"`
	Raw    string `json:"raw"`
}

// LogScores is what the file's own scorers say of the row's answer, in the order of their names.
func (r *Row) LogScores() (out []LogScore) {
	if r.Head.scores >= 0 && json.Unmarshal(r.Cell(r.Head.scores), &out) != nil {
		out = nil // no log of ours: nothing was promised of that column
	}
	return append(out, r.kitScores()...)
}

// kitScores is what VLMEvalKit's own files of results say: whether a question
// was hit in all of its passes, or what was extracted of yes and no.
func (r *Row) kitScores() []LogScore {
	raw := r.Name(r.Head.score)
	switch hit := r.Name(r.Head.hit); {
	case raw != "":
		said := r.Name(r.Head.extracted)
		said = eval.Either(strings.EqualFold(said, "unknown"), "", said)
		return []LogScore{{Scorer: "vlmevalkit/extracted", Answer: said, Read: true, Right: isScoredRight([]byte(raw)), Raw: raw}}
	case hit != "":
		return []LogScore{{Scorer: "vlmevalkit/hit", Right: isScoredRight([]byte(hit)), Raw: hit}}
	}
	return nil
}

// isScoredRight reads a score: inspect_ai writes C for correct, others 1.
func isScoredRight(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case `"C"`, "1", "1.0", "true", "True", "TRUE":
		return true
	}
	return false
}

// renameBenchObject gives an object of MLLM-Bench the names of VLMEvalKit: a question {id, image_path,
// question, meta{level, capability, question type}}, or a model's answer to one {unique_idx, image,
// question, meta, gen_model_id, answer}; or of an answer that is graded by a rubric, {sample, model,
// question, answer, image}. Any other object stays as it is.
func renameBenchObject(in fastio.Object) fastio.Object {
	var meta map[string]json.RawMessage
	if isGradedResponse(in) {
		return fastio.Object{
			{Name: "index", Value: in.Get("sample")},
			{Name: benchModel, Value: in.Get("model")},
			{Name: "question", Value: in.Get("question")},
			{Name: "prediction", Value: in.Get("answer")},
			{Name: "image_path", Value: in.Get("image")},
		}
	}
	if about := in.Get("meta"); !bytes.HasPrefix(about, []byte("{")) || json.Unmarshal(about, &meta) != nil || meta["capability"] == nil {
		return in
	}
	out := fastio.Object{{Name: "question", Value: in.Get("question")}, {Name: BenchType, Value: meta[BenchType]}}
	setUnlessNil(&out, "taxonomy", []string{string(fastio.TextOfJSON(meta["level"])), string(fastio.TextOfJSON(meta["capability"]))})
	switch {
	case in.Get("unique_idx") != nil:
		out.Set("index", in.Get("unique_idx"))
		out.Set("image_path", in.Get("image"))
		out.Set(benchModel, in.Get(benchModel))
		if answer := in.Get("answer"); answer != nil {
			out.Set("prediction", answer)
		}
	case in.Get("id") != nil && in.Get("judge_raw") == nil:
		out.Set("index", in.Get("id"))
		out.Set("image_path", in.Get("image_path"))
	default:
		return in
	}
	return out
}

// isGradedResponse tells a model's answer that is graded by a rubric from rows in
// which an answer is the truth, or somebody's reading of one.
func isGradedResponse(in fastio.Object) bool {
	lacks := func(name string) bool { return in.Get(name) == nil }
	return !slices.ContainsFunc([]string{"sample", "model", "answer"}, lacks) && !slices.ContainsFunc(in, func(m fastio.Member) bool {
		return slices.Contains([]string{"prediction", "response", "choice", "criterion", "judge", "annotator", "rater", "options"}, m.Name)
	})
}

// ParseQuestionType reads the name of a type, also as the released files spell it; unset for none.
func ParseQuestionType(text string) (eval.QuestionType, error) {
	switch name := strings.ToLower(strings.Join(strings.Fields(text), " ")); name {
	case "":
		return eval.TypeUnset, nil
	case "close-ended":
		return eval.ClosedEnded, nil
	default:
		return eval.ParseQuestionType(name)
	}
}

// The first level of MMBench's taxonomy by the second (MMBench, Sec. 3.1, Fig. 2), which its files do
// not write. Names are compared without case, underscores and hyphens, as the releases differ in those.
var firstLevels = map[string]string{
	"coarse perception":                        "perception",
	"finegrained perception (single instance)": "perception",
	"finegrained perception (instance level)":  "perception",
	"finegrained perception (cross instance)":  "perception",
	"attribute reasoning":                      "reasoning",
	"relation reasoning":                       "reasoning",
	"logic reasoning":                          "reasoning",
}

var spaced = strings.NewReplacer("_", " ", "-", " ")

// FirstLevelOf is the first level of MMBench's taxonomy above one of its second; "" where there is none.
func FirstLevelOf(second string) string {
	second = strings.ReplaceAll(spaced.Replace(strings.ToLower(second)), "fine grained", "finegrained")
	return firstLevels[strings.Join(strings.Fields(second), " ")]
}
