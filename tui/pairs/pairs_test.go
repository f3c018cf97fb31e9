package pairs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/markdown"
	"concord/tui/widget"
)

// bench is a source of pairs of which every third waits for the reader's vote.
type bench struct {
	n      int
	who    annotate.Annotator
	text   string // of the first answers
	broken error

	picture []byte
	more    []eval.Picture // of the same sample
}

func sealed(o eval.Ordinal) bool { return o%3 == 2 }

func (b *bench) RowsOfPairs(_ context.Context, a Ask, all iter.Seq[eval.Pair]) iter.Seq2[Row, error] {
	b.who = a.Who
	return func(yield func(Row, error) bool) {
		for p := range all {
			r := Row{Pair: p, Sample: eval.SampleID(fmt.Sprint("s", p.Sample)), Question: "what?"}
			switch {
			case sealed(p.Sample) && a.Tells:
				r = Row{LeftOut: true}
			case sealed(p.Sample):
				r.Blinded = true
			default:
				r.Models, r.Outcome = [2]string{"mill", "anchor"}, "situation_one"
				r.Orders[0] = Order{Asked: true, Vote: eval.SituationOne}
				r.People = []eval.Vote{eval.Answer1, eval.SituationTwo}
			}
			if !yield(r, b.broken) {
				return
			}
		}
	}
}

func (b *bench) Detail(_ context.Context, _ annotate.Annotator, p eval.Pair) (Detail, error) {
	d := Detail{Sample: "s", Question: "what \x1b[2J?", Blinded: sealed(p.Sample)}
	if b.picture != nil {
		d.Pictures = append([]eval.Picture{{Hash: "x", Name: "x.png"}}, b.more...)
	}
	if d.Blinded {
		return d, b.broken
	}
	d.Models = [2]string{"mill", "anchor\x1b"}
	d.Answers = [2]Answer{{Text: b.text}, {Missing: "no answer"}}
	d.Ballots = []Ballot{{
		Ballot: eval.Ballot{Judge: "j\a", Input: eval.SeesCaption, Repeat: 2}, Outcome: "incomplete",
		Orders: [2]Reply{{Order: Order{Asked: true, Failure: "429 \x1b]0;x\a"}}, {Order: Order{Asked: true}, Raw: strings.Repeat("long\x00 ", 5000)}},
	}}
	d.People = []Vote{{Who: "bo", Queue: "q", Vote: eval.Answer2, Informed: true, Note: strings.Repeat("note ", 200)}}
	return d, b.broken
}

func (b *bench) Picture(eval.PictureHash) ([]byte, error) { return b.picture, nil }

func screen(t *testing.T, b *bench) *Model {
	list := func(name string, tells bool) List {
		return List{Name: name, Rows: func(ctx context.Context, who annotate.Annotator) iter.Seq2[Row, error] {
			return b.RowsOfPairs(ctx, Ask{Who: who, Tells: tells}, func(yield func(eval.Pair) bool) {
				for i := range b.n {
					if !yield(eval.Pair{Sample: eval.Ordinal(i), First: 2, Second: 1}) {
						return
					}
				}
			})
		}}
	}
	m := New(t.Context(), annotationtest.NewTheme(termenv.Ascii, true), b, "ada", Query{
		Title: "mill against anchor", Judge: true, Lists: []List{list("all", false), list("win", true)},
	})
	t.Cleanup(m.Close)
	m.Resize(120, 30)
	do(m, m.Init())
	return m
}

func do(m *Model, cmd tea.Cmd) {
	h := annotationtest.Harness{Screen: m}
	h.Run(cmd)
}

func press(m *Model, keys ...string) {
	h := annotationtest.Harness{Screen: m}
	h.Press(keys...)
}

func TestSealedPairsTellNothing(t *testing.T) {
	b := &bench{n: 9}
	m := screen(t, b)
	if b.who != "ada" {
		t.Errorf("asked for %q", b.who)
	}
	if v := m.View(); strings.Count(v, sealedText) != 3 || strings.Count(v, "mill ") != 6+1+1 { // rows, title, detail
		t.Errorf("the list of all:\n%s", v)
	}
	press(m, "G", "enter")
	v := m.View()
	if !strings.Contains(v, "Blinded: ") || strings.Contains(v, "mill") || strings.Contains(v, "Votes") {
		t.Errorf("a sealed pair:\n%s", v)
	}
	m.GoBack()
	press(m, "tab")
	if v := m.View(); strings.Contains(v, sealedText) || !strings.Contains(v, "3 not shown: they wait for your vote") {
		t.Errorf("a list that tells:\n%s", v)
	}
}

