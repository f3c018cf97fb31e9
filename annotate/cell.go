package annotate

import (
	"context"
	"runtime"
	"slices"
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
	cell := softCell{softKind{s.crowd.people.PatternOf(at), slices.Index(s.crowd.sides, machine)}, it.Model, categoryKey(it.Taxonomy)}
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
					size[s.of[k]] += float64(resample.Count(s.crowd.samples[i]))
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
