package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/annotation/annotationtest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show the time of day
	os.Exit(m.Run())
}

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// pool is a dataset in memory with the acts that were stored. It is the
// journal as well: acts are stored at once, unless it fails.
type pool struct {
	cards   []Card
	acts    []curation.Act
	fail    error
	lost    error // why it cannot be read
	waiting int
	synced  int
	panel   curation.Panel
	look    Look
	refused []curation.Act
	bare    bool // neither samples nor targets name an axis
	more    []eval.Dataset
}

var names = []string{"Which side of the road is the red car on?", "What is 2 + 2?", "広場の人は何をしていますか。 \x1b[2J", "How many dogs?", "Who painted it?"}

func newPool() *pool {
	axes := [][]string{{"perception", "coarse"}, {"perception", "fine"}, {"reasoning", "logic"}}
	p := &pool{panel: curation.Panel{Experts: 2}}
	for i, q := range names {
		o := eval.Ordinal(i)
		s := eval.Sample{
			Ordinal: o, ID: eval.SampleID(fmt.Sprint(100 + i)), Kind: eval.KindChoice, Question: q, Answer: "B",
			Options:  []eval.Option{{Letter: "A", Text: "on the left"}, {Letter: "B", Text: "None"}},
			Pictures: []eval.Picture{{Hash: "aa"}}, Taxonomy: axes[i%3], Source: []string{"MMMU", "SEED"}[i%2],
		}
		f := curation.Finding{HitMark: curation.HitMark{Sample: o, Blind: stat.Count{K: i % 3, N: 8}, Sighted: stat.Count{K: 3 * i, N: 16}}, Fate: curation.Kept, Difficulty: curation.Hard}
		p.cards = append(p.cards, Card{Sample: s, Finding: &f})
	}
	return p
}

func (p *pool) Datasets() ([]eval.Dataset, error) {
	return append([]eval.Dataset{{Name: "d", Samples: len(p.cards), Complete: true}, {Name: "half"}}, p.more...), nil
}

func (p *pool) Open(_ context.Context, d eval.DatasetName, who annotate.Annotator) (Opening, error) {
	if p.lost != nil {
		return Opening{}, p.lost
	}
	o := curation.Opening{
		Dataset: d, Expert: who, Acts: p.acts, Panel: p.panel, Now: noon,
		Targets: []criteria.Quota{{Level: annotate.FinestLevel, N: 2}},
	}
	for i := range p.cards {
		if p.bare {
			p.cards[i].Sample.Taxonomy, o.Targets = nil, nil
		}
		o.Items = append(o.Items, curation.Item{Sample: p.cards[i].Sample.Ordinal, Axis: p.cards[i].Sample.Taxonomy})
	}
	b, err := curation.NewBoard(o)
	return Opening{Board: b, Cards: p.cards, Inspection: "blind", Pool: 9, Look: p.look}, err
}

func (p *pool) ReadBoard(ctx context.Context, d eval.DatasetName, who annotate.Annotator, show func(*eval.Sample)) (*curation.Board, error) {
	o, err := p.Open(ctx, d, who)
	for i := range o.Cards {
		show(&o.Cards[i].Sample)
	}
	return o.Board, err
}

