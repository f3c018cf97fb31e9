package rowfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// healthCell is a criterion, which HealthBench calls by other names.
type healthCell struct {
	CriterionCell
	Criterion string   `json:"criterion"`
	Points    *float64 `json:"points"`
}

func (h *healthCell) toCriterionCell() CriterionCell {
	out := h.CriterionCell
	out.Text = cmp.Or(out.Text, h.Criterion)
	out.Weight = cmp.Or(out.Weight, h.Points)
	return out
}

// treeCell is a node of a tree of criteria. PaperBench names its text, type and children differently.
type treeCell struct {
	healthCell
	Requirements string     `json:"requirements"`
	Category     string     `json:"task_category"`
	Children     []treeCell `json:"children"`
	Tasks        []treeCell `json:"sub_tasks"`
}

// maxDepth bounds trees of criteria.
const maxDepth = 64

// listFromTree reads a tree as a list in which each node names the one above it.
func (r *CriteriaRow) listFromTree(cell []byte) error {
	var root treeCell
	if err := json.Unmarshal(cell, &root); err != nil {
		return fmt.Errorf("the tree cannot be read: %w", explainCriteriaCell(err))
	}
	r.Written, r.List = true, []CriterionCell{}
	return r.addTreeNodes(&root, "", 0)
}

