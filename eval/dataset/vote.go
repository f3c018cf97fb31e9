package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/eval"
)

// ErrPeoplesVotes says that a file holds people's votes, which are taken into
// a queue of pairs and not as a judge's: ReadPersonVotes reads them.
var ErrPeoplesVotes = errors.New("the file holds people's votes (it names annotators), and no judge's")

var errNoVote = errors.New("the row is no vote: neither of the released form (unique_idx, raw_answer1, answer) nor of the one with criteria (uid, answer1, judge_raw)")

// The forms that judges' votes come in, as summaries name them.
const (
	formReleased = "mllm-bench"          // of the paper's repository
	formCriteria = "mllm-bench-criteria" // of its later releases
)

// voteRow is a judge's vote as a file states it. The arrays are of the first
// and the second answer as shown.
type voteRow struct {
	line     int
	form     string
	sample   eval.SampleID
	models   [2]string
	answers  [2]*string // nil: the file has none
	judge    string     // "" when the file names none
	criteria *string    // nil: the judge saw none
	stated   string     // the vote as the file's own reader took it; "" without one
	reply    eval.Reply
	at       time.Time
}

// vote reads a row of any of the forms.
func (c columns) vote() (voteRow, error) {
	out := voteRow{line: c.line}
	var err error
	switch {
	case c.holds("raw_answer1") && c.holds("unique_idx"):
		out.form = formReleased
		err = c.released(&out)
	case c.holds("judge_raw") && c.holds("uid"):
		out.form = formCriteria
		err = c.judged(&out)
	case c.holds("annotator") && c.holds("vote"):
		return out, ErrPeoplesVotes
	default:
		return out, errNoVote
	}
	for i, name := range []string{"model_1", "model_2"} {
		out.models[i] = c.get(name)
	}
	switch {
	case err != nil:
	case out.models[0] == "" || out.models[1] == "":
		err = errors.New("the row does not name both models")
	case out.models[0] == out.models[1]:
		err = fmt.Errorf("both answers are of %.80q", out.models[0])
	}
	return out, err
}

// released reads the form {unique_idx, model_1, raw_answer1, answer, vote,
// response}, where response is the endpoint's whole reply.
func (c columns) released(out *voteRow) error {
	out.answers = [2]*string{c.maybe("raw_answer1"), c.maybe("raw_answer2")}
	out.stated = c.get("vote")
	out.reply.Text = c.raw("answer")
	var response struct {
		Model   string `json:"model"`
		Created int64  `json:"created"`
		Usage   struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		} `json:"usage"`
		Choices []struct {
			Finish string `json:"finish_reason"`
		} `json:"choices"`
	}
	// A response of another shape says nothing; the vote stands without it.
	if json.Unmarshal([]byte(c.raw("response")), &response) == nil {
		out.judge, out.reply.Model = response.Model, response.Model
		out.reply.Usage = eval.Usage{Prompt: max(response.Usage.Prompt, 0), Completion: max(response.Usage.Completion, 0)}
		if response.Created > 0 {
			out.at = time.Unix(response.Created, 0).UTC()
		}
		if len(response.Choices) > 0 {
			out.reply.Finish = response.Choices[0].Finish
		}
	}
	return out.identify(c.get("unique_idx"), "")
}

// judged reads the form {uid, id, criteria, model_1, answer1, judge,
// judge_raw}.
func (c columns) judged(out *voteRow) error {
	out.answers = [2]*string{c.maybe("answer1"), c.maybe("answer2")}
	out.judge, out.reply.Text = c.get("judge"), c.raw("judge_raw")
	if c.holds("criteria") {
		text := c.raw("criteria")
		out.criteria = &text
	}
	return out.identify(c.get("uid"), c.id(slices.Index(c.head.names, "id")))
}

// identify takes the sample from an index "<id>_1" or "<id>_2"; the order of
// the answers is told by the models.
func (v *voteRow) identify(index, id string) error {
	at := strings.LastIndexByte(index, '_')
	if at <= 0 || index[at:] != "_1" && index[at:] != "_2" {
		return fmt.Errorf("%.80q is no index of a vote (<id>_1 or <id>_2)", index)
	}
	v.sample = eval.SampleID(index[:at])
	switch {
	case !isID(string(v.sample)):
		return fmt.Errorf("%.20q... is no index", index)
	case id != "" && id != string(v.sample):
		return fmt.Errorf("index %.80q is not of sample %.80q", index, id)
	}
	return nil
}

// means is the stated vote as a Vote: the released files write the model that
// won.
func (v *voteRow) means() (eval.Vote, bool) {
	switch strings.ToLower(v.stated) {
	case strings.ToLower(v.models[0]):
		return eval.Answer1, true
	case strings.ToLower(v.models[1]):
		return eval.Answer2, true
	case "unable to decide: situation one":
		return eval.SituationOne, true
	case "unable to decide: situation two":
		return eval.SituationTwo, true
	}
	return eval.VoteUnset, v.stated != ""
}

func (c columns) holds(column string) bool { return slices.Contains(c.head.names, column) }

// maybe is a column's text, or nil where the row has none.
func (c columns) maybe(column string) *string {
	i := slices.Index(c.head.names, column)
	if i < 0 || c.cell(i) == nil {
		return nil
	}
	text := c.raw(column)
	return &text
}
