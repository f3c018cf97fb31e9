package rowfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/profile"
)

// ErrPeoplesVotes says that a file holds people's votes, which are taken into
// a queue of pairs and not as a judge's: ReadPersonVotes reads them.
var ErrPeoplesVotes = errors.New("the file holds people's votes (it names annotators), and no judge's")

var errNoVote = errors.New("the row is no vote: neither of the released form (unique_idx, raw_answer1, answer) nor of the one with criteria (uid, answer1, judge_raw)")

// The forms that judges' votes come in, as summaries name them.
const (
	FormReleased = "mllm-bench"          // of the paper's repository
	FormCriteria = "mllm-bench-criteria" // of its later releases
)

// VoteRow is a judge's vote as a file states it. The arrays are of the first
// and the second answer as shown.
type VoteRow struct {
	Line     int
	Form     string
	Sample   eval.SampleID
	Models   [2]string
	Answers  [2]*string // nil: the file has none
	Judge    string     // "" when the file names none
	Criteria *string    // nil: the judge saw none
	Stated   string     // the vote as the file's own reader took it; "" without one
	Reply    eval.Reply
	At       time.Time
}

// JudgeVote reads a judge's vote of any of the forms.
func JudgeVote(r *profile.Row) (VoteRow, error) { return (&columns{Row: r}).vote() }

// vote reads a row of any of the forms.
func (c *columns) vote() (VoteRow, error) {
	out := VoteRow{Line: c.Line}
	var err error
	switch {
	case c.holds("raw_answer1") && c.holds("unique_idx"):
		out.Form = FormReleased
		err = c.released(&out)
	case c.holds("judge_raw") && c.holds("uid"):
		out.Form = FormCriteria
		err = c.judged(&out)
	case c.holds("annotator") && c.holds("vote"):
		return out, ErrPeoplesVotes
	default:
		return out, errNoVote
	}
	if out.Models = c.models(); err == nil {
		err = c.err
	}
	return out, err
}

// models reads two models that are not the same.
func (c *columns) models() [2]string {
	out := [2]string{c.Get("model_1"), c.Get("model_2")}
	switch {
	case out[0] == "" || out[1] == "":
		c.fail("the row does not name both models")
	case out[0] == out[1]:
		c.fail("both answers are of %.80q", out[0])
	}
	return out
}

// released reads the form {unique_idx, model_1, raw_answer1, answer, vote,
// response}, where response is the endpoint's whole reply.
func (c *columns) released(out *VoteRow) error {
	out.Answers = [2]*string{c.maybe("raw_answer1"), c.maybe("raw_answer2")}
	out.Stated = c.Get("vote")
	out.Reply.Text = c.Raw("answer")
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
	if json.Unmarshal([]byte(c.Raw("response")), &response) == nil {
		out.Judge, out.Reply.Model = response.Model, response.Model
		out.Reply.Usage = eval.Usage{Prompt: max(response.Usage.Prompt, 0), Completion: max(response.Usage.Completion, 0)}
		if response.Created > 0 {
			out.At = time.Unix(response.Created, 0).UTC()
		}
		if len(response.Choices) > 0 {
			out.Reply.Finish = response.Choices[0].Finish
		}
	}
	return out.identify(c.Get("unique_idx"), "")
}

// judged reads the form {uid, id, criteria, model_1, answer1, judge,
// judge_raw}.
func (c *columns) judged(out *VoteRow) error {
	out.Answers = [2]*string{c.maybe("answer1"), c.maybe("answer2")}
	out.Judge, out.Reply.Text = c.Get("judge"), c.Raw("judge_raw")
	if c.holds("criteria") {
		text := c.Raw("criteria")
		out.Criteria = &text
	}
	return out.identify(c.Get("uid"), c.ID(c.Column("id")))
}

// identify takes the sample from an index "<id>_1" or "<id>_2"; the order of
// the answers is told by the models.
func (v *VoteRow) identify(index, id string) error {
	at := strings.LastIndexByte(index, '_')
	if at <= 0 || index[at:] != "_1" && index[at:] != "_2" {
		return fmt.Errorf("%.80q is no index of a vote (<id>_1 or <id>_2)", index)
	}
	v.Sample = eval.SampleID(index[:at])
	switch {
	case !profile.IsID(string(v.Sample)):
		return fmt.Errorf("%.20q... is no index", index)
	case id != "" && id != string(v.Sample):
		return fmt.Errorf("index %.80q is not of sample %.80q", index, id)
	}
	return nil
}

