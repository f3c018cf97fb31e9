package metric

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// Score counts questions under one strategy. Right of N is the accuracy; the
// other fields are disjoint from N and from each other, except Irregular,
// which says how many groups were scored although passes are missing.
type Score struct {
	Accuracy                                         stat.Count
	Pending, Unanswered, NoTruth, NoRules, Irregular int

	images stat.Marked // decided questions, by their image
}

// addQuestion counts a question about an image; 0 is none.
func (s *Score) addQuestion(v QuestionState, irregular bool, image uint64) {
	switch v {
	case Right, NotRight:
		s.Accuracy.Add(v == Right)
		s.images.AddUnit(image, v == Right, false)
	case Pending:
		s.Pending++
	case Unanswered:
		s.Unanswered++
	case NoTruth:
		s.NoTruth++
	case NoRules:
		s.NoRules++
	case StateUnset:
	}
	if irregular {
		s.Irregular++
	}
}

// Merge adds what o counted of other questions.
func (s *Score) Merge(o Score) {
	s.Accuracy.Merge(o.Accuracy)
	s.Pending += o.Pending
	s.Unanswered += o.Unanswered
	s.NoTruth += o.NoTruth
	s.NoRules += o.NoRules
	s.Irregular += o.Irregular
	s.images.Merge(o.images)
}

// Questions is how many questions were counted.
func (s *Score) Questions() int {
	return s.Accuracy.N + s.Pending + s.Unanswered + s.NoTruth + s.NoRules
}

// Rate is the accuracy, undefined with the reason when no question has been
// decided. Questions that share an image are one cluster.
func (s *Score) Rate() stat.Rate {
	switch {
	case s.Accuracy.N > 0:
		return s.images.Rate(s.Accuracy, "")
	case s.Questions() == 0:
		return stat.UndefinedRate("no questions")
	case s.NoTruth == s.Questions():
		return stat.UndefinedRate("no ground truth")
	case s.Pending > 0:
		return stat.UndefinedRate("no question decided yet")
	case s.NoRules > 0:
		return stat.UndefinedRate("not read by these rules")
	}
	return stat.UndefinedRate("no predictions")
}

// guessable is one more than the most options that a question can have.
const guessable = 27

// Level is the figures of all questions under one prefix of the taxonomy. The root has an empty path.
type Level struct {
	Path              []string
	Vanilla, Circular Score
	Paired            stat.Pairs                // questions decided under both: right under circular first, under vanilla second
	truths            choiceCounts              // answers of pass 0, for the frequent-choice baseline
	both              stat.Marked               // of Paired, by their image
	shared            stat.Classes[eval.Choice] // of truths, those of questions that share more than an image
	guesses           [guessable]int            // questions by their number of options; yes/no at 0
	children          map[string]*Level
	first             eval.Ordinal // of its samples

	Answers AnswerScores // by the dataset's own metric
}

// choiceCounts counts choices. Letters, most of them, need no look-up.
type choiceCounts struct {
	letters [26]int
	others  map[eval.Choice]int
}

func (c *choiceCounts) addChoice(choice eval.Choice, n int) {
	if len(choice) == 1 && choice[0]-'A' < 26 {
		c.letters[choice[0]-'A'] += n
		return
	}
	eval.EnsureMap(&c.others)[choice] += n
}

func (c *choiceCounts) eachChoice(yield func(eval.Choice, int) bool) {
	for i, n := range c.letters {
		if n != 0 && !yield(eval.Choice(rune('A'+i)), n) {
			return
		}
	}
	maps.All(c.others)(yield)
}

func newLevel(path []string) *Level {
	return &Level{Path: slices.Clone(path), children: make(map[string]*Level)}
}

// addQuestion counts the question at this level and at those of its path below.
func (l *Level) addQuestion(q *eval.Question, o *Outcome, depth int) {
	image := ClusterNumber(&q.Sample)
	l.Vanilla.addQuestion(o.Vanilla, o.Irregular, image)
	if !o.passes {
		image = 0 // the same again, for which nobody asks
	}
	l.Circular.addQuestion(o.Circular, o.Irregular, image)
	if o.Vanilla.IsDecided() && o.Circular.IsDecided() {
		l.Paired.AddItem(o.Circular == Right, o.Vanilla == Right)
		l.both.AddUnit(image, o.Circular == Right, o.Vanilla == Right)
	}
	if q.Sample.Answer != "" {
		l.truths.addChoice(q.Sample.Answer, 1)
		if cluster := WiderClusterNumber(&q.Sample); cluster != 0 {
			l.shared.AddUnit(q.Sample.Answer)
			l.shared.CloseInCluster(cluster)
		}
	}
	if n, ok := CountGuessOptions(&q.Sample); ok {
		l.guesses[n]++
	}
	l.Answers.countQuestionRight(q, o)
	if depth < len(q.Sample.Taxonomy) {
		l.childLevel(q.Sample.Taxonomy[:depth+1], q.Sample.Ordinal).addQuestion(q, o, depth+1)
	}
	for _, path := range q.Sample.Also {
		if depth == 0 {
			further := *q
			further.Sample.Taxonomy, further.Sample.Also = path, nil
			l.childLevel(path[:1], q.Sample.Ordinal).addQuestion(&further, o, 1)
			l.Answers.countQuestionRight(q, o) // the row counts in each
		}
	}
}

