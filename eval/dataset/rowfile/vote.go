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

// ReadJudgeVote reads a judge's vote of any of the forms.
func ReadJudgeVote(r *profile.Row) (VoteRow, error) { return (&rowReader{Row: r}).readVote() }

// readVote reads a row of any of the forms.
func (c *rowReader) readVote() (VoteRow, error) {
	out := VoteRow{Line: c.Line}
	var err error
	switch {
	case c.hasColumn("raw_answer1") && c.hasColumn("unique_idx"):
		out.Form = FormReleased
		err = c.readReleasedForm(&out)
	case c.hasColumn("judge_raw") && c.hasColumn("uid"):
		out.Form = FormCriteria
		err = c.readJudgedForm(&out)
	case c.hasColumn("annotator") && c.hasColumn("vote"):
		return out, ErrPeoplesVotes
	default:
		return out, errNoVote
	}
	if out.Models = c.readTwoModels(); err == nil {
		err = c.err
	}
	return out, err
}

// readTwoModels reads two models that are not the same.
func (c *rowReader) readTwoModels() [2]string {
	out := [2]string{c.Get("model_1"), c.Get("model_2")}
	switch {
	case out[0] == "" || out[1] == "":
		c.setError("the row does not name both models")
	case out[0] == out[1]:
		c.setError("both answers are of %.80q", out[0])
	}
	return out
}

// readReleasedForm reads the form {unique_idx, model_1, raw_answer1, answer, vote,
// response}, where response is the endpoint's whole reply.
func (c *rowReader) readReleasedForm(out *VoteRow) error {
	out.Answers = [2]*string{c.optionalText("raw_answer1"), c.optionalText("raw_answer2")}
	out.Stated = c.Get("vote")
	out.Reply.Text = c.RawText("answer")
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
	if json.Unmarshal([]byte(c.RawText("response")), &response) == nil {
		out.Judge, out.Reply.Model = response.Model, response.Model
		out.Reply.Usage = eval.Usage{Prompt: max(response.Usage.Prompt, 0), Completion: max(response.Usage.Completion, 0)}
		if response.Created > 0 {
			out.At = time.Unix(response.Created, 0).UTC()
		}
		if len(response.Choices) > 0 {
			out.Reply.Finish = response.Choices[0].Finish
		}
	}
	return out.parseSampleIndex(c.Get("unique_idx"), "")
}

// readJudgedForm reads the form {uid, id, criteria, model_1, answer1, judge, judge_raw}.
func (c *rowReader) readJudgedForm(out *VoteRow) error {
	out.Answers = [2]*string{c.optionalText("answer1"), c.optionalText("answer2")}
	out.Judge, out.Reply.Text = c.Get("judge"), c.RawText("judge_raw")
	if c.hasColumn("criteria") {
		text := c.RawText("criteria")
		out.Criteria = &text
	}
	return out.parseSampleIndex(c.Get("uid"), c.ID(c.ColumnIndex("id")))
}

// parseSampleIndex takes the sample from an index "<id>_1" or "<id>_2"; the models tell the answers' order.
func (v *VoteRow) parseSampleIndex(index, id string) error {
	at := strings.LastIndexByte(index, '_')
	if at <= 0 || index[at:] != "_1" && index[at:] != "_2" {
		return fmt.Errorf("%.80q is no index of a vote (<id>_1 or <id>_2)", index)
	}
	v.Sample = eval.SampleID(index[:at])
	switch {
	case !profile.IsValidID(string(v.Sample)):
		return fmt.Errorf("%.20q... is no index", index)
	case id != "" && id != string(v.Sample):
		return fmt.Errorf("index %.80q is not of sample %.80q", index, id)
	}
	return nil
}

