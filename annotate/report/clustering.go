package report

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/metric"
)

// Clustering says what samples share so that their answers depend on each
// other: a field of theirs. It gives each sample of the questions that it goes
// through its cluster. It is not good for several goroutines.
type Clustering struct {
	Field string // image, a field of clusterFields, or a column of the dataset's file
	found map[eval.DatasetName]*clusterColumns
	read  map[eval.DatasetName]*clusterColumns // of samples that are read one by one

	// Said says that labels or votes are clustered, which are each their sample's
	// where Field is "": samples that are read one by one have clusters, too.
	Said bool
}

type clusterColumns struct {
	clusters map[uint64]bool // by number: the texts of a million questions would stay
	samples  int
	without  int                   // samples
	seen     map[eval.Ordinal]bool // of those that may be read several times
	names    map[string]bool       // of their columns
}

func newClusterColumns() *clusterColumns {
	return &clusterColumns{clusters: make(map[uint64]bool), seen: make(map[eval.Ordinal]bool), names: make(map[string]bool)}
}

// ClusterImage is the field that samples are clustered by unless another is
// named: what the first image holds.
const ClusterImage = "image"

// clusterFields are the fields of samples that every dataset may have.
var clusterFields = map[string]func(*eval.Sample) string{
	"question": func(s *eval.Sample) string { return s.Question },
	"hint":     func(s *eval.Sample) string { return s.Hint },
	"split":    func(s *eval.Sample) string { return s.Split },
	"source":   func(s *eval.Sample) string { return s.Source },
	"category": func(s *eval.Sample) string { return eval.JoinPath(s.Taxonomy) },
	"l1":       func(s *eval.Sample) string { return levelName(s, 1) },
	"l2":       func(s *eval.Sample) string { return levelName(s, 2) },
	"l3":       func(s *eval.Sample) string { return levelName(s, 3) },
}

func levelName(s *eval.Sample, n int) string {
	return eval.JoinPath(s.Taxonomy[:min(n, len(s.Taxonomy))])
}

// clusterName is what a sample shares by the field.
func (c *Clustering) clusterName(s *eval.Sample) string {
	if column, ok := eval.FirstWanted(s.Columns, func(one eval.Column) bool { return one.Name == c.Field }); ok {
		return column.Value
	}
	if field := clusterFields[c.Field]; field != nil {
		return field(s)
	}
	return ""
}

// IsByColumn reports whether clusters are told by what samples lack in columns: a
// text of theirs, or a column of their file, which may have any name.
func (c *Clustering) IsByColumn() bool { return c != nil && c.Field != "" && c.Field != ClusterImage }

// AssignCluster gives a sample its cluster. Check says whether any had one.
func (c *Clustering) AssignCluster(on eval.DatasetName, s *eval.Sample) {
	if c == nil || !c.Said || c.Field == "" {
		return
	}
	if s.Cluster = c.clusterName(s); c.Field == ClusterImage {
		s.Cluster = metric.ClusterName(s)
	}
	if r := eval.GetOrAdd(eval.EnsureMap(&c.read), on, newClusterColumns); !r.seen[s.Ordinal] {
		r.seen[s.Ordinal] = true
		r.addSample(s)
	}
}

// CheckFound gives an error where no sample that was read has the field.
func (c *Clustering) CheckFound() error {
	for on, r := range c.read {
		if c.found[on] != nil {
			continue
		}
		if len(r.clusters) == 0 && c.Field != ClusterImage {
			return c.newLackError(on, r.names)
		}
		c.markFound(on, r)
	}
	return nil
}

func (c *Clustering) markFound(on eval.DatasetName, r *clusterColumns) {
	eval.EnsureMap(&c.found)[on] = r
}

func (c *Clustering) newLackError(on eval.DatasetName, names map[string]bool) error {
	return eval.NewNotFoundError("cluster by %q: no sample of dataset %s has such a column: there are %s (--dataset names one dataset; the columns of a file are kept when it is imported)",
		c.Field, on, strings.Join(slices.Concat(slices.Sorted(maps.Keys(names)), []string{ClusterImage}, slices.Sorted(maps.Keys(clusterFields))), ", "))
}

// ClusterOf is the number of the cluster that votes and labels on a sample are in:
// what Clustering gives it, or the sample itself.
func ClusterOf(s *eval.Sample) uint64 { return cmp.Or(metric.WiderClusterNumber(s), uint64(s.Ordinal)) }

// WithClusters gives each sample its cluster. Without any sample that has the field the last error says so.
func (c *Clustering) WithClusters(on eval.DatasetName, all iter.Seq2[eval.Question, error]) iter.Seq2[eval.Question, error] {
	if c == nil || c.Field == "" || c.Field == ClusterImage {
		return all
	}
	return func(yield func(eval.Question, error) bool) {
		seen := newClusterColumns()
		for q, err := range all {
			if err == nil {
				q.Sample.Cluster = c.clusterName(&q.Sample)
				seen.addSample(&q.Sample)
			}
			if !yield(q, err) || err != nil {
				return
			}
		}
		if seen.samples > 0 && len(seen.clusters) == 0 {
			yield(eval.Question{}, c.newLackError(on, seen.names))
			return
		}
		c.markFound(on, seen)
	}
}

func (c *clusterColumns) addSample(s *eval.Sample) {
	c.samples++
	for i := range s.Columns {
		c.names[s.Columns[i].Name] = true
	}
	if s.Cluster == "" {
		c.without++
		return
	}
	c.clusters[metric.WiderClusterNumber(s)] = true
}

// DescribeClusters say what samples were clustered by.
func (c *Clustering) DescribeClusters() []string {
	var out []string
	for _, on := range slices.SortedFunc(maps.Keys(c.found), func(a, b eval.DatasetName) int { return cmp.Compare(a, b) }) {
		f := c.found[on]
		note := fmt.Sprintf("Samples of %s that share the %s are one cluster: %d clusters, %d samples.", on, c.Field, len(f.clusters), f.samples)
		if f.without > 0 {
			note += fmt.Sprintf(" %d have none, and are clustered by their image.", f.without)
		}
		out = append(out, note)
	}
	return out
}
