package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/termenv"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/server"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/term"
)

const paintItems = 200

// BenchmarkPaint is the time from a label's key, as the terminal sends it, to
// the cells of an emulated terminal that show the next item and its picture:
// the real program on the real store, a picture of 1024 by 768 on each of 200
// unparsable answers, half blocks in true colour, while a run writes 2,000
// predictions a second. Labels are given one after the other as fast as the
// screen shows them, 10 a second, which is faster than anybody reads, and 3, as
// fast as short answers are labelled. The claim is 16 ms for 99 of 100; what
// the emulator takes to read a frame is in it, and told beside it with the bytes
// of the largest frame: the pictures have gradients and noise at every scale, as
// photographs do, so that hardly two cells beside each other are alike.
//
//	go test ./cmd/concord -run - -bench Paint -benchtime 1x
func BenchmarkPaint(b *testing.B) {
	path, run := paintProject(b)
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		for name, pause := range map[string]time.Duration{"at-once": 0, "10-a-second": 100 * time.Millisecond, "3-a-second": 333 * time.Millisecond} {
			b.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], name), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					copied := filepath.Join(b.TempDir(), "p.db")
					if err := copyFile(path, copied); err != nil {
						b.Fatal(err)
					}
					benchPaint(b, copied, run, size, pause)
					b.StartTimer()
				}
			})
		}
	}
}

func benchPaint(b *testing.B, path string, run eval.Run, size [2]int, pause time.Duration) {
	width, height := size[0], size[1]
	st, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	a := newTestApp(cli.Streams{Out: io.Discard, Err: io.Discard}, path)
	o := server.ScreenOptions{As: "ann", Start: tui.Start{Tab: tui.TabReview, Queue: "q"}}
	o.Preferences.Renderer = lipgloss.NewRenderer(io.Discard)
	o.Preferences.Renderer.SetColorProfile(termenv.TrueColor)
	o.Preferences.Renderer.SetHasDarkBackground(true)
	h, err := server.OpenState(ctx, a, st, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	v := h.OpenConnection(o)
	deps := v.NewAppDeps(ctx)
	e := newPainted(width, height)
	in, keys := io.Pipe()
	out := term.NewPainter(e)
	p := tea.NewProgram(out.WrapModel(tui.New(ctx, deps)), tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithoutSignals())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	p.Send(tea.WindowSizeMsg{Width: width, Height: height})
	if !e.shows(0, 20*time.Second) {
		b.Fatalf("the first item is not painted:\n%s", e.em.String())
	}
	time.Sleep(200 * time.Millisecond)
	written := paceWriters(ctx, st, run, 2000)
	begin := time.Now()
	took := make([]time.Duration, 0, paintItems-1)
	b.StartTimer()
	for i := range paintItems - 1 {
		time.Sleep(pause)
		at := time.Now()
		if _, err := io.WriteString(keys, "1"); err != nil {
			b.Fatal(err)
		}
		if !e.shows(i+1, 10*time.Second) {
			b.Fatalf("item %d is not painted:\n%s", i+1, e.em.String())
		}
		took = append(took, e.at.Sub(at))
	}
	b.StopTimer()
	all := time.Since(begin)
	b.ReportMetric(quantile(took, 0.5), "p50-ms")
	b.ReportMetric(quantile(took, 0.99), "p99-ms")
	b.ReportMetric(quantile(took, 1), "worst-ms")
	b.ReportMetric(quantile(e.reading, 0.5), "emulator-p50-ms")
	b.ReportMetric(quantile(e.reading, 0.99), "emulator-p99-ms")
	b.ReportMetric(float64(e.largest)/1000, "largest-frame-kB")
	b.ReportMetric(float64(len(took))/all.Seconds(), "items/s")
	b.ReportMetric(float64(written.Load())/all.Seconds(), "written/s")
	p.Quit()
	if err := <-ended; err != nil {
		b.Error(err)
	}
	cancel()
	if err := errors.Join(v.Close(), h.Close()); err != nil {
		b.Error(err)
	}
	time.Sleep(50 * time.Millisecond) // the writers see the end
	if err := st.Close(); err != nil {
		b.Error(err)
	}
}

// quantile is one of some times, in milliseconds.
func quantile(of []time.Duration, q float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return float64(of[int(q*float64(len(of)-1)+0.5)].Microseconds()) / 1000
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// painted is an emulated terminal that notes when it showed what.
type painted struct {
	mu   sync.Mutex
	em   *vt.Emulator
	news chan struct{}
	at   time.Time

	reading []time.Duration // what frames with a new picture took it
	largest int             // bytes of the largest frame
}

// pictureBytes is less than any frame with a new picture has.
const pictureBytes = 2_000

func newPainted(width, height int) *painted {
	e := &painted{em: vt.NewEmulator(width, height), news: make(chan struct{}, 1)}
	go func() { _, _ = io.Copy(io.Discard, e.em) }() // replies, or Write would wait
	return e
}

func (e *painted) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	begin := time.Now()
	n, err := e.em.Write(p)
	e.largest = max(e.largest, len(p))
	if len(p) > pictureBytes {
		e.reading = append(e.reading, time.Since(begin))
	}
	select {
	case e.news <- struct{}{}:
	default:
	}
	return n, err
}

// shows waits until an item's colour stands in the band of the picture and its
// number on the screen.
func (e *painted) shows(item int, limit time.Duration) bool {
	for end := time.After(limit); ; {
		e.mu.Lock()
		ok := e.has(item)
		e.at = time.Now()
		e.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-e.news:
		case <-end:
			return false
		}
	}
}

