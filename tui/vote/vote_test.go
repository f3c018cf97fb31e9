package vote

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/labeloption"
)

func said(acts []annotate.Act) (out []string) {
	for _, a := range acts {
		out = append(out, labeloption.VoteWord(a.Reading.Vote))
	}
	return out
}

func TestOneKeyVotesSavesAndAdvances(t *testing.T) {
	d := sit(t, newBench(6), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("1. Which shape", "0/6", "item 1 of 6", "closed-ended question", "1 Answer 1")
	d.Press("1")
	d.CheckShows("2. Which shape", "1/6", "saving…")
	d.Press("2", "=", "0", "ctrl+n")
	d.TellSaved(session.JournalState{Saved: 5, At: annotationtest.Noon()}, 5)
	d.CheckShows("6. Which shape", "4/6", "saved ", "12:00:00")
	want := []string{"Answer 1", "Answer 2", "both right or both wrong", "both with grave errors", "no vote"}
	if got := said(d.Journal.Acts); !slices.Equal(got, want) {
		t.Errorf("journal holds %v, want %v", got, want)
	}
	for _, a := range d.Journal.Acts[:4] {
		if a.Reading.Swapped || a.Reading.Criteria != "rev" {
			t.Errorf("act %+v", a)
		}
	}
	d.Press("3", "A", "x")
	d.CheckShows("no key of this screen")
}

// Answer 1 on the screen is Answer 1 in the vote, in either order.
func TestTheOrderShownIsTheOrderStored(t *testing.T) {
	for _, swapped := range []bool{false, true} {
		b := newBench(1)
		if swapped {
			b.Sides[b.Items[0].Key] = -1
		}
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 130, 50)
		for l := range strings.SplitSeq(d.m.View(), "\n") {
			if is, at := strings.Index(l, "two shapes"), strings.Index(l, "red circle"); at >= 0 && (is < at) == swapped {
				t.Errorf("swapped %v:\n%s", swapped, l)
			}
		}
		d.Press("1")
		if a := d.Journal.Acts[0]; a.Reading.Swapped != swapped || a.Reading.Vote != eval.Answer1 {
			t.Errorf("swapped %v: act %+v", swapped, a)
		}
	}
}

// Why, and how sure one is, go with the vote that comes or to the one that is
// there, whose order and criteria stay what they were.
func TestGroundsAreOneKeyAway(t *testing.T) {
	b := newBench(2)
	b.Sides[b.Items[0].Key] = -1
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("%", "4")
	d.CheckShows("80 % sure")
	d.Press("2", "left", "ctrl+x")
	d.CheckShows("WHY 80%")
	d.Press(" ", "s", "o", "enter")
	d.CheckShows("item 1 of", "80 % sure, because so")
	if len(d.Journal.Acts) != 2 {
		t.Fatalf("%d acts", len(d.Journal.Acts))
	}
	for i, reason := range []string{"", "so"} {
		a := d.Journal.Acts[i]
		if a.Reason != reason || a.Confidence != 0.8 || a.Reading.Vote != eval.Answer2 || !a.Reading.Swapped || a.Reading.Criteria != "rev" || a.Informed {
			t.Errorf("act %+v", a)
		}
	}
}

func TestUndoNamesTheVote(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("2", "0", "ctrl+z", "ctrl+z", "ctrl+y")
	want := "undid: vote for both with grave errors on item 2|undid: vote for Answer 2 on item 1|redone: vote for Answer 2 on item 1"
	if got := strings.Join(d.Notices, "|"); got != want {
		t.Errorf("notices %q", got)
	}
	d.CheckShows("▸ your vote: Answer 2", "▸ 2 Answer 2")
}

func TestAnAnswerMayStay(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("ctrl+f", "1")
	d.CheckShows("1. Which shape", "stays", "▸ your vote: Answer 1", "1/3")
	d.Press(" ", "ctrl+f", "2")
	d.CheckShows("3. Which shape")
	d.CheckSeesNot("stays")
}

func TestNoNameBeforeTheVote(t *testing.T) {
	b := newBench(2)
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("ctrl+e")
	d.CheckShows("ctrl+e: the models' names and the judges' votes are shown after")
	d.CheckSeesNot("qwen", "llava", "judge-x")
	if b.revealed != 0 {
		t.Fatalf("revealed %d times", b.revealed)
	}
	d.Press("1", "left", "ctrl+e")
	d.CheckShows("Answer 1  qwen-vl  ▸ your vote", "Answer 2  llava-v1.5", "judge-x, with criteria", "= agrees   Answer 1  shown as to you")
	d.Press("pgdown")
	d.CheckShows("≠ differs  Answer 2  shown the other way round")
	d.Press("esc", "2")
	if acts := d.Journal.Acts; len(acts) != 3 || acts[1].Kind != annotate.Looked || !acts[2].Informed {
		t.Errorf("acts %+v", acts)
	}
}