func TestPairsAreReadInTurn(t *testing.T) {
	m := screen(t, &bench{n: 3, text: "an *answer*"})
	press(m, "enter")
	if v := m.View(); !strings.Contains(v, "Sample s0") || !strings.Contains(v, "an answer") || !strings.Contains(v, "✗ failed") {
		t.Errorf("the first:\n%s", v)
	}
	press(m, "n")
	if v := m.View(); !strings.Contains(v, "Sample s1") || !strings.Contains(v, "2 of 3") {
		t.Errorf("the next:\n%s", v)
	}
	press(m, "p", "p")
	if v := m.View(); !strings.Contains(v, "Sample s0") {
		t.Errorf("the first again:\n%s", v)
	}
	if !m.GoBack() || m.GoBack() {
		t.Error("escape leaves the page, and then the list")
	}
}

// white is the file of a picture.
func white(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// The picture stands beside the question, fills the screen on request, and is
// there again behind that.
func TestPicture(t *testing.T) {
	m := screen(t, &bench{n: 3, picture: white(t)})
	drawn := func() int { return strings.Count(m.View(), "@") }
	press(m, "enter")
	small := drawn()
	press(m, "*")
	full := drawn()
	if !m.GoBack() || small == 0 || full <= small || drawn() != small {
		t.Errorf("%d cells beside the question, %d in full, %d again\n%s", small, full, drawn(), m.View())
	}
}

func TestPicturesAreShownInTurn(t *testing.T) {
	m := screen(t, &bench{n: 3, picture: white(t), more: []eval.Picture{{Hash: "y", Name: "y.png"}, {Name: "z.png"}}})
	sees := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(m.View(), w) {
				t.Errorf("no %q in\n%s", w, m.View())
			}
		}
	}
	press(m, "enter")
	sees("image 1 of 3, . next", "x.png")
	press(m, ".")
	sees("image 2 of 3", "y.png")
	press(m, "*", ".")
	sees("image 3 of 3", "no image: z.png")
	press(m, ".", "*")
	sees("image 1 of 3")
}

// The answers take the room of what stands above them, from pair to pair and
// when the pair is opened again.
func TestTheAnswersFillTheScreen(t *testing.T) {
	m := screen(t, &bench{n: 3, text: strings.Repeat("one more line\n\n", 40), picture: white(t)})
	lines := func() int { return strings.Count(m.View(), "one more line") }
	press(m, ">", "enter")
	normal := lines()
	press(m, ">")
	half := lines()
	press(m, ">")
	full := lines()
	if half <= normal || full <= half || !strings.Contains(m.View(), "what ␛[2J?") {
		t.Errorf("%d lines, then %d, then %d in\n%s", normal, half, full, m.View())
	}
	press(m, "n")
	if lines() != full || !strings.Contains(m.View(), "Sample s1") {
		t.Errorf("the next pair:\n%s", m.View())
	}
	if press(m, "<"); lines() != half {
		t.Errorf("%d lines after _", lines())
	}
	m.GoBack()
	press(m, "enter")
	if lines() != half {
		t.Errorf("%d lines when opened again", lines())
	}
}

func TestTroubleIsShown(t *testing.T) {
	m := screen(t, &bench{n: 3, broken: errors.New("a broken \x1b record")})
	if v := m.View(); !strings.Contains(v, "✗ a broken ␛ record") {
		t.Errorf("the list:\n%s", v)
	}
}

// Whatever models wrote, and whatever the size: the view has it, and nothing
// of what was written reaches the terminal but as letters.
func TestEverySizeFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	keys := []string{"enter", "tab", "n", "p", "d", "*", "j", "G", "g", "k", "+", "_", ">", "<"}
	for _, text := range []string{"", "短い答え", strings.Repeat("word ", markdown.Limit), "| a | b |\n|--|--|\n| \x1b[31mred | 1 |"} {
		m := screen(t, &bench{n: 9, text: text})
		for range 150 {
			w, h := 1+rng.IntN(200), 1+rng.IntN(60)
			m.Resize(w, h)
			press(m, keys[rng.IntN(len(keys))])
			lines := strings.Split(m.View(), "\n")
			if len(lines) != h {
				t.Fatalf("%dx%d: %d lines", w, h, len(lines))
			}
			for _, l := range lines {
				if widget.TextWidth(l) > w || strings.ContainsAny(l, "\x1b\a\x00") {
					t.Fatalf("%dx%d: %q", w, h, l)
				}
			}
		}
	}
}