// Means is the stated vote as a Vote: the released files write the model that
// won.
func (v *VoteRow) Means() (eval.Vote, bool) {
	switch strings.ToLower(v.Stated) {
	case strings.ToLower(v.Models[0]):
		return eval.Answer1, true
	case strings.ToLower(v.Models[1]):
		return eval.Answer2, true
	case "unable to decide: situation one":
		return eval.SituationOne, true
	case "unable to decide: situation two":
		return eval.SituationTwo, true
	}
	return eval.VoteUnset, v.Stated != ""
}

func (c *columns) holds(column string) bool { return slices.Contains(c.Head.Names, column) }

// maybe is a column's text, or nil where the row has none.
func (c *columns) maybe(column string) *string {
	i := slices.Index(c.Head.Names, column)
	if i < 0 || c.Cell(i) == nil {
		return nil
	}
	text := c.Raw(column)
	return &text
}

// PersonVoteRow is a person's vote on a pair of answers as a file states it.
type PersonVoteRow struct {
	Line       int
	Queue      string // "" when the file names none
	Sample     eval.SampleID
	Models     [2]string // in the order in which their answers were shown
	Annotator  string
	Vote       eval.Vote // of the answers in that order
	Stated     bool      // the row says whether criteria were shown
	Criteria   bool      // they were
	Hash       string    // of the criteria that were shown; "" when the file names none
	Confidence float64   // in (0, 1]; 0: not given
	Reason     string
	Note       string
	Flagged    bool
	Informed   bool // given after the judges' votes were shown
	Guideline  int  // the version that it was given under; 0: not given
	At         time.Time
	Spent      time.Duration
	Drawn      string // of a sample: what its column says of how likely the pair was drawn
}

// ReadPersonVotes reads people's votes from JSON lines, a JSON array, CSV, TSV
// or xlsx with the columns sample, model_1, model_2, annotator and vote, and
// optionally criteria (true or false), criteria_hash, confidence, reason, note,
// flagged, informed, guideline, at, seconds and queue. A vote is answer1, answer2,
// situation_one or situation_two, one of the two models by its name, or what a
// judge would say. A line that cannot be taken comes as a *problem.Problem, and the
// rows go on; any other error is the last. Drawn is the column that says how likely
// each pair was drawn; "": none.
func ReadPersonVotes(path, drawn string) iter.Seq2[PersonVoteRow, error] {
	needed := []string{"annotator", "vote", "model_1", "model_2"}
	if drawn != "" {
		needed = append(needed, drawn)
	}
	return readTable(path, needed, func(c *columns) PersonVoteRow {
		row := c.personVote()
		if drawn != "" {
			row.Drawn = c.Get(drawn)
		}
		return row
	})
}

func (c *columns) personVote() PersonVoteRow {
	if c.Get("annotator") == "" && c.Get("judge") != "" {
		c.fail("the row is a judge's vote, not a person's")
	}
	out := PersonVoteRow{
		Line: c.Line, Queue: c.Get("queue"), Sample: c.sample(), Annotator: c.name("annotator"), Models: c.models(),
		Reason: c.Get("reason"), Note: c.Get("note"), Hash: c.Get("criteria_hash"),
		Criteria: c.truth("criteria"), Flagged: c.truth("flagged"), Informed: c.truth("informed"),
		Confidence: c.share("confidence"), At: c.at(), Guideline: c.version("guideline"),
	}
	if len(out.Queue) > longestName {
		c.fail("the queue has a name of more than %d bytes", longestName)
	}
	var err error
	out.Vote, err = parseVote(c.Get("vote"), out.Models)
	c.note(err)
	if out.Stated = c.Get("criteria") != "" || out.Hash != ""; out.Hash != "" && !out.Criteria {
		if c.Get("criteria") != "" {
			c.fail("the row has the hash of criteria, and says that none were shown")
		}
		out.Criteria = true
	}
	s := c.number("seconds")
	if !(s >= 0 && s <= 1e6) {
		c.fail("seconds %.20q are no time that a vote takes", c.Get("seconds"))
	}
	out.Spent = time.Duration(s * float64(time.Second)).Round(time.Microsecond)
	return out
}

// parseVote reads a vote by its name, by the model that it prefers, or in a
// judge's words.
func parseVote(text string, models [2]string) (eval.Vote, error) {
	t := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if v, err := eval.ParseVote(t); err == nil {
		return v, nil
	}
	v := VoteRow{Models: models, Stated: t}
	switch text {
	case models[0]: // models may differ by case alone
		return eval.Answer1, nil
	case models[1]:
		return eval.Answer2, nil
	}
	if out, said := v.Means(); said && out != eval.VoteUnset {
		return out, nil
	}
	return eval.VoteUnset, fmt.Errorf("vote %.40q is none of answer1, answer2, situation_one, situation_two and the two models", text)
}
