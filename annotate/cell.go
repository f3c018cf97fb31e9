package annotate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"concord/eval"
	"concord/eval/stat"
)

// softItems are the compared items of an extractor, of which people's side is known
// by chances: as cells of items of which the same is said and that belong to the
// same lots, so that a resample weighs every item once for all figures.
type softItems struct {
	crowd *labelerModel
	items []int32 // by their numbers in the crowd
	of    []int32 // the cell of each
	cells map[softCell]int32
	size  []float64 // of each cell
	in    [][]*softTally
	lots  map[string]*softTally // by model and by prefix of the taxonomy; "": all
}

// softCell is what items have in common that are one cell.
type softCell struct {
	softKind
	model, path string
}

// softKind is what people say, by its number, and the machine's class.
type softKind struct{ pattern, machine int }

// softTally are some of the cells, by kind, so that a figure takes time by kinds.
type softTally struct {
	n       int // items
	samples map[uint64]bool
	cells   []int32
	of      []int // the kind of each cell
	kinds   []softKind
	index   map[softKind]int
	drawn   [][softFigures]float64 // by resample
}

// Keys of lots.
func modelKey(name string) string      { return "model\x00" + name }
func categoryKey(path []string) string { return "path\x00" + strings.Join(path, "\x00") }

// addItem takes in an item that is compared, and which side the machine is on.
func (s *softItems) addItem(it *AlignItem, machine comparedSide) {
	at, known := s.crowd.at[it.Key]
	if !known {
		return
	}
	cell := softCell{softKind{s.crowd.people.PatternNumber(at), slices.Index(s.crowd.sides, machine)}, it.Model, categoryKey(it.Taxonomy)}
	if cell.machine < 0 {
		cell.machine = len(s.crowd.sides) // that nobody said
	}
	k, seen := s.cells[cell]
	if !seen {
		k = int32(len(s.size)) //nolint:gosec // at most the items
		s.cells[cell], s.size = k, append(s.size, 0)
		keys := []string{"", modelKey(it.Model)}
		for i := range it.Taxonomy {
			keys = append(keys, categoryKey(it.Taxonomy[:i+1]))
		}
		var in []*softTally
		for _, key := range keys {
			lot := eval.GetOrAdd(s.lots, key, func() *softTally {
				return &softTally{samples: make(map[uint64]bool), index: make(map[softKind]int)}
			})
			lot.addCell(k, cell.softKind)
			in = append(in, lot)
		}
		s.in = append(s.in, in)
	}
	s.items, s.of = append(s.items, int32(at)), append(s.of, k) //nolint:gosec // a number of items
	s.size[k]++
	for _, l := range s.in[k] {
		l.n++
		l.samples[it.ClusterNumber()] = true
	}
}

func (l *softTally) addCell(cell int32, kind softKind) {
	if _, seen := l.index[kind]; !seen {
		l.index[kind], l.kinds = len(l.kinds), append(l.kinds, kind)
	}
	l.cells, l.of = append(l.cells, cell), append(l.of, l.index[kind])
}

// drawResamples finds the figures of all lots in every resample, on all processors.
func (s *softItems) drawResamples(ctx context.Context) error {
	for _, l := range s.lots {
		l.drawn = make([][softFigures]float64, len(s.crowd.resamples))
	}
	var wg sync.WaitGroup
	workers := max(1, runtime.GOMAXPROCS(0))
	for w := range workers {
		wg.Go(func() {
			size := make([]float64, len(s.size))
			for r := w; r < len(s.crowd.resamples) && ctx.Err() == nil; r += workers {
				clear(size)
				resample := stat.NewResample(skeneSeed, r)
				for k, i := range s.items {
					size[s.of[k]] += float64(resample.DrawCount(s.crowd.samples[i]))
				}
				for _, l := range s.lots {
					l.drawn[r] = l.computeFigures(s.crowd.resamples[r], l.countKinds(size))
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// countKinds counts how many items are of each kind by the sizes of the cells.
func (l *softTally) countKinds(size []float64) []float64 {
	n := make([]float64, len(l.kinds))
	for k, cell := range l.cells {
		n[l.of[k]] += size[cell]
	}
	return n
}

// FinestLevel stands for the whole taxonomy path, however long it is.
const FinestLevel = 255

// levels are the names that benchmarks give to their levels, counted from the
// coarse end: MMBench's L1 to L3, of which its files call L3 the category;
// MMStar's core and axis; MLLM-Bench's level and capability; MME's subtask.
var levels = map[string]int{
	"l1": 1, "l2": 2, "l3": 3, "l2-category": 2, "category": FinestLevel,
	"core": 1, "axis": 2, "l2_category": 2, "level": 1, "capability": 2, "subtask": 2, "finest": FinestLevel,
}

// ParseLevelCount reads "LEVEL:N", how many items of each group of a taxonomy
// level: "category:2", "l2:5", or by the level's number, "1:5".
func ParseLevelCount(s string) (level, n int, err error) {
	name, count, ok := strings.Cut(s, ":")
	if !ok {
		return 0, 0, fmt.Errorf("parse %q: want LEVEL:N, as in category:2", s)
	}
	n, err = strconv.Atoi(count)
	if err != nil || n < 1 {
		return 0, 0, fmt.Errorf("parse %q: %q is not a number of items", s, count)
	}
	name = strings.ToLower(strings.TrimSpace(name))
	level, ok = levels[name]
	if !ok {
		level, err = strconv.Atoi(name)
		if err != nil || level < 1 || level > FinestLevel {
			return 0, 0, fmt.Errorf("parse %q: unknown level %q: want a number from 1, or l1, l2, l3, category, core, axis, level, capability, subtask, finest", s, name)
		}
	}
	return level, n, nil
}

// How much of a draw ByUncertainty is uniform: at least, and where nobody says
// otherwise. With less, labels of the other items are so few and weigh so much
// that an interval which holds is wider than that of a uniform draw.
const (
	LeastUniform   = 0.2
	DefaultUniform = 0.5
)

// Drawing is what a draw ByUncertainty keeps in its rule. An uncertain item is Lift times as likely to
// be drawn as another one: that is the mixture of a uniform draw, with the share Uniform, and one of
// uncertain items alone (Zrnic and Candès, "Active statistical inference", ICML 2024, Sec. 6). Limit is
// the rank of the first item that was not drawn; the largest number where all were. Sizes is how many
// predictions of each of the rule's runs were drawn from, and Unsure how many of them were uncertain.
type Drawing struct {
	Uniform, Lift float64
	Limit         uint64
	Sizes, Unsure []int
}

// LiftOf is the lift of a draw of which a share is uniform, where so large a share
// of what is drawn from is uncertain.
func LiftOf(uniform, uncertain float64) float64 {
	return eval.Either(uncertain == 0, 1, 1+(1-uniform)/(uniform*uncertain))
}

// InclusionProbability is the probability with which an item ByUncertainty comes before a
// rank. Weighed by it, the items before the first one that is not labelled are a
// sample without bias, wherever that is (Duffield, Lund and Thorup, "Priority
// sampling for estimation of arbitrary subset sums", Journal of the ACM 54, 2007).
func (d *Drawing) InclusionProbability(rank uint64, uncertain bool) float64 {
	share := float64(rank) / (1 << 64)
	if uncertain {
		share *= max(1, d.Lift)
	}
	return min(1, share)
}

// All is the limit of a draw that takes everything.
const All = math.MaxUint64
