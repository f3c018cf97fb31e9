package criteria

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/widget"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show the time of day
	os.Exit(m.Run())
}

// project is datasets in memory, with the acts that were stored.
type project struct {
	mu       sync.Mutex
	datasets []eval.Dataset
	samples  []eval.Sample
	sets     map[eval.Ordinal]criteria.Set
	disputed map[eval.Ordinal][]string
	pictures map[eval.PictureHash][]byte
	fail     error
	slow     time.Duration
}

func (s *project) Datasets() ([]eval.Dataset, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]eval.Dataset(nil), s.datasets...), nil
}

func (s *project) Rows(_ context.Context, d eval.DatasetName) ([]Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Row
	for _, x := range s.samples {
		out = append(out, Row{x, s.set(d, x.Ordinal), s.disputed[x.Ordinal]})
	}
	return out, nil
}

func (s *project) set(d eval.DatasetName, o eval.Ordinal) criteria.Set {
	if set, ok := s.sets[o]; ok {
		return set
	}
	return criteria.NewSet(d, o)
}

func (s *project) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set(d, o), nil
}

func (s *project) Picture(h eval.PictureHash) ([]byte, error) {
	if data, ok := s.pictures[h]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("image %s: %w", h, eval.ErrNotFound)
}

func (s *project) Add(_ context.Context, _ eval.DatasetName, a Addition) (eval.Sample, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Picture != "" {
		return eval.Sample{}, fmt.Errorf("open %s: no such file", a.Picture)
	}
	a.Sample.Ordinal = eval.Ordinal(len(s.samples))
	s.samples = append(s.samples, a.Sample)
	s.datasets[0].Samples++
	return a.Sample, nil
}

// Append stores acts as a project does.
func (s *project) Append(_ context.Context, acts ...criteria.Act) error {
	time.Sleep(s.slow)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	set := s.set(acts[0].Dataset, acts[0].Sample)
	for _, a := range acts {
		next, err := set.WithAct(a)
		if err != nil {
			return err
		}
		set = next
	}
	s.sets[acts[0].Sample] = set
	return nil
}

func (s *project) breaks(err error) {
	s.mu.Lock()
	s.fail = err
	s.mu.Unlock()
}

// another does an act behind the screen's back.
func (s *project) another(o eval.Ordinal, kind criteria.Kind, who annotate.Annotator, fill func(*criteria.Act)) {
	set := s.set("bench", o)
	a := set.NewAct(kind, who, time.Now())
	if fill != nil {
		fill(&a)
	}
	if err := s.Append(context.Background(), a); err != nil {
		panic(err)
	}
}

func grey(width, height int) []byte {
	img := image.NewGray(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			img.SetGray(x, y, color.Gray{Y: uint8(255 * x / width)})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

var drawings = sync.OnceValue(func() map[eval.PictureHash][]byte {
	return map[eval.PictureHash][]byte{"small": grey(300, 200), "large": grey(600, 512)}
})

// newProject gives a dataset of n open questions in four capabilities.
func newProject(n int) *project {
	s := &project{
		datasets: []eval.Dataset{{Name: "bench", Samples: n, Complete: true, Origin: "bench.json"}},
		sets:     make(map[eval.Ordinal]criteria.Set),
		pictures: drawings(),
	}
	paths := [][]string{{"Perception", "Objects"}, {"Perception", "OCR"}, {"Creation", "Poems"}, {"Creation", "旅行 plans"}}
	for i := range n {
		x := eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint(100 + i)), Kind: eval.KindOpen,
			Question: fmt.Sprintf("What stands on the shelf number %d, and why is it there? Say it in one sentence.", i),
			Taxonomy: paths[i*len(paths)/n], Type: eval.QuestionType(i % 4),
		}
		switch i % 3 {
		case 0:
			x.Pictures = []eval.Picture{{Hash: "small", Name: "s.png"}}
		case 1:
			x.Pictures = []eval.Picture{{Hash: "large", Name: "l.png"}}
		}
		s.samples = append(s.samples, x)
	}
	return s
}

// desk is the screen, driven without a terminal.
type desk struct {
	t      *testing.T
	m      *Model
	writer *criteria.Writer
	shelf  *project
	msgs   chan tea.Msg
	said   []string
}

func theme(p termenv.Profile, dark bool) *widget.Theme { return annotationtest.NewTheme(p, dark) }

// sit opens the screen; it must be called in a bubble.
func sit(t *testing.T, s *project, th *widget.Theme, who annotate.Annotator, width, height int) *desk {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	d := &desk{t: t, shelf: s, msgs: make(chan tea.Msg, 256), writer: criteria.NewWriter(s.Append, time.Now)}
	d.m = New(ctx, Deps{Source: s, Writer: d.writer, Theme: th, Quotas: []criteria.Quota{{Level: 2, N: 5}}})
	d.m.SetAnnotator(who)
	d.m.Resize(width, height)
	t.Cleanup(func() {
		s.breaks(nil)
		cancel()
		_ = d.writer.Close(context.Background())
		time.Sleep(time.Minute)
	})
	d.run(d.m.Init())
	d.settle()
	return d
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- cmd() }()
	}
}

// settle takes messages until nothing moves any more.
func (d *desk) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.take(msg)
		default:
			return
		}
	}
}

func (d *desk) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case widget.Notify:
		d.said = append(d.said, msg.Text)
	case Named:
		d.m.SetAnnotator(msg.Who)
	default:
		d.run(d.m.Update(msg))
	}
}

// press presses keys; esc goes to Back, as the root has it. Letters are typed.
func (d *desk) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		if k == "esc" {
			d.m.GoBack()
		} else {
			d.run(d.m.Update(keymap.NewKeyMsg(k)))
		}
		d.settle()
	}
}

func (d *desk) write(text string) {
	d.run(d.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}))
	d.settle()
}

// wait lets time pass.
func (d *desk) wait(by time.Duration) {
	time.Sleep(by)
	d.settle()
}

func (d *desk) last() string {
	if len(d.said) == 0 {
		return ""
	}
	return d.said[len(d.said)-1]
}

func (d *desk) sees(words ...string) {
	d.t.Helper()
	for _, w := range words {
		if !strings.Contains(d.m.View(), w) {
			d.t.Errorf("no %q in\n%s", w, d.m.View())
		}
	}
}

// stored is a sample's set as it is stored.
func (d *desk) stored(o eval.Ordinal) *criteria.Set {
	set, _ := d.shelf.Set("bench", o)
	return &set
}

func bubble(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}