func (r *CriteriaRow) addTreeNodes(n *treeCell, above Name, depth int) error {
	switch {
	case n.ID == "":
		return errors.New("a node of the tree has no id")
	case depth > maxDepth:
		return fmt.Errorf("the tree is deeper than %d nodes", maxDepth)
	}
	one := n.toCriterionCell()
	one.Text, one.Type, one.Parent = cmp.Or(one.Text, n.Requirements), cmp.Or(one.Type, n.Category), above
	r.List = append(r.List, one)
	for _, list := range [][]treeCell{n.Children, n.Tasks} {
		for i := range list {
			if err := r.addTreeNodes(&list[i], n.ID, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// GradeRow is what a rater says of one criterion of a response as a file states it.
type GradeRow struct {
	Line                    int
	Sample                  eval.SampleID
	Model, Criterion, Rater string
	Person                  bool // the rater is one, not a judge
	Repeat                  int
	Graded                  eval.Graded // VerdictUnset: a judge's reply that holds none
	Hash                    string      // of the criterion's text; "" when the file names none
	Expected                *float64
	Probabilities           []float64
	Reply                   string // of a judge
	At                      time.Time
	Informed                bool
}

// ReadGrades reads verdicts on criteria from JSON lines, a JSON array, CSV, TSV or xlsx with the
// columns sample, model, criterion, rater, rater_kind (human or judge) and verdict (met, partial, unmet
// or unable) or score, and optionally raw (the rater's own label), expected, probabilities,
// explanation, reply, hash, repeat, informed and at; or MM-Vet's file of grades. A line that cannot be
// taken comes as a *problem.Problem, and the rows go on; any other error is the last.
func ReadGrades(path string) iter.Seq2[GradeRow, error] {
	if m := mmVetGrades.FindStringSubmatch(filepath.Base(path)); m != nil {
		return readTableAs(path, "object", nil, func(c *rowReader) GradeRow { return c.readMMVetGrade(m[1]) })
	}
	return readParsedRows(path, []string{"sample", "model", "criterion", "rater", "verdict|score"}, (*rowReader).readGrade)
}

// mmVetGrades is the name that MM-Vet's evaluator gives its file of grades: the model
// that answered, the one that graded, and how often.
var mmVetGrades = regexp.MustCompile(`^(.+)_[^_]+-grade-\d+runs?\.json$`)

// readMMVetGrade reads a row of MM-Vet's grades, {"v1_0": {"model": ["gpt-4"], "content":
// ["0.5"], "score": [0.5]}}: the judge's scores from 0 to 1, one a run, of which the mean
// is kept, on the first criterion of what a model answered.
func (c *rowReader) readMMVetGrade(model string) GradeRow {
	var judges []string
	var scores []float64
	c.parseJSONColumn("model", &judges, "names")
	c.parseJSONColumn("score", &scores, "numbers")
	out := GradeRow{Line: c.Line, Sample: eval.SampleID(c.Get("key")), Model: model, Criterion: "1", Reply: c.Get("content")}
	if len(judges) == 0 || len(scores) == 0 {
		c.setError("the row names no model that graded, or has no score")
		return out
	}
	out.Rater, out.Graded.Verdict = judges[0], eval.Scored
	for _, s := range scores {
		if !(s >= 0 && s <= 1) {
			c.setError("the score %v is none from 0 to 1", s)
		}
		out.Graded.Score += s / float64(len(scores))
	}
	return out
}

func (c *rowReader) readGrade() GradeRow {
	kind := strings.ToLower(c.Get("rater_kind"))
	out := GradeRow{
		Line: c.Line, Sample: c.readSampleID(), Model: c.readRequiredText("model"), Criterion: c.ID(c.ColumnIndex("criterion")), Rater: c.readRequiredText("rater"),
		Hash: c.Get("hash"), Reply: cmp.Or(c.Get("reply"), c.Get("explanation")), Person: kind != "judge",
	}
	c.readRequiredText("criterion")
	switch kind {
	case "human", "person", "judge":
	case "":
		c.setError("the row says not whether the rater is a person: rater_kind is human or judge")
	case "adjudicator":
		c.setError("an adjudicator's verdict is kept in the queue that it was given in, and taken from no file: leave the row out")
	default:
		c.setError("rater_kind %.20q is neither human nor judge: write one of them", kind)
	}
	out.readVerdict(c)
	if c.Get("expected") != "" {
		x := c.readNumber("expected")
		out.Expected = &x
	}
	if c.parseJSONColumn("probabilities", &out.Probabilities, "numbers"); strings.Contains(c.Get("probabilities"), "null") {
		c.setError("probabilities hold what is no number: write them all, or leave them out")
	}
	out.Repeat, out.At, out.Informed = c.readInt("repeat", 0, 1<<20, "no number from 0: leave it out where nothing was repeated"), c.readTime(), c.readBool("informed")
	return out
}

// readVerdict reads the verdict or the score, and the label behind it.
func (r *GradeRow) readVerdict(c *rowReader) {
	r.Graded.Label = c.ID(c.ColumnIndex("raw"))
	if len(r.Graded.Label) > valueLimit {
		c.setError("raw has more than %d bytes: it is a label; a reply goes into the column reply", valueLimit)
	}
	verdict, score := strings.ToLower(c.Get("verdict")), c.Get("score")
	switch {
	case verdict != "" && score != "" && verdict != eval.Scored.String():
		c.setError("the row has both the verdict %.20q and a score: leave one of them out", verdict)
	case score != "":
		r.Graded.Verdict, r.Graded.Score = eval.Scored, c.readNumber("score")
	case verdict != "":
		var err error
		r.Graded.Verdict, err = eval.ParseVerdict(verdict)
		c.setErrorIf(err)
	case r.Person:
		c.setError("the row has neither a verdict nor a score: write met, partial, unmet or unable, or a number")
	} // else a reply that holds none
}

// ResponseRow is a model's answer to a sample of a rubric as a file states it. Its
// cells are nil where the source withholds them.
type ResponseRow struct {
	Line             int
	Sample           eval.SampleID
	Model            string
	Question, Answer *string
	Image            string
}

// ReadResponses reads models' answers from JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// sample and model, and optionally question, answer and image; HealthBench's lines have a prompt, of
// messages, and no model. A line that cannot be taken comes as a *problem.Problem, and the rows go on;
// any other error is the last.
func ReadResponses(path string) iter.Seq2[ResponseRow, error] {
	return readParsedRows(path, nil, func(c *rowReader) ResponseRow {
		// JSON lines of answers have the names of predictions.
		out := ResponseRow{
			Line: c.Line, Sample: c.readSampleID(), Model: cmp.Or(c.Get("model"), c.Get("gen_model_id")), Image: cmp.Or(c.Get("image"), c.Get("image_path")),
			Question: c.optionalText("question"), Answer: cmp.Or(c.optionalText("prediction"), c.optionalText("answer")),
		}
		if cell := c.Get("prompt"); cell != "" {
			text, err := joinMessages(cell)
			c.setErrorIf(err)
			out.Question = &text
		}
		return out
	})
}

// joinMessages gives a list of messages as a text: one alone, and a text, as it is.
func joinMessages(cell string) (string, error) {
	var all []struct{ Role, Content string }
	if !strings.HasPrefix(cell, "[") {
		return cell, nil
	}
	if err := json.Unmarshal([]byte(cell), &all); err != nil {
		return "", fmt.Errorf("prompt is no list of messages: %w", err)
	}
	if len(all) == 1 {
		return all[0].Content, nil
	}
	var b strings.Builder
	for i, m := range all {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(m.Role + ": " + m.Content)
	}
	return b.String(), nil
}

// CriterionCell is a criterion as a file states it. Type is as written, "" where the file names none.
// One that others name as their parent is a node of a tree above them.
type CriterionCell struct {
	ID     Name     `json:"id,omitempty"`
	Type   string   `json:"type,omitempty"`
	Text   string   `json:"text"`
	Weight *float64 `json:"weight,omitempty"` // nil: not given
	Tags   []string `json:"tags,omitempty"`
	Parent Name     `json:"parent,omitempty"`
	Path   []string `json:"path,omitempty"` // the nodes above it, the root first
	// Partial is what the criterion counts when it is met in part, from 0 to 1; nil: the file does not say.
	Partial *float64 `json:"partial,omitempty"`
}

// Name is a name that files write as a text or a number.
type Name string

// UnmarshalJSON reads a text, a number, or null for none.
func (n *Name) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return errors.New("a name is a text or a number")
	}
	*n = Name(fastio.TextOfJSON(b))
	return nil
}

// TickCell is a reviewer's answer to one point of the checklist.
type TickCell struct {
	Item string `json:"item"`
	OK   bool   `json:"ok"`
}

// CriteriaRow is a sample's criteria as a file states them, or, where Act is not empty, one act of their
// history. Of criteria the file has a List, or a numbered Text, or neither: then Written is false.
type CriteriaRow struct {
	Line    int
	Dataset string // "" when the file names none
	Sample  eval.SampleID
	Written bool
	List    []CriterionCell
	Text    string
	Type    eval.QuestionType
	At      time.Time // zero: not given

	Author, State, Reason       string // Author of an act: who did it
	Reviewer, Verifier, Request string
	Discarded, Replacement      string // the reason, and the sample that stands in

	Act      string
	N        uint32
	Round    int
	Comment  string
	Ticks    []TickCell
	Assignee string
	Target   uint32
	Imported bool
}

// ReadCriteria reads criteria from JSON lines, a JSON array, CSV, TSV or xlsx with the columns sample (or
// id) and criteria: a list of {"type", "text"} or of texts, or a numbered text as MLLM-Bench's files of
// votes hold it. HealthBench's lines have rubrics, a list of {"criterion", "points", "tags"}, in its place,
// and others a tree of nodes with weights. Optional are question_type, author, state, reviewer, verifier,
// request, reason, at, discarded, replacement and dataset; a history has act, n, who and what the acts say.
// A line that cannot be taken comes as a *problem.Problem, and the rows go on; any other error is the last.
func ReadCriteria(path string) iter.Seq2[CriteriaRow, error] {
	return readParsedRows(path, []string{"criteria|rubrics|tree"}, (*rowReader).readCriteriaRow)
}

func (c *rowReader) readCriteriaRow() CriteriaRow {
	out := CriteriaRow{
		Line: c.Line, Dataset: c.Get("dataset"), Author: c.Get("author"), State: c.Get("state"),
		Reason: c.Get("reason"), Reviewer: c.Get("reviewer"), Verifier: c.Get("verifier"), Request: c.Get("request"),
		Discarded: c.Get("discarded"), Replacement: c.Get("replacement"), Assignee: c.Get("assignee"), Act: c.Get("act"),
		Sample: c.readSampleID(), Type: c.readQuestionType(), At: c.readTime(),
	}
	c.setErrorIf(out.readCriteria(c))
	if out.Act != "" {
		out.readHistoryAct(c)
	}
	return out
}

func (c *rowReader) readQuestionType() eval.QuestionType {
	t, err := profile.ParseQuestionType(cmp.Or(c.Get(profile.ColumnType), c.Get(profile.BenchType)))
	c.setErrorIf(err)
	return t
}

// readCriteria reads the list or the text.
func (r *CriteriaRow) readCriteria(c *rowReader) error {
	if tree := bytes.TrimSpace(c.Cell(c.ColumnIndex("tree"))); len(tree) > 0 {
		return r.listFromTree(tree)
	}
	cell := bytes.TrimSpace(c.Cell(c.ColumnIndex("criteria")))
	if len(cell) == 0 {
		cell = bytes.TrimSpace(c.Cell(c.ColumnIndex("rubrics")))
	}
	r.Written = len(cell) > 0
	if !r.Written || cell[0] != '[' || !json.Valid(cell) { // a text may begin with a bracket, too
		r.Text = c.Get("criteria")
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(cell, &parts); err != nil {
		return fmt.Errorf("criteria are no list: %w", err)
	}
	r.List = []CriterionCell{}
	for i, p := range parts {
		var one healthCell
		if bytes.HasPrefix(p, []byte(`"`)) {
			if err := json.Unmarshal(p, &one.Text); err != nil {
				return fmt.Errorf("criterion %d: %w", i+1, err)
			}
		} else if err := json.Unmarshal(p, &one); err != nil {
			return fmt.Errorf("criterion %d: %w", i+1, explainCriteriaCell(err))
		}
		r.List = append(r.List, one.toCriterionCell())
	}
	return nil
}

// explainCriteriaCell says what is wrong with a criterion's JSON, and what would do.
func explainCriteriaCell(err error) error {
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && typed.Type.Kind() == reflect.Float64 {
		return fmt.Errorf("%s is no number that is finite: write one, or leave it out", typed.Field[strings.LastIndexByte(typed.Field, '.')+1:])
	}
	return errors.New("it is neither a text nor an object with type, text and weight")
}

// readHistoryAct reads what a row of a history has beside the criteria.
func (r *CriteriaRow) readHistoryAct(c *rowReader) {
	r.Author, r.Comment, r.Replacement = c.Get("who"), c.Get("text"), c.Get("other")
	r.N, r.Round, r.Target = uint32(c.readInt("n", 0, math.MaxInt32, "no number")), c.readInt("round", 0, math.MaxInt32, "no number"), uint32(c.readInt("target", 0, math.MaxInt32, "no number"))
	r.Imported = c.readBool("imported")
	c.parseJSONColumn("ticks", &r.Ticks, "points")
}
