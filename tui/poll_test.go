package tui

import (
	"context"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/tui/home"
	"concord/tui/pairs"
)

// polled is the demo with two ways of asking a judge, and three people, to say
// which of two models' answers are better.
func polled() *project {
	p := demo()
	p.votes = true
	p.queues = append(p.queues, home.Queue{Queue: annotate.Queue{
		Name: "duels", Rule: annotate.Rule{Dataset: "demo", From: annotate.FromPairs, Anchor: 1},
		Stratum: annotate.Random, Overlap: 3, Population: 60, Items: 12,
	}})
	return p
}

// openEnded is polled, with a third of its questions open ones and with the
// judge asked three times.
func openEnded() *project {
	p := polled()
	p.repeats = 2
	for i := 2; i < len(p.samples); i += 3 {
		s := &p.samples[i]
		s.Kind, s.Options, s.Answer, s.Reference = eval.KindOpen, nil, "", "the square"
	}
	return p
}

func ballots() []eval.Ballot {
	return []eval.Ballot{
		{Judge: "judge-x", Criteria: true, Input: eval.SeesImage},
		{Judge: "judge-x", Input: eval.SeesImage},
	}
}

func (p *project) Comparisons(context.Context) ([]eval.ComparisonProgress, error) {
	var out []eval.ComparisonProgress
	for _, b := range ballots() {
		for b.Repeat = 0; p.votes && b.Repeat <= p.repeats; b.Repeat++ {
			out = append(out, eval.ComparisonProgress{Comparison: eval.Comparison{A: 1, B: 2, Ballot: b}})
		}
	}
	return out, nil
}

// Votes are the judge's: every ninth reply holds none, every thirteenth pair
// was asked in one order.
func (p *project) Votes(_ context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	return func(yield func(eval.Preference, error) bool) {
		for i := range p.samples {
			for order := range 2 {
				pair := eval.Pair{Sample: eval.Ordinal(i), First: 2, Second: 1}
				v := eval.Preference{Pair: pair, Ballot: c.Ballot, Call: eval.Call{At: clock}}
				n := i*7 + order*i%5 + c.Repeat*(i%7/5)
				if c.Criteria {
					n += i % 3
				}

				if v.Vote = eval.Vote(1 + n%4); n%9 == 8 {
					v.Vote = eval.VoteUnset
				}
				if order == 1 {
					v.Pair, v.Vote = pair.Swapped(), v.Vote.Swapped()
				}
				if (i%13 != 12 || order == 0) && !yield(v, nil) {
					return
				}
			}
		}
	}
}

// pairItems are the items of the queue of pairs.
func (p *project) pairItems() []annotate.ItemKey {
	var out []annotate.ItemKey
	for i := range 12 {
		if p.votes {
			out = append(out, annotate.ItemKey{Key: eval.Key{Run: 2, Sample: eval.Ordinal(i * 5)}, Against: 1})
		}
	}
	return out
}

func (p *project) PeoplesVotes(context.Context, eval.DatasetName) ([]annotate.PersonVote, error) {
	var out []annotate.PersonVote
	for w, who := range []annotate.Annotator{"ada", "bo", "王小明"} {
		for i, k := range p.pairItems() {
			v := annotate.PersonVote{
				Queue: "duels", Annotator: who, Pair: eval.Pair{Sample: k.Sample, First: 2, Second: 1},
				Vote: eval.Vote(1 + (i*i+w*i/2)%3), Flagged: i == 7 && w == 1, At: clock,
			}
			if (i+w)%2 == 1 {
				v.Pair, v.Vote = v.Pair.Swapped(), v.Vote.Swapped()
			}
			out = append(out, v)
		}
	}
	return out, nil
}

// Scores are those of one judge on every answer to an open question.
func (p *project) Scores(_ context.Context, run eval.RunID) iter.Seq2[eval.Score, error] {
	return func(yield func(eval.Score, error) bool) {
		for i := range p.samples {
			s := eval.Score{Key: eval.Key{Run: run, Sample: eval.Ordinal(i)}, Judge: "judge-x", Value: (i*3 + int(run)) % 6, Call: eval.Call{At: clock}}
			if p.samples[i].Kind == eval.KindOpen && !yield(s, nil) {
				return
			}
		}
	}
}

func (p *project) Grades(context.Context, eval.RunID) iter.Seq2[eval.Grade, error] {
	return func(func(eval.Grade, error) bool) {}
}

func (p *project) PeoplesGrades(context.Context, eval.DatasetName) (said, rulings []rubric.Act, err error) {
	return nil, nil, nil
}

func (p *project) CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return func(func(criteria.Set, error) bool) {}
}

// paired is the project as the screen of pairs reads it: every fifth sample
// waits for the reader's own vote.
type paired struct{ *project }