// Another pair on the sample is open: the anchor's answer may stand there too.
func TestNamesAreWithheldWhileTheSampleIsOpen(t *testing.T) {
	b := newBench(2)
	b.Items[1].Key = annotate.ItemKey{Key: eval.Key{Run: 3, Sample: 0}, Against: 1}
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("1", "left", "ctrl+e")
	d.CheckShows("Withheld: another item")
	if b.revealed != 0 || len(d.Journal.Acts) != 1 {
		t.Errorf("revealed %d times, acts %+v", b.revealed, d.Journal.Acts)
	}
}

func TestCriteriaAreShownWhereTheQueueShowsThem(t *testing.T) {
	b := newBench(1)
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	d.CheckShows("Criteria", "names the blue square")
	b.Items[0].Criteria, b.Items[0].Revision = "", ""
	d = sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	d.CheckSeesNot("Criteria", "names the blue square")
	d.Press("1")
	if c := d.Journal.Acts[0].Reading.Criteria; c != "" {
		t.Errorf("the vote names criteria %q", c)
	}
}

func TestAnswersScrollTogetherAndApart(t *testing.T) {
	b := newBench(1)
	b.Items[0].Prediction = strings.Repeat("long line of the first\n", 60) + "end of the first"
	b.Items[0].Against = strings.Repeat("long line of the second\n", 40) + "end of the second"
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	d.Press("end")
	d.CheckShows("end of the first", "end of the second")
	d.Press("home", "&", "tab", "end")
	d.CheckShows("end of the second")
	d.CheckSeesNot("end of the first")
	d.Press("&")
	d.Press("home")
	d.CheckSeesNot("end of the second")
}

func TestDifferencesAndTextAsWritten(t *testing.T) {
	b := newBench(1)
	b.Items[0].Prediction, b.Items[0].Against = "It is a **blue** square.", "It is a red square."
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	d.CheckShows("It is a blue square.")
	d.Press("$")
	d.CheckShows("It is a «blue» square.", "It is a «red» square.", "differences marked")
	d.Press("#")
	d.CheckShows("It is a «**blue**» square.", "raw")
	d.Press("$")
	d.CheckShows("It is a **blue** square.")
}

func TestSideBySideAndBelow(t *testing.T) {
	d := sit(t, newBench(1), annotationtest.NewTheme(termenv.Ascii, true), 120, 40)
	check := func(want bool) {
		t.Helper()
		for l := range strings.SplitSeq(d.m.View(), "\n") {
			if strings.HasPrefix(l, "Answer 1") && strings.Contains(l, "Answer 2") != want {
				t.Errorf("side by side, want %v:\n%s", want, d.m.View())
			}
		}
	}
	check(true)
	d.Press("|")
	check(false)
	d.Press("|")
	check(true)
}

func TestTheEndCountsAndNamesNobody(t *testing.T) {
	d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 120, 24)
	d.Press("1", "1", "=")
	d.CheckShows("Done: all 3 items are answered", "Answer 1 2, Answer 2 0, tie 1")
	d.CheckSeesNot("qwen", "llava")
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	table := sit(t, newBench(1), annotationtest.NewTheme(termenv.Ascii, true), 80, 24).m.table
	for m := annotation.Reading; m <= annotation.More; m++ {
		seen := make(map[string]string)
		for _, a := range table {
			for _, k := range a.Bind.Keys() {
				if !slices.Contains(a.Modes, m) {
					continue
				}
				if other, taken := seen[k]; taken {
					t.Errorf("in mode %d, %q is %s and %s", m, k, other, a.Bind.Help().Desc)
				}
				seen[k] = a.Bind.Help().Desc
			}
		}
		for _, k := range []string{"[", "]", "h", "v", "a", "b", "q", "?", "ctrl+c", "ctrl+l", "esc"} {
			if what, taken := seen[k]; taken {
				t.Errorf("%q is the root's, but here %s", k, what)
			}
		}
	}
}

// Answers that fill the screen have a line of the question with them, from
// pair to pair, and give all of it back.
func TestAnswersFillTheScreen(t *testing.T) {
	for _, size := range annotationtest.TerminalSizes() {
		d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), size[0], size[1])
		d.Press(">", ">")
		d.CheckShows("1. Which shape", "red circle", "Nothing", "1 Answer 1")
		d.CheckSeesNot("Criteria", "Look at the lower row")
		d.Press("1")
		d.CheckShows("2. Which shape")
		d.CheckSeesNot("Criteria", "Look at the lower row")
		d.Press("tab")
		d.CheckShows("the answers scroll together")
		d.Press(">")
		d.CheckShows("2. Which shape")
		if size[1] >= 40 {
			d.CheckShows("Criteria", "Look at the lower row")
		}
	}
}
