package judging

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muesli/termenv"

	"concord/eval"
)

func bubble(t *testing.T, f func(*testing.T)) { synctest.Test(t, f) }

func TestAJudgingIsStarted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24).newForm()
		d.CheckShows("‹ mllm_bench ›", "qwen-vl-chat, otter-7b (run 5)")
		d.Press("down", " ", "down", "down", "right", "left", "down", " ", "down", "d", "down", "s", "down", "2", "down", "8", "down", "1", ".", "5")
		d.CheckShows("qwen-vl-chat", "[ ] 419 samples", "[detections]", "[shuffled]", "‹ 1.5 ›")
		d.Press("enter")
		d.CheckShows("This makes 777 calls")
		if len(b.begun) > 0 {
			t.Fatal("it started before the cost was confirmed")
		}
		d.Press("enter")
		want := Spec{
			Dataset: "mllm_bench", Models: []eval.RunID{2}, Anchor: 1, Judge: "gpt-judge", Input: eval.SeesDetections,
			Shuffled: true, Repeats: 2, Concurrency: 8, Budget: 1.5,
		}
		if len(b.begun) != 1 || fmt.Sprint(b.begun[0]) != fmt.Sprint(want) {
			t.Fatalf("started %+v, want %+v", b.begun, want)
		}
		if d.form != nil || len(d.asked) != 1 || d.asked[0] != (Started{"votes/1/2"}) {
			t.Errorf("the form is open (%v), asked %v", d.form != nil, d.asked)
		}
	})
}

func TestTheFormSaysWhyNot(t *testing.T) {
	check := func(want string, set func(*bench), keys ...string) {
		t.Helper()
		bubble(t, func(t *testing.T) {
			b := project()
			if set != nil {
				set(b)
			}
			d := sit(t, b, termenv.Ascii, 80, 24).newForm()
			d.Press(keys...)
			d.Press("enter", "enter")
			if len(b.begun) > 0 || len(d.Notices) == 0 || d.Notices[0] != want {
				t.Errorf("%q: %q, started %d", keys, d.Notices, len(b.begun))
			}
		})
	}
	check("mmbench_dev: it takes answers of two models, one of them the anchor", nil, "left")
	check("no model is chosen: space takes one in", nil, "down", " ", "left", "left", " ")
	check("llava-v1.5-13b is the anchor: it is not compared with itself; space takes it out of the models", nil, "down", "left", " ")
	check("two runs of otter-7b: compare one of them at a time", nil, "down", "right", " ")
	check("gpt-4o: OPENAI_API_KEY is not set: export OPENAI_API_KEY=…", nil, "down", "down", "down", "left")
	check("no image has a caption: concord caption makes them, concord import captions takes them in", nil,
		"down", "down", "down", "down", "down", "c", "up", "up", "up", "up", "up", "left")
	check("nothing is left to ask: every vote that can be asked for is there", func(b *bench) { b.idle = true })
	check("made with other settings", func(b *bench) { b.refused = errors.New("made with other settings") })
}

// What cannot be is greyed with the reason, and says it once more when it is
// tried.
func TestCriteriaNeedSome(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24).newForm()
		d.Press("right", "down", "down", "down", "down", " ")
		d.CheckShows("criteria    – no sample has any: b writes")
		if len(d.Notices) != 1 || d.Notices[0] != "criteria: no sample has any: b writes some" {
			t.Errorf("said %q", d.Notices)
		}
		d.Press("enter", "enter")
		if len(b.begun) != 1 || b.begun[0].Criteria || b.begun[0].Dataset != "bare" {
			t.Errorf("%+v", b.begun)
		}
	})
}

