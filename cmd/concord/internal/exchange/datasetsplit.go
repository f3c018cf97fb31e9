package exchange

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/metric"
	"concord/store"
)

// The parts of a split dataset.
const (
	devPart  = "dev"
	testPart = "test"
)

// SplitFlags ask for a dataset in two parts: dev, whose ground truth is published, and
// test, whose is kept back (MMBench, Sec. 3.3, 4:6).
type SplitFlags struct {
	Ratio string // dev:test, as 4:6; "" without a split
	Part  string // the only part that goes out; "": both, with the column that names it
	Seed  uint64
}

// Check refuses flags that do not go together.
func (f *SplitFlags) Check() error {
	_, _, err := f.parseRatio()
	switch {
	case f.Ratio == "" && f.Part != "":
		return fmt.Errorf("--part %s: give --split with it, as --split 4:6", f.Part)
	case f.Ratio != "" && err != nil:
		return err
	case f.Part != "" && f.Part != devPart && f.Part != testPart:
		return fmt.Errorf("--part %q: want %s or %s", f.Part, devPart, testPart)
	}
	return nil
}

func (f *SplitFlags) parseRatio() (dev, test int, err error) {
	first, second, _ := strings.Cut(f.Ratio, ":")
	dev, err = strconv.Atoi(first)
	if test, _ = strconv.Atoi(second); err != nil || dev < 1 || test < 1 || max(dev, test) > 1000 {
		return 0, 0, fmt.Errorf("--split %q: want the parts of %s and %s, as 4:6", f.Ratio, devPart, testPart)
	}
	return dev, test, nil
}

// splitUnit is the samples that share an image: they stay in one part.
type splitUnit struct {
	path    string
	hash    uint64
	samples []eval.Ordinal
}

// assignSplitParts gives the part of each sample. Units go into it in the order of their paths,
// and at random within one, so that each ability has its share to less than a unit. With
// cases the accepted samples are split by where experts place them.
func (f *SplitFlags) assignSplitParts(ctx context.Context, st *store.Store, name eval.DatasetName, cases map[eval.Ordinal]curation.Case) (map[eval.Ordinal]string, error) {
	dev, test, err := f.parseRatio()
	if err != nil {
		return nil, err
	}
	var all []*splitUnit
	sharing := make(map[uint64]*splitUnit) // by image
	for s, err := range st.Datasets().Samples(ctx, name) {
		if err != nil {
			return nil, err
		}
		path := s.Taxonomy
		if cases != nil {
			if path = cases[s.Ordinal].Decision.Axis; cases[s.Ordinal].Decision.Outcome != curation.Accepted {
				continue
			}
		}
		of := metric.ClusterNumber(&s)
		u := sharing[of]
		if of == 0 || u == nil {
			u = &splitUnit{path: eval.JoinPath(path), hash: annotate.NewItemKey(eval.Key{Sample: s.Ordinal}).DrawHash(f.Seed)}
			all, sharing[of] = append(all, u), u
		}
		u.samples = append(u.samples, s.Ordinal)
	}
	slices.SortStableFunc(all, func(a, b *splitUnit) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.hash, b.hash)) })
	out := make(map[eval.Ordinal]string)
	seen, given := 0, 0
	for _, u := range all {
		n := len(u.samples)
		seen += n
		part := testPart
		if (2*given+n)*(dev+test) <= 2*seen*dev { // dev's share is lacking by half of the unit or more
			part, given = devPart, given+n
		}
		for _, o := range u.samples {
			out[o] = part
		}
	}
	return out, nil
}

// filterRowsOfPart gives the rows of the part that is asked for, each with the name of its part.
func (f *SplitFlags) filterRowsOfPart(parts map[eval.Ordinal]string, rows iter.Seq2[export.SampleRow, error]) iter.Seq2[export.SampleRow, error] {
	return eval.Filter(rows, func(row *export.SampleRow) bool {
		row.Sample.Split = parts[row.Sample.Ordinal]
		return f.Part == "" || row.Sample.Split == f.Part
	})
}