func (p paired) RowsOfPairs(_ context.Context, a pairs.Ask, all iter.Seq[eval.Pair]) iter.Seq2[pairs.Row, error] {
	return func(yield func(pairs.Row, error) bool) {
		for k := range all {
			s := p.samples[k.Sample]
			row := pairs.Row{Pair: k, Sample: s.ID, Question: s.Question}
			switch {
			case k.Sample%5 == 4 && a.Tells:
				row = pairs.Row{LeftOut: true}
			case k.Sample%5 == 4:
				row.Blinded = true
			default:
				row.Models = [2]string{"lynx-vl", "otter-7b"}
				row.Orders = [2]pairs.Order{{Asked: true, Vote: eval.Answer1}, {Asked: true, Vote: eval.SituationOne}}
				row.Outcome, row.People = "win", []eval.Vote{eval.Answer1, eval.Answer2, eval.Answer1}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (p paired) Detail(_ context.Context, _ annotate.Annotator, k eval.Pair) (pairs.Detail, error) {
	s := p.samples[k.Sample]
	d := pairs.Detail{Sample: s.ID, Question: s.Question, Options: s.Options, Taxonomy: s.Taxonomy, Type: eval.ClosedEnded}
	if d.Blinded = k.Sample%5 == 4; d.Blinded {
		return d, nil
	}
	d.Criteria = "1. It names the shape.\n2. It names nothing else."
	d.Models = [2]string{"lynx-vl", "otter-7b"}
	d.Answers = [2]pairs.Answer{
		{Text: "The shape is **the square**, since:\n\n- it is left\n- it is no circle"},
		{Text: "The shape is the star.", Cut: true},
	}
	d.Ballots = []pairs.Ballot{{
		Ballot: ballots()[0], Outcome: "win",
		Orders: [2]pairs.Reply{
			{Order: pairs.Order{Asked: true, Vote: eval.Answer1}, Raw: "The first names the shape.\n\nAnswer1"},
			{Order: pairs.Order{Asked: true, Vote: eval.SituationOne}, Raw: "Unable to decide: situation one", Stale: true},
		},
	}}
	d.People = []pairs.Vote{
		{Who: "ada", Queue: "duels", Vote: eval.Answer1},
		{Who: "bo", Queue: "duels", Vote: eval.Answer2, Second: true, Flagged: true, Note: "the second is\x1b[2J cut off"},
	}
	return d, nil
}

func (p paired) Picture(eval.PictureHash) ([]byte, error) { return nil, io.EOF }

// toReport goes to a report by its name, and on from there.
func toReport(name string, keys ...string) []string {
	out := append([]string{"a", "/"}, strings.Split(name, "")...)
	return append(append(out, "enter"), keys...)
}

func TestPollFrames(t *testing.T) {
	frames(t, polled, []scene{
		{"votes", "ada", toReport("votes", "down")},
		{"outcomes", "ada", toReport("votes", "B", "down", "right", "right")},
		{"bias", "ada", toReport("bias", "down", "right")},
		{"agreement", "ada", toReport("agreement", "down")},
		{"people", "ada", toReport("people", "down", "right")},
		{"pairs", "ada", toReport("votes", "down", "enter")},
		{"pair", "ada", toReport("votes", "down", "enter", "tab", "enter")},
		{"sealed", "ada", toReport("votes", "down", "enter", "down", "down", "down", "down", "enter")},
	})
}

func TestOpenFrames(t *testing.T) {
	frames(t, openEnded, []scene{
		{"repeats", "ada", toReport("repeats", "down", "right")},
		{"scores", "ada", toReport("scores", "right")},
		{"ranks", "ada", toReport("ranks", "down")},
	})
}

// Figures of the repeats, the scores and the votes open what is behind them; of
// the ranks, which are about models, none does.
func TestReportsOpenWhatIsBehind(t *testing.T) {
	check := func(keys []string, wants ...string) {
		t.Helper()
		bubble(t, func(t *testing.T) {
			a := newApp(t, openEnded(), theme(termenv.Ascii, true), "ada")
			a.size(160, 60)
			a.press(keys...)
			for _, want := range wants {
				if v := a.View(); !strings.Contains(v, want) {
					t.Errorf("no %q behind it:\n%s", want, v)
				}
			}
		})
	}
	check(toReport("repeats", "right", "right", "enter"), "[all]", "changed", "unchanged", "a single result")
	check(toReport("repeats", "down", "down", "down", "down", "enter"), "[all]", "win", "situation one")
	check(toReport("scores", "enter"), "[all]", "matched", "not matched")
	check(toReport("scores", "right", "enter"), "score 4", "score 1")
	check(toReport("votes", "down", "right", "enter"), "[win]")
	check(toReport("bias", "enter"), "[all]", "same vote", "first twice", "second twice", "other")
	check(toReport("agreement", "enter"), "[all]", "agree", "differ", "people undecided")
	check(toReport("people", "right", "enter"), "[all]", "agree", "differ")
	check(toReport("ranks", "enter"), "[Ranks]", "there is no figure here")
}

// A page without figures names the command that fills it, where its group has any.
func TestOpenPagesNameWhatFillsThem(t *testing.T) {
	for page, want := range map[string]string{"repeats": "--repeats 3", "scores": "concord judge scores"} {
		bubble(t, func(t *testing.T) {
			a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
			a.size(120, 40)
			a.press(toReport(page)...)
			if v := a.View(); !strings.Contains(v, want) {
				t.Errorf("%s does not name %q:\n%s", page, want, v)
			}
		})
	}
}

// Who has yet to vote sees what judges and people say together, and no pair.
func TestAgreementIsVeiledBeforeTheQueueIsVotedOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := polled()
		p.left = map[annotate.Annotator]int{"ada": 5}
		a := newApp(t, p, theme(termenv.Ascii, true), "ada")
		a.size(120, 40)
		a.press(toReport("agreement", "down")...)
		v := a.View()
		if !strings.Contains(v, "(majority)") || strings.Contains(v, "王小明") || !strings.Contains(v, "5 pairs left") {
			t.Errorf("before the last vote:\n%s", v)
		}
		a.press("enter")
		if v := a.View(); !strings.Contains(v, "[Agreement]") {
			t.Errorf("its pairs are opened:\n%s", v)
		}
		p.left = nil
		a.tabs.report.MarkStale()
		a.press("ctrl+r")
		if v := a.View(); !strings.Contains(v, "王小明") {
			t.Errorf("after the last vote:\n%s", v)
		}
	})
}

// Who has yet to vote sees that people can be set beside each other, and nobody.
func TestPeopleAreHiddenBeforeTheQueueIsVotedOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := polled()
		p.left = map[annotate.Annotator]int{"ada": 5}
		a := newApp(t, p, theme(termenv.Ascii, true), "ada")
		a.size(120, 40)
		a.press(toReport("people")...)
		if v := a.View(); strings.Contains(v, "王小明") || !strings.Contains(v, "5 pairs left") || strings.Contains(v, "No two people") {
			t.Errorf("before the last vote:\n%s", v)
		}
	})
}

