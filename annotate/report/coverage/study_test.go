package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// look is an interval beside the truth that it is to hold.
type look struct{ truth, low, high float64 }

// setting is one way in which data come about.
type setting struct {
	figure string // as reports name it
	what   string // sizes and chances
	method string // of the interval
	other  string // what it stands beside: the formula that it replaced, or the best alternative
	// draw makes data and gives the printed interval, and then the other one if
	// there is one; nothing where none is printed.
	draw func(*rand.Rand) []look
	// bound says that the interval may hold more often than .99: it is bounds, or one
	// look at a confidence sequence.
	bound bool
	// path says that the interval is a confidence sequence, whose looks are to
	// hold all together.
	path bool
	// fails says that an assumption of the figure does not hold in the setting: it
	// is told how far off the interval is then.
	fails bool
	// slow says that one draw takes as long as ten of others: the short form makes
	// a tenth of them.
	slow bool
	// warned says that fewer than 30 clusters or 10 units of the rarer outcome
	// enter: a warning stands beside the figure, and the coverage is told alone.
	warned bool
}

// outcome is what came of the draws of a setting.
type outcome struct {
	setting
	draws  int
	hits   [2]float64
	widths [2]float64
	others bool

	refused int // draws without an interval
}

func (s setting) run(draws int, seed uint64) outcome {
	out := outcome{setting: s, draws: draws}
	r := rand.New(rand.NewPCG(seed, uint64(len(s.figure)*1000+len(s.what))))
	for range draws {
		looks := s.draw(r)
		if len(looks) == 0 {
			out.refused++
		}
		for i, l := range looks {
			out.others = i > 0
			if l.low <= l.truth && l.truth <= l.high {
				out.hits[i]++
			}
			out.widths[i] += l.high - l.low
		}
	}
	for i := range out.hits {
		out.hits[i] /= float64(max(1, draws-out.refused))
		out.widths[i] /= float64(max(1, draws-out.refused))
	}
	return out
}

// least is the coverage below which a setting fails: .93 less what the
// simulation may be off.
func (o *outcome) least() float64 {
	if o.path {
		return 0.95 - 3*math.Sqrt(0.95*0.05/float64(o.draws))
	}
	return 0.93 - 3*math.Sqrt(0.93*0.07/float64(o.draws))
}

// most is the coverage above which an interval is too wide.
func (o *outcome) most() float64 { return 0.99 + 3*math.Sqrt(0.99*0.01/float64(o.draws)) }

const page = "../../../COVERAGE.md"

// TestStudy runs every setting.
func TestStudy(t *testing.T) {
	draws, err := strconv.Atoi(os.Getenv("CONCORD_COVERAGE"))
	long := err == nil
	if !long {
		draws = 80
		t.Logf("%d draws a setting; CONCORD_COVERAGE=2000 makes so many and writes COVERAGE.md, CONCORD_COVERAGE_OF=mme the lines of such figures alone", draws)
	}
	all, only := settings(), os.Getenv("CONCORD_COVERAGE_OF")
	results := make([]outcome, len(all))
	var wait sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, s := range all {
		if !strings.Contains(s.figure, only) {
			continue
		}
		wait.Go(func() {
			slots <- struct{}{}
			n := draws
			if s.slow && !long {
				n /= 10
			}
			results[i] = s.run(n, uint64(i))
			<-slots
		})
	}
	wait.Wait()
	results = slices.DeleteFunc(results, func(o outcome) bool { return o.draws == 0 })
	for i := range results {
		o := &results[i]
		t.Logf("%-28s %-60s %.3f  %.4f   %.3f  %.4f", o.figure, o.what, o.hits[0], o.widths[0], o.hits[1], o.widths[1])
		switch {
		case o.fails:
		case !o.bound && !o.path && o.hits[0] > o.most():
			t.Errorf("%s, %s: covers in %.3f, and is too wide", o.figure, o.what, o.hits[0])
		case o.warned:
		case o.refused > o.draws/20:
			t.Errorf("%s, %s: refused in %d of %d draws", o.figure, o.what, o.refused, o.draws)
		case o.hits[0] < o.least():
			t.Errorf("%s, %s: covers in %.3f", o.figure, o.what, o.hits[0])
		}
	}
	if long {
		text := write(results, draws)
		if only != "" {
			text = renewed(t, results)
		}
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil { //nolint:gosec // for everybody to read
			t.Fatal(err)
		}
	}
}

