package rowfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
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
}

// Name is a name that files write as a text or a number.
type Name string

// UnmarshalJSON reads a text, a number, or null for none.
func (n *Name) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return errors.New("a name is a text or a number")
	}
	*n = Name(fastio.Text(b))
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
	return readTable(path, []string{"criteria|rubrics|tree"}, columns.criteriaRow)
}

func (c columns) criteriaRow() (out CriteriaRow, err error) {
	out = CriteriaRow{
		Line: c.Line, Dataset: c.Get("dataset"), Author: c.Get("author"), State: c.Get("state"),
		Reason: c.Get("reason"), Reviewer: c.Get("reviewer"), Verifier: c.Get("verifier"), Request: c.Get("request"),
		Discarded: c.Get("discarded"), Replacement: c.Get("replacement"), Assignee: c.Get("assignee"), Act: c.Get("act"),
	}
	if out.Sample, err = c.sample(); err != nil {
		return out, err
	}
	if out.Type, err = c.questionType(); err != nil {
		return out, err
	}
	if t := c.Get("at"); t != "" {
		if out.At, err = parseTime(t); err != nil {
			return out, err
		}
	}
	if err = out.criteria(c); err == nil && out.Act != "" {
		err = out.act(c)
	}
	return out, err
}

// sample reads the sample's id, by the names that criteria, MLLM-Bench's files and
// datasets have for it.
func (c columns) sample() (eval.SampleID, error) {
	for _, column := range []string{"sample", "id", "index", "prompt_id"} {
		if id := c.ID(c.Column(column)); id != "" {
			return eval.SampleID(id), nil
		}
	}
	return "", errors.New("the row names no sample")
}

func (c columns) questionType() (eval.QuestionType, error) {
	text := c.Get(profile.ColumnType)
	if text == "" {
		text = c.Get(profile.BenchType)
	}
	return profile.ParseQuestionType(text)
}

// criteria reads the list or the text.
func (r *CriteriaRow) criteria(c columns) error {
	if tree := bytes.TrimSpace(c.Cell(c.Column("tree"))); len(tree) > 0 {
		return r.tree(tree)
	}
	cell := bytes.TrimSpace(c.Cell(c.Column("criteria")))
	if len(cell) == 0 {
		cell = bytes.TrimSpace(c.Cell(c.Column("rubrics")))
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
			return fmt.Errorf("criterion %d is neither a text nor an object with type, text and weight", i+1)
		}
		r.List = append(r.List, one.cell())
	}
	return nil
}

// act reads what a row of a history has beside the criteria.
func (r *CriteriaRow) act(c columns) error {
	r.Author, r.Comment, r.Replacement = c.Get("who"), c.Get("text"), c.Get("other")
	for _, n := range []struct {
		column string
		set    func(uint64)
	}{
		{"n", func(v uint64) { r.N = uint32(v) }},
		{"round", func(v uint64) { r.Round = int(v) }},
		{"target", func(v uint64) { r.Target = uint32(v) }},
	} {
		text := c.ID(c.Column(n.column))
		if text == "" {
			continue
		}
		v, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return fmt.Errorf("%s %.20q is no number", n.column, text)
		}
		n.set(v)
	}
	if t := c.Get("imported"); t != "" {
		var err error
		if r.Imported, err = strconv.ParseBool(t); err != nil {
			return fmt.Errorf("imported %.20q is neither true nor false", t)
		}
	}
	if t := c.Get("ticks"); t != "" {
		if err := json.Unmarshal([]byte(t), &r.Ticks); err != nil {
			return fmt.Errorf("ticks are no list of points: %w", err)
		}
	}
	return nil
}
