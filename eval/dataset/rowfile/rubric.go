package rowfile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"concord/eval"
)

// healthCell is a criterion, which HealthBench calls by other names.
type healthCell struct {
	CriterionCell
	Criterion string   `json:"criterion"`
	Points    *float64 `json:"points"`
}

func (h *healthCell) cell() CriterionCell {
	out := h.CriterionCell
	out.Text = cmp.Or(out.Text, h.Criterion)
	if out.Weight == nil {
		out.Weight = h.Points
	}
	return out
}

// treeCell is a node of a tree of criteria. PaperBench writes its text, type and
// children by names of its own.
type treeCell struct {
	healthCell
	Requirements string     `json:"requirements"`
	Category     string     `json:"task_category"`
	Children     []treeCell `json:"children"`
	Tasks        []treeCell `json:"sub_tasks"`
}

// maxDepth bounds trees of criteria.
const maxDepth = 64

// tree reads a tree as a list in which each node names the one above it.
func (r *CriteriaRow) tree(cell []byte) error {
	var root treeCell
	if err := json.Unmarshal(cell, &root); err != nil {
		return fmt.Errorf("the tree cannot be read: %w", err)
	}
	r.Written, r.List = true, []CriterionCell{}
	return r.nodes(&root, "", 0)
}

func (r *CriteriaRow) nodes(n *treeCell, above Name, depth int) error {
	switch {
	case n.ID == "":
		return errors.New("a node of the tree has no id")
	case depth > maxDepth:
		return fmt.Errorf("the tree is deeper than %d nodes", maxDepth)
	}
	one := n.cell()
	one.Text, one.Type, one.Parent = cmp.Or(one.Text, n.Requirements), cmp.Or(one.Type, n.Category), above
	r.List = append(r.List, one)
	for _, list := range [][]treeCell{n.Children, n.Tasks} {
		for i := range list {
			if err := r.nodes(&list[i], n.ID, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// GradeRow is what a rater says of one criterion of a response as a file states
// it.
type GradeRow struct {
	Line          int
	Sample        eval.SampleID
	Model         string
	Criterion     string
	Rater         string
	Person        bool // the rater is one, not a judge
	Repeat        int
	Graded        eval.Graded // VerdictUnset: a judge's reply that holds none
	Hash          string      // of the criterion's text; "" when the file names none
	Expected      *float64
	Probabilities []float64
	Reply         string // of a judge
	At            time.Time
	Informed      bool
}

// ReadGrades reads verdicts on criteria from JSON lines, a JSON array, CSV, TSV
// or xlsx with the columns sample, model, criterion, rater, rater_kind (human or
// judge) and verdict (met, partial, unmet or unable) or score, and optionally raw
// (the rater's own label), expected, probabilities, explanation, reply, hash,
// repeat, informed and at. A line that cannot be taken comes as a
// *problem.Problem, and the rows go on; any other error is the last.
func ReadGrades(path string) iter.Seq2[GradeRow, error] {
	return readTable(path, []string{"sample", "model", "criterion", "rater", "verdict|score"}, columns.grade)
}

func (c columns) grade() (out GradeRow, err error) {
	out = GradeRow{
		Line: c.Line, Model: c.Get("model"), Criterion: c.ID(c.Column("criterion")), Rater: c.Get("rater"),
		Hash: c.Get("hash"), Reply: cmp.Or(c.Get("reply"), c.Get("explanation")),
	}
	if out.Sample, err = c.sample(); err != nil {
		return out, err
	}
	for _, part := range [][2]string{{"model", out.Model}, {"criterion", out.Criterion}, {"rater", out.Rater}} {
		switch {
		case part[1] == "":
			return out, fmt.Errorf("the row names no %s", part[0])
		case len(part[1]) > longestName:
			return out, fmt.Errorf("the %s has a name of more than %d bytes", part[0], longestName)
		}
	}
	switch kind := c.Get("rater_kind"); kind {
	case "human", "person":
		out.Person = true
	case "judge":
	case "":
		return out, errors.New("the row says not whether the rater is a person: rater_kind is human or judge")
	default:
		return out, fmt.Errorf("rater_kind %.20q is neither human nor judge", kind)
	}
	if err = out.verdict(c); err != nil {
		return out, err
	}
	return out, out.rest(c)
}

// verdict reads the verdict or the score, and the label behind it.
func (r *GradeRow) verdict(c columns) (err error) {
	r.Graded.Label = c.ID(c.Column("raw"))
	if len(r.Graded.Label) > valueLimit {
		return fmt.Errorf("raw has more than %d bytes: it is a label; a reply goes into the column reply", valueLimit)
	}
	verdict, score := strings.ToLower(c.Get("verdict")), c.Get("score")
	switch {
	case verdict != "" && score != "" && verdict != eval.Scored.String():
		return fmt.Errorf("the row has both the verdict %.20q and a score", verdict)
	case score != "":
		r.Graded.Verdict = eval.Scored
		r.Graded.Score, err = number("score", score)
		return err
	case verdict != "":
		r.Graded.Verdict, err = eval.ParseVerdict(verdict)
		return err
	case r.Person:
		return errors.New("the row has neither a verdict nor a score")
	}
	return nil // a reply that holds none
}

// rest reads what a row may have beside.
func (r *GradeRow) rest(c columns) (err error) {
	if t := c.Get("expected"); t != "" {
		x, err := number("expected", t)
		if err != nil {
			return err
		}
		r.Expected = &x
	}
	if t := c.Get("probabilities"); t != "" {
		if err := json.Unmarshal([]byte(t), &r.Probabilities); err != nil {
			return fmt.Errorf("probabilities are no list of numbers: %w", err)
		}
	}
	if t := c.ID(c.Column("repeat")); t != "" {
		if r.Repeat, err = strconv.Atoi(t); err != nil || r.Repeat < 0 || r.Repeat > 1<<20 {
			return fmt.Errorf("repeat %.20q is no number from 0", t)
		}
	}
	if t := c.Get("at"); t != "" {
		if r.At, err = parseTime(t); err != nil {
			return err
		}
	}
	r.Informed, err = c.truth("informed")
	return err
}

func number(what, text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s %.20q is no number", what, text)
	}
	return x, nil
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

// ReadResponses reads models' answers from JSON lines, a JSON array, CSV, TSV or
// xlsx with the columns sample and model, and optionally question, answer and
// image; HealthBench's lines have a prompt, of messages, and no model. A line
// that cannot be taken comes as a *problem.Problem, and the rows go on; any other
// error is the last.
func ReadResponses(path string) iter.Seq2[ResponseRow, error] {
	return readTable(path, nil, func(c columns) (out ResponseRow, err error) {
		// JSON lines of answers have the names of predictions.
		out = ResponseRow{
			Line: c.Line, Model: cmp.Or(c.Get("model"), c.Get("gen_model_id")), Image: cmp.Or(c.Get("image"), c.Get("image_path")),
			Question: c.maybe("question"), Answer: cmp.Or(c.maybe("prediction"), c.maybe("answer")),
		}
		if out.Sample, err = c.sample(); err != nil {
			return out, err
		}
		if cell := c.Get("prompt"); cell != "" {
			text, err := conversation(cell)
			if err != nil {
				return out, err
			}
			out.Question = &text
		}
		return out, nil
	})
}

// conversation is a list of messages as a text: one alone as it is.
func conversation(cell string) (string, error) {
	var all []struct{ Role, Content string }
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