func (l *Level) childLevel(path []string, first eval.Ordinal) *Level {
	return eval.GetOrAdd(l.children, path[len(path)-1], func() *Level {
		child := newLevel(path)
		child.first = first
		return child
	})
}

func (l *Level) merge(o *Level) {
	l.Vanilla.Merge(o.Vanilla)
	l.Circular.Merge(o.Circular)
	l.Paired.Merge(o.Paired)
	l.both.Merge(o.both)
	l.shared.Merge(&o.shared)
	l.Answers.mergeScores(&o.Answers)
	l.first = min(l.first, o.first)
	for c, n := range o.truths.eachChoice {
		l.truths.addChoice(c, n)
	}
	for i, n := range o.guesses {
		l.guesses[i] += n
	}
	for _, c := range o.children {
		l.childLevel(c.Path, c.first).merge(c)
	}
}

// CircularDifference is the accuracy under CircularEval less that of pass 0, over the questions decided under both.
func (l *Level) CircularDifference(reason string) stat.Estimate {
	return l.both.Difference(l.Paired, reason)
}

// Score gives the level's score under a strategy.
func (l *Level) Score(s eval.Strategy) *Score {
	return eval.Either(s == eval.Circular, &l.Circular, &l.Vanilla)
}

// orderedChildren are the levels right below this one, in the order in which samples name them.
func (l *Level) orderedChildren() []*Level {
	return slices.SortedFunc(maps.Values(l.children), func(a, b *Level) int {
		return cmp.Or(cmp.Compare(a.first, b.first), slices.Compare(a.Path, b.Path))
	})
}

// Descendants lists the levels below this one, parents first, in the dataset's order.
func (l *Level) Descendants() []*Level {
	return eval.FlatMap(l.orderedChildren(), func(c *Level) []*Level { return append([]*Level{c}, c.Descendants()...) })
}

// FrequentChoiceBaseline is the frequent-choice baseline: how many questions of this level the
// level's own most frequent answer gets right in pass 0. Of the whole it is each dimension's
// own, where every question is in one (MMStar, Table 5). It is taken over all questions with a
// truth, answered or not, and undefined for a reason without any.
func (l *Level) FrequentChoiceBaseline(reason string) stat.Rate {
	var parts []*stat.Classes[eval.Choice]
	placed := 0
	if len(l.Path) == 0 {
		for _, child := range l.orderedChildren() {
			c := child.groundTruthClasses()
			parts, placed = append(parts, c), placed+c.N()
		}
	}
	if whole := l.groundTruthClasses(); placed != whole.N() {
		parts = []*stat.Classes[eval.Choice]{whole}
	}
	return stat.MostFrequentRate(reason, parts...)
}

// groundTruthClasses are the answers of pass 0 with what their questions share.
func (l *Level) groundTruthClasses() *stat.Classes[eval.Choice] {
	out, together := new(stat.Classes[eval.Choice]), l.shared.Counts()
	for c, n := range l.truths.eachChoice {
		out.AddSingles(c, n-together[c])
	}
	out.Merge(&l.shared)
	return out
}

// CountGuessOptions counts how many options a question has to guess from, 0 of yes and no, and
// false where there are none.
func CountGuessOptions(s *eval.Sample) (options int, ok bool) {
	if s.Kind == eval.KindYesNo {
		return 0, true
	}
	n := len(s.Options)
	return n, s.Kind == eval.KindChoice && n > 0 && n < guessable
}

// GuessChance guesses the chance that a guess among so many options (Guesses) is right:
// 1/n, and under CircularEval n^-n. Yes or no is asked in one pass.
func GuessChance(options int, s eval.Strategy) float64 {
	switch {
	case options == 0:
		return 0.5
	case s == eval.Circular:
		return math.Pow(float64(options), -float64(options))
	}
	return 1 / float64(options)
}

// RandomBaseline is the expected accuracy of guessing: the mean of 1/n, and under CircularEval of n^-n,
// over the options of every question. False when no question has options to guess from.
func (l *Level) RandomBaseline(s eval.Strategy) (float64, bool) {
	var sum float64
	var all int
	for n, questions := range l.guesses {
		sum += GuessChance(n, s) * float64(questions)
		all += questions
	}
	if all == 0 {
		return 0, false
	}
	return sum / float64(all), true
}

// RandomBaselineEstimate is Random with how many questions it is over.
func (l *Level) RandomBaselineEstimate(s eval.Strategy) stat.Estimate {
	p, ok := l.RandomBaseline(s)
	if !ok {
		return stat.NewUndefinedEstimate("no question has options to guess from")
	}
	n := 0
	for _, questions := range l.guesses {
		n += questions
	}
	return stat.NewExactEstimate(p, n)
}