// What could not be begun is said in the form, which stays; what is at work
// gets its new budget without a question, since it costs nothing by itself.
func TestAnOrderAtWorkGoesOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		b.live = true
		d := sit(t, b, termenv.Ascii, 80, 24).page()
		d.Press("V")
		d.CheckShows("qwen-vl-chat, otter-7b (run 5)", "‹ mllm_bench ›", "5 cost at which it pauses", "it is at work")
		b.broken = errors.New("the disk is full")
		d.Press("up", "9", "enter")
		d.CheckShows("✗ the disk is full")
		b.broken = nil
		d.Press("enter")
		if n := len(b.begun); n != 2 || b.begun[1].Budget != 9 || len(b.begun[1].Models) != 2 || b.begun[1].Repeats != 2 || d.form != nil {
			t.Errorf("%+v", b.begun)
		}
	})
}

func TestAJobIsSteered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24).page()
		d.Press("p", "c")
		d.CheckShows("Cancel the votes of gpt-judge", "2 other")
		d.Press("enter", "c", "y", "t")
		b.rows[0].Progress.State, b.rows[0].NoRetry = eval.Paused, ""
		d.Run(d.Refresh())
		d.Press("p", "t")
		if got := fmt.Sprint(b.steered); got != "[pause votes/1/2 cancel votes/1/2 resume votes/1/2]" {
			t.Errorf("steered %s", got)
		}
		want := []string{
			"votes of gpt-judge on qwen-vl-chat : llava-v1.5-13b: paused; calls in flight finish",
			"votes of gpt-judge on qwen-vl-chat : llava-v1.5-13b: cancelled; p continues from here",
			"it is still at work",
			"votes of gpt-judge on qwen-vl-chat : llava-v1.5-13b: continues",
			"votes of gpt-judge on qwen-vl-chat : llava-v1.5-13b: no such judge",
		}
		if fmt.Sprint(d.Notices) != fmt.Sprint(want) {
			t.Errorf("said %q", d.Notices)
		}
	})
}

// News moves no cursor, and votes are read at most once a second, and not at
// all when there are no others.
func TestNewsMovesNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24).page()
		d.Press("tab", "down")
		here := newReplyKey(d.shown.shownReplies().rows[d.shown.shownReplies().at.At])
		b.look.Unparsed = append([]Reply{{Sample: "3", Raw: "new", Visibility: b.look.Unparsed[0].Visibility}}, b.look.Unparsed[1:]...)
		d.Run(d.Refresh())
		if b.looks != 1 {
			t.Errorf("%d looks although nothing has changed", b.looks)
		}
		b.rows[0].Votes.Votes[eval.Answer1]++
		d.Run(d.Refresh())
		if b.looks != 1 {
			t.Errorf("%d looks within a second", b.looks)
		}
		d.now = d.now.Add(2 * time.Second)
		d.Run(d.Refresh())
		if l := d.shown.shownReplies(); b.looks != 2 || len(l.rows) != 3 || newReplyKey(l.rows[l.at.At]) != here || l.rows[2].Sample != "3" {
			t.Errorf("%d looks, %+v, at %d", b.looks, l.rows, l.at.At)
		}
	})
}

// What is kept back cannot be opened, and another person's view is forgotten.
func TestWordsAreKeptBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := sit(t, project(), termenv.Ascii, 80, 24).page()
		d.Press("tab", "down", "down", "enter")
		if d.shown.opened != nil || len(d.Notices) != 1 {
			t.Errorf("opened %v, said %q", d.shown.opened, d.Notices)
		}
		d.Press("up", "enter")
		d.CheckShows("答案1")
		d.SetAnnotator("bob")
		if d.shown.opened != nil || len(d.shown.lists[0].rows) != 0 || d.shown.looked {
			t.Error("bob sees what another person was shown")
		}
		d.Run(d.Refresh())
		d.Press("tab", "shift+tab", "e")
		if !d.shown.looked || d.shown.part != failed {
			t.Errorf("looked %v, at %d", d.shown.looked, d.shown.part)
		}
	})
}

// Nothing is read once the screen was left.
func TestLeavingEndsTheReading(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24).page()
		d.Close()
		if d.Refresh() != nil || d.GoBack() {
			t.Error("it continues reading")
		}
		d.page()
		d.CheckShows("● running")
	})
}