func (e *painted) has(item int) bool {
	want := paintColour(item)
	found := false
	for y := 4; y < e.em.Height()/2 && !found; y++ {
		c := e.em.CellAt(e.em.Width()/5, y)
		if c == nil || c.Style.Bg == nil {
			continue
		}
		r, g, b, _ := c.Style.Bg.RGBA()
		found = near(uint8(r>>8), want.R) && near(uint8(g>>8), want.G) && near(uint8(b>>8), want.B)
	}
	return found && strings.Contains(e.line(3)+" ", "sample s"+strconv.Itoa(item)+" ")
}

// line is the text of a row of the screen.
func (e *painted) line(y int) string {
	var b strings.Builder
	for x := range e.em.Width() {
		if c := e.em.CellAt(x, y); c != nil {
			b.WriteString(c.Content)
		}
	}
	return b.String()
}

func near(a, b uint8) bool { return max(a, b)-min(a, b) <= 6 }

// paintColour tells a picture from its neighbours.
func paintColour(i int) color.RGBA {
	return color.RGBA{uint8(20 + 15*(i%16)), uint8(20 + 15*(i/16%16)), 128, 255}
}

// paintPicture is like a photograph: light that falls off over the picture, and
// noise at seven scales, the coarse ones strong. A band left of its middle is
// of its own colour, by which it is told from the others: every other picture is
// a JPEG, the rest are PNG.
func paintPicture(b testing.TB, i, w, h int) []byte {
	b.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	field := paintColour(i)
	for y := range h {
		for x := range w {
			c := field
			if x < w/5 || x > w/2 {
				c = color.RGBA{photo(x, y, 3*i, x*90/w), photo(x, y, 3*i+1, y*90/h), photo(x, y, 3*i+2, (x+y)*60/(w+h)), 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	var err error
	if i%2 == 0 {
		err = jpeg.Encode(&out, img, &jpeg.Options{Quality: 90})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img)
	}
	if err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// photo is a channel of a photograph at one place: a light, and noise of blocks
// of 64, 32 and so on to 1 pixels, each half as strong as the one before.
func photo(x, y, seed, light int) uint8 {
	v := 30 + light
	for scale, strength := 64, 64; scale > 0; scale, strength = scale/2, strength/2 {
		n := uint32(x/scale)*0x9e3779b1 ^ uint32(y/scale)*0x85ebca6b ^ uint32(seed*64+scale)*0xc2b2ae35
		n = (n ^ n>>15) * 0x2c1b3c6d
		n = (n ^ n>>12) * 0x297a2d39
		v += int(n>>16) % max(1, strength)
	}
	return uint8(min(255, v))
}

// paintProject has a queue of 200 unparsable answers, a picture on each, and a
// run that is still to be asked.
func paintProject(b *testing.B) (path string, next eval.Run) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "p.db")
	st, err := store.Open(path, store.Options{})
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(err)
	ctx := b.Context()
	d := eval.Dataset{Name: "d", Samples: paintItems, Hash: "h"}
	must(st.Datasets().BeginDataset(ctx, d))
	config := eval.Config{Dataset: "d", Model: "first", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported}
	run, err := st.Runs().CreateRun(ctx, config)
	must(err)
	var items []dataset.Item
	var facts []eval.Fact
	var queued []annotate.QueueItem
	for i := range paintItems {
		data := paintPicture(b, i, 1024, 768)
		sum := sha256.Sum256(data)
		hash := eval.PictureHash(hex.EncodeToString(sum[:]))
		items = append(items, dataset.Item{Sample: eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID("s" + strconv.Itoa(i)), Kind: eval.KindChoice, Question: "What is there?", Answer: "A",
			Options:  []eval.Option{{Letter: "A", Text: "a horse"}, {Letter: "B", Text: "a boat"}, {Letter: "C", Text: "a tree"}},
			Pictures: []eval.Picture{{Hash: hash, Name: "photo"}},
		}, Pictures: map[eval.PictureHash][]byte{hash: data}})
		k := eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}
		facts = append(facts, eval.Fact{
			Prediction: eval.Prediction{Key: k, Text: "The image shows a street with two cars and a dog."},
			Reading:    eval.Extraction{Status: eval.Missing}, Reader: currentRules(), Closes: true,
		})
		queued = append(queued, annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 1})
	}
	must(st.Datasets().PutSamples(ctx, "d", items))
	must(st.Datasets().FinishDataset(ctx, d))
	_, err = st.Runs().RecordAll(ctx, facts)
	must(err)
	must(st.Queues().CreateQueue(ctx, annotate.Queue{
		Name: "q", Rule: annotate.Rule{Dataset: "d", Runs: []eval.RunID{run.ID}, From: annotate.FromUnparsable, Rules: currentRules(), Rate: 1, Order: annotate.ByDisagreement},
		Stratum: annotate.Random, Overlap: 1, Population: paintItems,
	}, queued))
	config.Model, config.Origin = "running", eval.Replayed
	next, err = st.Runs().CreateRun(ctx, config)
	must(err)
	must(st.Close())
	return path, next
}

// paceWriters record so many of the run's predictions a second, 16 at a time as
// an evaluation does, over all its passes and samples again and again.
func paceWriters(ctx context.Context, st *store.Store, run eval.Run, rate int) *atomic.Int64 {
	var next, done atomic.Int64
	begin := time.Now()
	for range 16 {
		go func() {
			for ctx.Err() == nil {
				n := next.Add(1) - 1
				if early := time.Duration(n)*time.Second/time.Duration(rate) - time.Since(begin); early > 0 {
					time.Sleep(early)
				}
				f := eval.Fact{
					Prediction: eval.Prediction{Key: eval.Key{Run: run.ID, Sample: eval.Ordinal(n)}, Text: "Answer: A"},
					Reading:    eval.Extraction{Status: eval.Found, Choice: "A"}, Reader: currentRules(), Closes: true,
				}
				if st.Runs().Record(ctx, f) == nil {
					done.Add(1)
				}
			}
		}()
	}
	return &done
}
