package label

import (
	"fmt"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/annotation/annotationtest"
)

// rubrics is a bench whose responses are graded by three criteria.
func rubrics(n int) *bench {
	b := newBench(n)
	b.Queue.Rule.From = annotate.FromCriteria
	for i := range b.Items {
		b.Items[i].Rubric = []annotate.Criterion{
			{Name: "a", Hash: "h1", Text: "Names the shape."},
			{Name: "b", Hash: "h2", Text: "Says how many corners it has, " + strings.Repeat("and how it knows, ", 6) + "in words.", Partial: true},
			{Name: "c", Hash: "h3", Text: "Claims what is not there."},
		}
	}
	return b
}

// One key grades a criterion and leads to the next; the last one of a response is
// its label, and leads to the next response.
func TestOneKeyACriterion(t *testing.T) {
	for _, size := range [][2]int{{80, 23}, {120, 40}, {40, 12}} {
		d := sit(t, rubrics(2), annotationtest.NewTheme(termenv.Ascii, true), size[0], size[1])
		annotationtest.CheckFrameFits(t, d.m.View(), size[0], size[1]-3, "criteria")
		of := func(n int) string {
			if size[0] < 80 {
				return "" // there is no room for it
			}
			return fmt.Sprint(n, " of 3 criteria")
		}
		d.CheckShows("› ○ Names the shape.", of(0), "met")
		d.CheckSeesNot("llava", "truth")
		before := d.m.ItemInFront()
		d.Press("2")
		d.CheckShows("is met or not")
		if d.m.ItemInFront() != before || len(d.Journal.Acts) != 0 {
			t.Errorf("%v: a refused key did something", size)
		}
		d.Press("m")
		if d.m.ItemInFront() == before {
			t.Errorf("%v: a second key would be taken for a criterion that was not seen", size)
		}
		d.CheckShows("› ○ Says how many")
		d.Press("p", "4")
		d.CheckShows("1/2", of(0), "› ○ Names the shape.")
		var got []string
		for _, a := range d.Journal.Acts {
			got = append(got, fmt.Sprint(a.Kind, " ", a.Reading.Word(), " ", len(a.Reading.Grades)))
		}
		if want := "criterion a met 1|criterion b partial 1|label 1 met, 1 partial, 1 unable 3"; strings.Join(got, "|") != want {
			t.Errorf("%v: the journal holds %q", size, got)
		}
		d.Press("ctrl+z")
		d.CheckShows("0/2", of(2), "› ○ Claims what")
		d.Press("up", "1")
		if a := d.Journal.Acts[len(d.Journal.Acts)-1]; a.Reading.Word() != "b met" {
			t.Errorf("%v: up and 1 gave %q", size, a.Reading.Word())
		}
		d.Press("3", "1", "1", "1")
		d.CheckShows("Done: all 2 items", "graded 2 responses", "criteria with disagreements")
	}
}

// The question is seen with the first criteria, though not all of them fit, and makes
// room for those further down.
func TestTheQuestionStaysAboveItsCriteria(t *testing.T) {
	b := rubrics(1)
	b.Items[0].Question = "Who stands before the gate?"
	b.Items[0].Rubric[2].Text = strings.Repeat("It says so. ", 12) + "At last."
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 23)
	d.CheckShows("Question", "Who stands before the gate?", "› ○ Names the shape.")
	d.Press("1", "1")
	d.CheckShows("› ○ It says so.", "At last.")
	d.CheckSeesNot("Who stands")
}

// A criterion that was worded anew has no verdict, and its response asks for one.
func TestAnotherWordingHasNoVerdict(t *testing.T) {
	b := rubrics(1)
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 23)
	d.Press("1", "1", "1", "left")
	d.CheckShows("3 of 3 criteria")
	b.Acts, b.Items[0].Rubric[1].Hash = d.Journal.Acts, "h4"
	d = sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 23)
	d.Press("left")
	d.CheckShows("2 of 3 criteria", "› ○ Says how many")
}
