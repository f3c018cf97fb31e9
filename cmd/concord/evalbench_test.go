//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/openaitest"
)

// BenchmarkEval holds the claim that concord eval takes no more than 1.15 of
// the wall time of a bare go-openai loop of the same calls that stores
// nothing: 1,000 questions, circular, 4,000 calls, 64 at once, 50 ms of
// latency. The command is timed as a whole: opening the project, estimating,
// asking, storing, closing.
func BenchmarkEval(b *testing.B) {
	b.Run("text", func(b *testing.B) {
		benchEval(b, "", 50*time.Millisecond, 1000, "--modality", "text", "--strategy", "circular")
	})
	b.Run("pictures", func(b *testing.B) { benchEval(b, benchPicture(b), 50*time.Millisecond, 1000, "--strategy", "circular") })
}

// BenchmarkEvalNoLatency holds the claim of 10,000 stored predictions a second
// at no latency, text only, 64 at once, on two cores; the server, which is in
// this process, has its share of them.
func BenchmarkEvalNoLatency(b *testing.B) {
	benchEval(b, "", 0, 20_000, "--modality", "text")
}

func benchEval(b *testing.B, picture string, latency time.Duration, questions int, args ...string) {
	if runtime.NumCPU() < 2 {
		b.Skip("the claims are about two cores")
	}
	var recorder recording
	r := newRig(b, openaitest.Options{Latency: latency, Answer: recorder.answer}, rigRows(questions, picture)...)
	fresh := r.read("p.db")
	args = append([]string{"eval", "--dataset", "d", "--model", "vlm", "--concurrency", "64", "--json"}, args...)
	recorder.on.Store(true)
	warm := decode[jobs.RunSummary](b, r.done(args...))
	recorder.on.Store(false)
	calls := recorder.calls(b)
	if warm.Questions != questions || warm.Predictions != len(calls) || warm.Errors != 0 {
		b.Fatalf("%+v of %d calls", warm, len(calls))
	}
	client := benchClient(r.server.URL())
	var ours, bare spent
	for i := 0; b.Loop(); i++ {
		r.write("p.db", fresh)
		for k := range 2 {
			if (i+k)%2 == 0 {
				ours.on(func() { r.done(args...) })
			} else {
				bare.on(func() { bareLoop(b, client, calls) })
			}
		}
	}
	n := float64(b.N * len(calls))
	b.ReportMetric(n/ours.wall.Seconds(), "stored/s")
	b.ReportMetric(n/bare.wall.Seconds(), "bare/s")
	b.ReportMetric(ours.wall.Seconds()/bare.wall.Seconds(), "ratio")
	b.ReportMetric(float64(ours.cpu.Microseconds())/n, "cpu-us/stored")
	b.ReportMetric(float64(bare.cpu.Microseconds())/n, "cpu-us/bare")
}

// spent is the time that work took, and that of the processor: a machine that
// does other things too changes the first and hardly the second.
type spent struct{ wall, cpu time.Duration }

func (s *spent) on(do func()) {
	runtime.GC()
	start, before := time.Now(), processor()
	do()
	s.wall += time.Since(start)
	s.cpu += processor() - before
}

func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// recording keeps the bodies of calls, to make them again.
type recording struct {
	on     atomic.Bool
	mu     sync.Mutex
	bodies [][]byte
}

func (r *recording) answer(q *openaitest.Request) openaitest.Response {
	if r.on.Load() {
		r.mu.Lock()
		r.bodies = append(r.bodies, bytes.Clone(q.Body))
		r.mu.Unlock()
	}
	return rightly(q)
}

func (r *recording) calls(b *testing.B) []goopenai.ChatCompletionRequest {
	b.Helper()
	calls := make([]goopenai.ChatCompletionRequest, len(r.bodies))
	for i, body := range r.bodies {
		if err := json.Unmarshal(body, &calls[i]); err != nil {
			b.Fatal(err)
		}
	}
	r.bodies = nil
	return calls
}

func benchClient(url string) *goopenai.Client {
	c := goopenai.DefaultConfig(rigKey)
	c.BaseURL = url
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	c.HTTPClient = &http.Client{Transport: t}
	return goopenai.NewClientWithConfig(c)
}

// bareLoop makes the calls, 64 at once, and forgets the answers.
func bareLoop(b *testing.B, client *goopenai.Client, calls []goopenai.ChatCompletionRequest) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(calls)); i = next.Add(1) - 1 {
				if _, err := client.CreateChatCompletion(context.Background(), calls[i]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// benchPicture is a photograph's worth of noise: about 40 kB of JPEG.
func benchPicture(b *testing.B) string {
	b.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 448, 336))
	random := rand.New(rand.NewPCG(1, 1))
	for i := range m.Pix {
		m.Pix[i] = byte(i/97) + byte(random.IntN(48))
	}
	m.Set(0, 0, color.White)
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, m, nil); err != nil {
		b.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(buf.Bytes())
}

// BenchmarkEvalMemory prints the heap of concord eval at its peak, in a process
// of its own, for few questions and for many: it must not grow with them.
func BenchmarkEvalMemory(b *testing.B) {
	for _, n := range []int{2000, 50_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := newRig(b, openaitest.Options{}, rigRows(n, "")...)
			fresh := r.read("p.db")
			peak := 0
			for b.Loop() {
				r.write("p.db", fresh)
				peak = max(peak, r.peak("eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--concurrency", "64"))
			}
			b.ReportMetric(float64(peak), "peak-MB")
		})
	}
}

var heapLine = regexp.MustCompile(`(?m)^gc .* (\d+)->(\d+)->\d+ MB`)

// peak is the most heap in use while a command works, in MB, garbage that
// waits for its collection included: as the runtime traces it.
func (r *rig) peak(args ...string) int {
	r.tb.Helper()
	cmd := r.child(args...)
	cmd.Env = append(cmd.Env, "GODEBUG=gctrace=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		r.tb.Fatalf("%v: %s", err, errs.String())
	}
	peak := 0
	for _, m := range heapLine.FindAllStringSubmatch(errs.String(), -1) {
		for _, mb := range m[1:] {
			n, _ := strconv.Atoi(mb)
			peak = max(peak, n)
		}
	}
	return peak
}
