package rowfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// CriterionCell is a criterion as a file states it. Type is as written, ""
// where the file names none. One that others name as their parent is a node of a
// tree above them.
type CriterionCell struct {
	ID     Name     `json:"id,omitempty"`
	Type   string   `json:"type,omitempty"`
	Text   string   `json:"text"`
	Weight *float64 `json:"weight,omitempty"` // nil: not given
	Tags   []string `json:"tags,omitempty"`
	Parent Name     `json:"parent,omitempty"`
	Path   []string `json:"path,omitempty"` // the nodes above it, the root first
	// Partial is what the criterion counts when it is met in part, from 0 to 1; nil:
	// the file does not say.
	Partial *float64 `json:"partial,omitempty"`
}

// Name is a name that files write as a text or a number.
type Name string

// UnmarshalJSON reads a text, a number, or null for none.
func (n *Name) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return errors.New("a name is a text or a number")
	}
	*n = Name(fastio.CellText(b))
	return nil
}

// TickCell is a reviewer's answer to one point of the checklist.
type TickCell struct {
	Item string `json:"item"`
	OK   bool   `json:"ok"`
}

// CriteriaRow is a sample's criteria as a file states them, or, where Act is
// not empty, one act of their history. Of criteria the file has a List, or a
// numbered Text, or neither: then Written is false.
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

// ReadCriteria reads criteria from JSON lines, a JSON array, CSV, TSV or xlsx
// with the columns sample (or id) and criteria: a list of {"type", "text"} or
// of texts, or a numbered text as MLLM-Bench's files of votes hold it. HealthBench's lines have
// rubrics, a list of {"criterion", "points", "tags"}, in its place, and others a
// tree of nodes with weights. Optional
// are question_type, author, state, reviewer, verifier, request, reason, at,
// discarded, replacement and dataset; a history has act, n, who and what the
// acts say. A line that cannot be taken comes as a *problem.Problem, and the rows go
// on; any other error is the last.
func ReadCriteria(path string) iter.Seq2[CriteriaRow, error] {
	return readTable(path, []string{"criteria|rubrics|tree"}, (*rowReader).readCriteriaRow)
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
		out.readAct(c)
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
		return r.readTree(tree)
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
			return fmt.Errorf("criterion %d: %w", i+1, explainCell(err))
		}
		r.List = append(r.List, one.toCriterionCell())
	}
	return nil
}

// explainCell says what is wrong with a criterion's JSON, and what would do.
func explainCell(err error) error {
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) && typed.Type.Kind() == reflect.Float64 {
		return fmt.Errorf("%s is no number that is finite: write one, or leave it out", typed.Field[strings.LastIndexByte(typed.Field, '.')+1:])
	}
	return errors.New("it is neither a text nor an object with type, text and weight")
}

// readAct reads what a row of a history has beside the criteria.
func (r *CriteriaRow) readAct(c *rowReader) {
	r.Author, r.Comment, r.Replacement = c.Get("who"), c.Get("text"), c.Get("other")
	r.N, r.Round, r.Target = uint32(c.readInt("n", 0, math.MaxInt32, "no number")), c.readInt("round", 0, math.MaxInt32, "no number"), uint32(c.readInt("target", 0, math.MaxInt32, "no number"))
	r.Imported = c.readBool("imported")
	c.readJSON("ticks", &r.Ticks, "points")
}
