package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/dataset/format"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/rowfile"
	"concord/eval/judge"
)

// box is where votes and texts go, and the runs that there are.
type box struct {
	*memory
	votes []eval.Preference
	texts map[string]bool
}

func (b *box) List() ([]eval.Run, error) { return slices.Clone(b.runs), nil }

func (b *box) Put(_ context.Context, votes []eval.Preference) (added int, err error) {
	for _, v := range votes {
		same := func(o eval.Preference) bool { o.At = v.At; return reflect.DeepEqual(o, v) }
		if !slices.ContainsFunc(b.votes, same) {
			b.votes = append(b.votes, v)
			added++
		}
		for _, run := range []eval.RunID{v.First, v.Second} {
			if _, err := b.Prediction(eval.Key{Run: run, Sample: v.Sample}); err != nil {
				b.t.Errorf("a vote on an answer that is not there: %+v", v)
			}
		}
	}
	return added, nil
}

type shelf map[string]bool

func (s shelf) Put(_ context.Context, text string) (string, error) {
	s[text] = true
	return fmt.Sprint(len(text)), nil
}

func (b *box) sinks() VoteSinks {
	return VoteSinks{Samples: b, Runs: b, Votes: b, Texts: shelf(b.texts)}
}

func newBox(t testing.TB, ids ...string) *box {
	m := newMemory(t)
	rows := "index;question\n"
	for _, id := range ids {
		rows += id + ";q" + id + "\n"
	}
	load(t, m, tsv(t, "d.tsv", rows), Options{})
	return &box{memory: m, texts: map[string]bool{}}
}

func voteOptions() VoteOptions { return VoteOptions{Dataset: "d", Read: judge.ReadVote} }

// One file with all that can be wrong with a row: each is counted, and spoils
// nothing else.
const brokenVotes = `[
{"unique_idx": "1_1", "model_1": "a", "model_2": "b", "raw_answer1": "x", "raw_answer2": "y", "answer": "Answer1", "vote": "a",
 "response": {"model": "gpt", "created": 1, "usage": {"prompt_tokens": 5}, "choices": [{"finish_reason": "stop"}]}},
{"unique_idx": "1_2", "model_1": "b", "model_2": "a", "raw_answer1": "y", "raw_answer2": "x", "answer": "I cannot tell.", "vote": null, "response": {"model": "gpt"}},
{"unique_idx": "2_1", "model_1": "a", "model_2": "b", "raw_answer1": "x2", "raw_answer2": "y2", "answer": "so\nAnswer2", "vote": "a", "response": {"model": "gpt-0"}},
{"unique_idx": "3_1", "model_1": "a", "model_2": "b", "raw_answer1": null, "raw_answer2": "y3", "answer": "Answer1", "vote": "a", "response": {"model": "gpt"}},
{"unique_idx": "9_1", "model_1": "a", "model_2": "b", "raw_answer1": "x", "raw_answer2": "y", "answer": "Answer1", "response": {"model": "gpt"}},
{"unique_idx": "4", "model_1": "a", "model_2": "b", "raw_answer1": "x", "raw_answer2": "y", "answer": "Answer1", "response": []},
{"unique_idx": "4_1", "model_1": "a", "model_2": "a", "raw_answer1": "x", "raw_answer2": "y", "answer": "Answer1"},
{"nothing": 1}
]`

func TestVotesReleased(t *testing.T) {
	b := newBox(t, "1", "2", "3", "4")
	path := write(t, "votes.json", brokenVotes)
	sum, err := ImportVotes(context.Background(), b.sinks(), path, voteOptions())
	if err != nil {
		t.Fatal(err)
	}
	if sum.Read != 3 || sum.Added != 3 || sum.Skipped != 5 || sum.Unparsed != 1 || sum.Differ != 1 || sum.NoAnswer != 1 || sum.OneOrder != 3 {
		t.Errorf("%+v", sum)
	}
	if !slices.Equal(sum.Judges, []string{"gpt"}) || sum.Criteria || len(sum.Runs) != 2 || !sum.Runs[0].Made {
		t.Errorf("%+v", sum)
	}
	first := b.votes[0]
	if first.Vote != eval.Answer1 || first.Usage.Prompt != 5 || first.Served != "gpt" || first.Finish != "stop" || first.At.Unix() != 1 || first.Input != eval.SeesImage {
		t.Errorf("%+v", first)
	}
	if v := b.votes[1]; v.Vote != eval.VoteUnset || v.Raw != "I cannot tell." || v.Pair != first.Swapped() {
		t.Errorf("%+v", v)
	}
	if v := b.votes[2]; v.Vote != eval.Answer2 || v.Judge != "gpt" || v.Served != "gpt-0" {
		t.Errorf("%+v", v)
	}
	again, err := ImportVotes(context.Background(), b.sinks(), path, voteOptions())
	if err != nil || again.Added != 0 || again.Unchanged != 3 || len(b.runs) != 2 || again.Runs[0].Made {
		t.Errorf("%+v %v", again, err)
	}
	o := voteOptions()
	o.Strict = true
	if _, err := ImportVotes(context.Background(), b.sinks(), path, o); err == nil || !strings.Contains(err.Error(), "strict") {
		t.Error(err)
	}
}

