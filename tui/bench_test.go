package tui

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/home"
	"concord/tui/keymap"
)

// busy is a project in which 2,000 results a second arrive.
type busy struct {
	homeRows
	results atomic.Int64
	reads   atomic.Int64
}

func (b *busy) Runs(ctx context.Context) ([]home.Row, error) {
	b.reads.Add(1)
	rows, err := b.homeRows.Runs(ctx)
	n := int(b.results.Load())
	for i := range rows {
		rows[i].Progress.Counts.Predictions += n
		rows[i].Progress.Counts.Statuses[eval.Found] += n
	}
	return rows, err
}

// work lets results arrive until ctx ends.
func (b *busy) work(ctx context.Context, mark chan<- struct{}) {
	start := time.Now()
	for ctx.Err() == nil {
		for b.results.Load() < int64(time.Since(start)/(500*time.Microsecond)) {
			b.results.Add(1)
			select {
			case mark <- struct{}{}:
			default:
			}
		}
		time.Sleep(500 * time.Microsecond)
	}
}

// BenchmarkKeys measures how long a key takes from the terminal to the frame
// that shows it, on a large screen with 40 runs, 16 of them at work, while
// results arrive. A frame is 16 ms.
func BenchmarkKeys(b *testing.B) {
	p := demo()
	for i := range 37 {
		r := p.rows[0]
		r.Run.ID = eval.RunID(10 + i)
		r.Live = i < 15
		p.rows = append(p.rows, r)
	}
	source := &busy{homeRows: homeRows{p}}
	mark := make(chan struct{}, 1)
	m := New(b.Context(), Deps{
		Project: "busy.db", Annotator: "ada", Theme: theme(termenv.TrueColor, true),
		Runs: source, Control: p, Report: p, Samples: behind{p}, Changed: mark, Saver: p,
	})
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	go source.work(ctx, mark)

	msgs := make(chan tea.Msg, 64) // as bubbletea's: commands run beside, messages one by one
	var run func(tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		go func() {
			switch msg := cmd().(type) {
			case nil:
			case tea.BatchMsg:
				for _, c := range msg {
					run(c)
				}
			default:
				select {
				case msgs <- msg:
				case <-ctx.Done():
				}
			}
		}()
	}
	handle := func(msg tea.Msg) {
		_, cmd := m.Update(msg)
		run(cmd)
		_ = m.View()
	}
	handle(tea.WindowSizeMsg{Width: 200, Height: 50})
	run(m.Init())
	type press struct{ at time.Time }
	keys := []string{"down", "down", "up", "d", "down", "e", "d", "tab", "tab"}
	go func() {
		for ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond) // faster than any keyboard repeats
			select {
			case msgs <- press{time.Now()}:
			case <-ctx.Done():
			}
		}
	}()
	var took []time.Duration
	begin := time.Now()
	for i := 0; b.Loop(); i++ {
		for msg := range msgs {
			p, ok := msg.(press)
			if !ok {
				handle(msg)
				continue
			}
			handle(keymap.NewKeyMsg(keys[i%len(keys)]))
			took = append(took, time.Since(p.at))
			break
		}
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
	seconds := time.Since(begin).Seconds()
	b.ReportMetric(at(0.5), "p50-ms/key")
	b.ReportMetric(at(0.99), "p99-ms/key")
	b.ReportMetric(at(1), "max-ms/key")
	b.ReportMetric(float64(source.reads.Load())/seconds, "reads/s")
	b.ReportMetric(float64(source.results.Load())/seconds, "results/s")
}

func (p *project) SettingsByHash(string) ([]byte, error) { return nil, nil }
