package criteria

import (
	"testing"

	"github.com/muesli/termenv"

	"concord/eval"
)

func TestPicturesAreShownInTurn(t *testing.T) {
	bubble(t, "pictures", func(t *testing.T) {
		s := newProject(4)
		d := sit(t, s, theme(termenv.Ascii, true), "ada", 120, 40)
		d.press(" ", ".")
		if d.last() != "there is no other image of this sample" {
			t.Errorf("told %q", d.said)
		}
		s.samples[0].Pictures = append(s.samples[0].Pictures, eval.Picture{Hash: "large", Name: "l.png"})
		d = sit(t, s, theme(termenv.Ascii, true), "ada", 120, 40)
		d.press(" ")
		d.sees("image 1 of 2, . next", "300x200 px")
		d.press(".")
		d.sees("image 2 of 2", "600x512 px")
		d.press("*", ".")
		d.sees("image 1 of 2", "300x200 px  s.png")
	})
}