func TestVotesWithCriteria(t *testing.T) {
	b := newBox(t, "1", "2")
	const lines = `{"uid":"1_1","id":1,"criteria":"1. Names it.","model_1":"a","model_2":"b","answer1":"x","answer2":"y","judge":"gpt","judge_raw":"Answer1"}
{"uid":"1_2","id":1,"criteria":"","model_1":"b","model_2":"a","answer1":"y","answer2":"other","judge":"gpt","judge_raw":"Answer2"}
{"uid":"2_1","id":1,"criteria":"c","model_1":"a","model_2":"b","answer1":"x","answer2":"y","judge":"gpt","judge_raw":"Answer2"}
`
	sum, err := ImportVotes(context.Background(), b.sinks(), write(t, "votes.jsonl", lines), voteOptions())
	if err != nil || sum.Read != 2 || sum.Skipped != 1 || sum.OtherAnswer != 1 || !sum.Criteria || sum.Format != rowfile.FormCriteria {
		t.Fatalf("%+v %v", sum, err)
	}
	if b.votes[0].Ballot != b.votes[1].Ballot || !b.votes[0].Criteria || b.votes[0].Text == "" || b.votes[1].Text != "" || !b.texts["1. Names it."] {
		t.Errorf("%+v", b.votes)
	}
	// A run that is there already keeps its answers, and lacks what it lacks.
	more := strings.ReplaceAll(lines, `"uid":"2_1","id":1`, `"uid":"2_1","id":2`)
	sum, err = ImportVotes(context.Background(), b.sinks(), write(t, "more.jsonl", more), voteOptions())
	if err != nil || sum.NoAnswer != 1 || sum.Added != 0 || sum.Unchanged != 2 || len(b.runs) != 2 {
		t.Errorf("%+v %v", sum, err)
	}
	if _, err := b.CreateRun(context.Background(), eval.Config{Dataset: "d", Model: "a"}); err != nil {
		t.Fatal(err)
	}
	o := voteOptions()
	if _, err = ImportVotes(context.Background(), b.sinks(), write(t, "v.jsonl", lines), o); err == nil || !strings.Contains(err.Error(), "has 2 runs on dataset d (1 and 3 among them): name one with --run") {
		t.Error(err)
	}
	o.Runs = []eval.RunID{1}
	if _, err = ImportVotes(context.Background(), b.sinks(), write(t, "v.jsonl", lines), o); err != nil || len(b.runs) != 3 {
		t.Errorf("%d runs, %v", len(b.runs), err) // b has but one run, and needs no naming
	}
	o.Runs = []eval.RunID{1, 77}
	if _, err = ImportVotes(context.Background(), b.sinks(), write(t, "v.jsonl", lines), o); err == nil || !strings.Contains(err.Error(), "run 77 is of none") {
		t.Error(err)
	}
}

func TestVotesRefused(t *testing.T) {
	b := newBox(t, "1")
	refuse := func(text, want string) {
		t.Helper()
		_, err := ImportVotes(context.Background(), b.sinks(), write(t, "v.jsonl", text), voteOptions())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refuse(`{"sample":"1","model_1":"a","model_2":"b","annotator":"ann","vote":"answer1"}`, "people's votes")
	refuse(`{"x":1}`, "no vote that can be read")
	refuse(`{"uid":"1_1","model_1":"a","model_2":"b","answer1":"x","answer2":"y","judge_raw":"Answer1"}`, "names no judge")
	refuse(`{"unique_idx":"1_1","model_1":"a","model_2":"b","raw_answer1":"x","raw_answer2":"y","answer":"Answer1","response":{"model":"g"}}
{"unique_idx":"1_2","model_1":"b","model_2":"a","raw_answer1":"y","raw_answer2":"x","answer":"Answer1","response":{"model":"h"}}`, "name 2 models as their judge")
	if len(b.votes)+len(b.runs) > 0 {
		t.Errorf("%+v %+v", b.votes, b.runs)
	}
	o := voteOptions()
	o.Dataset = "other"
	if _, err := ImportVotes(context.Background(), b.sinks(), write(t, "v.jsonl", "{}"), o); !errors.Is(err, eval.ErrNotFound) {
		t.Error(err)
	}
}

// Any bytes: every vote that is put has its answers, and nothing is added
// twice.
func FuzzVotes(f *testing.F) {
	f.Add([]byte(brokenVotes), true)
	f.Add([]byte(`{"uid":"1_1","id":1,"criteria":"c","model_1":"a","model_2":"b","answer1":"x","answer2":"y","judge":"g","judge_raw":"Answer1"}`), false)
	f.Add([]byte(`{"annotator":"x","vote":"y"}`), false)
	f.Fuzz(func(t *testing.T, in []byte, list bool) {
		b := newBox(t, "1", "2")
		take := func() (VoteSummary, error) {
			kind := format.JSONL
			if list {
				kind = format.JSON
			}
			src := profile.NewFromOpener("f", kind, func() (io.ReadCloser, int64, error) {
				return io.NopCloser(bytes.NewReader(in)), int64(len(in)), nil
			}, nil)
			o := voteOptions()
			o.Now = clockOf
			d := &voteImporter{sinks: b.sinks(), src: src, o: o}
			err := d.importVotes(context.Background())
			return d.sum, err
		}
		if _, err := take(); err != nil {
			return
		}
		n := len(b.votes)
		if _, err := take(); err != nil || len(b.votes) != n {
			t.Fatalf("%d votes, again %d: %v", n, len(b.votes), err)
		}
	})
}

func clockOf() time.Time { return time.Unix(1, 0) }