// ParseStatedVote is the stated vote as a Vote: the released files write the model that won.
func (v *VoteRow) ParseStatedVote() (eval.Vote, bool) {
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

func (c *rowReader) hasColumn(column string) bool { return slices.Contains(c.Head.Names, column) }

// optionalText is a column's text, or nil where the row has none.
func (c *rowReader) optionalText(column string) *string {
	i := slices.Index(c.Head.Names, column)
	if i < 0 || c.Cell(i) == nil {
		return nil
	}
	text := c.RawText(column)
	return &text
}

// PersonVoteRow is a person's vote on a pair of answers as a file states it.
type PersonVoteRow struct {
	Line         int
	Queue        string // "" when the file names none
	Sample       eval.SampleID
	Models       [2]string // in the order in which their answers were shown
	Annotator    string
	Vote         eval.Vote // of the answers in that order
	Stated       bool      // the row says whether criteria were shown
	Criteria     bool      // they were
	Hash         string    // of the criteria that were shown; "" when the file names none
	Confidence   float64   // in (0, 1]; 0: not given
	Reason, Note string
	Flagged      bool
	Informed     bool // given after the judges' votes were shown
	Guideline    int  // the version that it was given under; 0: not given
	At           time.Time
	Spent        time.Duration
	Drawn        string // of a sample: what its column says of how likely the pair was drawn
}

// ReadPersonVotes reads people's votes from JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// sample, model_1, model_2, annotator and vote, and optionally criteria (true or false), criteria_hash,
// confidence, reason, note, flagged, informed, guideline, at, seconds and queue. A vote is answer1,
// answer2, situation_one or situation_two, one of the two models by its name, or what a judge would
// say. A line that cannot be taken comes as a *problem.Problem, and the rows go on; any other error is
// the last. Drawn is the column that says how likely each pair was drawn; "": none.
func ReadPersonVotes(path, drawn string) iter.Seq2[PersonVoteRow, error] {
	needed := eval.Select([]string{"annotator", "vote", "model_1", "model_2", drawn}, func(column string) bool { return column != "" })
	return readParsedRows(path, needed, func(c *rowReader) PersonVoteRow {
		row := c.readPersonVote()
		if drawn != "" {
			row.Drawn = c.Get(drawn)
		}
		return row
	})
}

func (c *rowReader) readPersonVote() PersonVoteRow {
	if c.Get("annotator") == "" && c.Get("judge") != "" {
		c.setError("the row is a judge's vote, not a person's")
	}
	out := PersonVoteRow{
		Line: c.Line, Queue: c.Get("queue"), Sample: c.readSampleID(), Annotator: c.readRequiredText("annotator"), Models: c.readTwoModels(),
		Reason: c.Get("reason"), Note: c.Get("note"), Hash: c.Get("criteria_hash"),
		Criteria: c.readBool("criteria"), Flagged: c.readBool("flagged"), Informed: c.readBool("informed"),
		Confidence: c.readPositiveShare("confidence"), At: c.readTime(), Guideline: c.readVersion("guideline"),
	}
	if len(out.Queue) > longestName {
		c.setError("the queue has a name of more than %d bytes", longestName)
	}
	var err error
	out.Vote, err = parseVote(c.Get("vote"), out.Models)
	c.setErrorIf(err)
	if out.Stated = c.Get("criteria") != "" || out.Hash != ""; out.Hash != "" && !out.Criteria {
		if c.Get("criteria") != "" {
			c.setError("the row has the hash of criteria, and says that none were shown")
		}
		out.Criteria = true
	}
	s := c.readNumber("seconds")
	if !(s >= 0 && s <= 1e6) {
		c.setError("seconds %.20q are no time that a vote takes", c.Get("seconds"))
	}
	out.Spent = time.Duration(s * float64(time.Second)).Round(time.Microsecond)
	return out
}

// parseVote reads a vote by its name, by the model that it prefers, or in a judge's words.
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
	if out, said := v.ParseStatedVote(); said && out != eval.VoteUnset {
		return out, nil
	}
	return eval.VoteUnset, fmt.Errorf("vote %.40q is none of answer1, answer2, situation_one, situation_two and the two models", text)
}
