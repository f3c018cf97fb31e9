package rowfile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"regexp"
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

func (h *healthCell) toCriterionCell() CriterionCell {
	out := h.CriterionCell
	out.Text = cmp.Or(out.Text, h.Criterion)
	out.Weight = cmp.Or(out.Weight, h.Points)
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

// readTree reads a tree as a list in which each node names the one above it.
func (r *CriteriaRow) readTree(cell []byte) error {
	var root treeCell
	if err := json.Unmarshal(cell, &root); err != nil {
		return fmt.Errorf("the tree cannot be read: %w", explainCell(err))
	}
	r.Written, r.List = true, []CriterionCell{}
	return r.addNodes(&root, "", 0)
}

func (r *CriteriaRow) addNodes(n *treeCell, above Name, depth int) error {
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
			if err := r.addNodes(&list[i], n.ID, depth+1); err != nil {
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
// repeat, informed and at; or MM-Vet's file of grades. A line that cannot be taken
// comes as a *problem.Problem, and the rows go on; any other error is the last.
func ReadGrades(path string) iter.Seq2[GradeRow, error] {
	if m := mmVetGrades.FindStringSubmatch(filepath.Base(path)); m != nil {
		return readTableAs(path, "object", nil, func(c *rowReader) GradeRow { return c.readMMVetGrade(m[1]) })
	}
	return readTable(path, []string{"sample", "model", "criterion", "rater", "verdict|score"}, (*rowReader).readGrade)
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
	c.readJSON("model", &judges, "names")
	c.readJSON("score", &scores, "numbers")
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
		Line: c.Line, Sample: c.readSampleID(), Model: c.readName("model"), Criterion: c.ID(c.ColumnIndex("criterion")), Rater: c.readName("rater"),
		Hash: c.Get("hash"), Reply: cmp.Or(c.Get("reply"), c.Get("explanation")), Person: kind != "judge",
	}
	c.readName("criterion")
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
	if c.readJSON("probabilities", &out.Probabilities, "numbers"); strings.Contains(c.Get("probabilities"), "null") {
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

// ReadResponses reads models' answers from JSON lines, a JSON array, CSV, TSV or
// xlsx with the columns sample and model, and optionally question, answer and
// image; HealthBench's lines have a prompt, of messages, and no model. A line
// that cannot be taken comes as a *problem.Problem, and the rows go on; any other
// error is the last.
func ReadResponses(path string) iter.Seq2[ResponseRow, error] {
	return readTable(path, nil, func(c *rowReader) ResponseRow {
		// JSON lines of answers have the names of predictions.
		out := ResponseRow{
			Line: c.Line, Sample: c.readSampleID(), Model: cmp.Or(c.Get("model"), c.Get("gen_model_id")), Image: cmp.Or(c.Get("image"), c.Get("image_path")),
			Question: c.optionalText("question"), Answer: cmp.Or(c.optionalText("prediction"), c.optionalText("answer")),
		}
		if cell := c.Get("prompt"); cell != "" {
			text, err := joinConversation(cell)
			c.setErrorIf(err)
			out.Question = &text
		}
		return out
	})
}

// joinConversation gives a list of messages as a text: one alone, and a text, as it is.
func joinConversation(cell string) (string, error) {
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