// From a queue of pairs the report is of how far judges vote as people do.
func TestQueueOfPairsLeadsToItsAgreement(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.size(120, 40)
		a.press("v", "G", "enter")
		if v := a.View(); !strings.Contains(v, "duels") {
			t.Fatalf("no queue was opened:\n%s", v)
		}
		a.press("a")
		if v := a.View(); !strings.Contains(v, "[Agreement]") || !strings.Contains(v, "queue duels") {
			t.Errorf("the report of a queue of pairs:\n%s", v)
		}
	})
}

// Votes that come in move nothing: the figures say that they are old.
func TestVotesMakeTheirPagesOld(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.size(120, 40)
		a.press(toReport("votes", "down", "down")...)
		before := strings.Split(a.View(), "\n")
		a.send(changed{})
		after := strings.Split(a.View(), "\n")
		if !strings.Contains(after[2], "new data since") {
			t.Errorf("not told: %s", after[2])
		}
		for i := 3; i < len(before); i++ {
			if before[i] != after[i] {
				t.Fatalf("line %d moved: %q, was %q", i, after[i], before[i])
			}
		}
	})
}

// What the criteria do opens the pairs that the judge was right on only with
// them.
func TestCriteriaEffectOpensItsPairs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.size(160, 60)
		a.press(toReport("agreement", "G", "up", "up", "up", "up", "right", "right")...)
		if v := a.View(); !strings.Contains(v, "with and without criteria") || !strings.Contains(v, "McNemar's exact test") {
			t.Fatalf("no effect of the criteria:\n%s", v)
		}
		a.press("enter")
		if v := a.View(); !strings.Contains(v, "right with only") || !strings.Contains(v, "right neither way") {
			t.Errorf("behind the difference:\n%s", v)
		}
	})
}

// Any of the models may be the one that the others are set against.
func TestAnotherAnchor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, polled(), theme(termenv.Ascii, true), "ada")
		a.size(120, 40)
		a.press(toReport("votes", "c")...)
		if v := a.View(); !strings.Contains(v, "against lynx-vl") || !strings.Contains(v, "lynx-vl (anchor)") {
			t.Errorf("the first by name:\n%s", v)
		}
		a.press("c")
		if v := a.View(); !strings.Contains(v, "otter-7b (anchor)") {
			t.Errorf("the next:\n%s", v)
		}
	})
}