// TestPage checks that the page has every setting.
func TestPage(t *testing.T) {
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings() {
		if !strings.Contains(string(b), "| "+s.figure+" | "+s.what+" |") {
			t.Errorf("COVERAGE.md lacks %s, %s: write it by CONCORD_COVERAGE=2000 go test ./annotate/report/coverage", s.figure, s.what)
		}
	}
}

func write(results []outcome, draws int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How often the intervals hold

Written by `+"`CONCORD_COVERAGE=%d go test ./annotate/report/coverage`"+`. Each line is a simulation with known ground truth through the functions that reports call, %d draws of data a setting. Intervals are nominally of 95 %%; the simulation itself is off by up to %.3f. Widths are means, in shares or on the figure's own scale. Beside each interval stands the one that it replaced or the best alternative, on the same data.

An interval is to hold in .93 or more wherever 30 clusters and 10 units of the rarer outcome enter. Where fewer do, the line says *few*: take such a figure with care. Truths are those of questions like these, as intervals are. Over .99 hold only bounds, which say so, and one look at a confidence sequence. Intervals *while labelling* are looked at from the tenth label on, after each or after one in twenty more: covers is how often all of them hold, .95 or more, and the width is that of the last. A line that says *fails* breaks an assumption that the figure names.

| figure | setting | interval | covers | width | beside it | covers | width |
|---|---|---|---|---|---|---|---|
`, draws, draws, 1.96*math.Sqrt(0.95*0.05/float64(draws)))
	for i := range results {
		b.WriteString(results[i].line() + "\n")
	}
	return b.String()
}

// renewed is the page with the lines of some settings written anew.
func renewed(t *testing.T, results []outcome) string {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(b), "|---|---|---|---|---|---|---|---|\n")
	lines := strings.Split(strings.TrimSpace(rest), "\n")
	for i := range results {
		begin := "| " + results[i].figure + " | " + results[i].what + " |"
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, begin) })
		if at < 0 {
			at, lines = len(lines), append(lines, "")
		}
		lines[at] = results[i].line()
	}
	return head + "|---|---|---|---|---|---|---|---|\n" + strings.Join(lines, "\n") + "\n"
}

// line is that of the setting in the page's table.
func (o *outcome) line() string {
	what, beside := o.what, "| | |"
	method := o.method
	if o.warned {
		method += " (*few*)"
	}
	if o.fails {
		method += " (*fails*)"
	}
	if o.refused > 0 {
		method += fmt.Sprintf(" (refused in %.3f)", float64(o.refused)/float64(o.draws))
	}
	if o.others {
		beside = fmt.Sprintf("| %s | %.3f | %.3f |", o.other, o.hits[1], o.widths[1])
	}
	return fmt.Sprintf("| %s | %s | %s | %.3f | %.3f %s", o.figure, what, method, o.hits[0], o.widths[0], beside)
}

// settings are all of the study.
func settings() []setting {
	var out []setting
	for _, some := range [][]setting{
		passSettings(), imageSettings(), taskSettings(), mmeSettings(), scoreSettings(), gainSettings(), alignmentSettings(), voteSettings(), ordinalSettings(), gladenSettings(), expertSettings(),
		clusterSettings(), correctedClusterSettings(), weightSettings(), differenceSettings(),
		frequentSettings(), adjudicatedSettings(), strataSettings(), grownSettings(), sequenceSettings(), skeneSettings(), comparedClusterSettings(), uncertainSettings(), tuningSettings(), confidenceSettings(),
	} {
		out = append(out, some...)
	}
	return out
}

func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }
