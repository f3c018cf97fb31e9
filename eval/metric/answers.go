package metric

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/stat"
)

// AnswerScores is how right the first passes of questions are by a dataset's own metric, and
// what is said of yes and no. Questions about one image are one cluster.
type AnswerScores struct {
	Name                       string        // of the samples' metric
	Score                      stat.Clusters // of samples that have a metric
	F1, Precision, Recall, Yes stat.Clusters // of yes and no, with yes as the positive class
}

func addUnitToCluster(c *stat.Clusters, q *eval.Question, y, d float64) {
	c.AddUnit(y, d)
	c.CloseInCluster(ClusterNumber(&q.Sample))
}

// countQuestionRight counts a question; it says whether it is right, and whether that is known.
func (a *AnswerScores) countQuestionRight(q *eval.Question, o *Outcome) (right, known bool) {
	if len(o.Readings) == 0 || o.Readings[0].Pass != 0 || o.Readings[0].Due {
		return o.Vanilla == Right, o.Vanilla.IsDecided()
	}
	if score, ok := ScoreAnswer(&q.Sample, q.Predictions[0].Text); ok {
		a.Name, _, _ = strings.Cut(q.Sample.Metric, ":")
		addUnitToCluster(&a.Score, q, score, 1)
		return score == 1, true
	}
	if q.Sample.Metric != "" && o.Vanilla.IsDecided() {
		a.Name, _, _ = strings.Cut(q.Sample.Metric, ":")
		addUnitToCluster(&a.Score, q, boolToFloat(o.Vanilla == Right), 1)
	}
	if q.Sample.Kind == eval.KindYesNo && o.Vanilla.IsDecided() {
		said, truth := boolToFloat(o.Readings[0].Combined.Choice == eval.Yes), boolToFloat(q.Sample.Answer == eval.Yes)
		addUnitToCluster(&a.F1, q, 2*said*truth, said+truth)
		addUnitToCluster(&a.Precision, q, said*truth, said)
		addUnitToCluster(&a.Recall, q, said*truth, truth)
		addUnitToCluster(&a.Yes, q, said, 1)
	}
	return o.Vanilla == Right, o.Vanilla.IsDecided()
}

func (a *AnswerScores) mergeScores(o *AnswerScores) {
	a.Score.Merge(&o.Score)
	a.F1.Merge(&o.F1)
	a.Precision.Merge(&o.Precision)
	a.Recall.Merge(&o.Recall)
	a.Yes.Merge(&o.Yes)
	a.Name = cmp.Or(a.Name, o.Name)
}

// Groups are sets of questions that count together, by their name and which one
// it is: one is right where all of its questions are.
type Groups map[string]map[string]*group

type group struct {
	wrong, open bool
	images      []uint64
}

func newGroup() *group { return new(group) }

// Both is the group of MME's two questions about an image.
const Both = "accuracy+"

func (g Groups) addToGroups(s *eval.Sample, right, known bool) {
	in := s.Groups
	if _, ok := MMESubtaskOf(s); ok {
		in = append(slices.Clone(in), eval.Column{Name: Both, Value: ClusterName(s)})
	}
	for _, c := range in {
		eval.GetOrAdd(g.groupsOfName(c.Name), c.Value, newGroup).merge(&group{wrong: known && !right, open: !known, images: []uint64{ClusterNumber(s)}})
	}
}

func (g Groups) groupsOfName(name string) map[string]*group {
	return eval.GetOrAdd(g, name, func() map[string]*group { return map[string]*group{} })
}

func (g *group) merge(o *group) {
	g.wrong, g.open, g.images = g.wrong || o.wrong, g.open || o.open, append(g.images, o.images...)
}

func (g Groups) merge(o Groups) {
	for name, of := range o {
		own := g.groupsOfName(name)
		for value, one := range of {
			eval.GetOrAdd(own, value, newGroup).merge(one)
		}
	}
}

// Names are the names of the groups.
func (g Groups) Names() []string { return slices.Sorted(maps.Keys(g)) }

// Rate is the share of groups of a name all of whose questions are right. Groups
// that share an image are one cluster.
func (g Groups) Rate(name string) stat.Rate {
	first := map[uint64]uint64{} // an image, and one that it belongs with
	var root func(uint64) uint64
	root = func(image uint64) uint64 {
		if up, ok := first[image]; ok && up != image {
			return root(up)
		}
		return image
	}
	for _, value := range slices.Sorted(maps.Keys(g[name])) {
		for _, image := range g[name][value].images {
			if a, b := root(g[name][value].images[0]), root(image); image != 0 && a != 0 {
				first[b] = a
			}
		}
	}
	var units stat.Clusters
	for _, one := range g[name] {
		if one.wrong || !one.open {
			countSingleHit(&units, root(one.images[0]), !one.wrong)
		}
	}
	return units.Rate("no group is decided")
}

// DatasetMetric is the score of a level by the dataset's own metric, and the metric's name:
// a rate, or a mean. Without a metric it is the accuracy.
func (l *Level) DatasetMetric(dataset string, s eval.Strategy) (name string, score any) {
	a := &l.Answers
	switch {
	case dataset == F1:
		return F1, a.F1.Rate("no question of yes and no is decided")
	case dataset == TaskMean && len(l.Path) == 0 && len(l.children) > 0:
		return TaskMean, l.meanOfTasks(s)
	case a.Name != "":
		return a.Name, a.Score.MeanOnScale(0, 1, "no answers")
	}
	return "accuracy", l.Score(s).Rate()
}

// meanOfTasks is the mean of the scores of the levels right below.
func (l *Level) meanOfTasks(s eval.Strategy) stat.Estimate {
	var tasks []*stat.Clusters
	for _, child := range l.orderedChildren() {
		score := child.Score(s)
		units := score.images.ToClusters(score.Accuracy)
		if child.Answers.Name != "" {
			units = &child.Answers.Score
		}
		tasks = append(tasks, units)
	}
	return stat.MeanOfStrata(tasks, "no answers")
}

// ClusterName names what a sample shares with others so that their answers depend on each other: what
// it says itself, or else the image that several questions are about, its first one. That is the same
// by its content, or else by its name, which counts within its place in the taxonomy alone (each folder
// of MME has an image 0001.png). It is "" where a sample has no image.
func ClusterName(s *eval.Sample) string {
	switch {
	case s.Cluster != "":
		return "\x00" + s.Cluster
	case len(s.Pictures) == 0:
		return ""
	}
	p := &s.Pictures[0]
	switch {
	case p.Hash != "":
		return string(p.Hash)
	case p.Name == "":
		return ""
	}
	return p.Name + "\x00" + strings.Join(s.Taxonomy, "\x00")
}

// ClusterNumber is a number for Cluster; 0: the sample stands alone.
func ClusterNumber(s *eval.Sample) uint64 { return hashName(ClusterName(s)) }

// WiderClusterNumber is a number for what samples share beyond their image; 0: nothing.
func WiderClusterNumber(s *eval.Sample) uint64 { return hashName(s.Cluster) }

func hashName(name string) uint64 {
	if name == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash never refuses
	return h.Sum64() | 1<<63     // never 0
}
