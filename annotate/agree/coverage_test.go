package agree

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"concord/eval/stat"
)

// crowdTable is a table in which each item has a true class of three and raters
// who give it with a chance of the item's own.
func crowdTable(r *rand.Rand, items, raters int) Table {
	t := make(Table, items)
	for i := range t {
		sure := 0.35 + 0.65*math.Sqrt(r.Float64())
		for range raters {
			class := 0
			if u := r.Float64(); u > sure {
				class = 1 + r.IntN(2)
			}
			t[i] = append(t[i], string(rune('a'+(class+i)%3)))
		}
	}
	return t
}

// The interval of percent agreement is that of a bootstrap over items, whatever
// the number of raters.
func TestPercentIsAsTheBootstrapOverItems(t *testing.T) {
	tables := map[string]Table{}
	for raters, items := range map[int]int{3: 300, 10: 300, 70: 100} {
		if raters > 3 && testing.Short() {
			continue
		}
		tables[fmt.Sprint(raters)] = crowdTable(rand.New(rand.NewPCG(7, uint64(raters))), items, raters)
	}
	if real := pandalmTable(t); real != nil {
		tables["PandaLM's"] = real
	}
	for raters, table := range tables {
		got := Percent(table)
		if got.Clusters != len(table) || got.DesignEffect < 1 && raters != "3" {
			t.Errorf("%s raters: %+v", raters, got)
		}
		b := Bootstrap{Times: 2000, Seed: 1, Confidence: stat.Confidence}
		want := b.resampled(table, func(x Table) Coefficient {
			p := Percent(x)
			return Coefficient{Value: p.Value, N: p.N}
		})
		width := want.High - want.Low
		if math.Abs(got.Low-want.Low) > width/10 || math.Abs(got.High-want.High) > width/10 {
			t.Errorf("%s raters: [%.4f, %.4f], the bootstrap says [%.4f, %.4f]", raters, got.Low, got.High, want.Low, want.High)
		}
	}
}

// pandalmTable are the votes of PandaLM's people and judges; nil without the file.
func pandalmTable(t *testing.T) Table {
	f, err := os.Open(filepath.Join(realData, "pandalm_votes.csv"))
	if err != nil {
		t.Log(err)
		return nil
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var l LongTable
	for i, row := range rows[1:] {
		l.AddRating(row[0], row[1], row[3], i)
	}
	raters := l.Raters()
	at := make(map[string]int)
	var out Table
	for _, row := range rows[1:] {
		i, seen := at[row[0]]
		if !seen {
			i = len(out)
			at[row[0]], out = i, append(out, make([]string, len(raters)))
		}
		out[i][slices.Index(raters, row[1])] = row[3]
	}
	return out
}

// Coverage of percent agreement and of the majority baseline, with known truth.
func TestCoverageOfPercentAndMajority(t *testing.T) {
	draws := 2000
	if testing.Short() {
		draws = 400
	}
	for _, raters := range []int{2, 3, 10} {
		for _, items := range []int{30, 100} {
			t.Run(fmt.Sprint(raters, " raters ", items, " items"), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(raters), uint64(items)))
				truth := Percent(crowdTable(r, 200_000/raters, raters)).Value
				hit, most := 0, 0
				for range draws {
					table := crowdTable(r, items, raters)
					if p := Percent(table); p.Low <= truth && truth <= p.High {
						hit++
					}
					// Classes are as frequent as each other: the worst case for a maximum.
					if m := Majority(table); m.Low <= 1.0/3 && 1.0/3 <= m.High {
						most++
					}
				}
				least := 0.93 - 3*math.Sqrt(0.93*0.07/float64(draws))
				if p := float64(hit) / float64(draws); p < least {
					t.Errorf("percent agreement covers in %.3f", p)
				}
				if p := float64(most) / float64(draws); p < least {
					t.Errorf("the majority baseline covers in %.3f", p)
				}
			})
		}
	}
}

// Percent is the share of pairs of ratings of one item that agree.
func Percent(t Table) stat.Rate { return t.NewPanel(Scale{}).newProfiles().percentAgreement(false) }

// summary is Summary of a test.
func (p *Panel) summary(b Bootstrap) Summary {
	s, err := p.Summarize(context.Background(), b)
	if err != nil {
		panic(err)
	}
	return s
}

// resampled is the interval of a bootstrap over items that is drawn as the books
// have it.
func (b Bootstrap) resampled(t Table, statistic func(Table) Coefficient) Coefficient {
	r := rand.New(rand.NewPCG(b.Seed, uint64(len(t))))
	sample, values := make(Table, len(t)), make([]float64, 0, b.Times)
	for range b.Times {
		for i := range sample {
			sample[i] = t[r.IntN(len(t))]
		}
		if s := statistic(sample); s.Undefined == "" {
			values = append(values, s.Value)
		}
	}
	return b.SetPercentileInterval(statistic(t), values, (1-b.Confidence)/2)
}

// Whoever leaves ends the bootstrap.
func TestSummaryEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	b := Bootstrap{Times: 100_000, Seed: 1, Confidence: 0.95, Progress: func(int, int) {
		if told++; told == 3 {
			cancel()
		}
	}}
	if _, err := crowdTable(rand.New(rand.NewPCG(7, 7)), 300, 3).NewPanel(Scale{}).Summarize(ctx, b); !errors.Is(err, context.Canceled) || told > 1000 {
		t.Errorf("%v after %d", err, told)
	}
}