func (p *pool) Picture(eval.PictureHash) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, 32, 24))
	for i := range 32 {
		img.Set(i, i*3/4, color.White)
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

func (p *pool) Submit(a curation.Act) {
	switch {
	case p.fail != nil:
		p.waiting++
	case len(p.refused) > 0:
		p.refused = append(p.refused, a)
	default:
		p.acts = append(p.acts, a)
	}
}

func (p *pool) RetryParked() {}

func (p *pool) StreamState(curation.Stream) curation.JournalState {
	if p.fail != nil && p.waiting > 0 {
		return curation.JournalState{Pending: p.waiting, Err: p.fail}
	}
	if n := len(p.refused); n > 0 {
		return curation.JournalState{Pending: n, Err: annotate.ErrConflict}
	}
	if len(p.acts) == 0 {
		return curation.JournalState{}
	}
	return curation.JournalState{Saved: len(p.acts), At: noon()}
}

func (p *pool) SyncStream(context.Context, curation.Stream) error {
	p.synced++
	return p.StreamState(curation.Stream{}).Err
}

func (p *pool) Changed() <-chan struct{} { return nil }

func (p *pool) RefusedActs(curation.Stream) ([]curation.Act, error) {
	return p.refused, p.StreamState(curation.Stream{}).Err
}

func (p *pool) RedoRefused(_ curation.Stream, again func([]curation.Act) []curation.Act) bool {
	given := p.refused
	if p.refused = nil; len(given) > 0 {
		p.acts = append(p.acts, again(given)...)
	}
	return len(given) > 0
}

// says stores a verdict of somebody else.
func (p *pool) says(who annotate.Annotator, vs ...curation.Verdict) {
	for i, v := range vs {
		p.acts = append(p.acts, curation.Act{Dataset: "d", Expert: who, N: uint32(i + 1), Sample: eval.Ordinal(i), Kind: curation.Judged, Verdict: v})
	}
}

// desk is the screen with its surroundings; commands run on the spot.
type desk struct {
	*testing.T
	annotationtest.Harness
	m *Model
	p *pool
}

func sit(t *testing.T, p *pool, profile termenv.Profile, more func(*Deps)) *desk {
	t.Helper()
	d := Deps{Source: p, Journal: p, Theme: annotationtest.NewTheme(profile, true), Now: noon}
	if more != nil {
		more(&d)
	}
	k := &desk{T: t, m: New(t.Context(), d), p: p}
	k.Screen = k.m
	k.m.listening = true // there is no mark to wait for
	k.m.Resize(80, 21)
	k.m.SetAnnotator("ann")
	k.Harness.Run(k.m.Enter())
	return k
}

func (k *desk) press(keys ...string) *desk {
	k.Press(keys...)
	k.m.takeJournalState()
	return k
}

func (k *desk) front(want int) *desk {
	k.Helper()
	got := -1
	if c := k.m.cards.currentCard(); c != nil {
		got = int(c.Sample.Ordinal)
	}
	if got != want {
		k.Errorf("sample %d is selected, want %d", got, want)
	}
	return k
}

func (k *desk) sees(texts ...string) *desk {
	k.Helper()
	frame := ansi.Strip(k.m.View())
	for _, text := range texts {
		not, hidden := strings.CutPrefix(text, "!")
		if hidden == strings.Contains(frame, strings.TrimPrefix(not, "!")) {
			k.Errorf("want %q in\n%s", text, frame)
		}
	}
	return k
}

// Of several datasets one is chosen, by what it holds and how far everybody is.
func TestChoosing(t *testing.T) {
	p := newPool()
	p.more = []eval.Dataset{{Name: "e", Complete: true}}
	p.acts = []curation.Act{{Dataset: "d", Expert: "bob", N: 1, Kind: curation.Judged, Verdict: curation.NeedsImage}}
	k := sit(t, p, termenv.Ascii, nil)
	k.sees("Curate which dataset?", "5 with · 0 without", "5 to judge · 0 put off", "bob         1 judged", "Balance  5 candidates", "!image needed")
	if n := len(p.acts); n != 1 {
		t.Errorf("%d acts of one who chose a dataset", n)
	}
	k.press("enter").sees("image needed").press("1", "ctrl+o").sees("4 to judge", "1 judged")
}

func TestJudging(t *testing.T) {
	k := sit(t, newPool(), termenv.Ascii, nil).front(0)
	k.press("1").front(1).press("ctrl+n").front(2).press("5").front(3).press("4", "2").front(1).sees("put off before", "saved no image needed  12:00:00")
	if n := len(k.p.acts); n != 5 || k.p.acts[0].Verdict != curation.NeedsImage || k.p.acts[1].Kind != curation.Skipped {
		t.Errorf("acts %+v", k.p.acts)
	}
	k.press("3").front(-1).sees("Nothing waits for you here")
	k.press("ctrl+z").front(1).press("ctrl+z").front(4).press("ctrl+z").front(3).press("ctrl+y").front(3)
	if got := strings.Join(k.Notices, "\n"); !strings.Contains(got, "undid: verdict leaked in question on sample 101") ||
		!strings.Contains(got, "redone: verdict faulty on sample 103") {
		t.Errorf("notices %s", got)
	}
	k.press("left", ",", "h", "i", "enter").front(2).sees("note: hi").press("left", "left", "left").front(0)
	k.press("y").sees("y: no key of this screen")
}

func TestPlacing(t *testing.T) {
	k := sit(t, newPool(), termenv.Ascii, nil)
	k.press("@").sees("Which axis?", "0/2").press("l", "o", "g", "enter").sees("reasoning / logic (was perception / coarse)").front(0)
	k.press("1").front(1).press("left").sees("0/2 logic", "1 of 2 experts")
	k.press("ctrl+z", "ctrl+z").sees("!(was")
	k.press("@", "esc").front(0)
	if n := len(k.p.acts); n != 4 {
		t.Errorf("%d acts", n)
	}
}

// An axis that no sample has is typed, with what there is to complete it.
func TestNewAxis(t *testing.T) {
	k := sit(t, newPool(), termenv.Ascii, nil)
	k.press("@", "r", "tab").sees("› reasoning / ", "+ reasoning", "none of its axes").press("tab").sees("› reasoning / logic", "!a new")
	for range len("logic") {
		k.press("backspace")
	}
	k.press("m", "a", "p", "s").sees("+ reasoning / maps", "a new axis of reasoning", "!coarse").press("enter").sees("reasoning / maps (was perception / coarse)").front(0)
	k.press("1").front(1).press("@", "M", "A", "P").sees("reasoning / maps", "0/2").press("up", "down", "enter").sees("reasoning / maps (was perception / fine)")
	if last := k.p.acts[len(k.p.acts)-1]; last.Kind != curation.Placed || len(last.Axis) != 2 || last.Axis[1] != "maps" {
		t.Errorf("%+v", last)
	}
	k.press("ctrl+z").sees("!(was").press("@", "esc").front(1)

	p := newPool() // without any axis the first one is typed
	p.bare = true
	k = sit(t, p, termenv.Ascii, nil)
	k.press("@").sees("type it: capability / axis").press("a", "/", "b", "enter").sees("a / b").press("@").sees("a / b")
}

// Several pictures of a sample are gone through, one at a time.
func TestSeveralPictures(t *testing.T) {
	p := newPool()
	p.cards[1].Sample.Pictures = []eval.Picture{{Hash: "aa"}, {Name: "lost.png"}, {Hash: "bb"}}
	k := sit(t, p, termenv.Ascii, nil)
	k.sees("32x24 px", "!. next").press(".").sees("one image only").press("right").front(1)
	k.sees("1 of 3, . next").press(".").sees("2 of 3", "no image", "only referred to it").press(".").sees("3 of 3", "32x24 px").press("*", ".").sees("1 of 3").press("esc").front(1)
	k.press(".", "right", "left").sees("1 of 3")
}

// What others say is shown after the person's own word, and after that is stored.
func TestBlind(t *testing.T) {
	p := newPool()
	p.says("bob", curation.Wrong, curation.NeedsImage)
	k := sit(t, p, termenv.Ascii, nil)
	k.press("ctrl+e").sees("ctrl+e: not shown before your own answer", "!bob", "!they differ")
	k.press("1", "left").front(0).sees("contested", "!bob").press("ctrl+e").sees("bob: faulty")
	if last := p.acts[len(p.acts)-1]; last.Kind != curation.Looked || p.synced != 2 {
		t.Errorf("last act %+v, synced %d times", last, p.synced)
	}
	k.press("ctrl+e").sees("!bob")
	k.press("4").front(1).press("left").sees("✗ dropped: faulty, 2 of 2 experts")
	if last := p.acts[len(p.acts)-1]; !last.Informed {
		t.Errorf("a verdict after the others' is no blind one: %+v", last)
	}
	p.fail = errors.New("disk is full")
	k.press("right").front(1).press("1", "left", "ctrl+e").sees("!bob", "NOT SAVED: disk is full", "ctrl+k")
}

func TestSettling(t *testing.T) {
	p := newPool()
	p.says("bob", curation.Wrong, curation.NeedsImage, curation.Wrong)
	p.says("cy", curation.NeedsImage, curation.NeedsImage, curation.Duplicate)
	k := sit(t, p, termenv.Ascii, func(d *Deps) { d.Disagreements = true }).front(0)
	k.sees("adjudicating", "sample 1 of 2", "adjudication", "!bob").press("ctrl+e").sees("not shown before").press("@").sees("resolve the verdict first")
	k.press("1").front(0).sees("accepted, adjudicated").press("@", "l", "o", "g", "enter").sees("reasoning / logic (was").press("ctrl+e").sees("bob: faulty", "cy: image needed")
	k.press(" ").front(2).press("4").press(" ").front(-1).press("ctrl+z").front(2)
	k.press("ctrl+x").front(3).sees("!settling", "sample 4 of 5")
	last := curation.ExpertWord{}
	b, _ := p.Open(t.Context(), "d", "ann")
	if r, ok := b.Board.State().RulingOn(0); !ok || r.Verdict != curation.NeedsImage || eval.JoinPath(r.Axis) != "reasoning / logic" {
		t.Errorf("adjudication %+v %+v", r, last)
	}
}

func TestFilter(t *testing.T) {
	k := sit(t, newPool(), termenv.Ascii, nil)
	k.press("/", "d", "o", "g", "s").front(3).sees("sample 1 of 1").press("esc", "esc").sees("sample 4 of 5")
	k.press("left", "left", "left", "&").sees("sample 1 of 3", "[MMMU]").press("&").sees("[SEED]", "of 2").press("&").sees("of 5")
	k.press("|").sees("[fine]", "id 101", "sample 1 of 2").press("|").sees("of 5")
	k.press("left", "left", "1", "2").front(2).press("tab").sees("[for me]", "of 3").press("tab").sees("[answered]", "of 2")
	k.press("/", "!", "r", "o", "a", "d", "enter").sees("of 1").front(1).press("ctrl+z").front(1).sees("of 1")
}

func TestLook(t *testing.T) {
	p := newPool()
	p.look = Look{HideTruth: true, HideModels: true}
	k := sit(t, p, termenv.Ascii, nil)
	k.sees("!✓ B", "the answer is hidden", "!of 8 models").press("$", "%").sees("✓ B. None", "without the image 0 of 8 models", "hard")
	k.press("ctrl+r").sees("✓ B. None", "hard") // what is shown stays shown
}

func TestNobodyYet(t *testing.T) {
	p := newPool()
	k := sit(t, p, termenv.Ascii, nil)
	k.m.SetAnnotator("")
	k.press("b", "o").sees("Who is annotating?", "bo")
	if !k.m.IsTyping() || k.m.GoBack() {
		t.Error("a name is asked for")
	}
	cmd := k.m.Update(annotationtest.NewKeyMsg("enter"))
	if got := cmd(); got != (Named{"bo"}) {
		t.Errorf("%v", got)
	}
	k.m.SetAnnotator("bo")
	k.Harness.Run(k.m.Enter())
	k.front(0)
}
