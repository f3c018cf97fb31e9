package rowfile

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"concord/eval"
)

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
}

// ReadPersonVotes reads people's votes from JSON lines, a JSON array, CSV, TSV
// or xlsx with the columns sample, model_1, model_2, annotator and vote, and
// optionally criteria (true or false), criteria_hash, confidence, reason, note,
// flagged, informed, guideline, at, seconds and queue. A vote is answer1, answer2,
// situation_one or situation_two, one of the two models by its name, or what a
// judge would say. A line that cannot be taken comes as a *problem.Problem, and the
// rows go on; any other error is the last.
func ReadPersonVotes(path string) iter.Seq2[PersonVoteRow, error] {
	return readTable(path, []string{"annotator", "vote", "model_1", "model_2"}, columns.personVote)
}

// longestName bounds names that a file gives, so that a row with half a book in
// the wrong column is one problem, and not that of the whole import.
const longestName = 256

func (c columns) personVote() (out PersonVoteRow, err error) {
	out = PersonVoteRow{
		Line: c.Line, Queue: c.Get("queue"), Models: [2]string{c.Get("model_1"), c.Get("model_2")},
		Annotator: c.Get("annotator"), Reason: c.Get("reason"), Note: c.Get("note"), Hash: c.Get("criteria_hash"),
	}
	if out.Sample, err = c.sample(); err != nil {
		return out, err
	}
	switch {
	case out.Annotator == "" && c.Get("judge") != "":
		return out, errors.New("the row is a judge's vote, not a person's")
	case out.Annotator == "":
		return out, errors.New("the row names no annotator")
	case len(out.Annotator) > longestName || len(out.Queue) > longestName:
		return out, fmt.Errorf("the annotator or the queue has a name of more than %d bytes", longestName)
	case out.Models[0] == "" || out.Models[1] == "":
		return out, errors.New("the row does not name both models")
	case out.Models[0] == out.Models[1]:
		return out, fmt.Errorf("both answers are of %.80q", out.Models[0])
	}
	if out.Vote, err = parseVote(c.Get("vote"), out.Models); err != nil {
		return out, err
	}
	out.Stated = c.Get("criteria") != "" || out.Hash != ""
	for _, flag := range []struct {
		column string
		to     *bool
	}{{"criteria", &out.Criteria}, {"flagged", &out.Flagged}, {"informed", &out.Informed}} {
		if *flag.to, err = c.truth(flag.column); err != nil {
			return out, err
		}
	}
	if out.Hash != "" && !out.Criteria {
		if c.Get("criteria") != "" {
			return out, errors.New("the row has the hash of criteria, and says that none were shown")
		}
		out.Criteria = true
	}
	return out, out.measure(c)
}

// measure reads the numbers of the row.
func (r *PersonVoteRow) measure(c columns) (err error) {
	if t := c.Get("confidence"); t != "" {
		if r.Confidence, err = strconv.ParseFloat(t, 64); err != nil || !(r.Confidence > 0 && r.Confidence <= 1) {
			return fmt.Errorf("confidence %.20q is not within (0, 1]", t)
		}
	}
	if t := c.Get("seconds"); t != "" {
		s, err := strconv.ParseFloat(t, 64)
		if err != nil || !(s >= 0 && s <= 1e6) {
			return fmt.Errorf("seconds %.20q are no time that a vote takes", t)
		}
		r.Spent = time.Duration(s * float64(time.Second)).Round(time.Microsecond)
	}
	if t := c.Get("at"); t != "" {
		if r.At, err = parseTime(t); err != nil {
			return err
		}
	}
	r.Guideline, err = c.version("guideline")
	return err
}

func (c columns) truth(column string) (bool, error) {
	t := c.Get(column)
	if t == "" {
		return false, nil
	}
	v, err := strconv.ParseBool(strings.ToLower(t))
	if err != nil {
		return false, fmt.Errorf("%s %.20q is neither true nor false", column, t)
	}
	return v, nil
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
