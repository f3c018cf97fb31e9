package accuracy

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// ScoreFacts is what the report on scores is made of.
type ScoreFacts interface {
	report.Facts
	// Scores yields those of one judge on one prediction in the order in which
	// they were recorded, failed calls among them.
	Scores(context.Context, eval.RunID) iter.Seq2[eval.Score, error]
}

// ScoresRow is how right a run's open answers are: by exact match with the reference, and by the scores
// from 1 to 5 that judges and people gave them (MMBench, Table 4). All of it is over the N answers to
// open samples with a reference; NoReference and NoAnswer are the open samples beside them.
type ScoresRow struct {
	report.ForEveryone
	report.Head
	N           int          `json:"n"`
	NoReference int          `json:"no_reference"`
	NoAnswer    int          `json:"no_answer"` // not asked yet, or the call failed
	ExactMatch  stat.Rate    `json:"exact_match"`
	Judges      []JudgeScore `json:"judges"`
	People      PeopleScore  `json:"people"`

	report.Tags `json:"-"`
}

// JudgeScore is what one judge gives the answers. Mean's n, Unparsed, Failed and NotAsked sum to N.
type JudgeScore struct {
	Judge    string             `json:"judge" column:"scorer"`
	Mean     stat.Estimate      `json:"mean" as:"mean"`
	Given    [eval.TopScore]int `json:"scores"` // how many got 1, 2, ...
	Unparsed int                `json:"unparsed"`
	Failed   int                `json:"errors"`
	NotAsked int                `json:"not_asked"`
	Refused  int                `json:"no_match_but_high"`    // without an exact match, and 4 or 5 (MMBench, Table 5)
	Beyond   stat.Estimate      `json:"difference" as:"mean"` // the judge's score less people's, over the answers that both scored

	*report.Correction // of Mean, where it was asked for

	both int // answers that people scored too
}

// PeopleScore is what people give the answers of queues drawn at random: each
// answer counts by the mean of its scores. One that is excluded does not,
// nor a score after the reveal, nor those of a queue drawn by interest.
type PeopleScore struct {
	Mean     stat.Estimate `json:"mean" as:"mean"`
	Scores   int           `json:"scores"` // that the means are of
	People   int           `json:"people"`
	Excluded int           `json:"excluded"` // answers from here on
	Informed int           `json:"after_the_reveal"`
	Priority int           `json:"priority"`
}

// The figures of a ScoresRow that can be opened; a judge's with its name behind, as in "score:4:gpt".
const (
	Matched      report.Which = "exact_match"
	NotMatched   report.Which = "no_match"
	NoReference  report.Which = "no_reference"
	NoAnswer     report.Which = "no_answer"
	GivenScore   report.Which = "score:"
	NoScore      report.Which = "unparsed:"
	ScoreFailed  report.Which = "errors:"
	NotScored    report.Which = "not_asked:"
	RefusedHigh  report.Which = "no_match_but_high:"
	PeopleScored report.Which = "people"
)

// noScores is why a mean of scores has no value.
const noScores = "no scores"

// shareOfScale is where a score lies between the lowest and the highest.
func shareOfScale(score float64) float64 { return (score - 1) / (eval.TopScore - 1) }

// ReportScores reports the runs on datasets with open samples.
func ReportScores(ctx context.Context, facts ScoreFacts, o report.Options) (report.Report, error) {
	runs, err := facts.Runs()
	if err != nil {
		return report.Report{}, fmt.Errorf("list runs: %w", err)
	}
	out := report.Report{Name: "scores", Layout: scoresLayout, Confidence: stat.Confidence}
	people := make(map[eval.DatasetName]*peopleGrades)
	var rows []*ScoresRow
	bare := 0 // runs on open samples without any reference
	for _, r := range eval.Select(runs, o.IncludesRun) {
		name := r.Config.Dataset
		if people[name] == nil {
			if people[name], err = readPeopleGrades(ctx, facts, name); err != nil {
				return report.Report{}, err
			}
			out.NoteExcludedItems(people[name].excluded)
		}
		row, err := newScoresRow(ctx, facts, r, &o, people[name])
		if err != nil {
			return report.Report{}, fmt.Errorf("report run %d: %w", r.ID, err)
		}
		if row.N+row.NoAnswer == 0 {
			bare += report.OneIf(row.NoReference > 0)
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return report.Report{}, fmt.Errorf("find runs on open samples with a reference: %w", eval.ErrNotFound)
	}
	out.Rows, out.Sheets = report.ToRows(rows), makeScoreTables(rows)
	if o.Corrected != nil {
		if err := correctScores(ctx, facts, &o, rows); err != nil {
			return report.Report{}, err
		}
		out.Sheets = append(out.Sheets, makeCorrectedScoresTable(rows))
	}
	out.Notes = append(out.Notes, []string{
		"Exact match compares answer and reference in lower case, without articles and punctuation, with number words as digits, as VQA's evaluation does.",
		"Means are of scores from 1 (completely wrong) to 5 (completely right), with an interval that holds near the ends of the scale; unparsed replies, failed calls and answers not asked about are in none.",
	}...)
	if o.Corrected != nil {
		out.Notes = append(out.Notes, report.DescribeCorrections(rows)...)
		if err := out.PrepareSaving(ctx, facts, o.Corrected, nil); err != nil {
			return report.Report{}, err
		}
	}
	if bare > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("Runs on open samples without a reference are left out (%d).", bare))
	}
	return out, nil
}

func newScoresRow(ctx context.Context, facts ScoreFacts, r eval.Run, o *report.Options, people *peopleGrades) (*ScoresRow, error) {
	row := &ScoresRow{Head: report.NewHead(r, report.AllSplits), Judges: []JudgeScore{}}
	js, err := readJudgeScores(ctx, facts, r.ID, o.Judge)
	if err != nil {
		return nil, err
	}
	c := scoreGatherer{judges: js, people: people, values: make([]stat.Clusters, len(js.names)), beyond: make([]stat.Clusters, len(js.names))}
	row.Judges = append(row.Judges, eval.Map(js.names, func(name string) JudgeScore { return JudgeScore{Judge: name} })...)
	var match stat.Count
	var matches stat.Marked
	for q, err := range report.ReadQuestionsByOwnRules(ctx, facts, r, o) {
		if err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		if q.Sample.Kind != eval.KindOpen {
			continue
		}
		t := report.Tagged{Pair: eval.Pair{Sample: q.Sample.Ordinal, First: r.ID}, Path: q.Sample.Taxonomy}
		said, answered := report.UnrotatedResponse(&q)
		switch {
		case !annotate.IsScorable(&q.Sample):
			row.NoReference++
			t.Tags = []report.Which{NoReference}
		case !answered:
			row.NoAnswer++
			t.Tags = []report.Which{NoAnswer}
		default:
			row.N++
			hit := metric.IsExactMatch(said, q.Sample.Reference)
			match.Add(hit)
			c.cluster = metric.ClusterNumber(&q.Sample)
			matches.AddUnit(c.cluster, hit, false)
			t.Tags = append(c.addAnswer(row, eval.Key{Run: r.ID, Sample: q.Sample.Ordinal}, hit), eval.Either(hit, Matched, NotMatched))
		}
		row.Tags = append(row.Tags, t)
	}
	row.ExactMatch = matches.Rate(match, "no answer to an open sample with a reference")
	c.fillScoreRow(row)
	return row, nil
}

// scoreGatherer gathers the scores of one run's answers.
type scoreGatherer struct {
	judges         *judgeScores
	people         *peopleGrades
	values, beyond []stat.Clusters // by judge; values are shares of the scale
	means          stat.Clusters   // of people, by answer
	cluster        uint64          // of the answer that is looked at
	scores         int
	answers        int // that people scored
	who            map[annotate.Annotator]bool
}

// addAnswer takes one answer in, a hit where it matches the reference, and gives the figures it is behind.
func (c *scoreGatherer) addAnswer(row *ScoresRow, k eval.Key, hit bool) []report.Which {
	var tags []report.Which
	mean, graded := c.addPeopleGrade(row, k)
	if graded {
		tags = append(tags, PeopleScored)
	}
	for i, name := range c.judges.names {
		j, of := &row.Judges[i], report.Which(name)
		switch s, asked := c.judges.last[name][k]; {
		case !asked:
			j.NotAsked++
			tags = append(tags, NotScored+of)
		case !s.HasReply():
			j.Failed++
			tags = append(tags, ScoreFailed+of)
		case s.Value < 1 || s.Value > eval.TopScore:
			j.Unparsed++
			tags = append(tags, NoScore+of)
		default:
			j.Given[s.Value-1]++
			c.addUnit(&c.values[i], shareOfScale(float64(s.Value)))
			if graded {
				c.addUnit(&c.beyond[i], float64(s.Value)-mean)
				j.both++
			}
			tags = append(tags, GivenScore+report.Which(fmt.Sprint(s.Value))+":"+of)
			if !hit && s.Value >= eval.TopScore-1 {
				j.Refused++
				tags = append(tags, RefusedHigh+of)
			}
		}
	}
	return tags
}

// addUnit adds what is said of the answer that is looked at.
func (c *scoreGatherer) addUnit(to *stat.Clusters, y float64) {
	to.AddUnit(y, 1)
	to.CloseInCluster(c.cluster)
}

// addPeopleGrade adds the mean of people's scores of an answer; false without one that counts.
func (c *scoreGatherer) addPeopleGrade(row *ScoresRow, k eval.Key) (mean float64, ok bool) {
	g := c.people.of[k]
	if g == nil {
		return 0, false
	}
	switch {
	case g.excluded:
		row.People.Excluded++
		return 0, false
	case len(g.scores) == 0 && g.informed:
		row.People.Informed++
		return 0, false
	case len(g.scores) == 0:
		row.People.Priority++
		return 0, false
	}
	for who, s := range g.scores {
		mean += float64(s) / float64(len(g.scores))
		eval.EnsureMap(&c.who)[who] = true
		c.scores++
	}
	c.addUnit(&c.means, shareOfScale(mean))
	c.answers++
	return mean, true
}

func (c *scoreGatherer) fillScoreRow(row *ScoresRow) {
	for i := range row.Judges {
		j := &row.Judges[i]
		j.Mean, j.Beyond = c.values[i].MeanOnScale(1, eval.TopScore, noScores), c.beyond[i].MeanDifference(1, eval.TopScore-1, noScores)
		j.Mean.N, j.Beyond.N = 0, j.both // answers, and not clusters of them
		for _, n := range j.Given {
			j.Mean.N += n
		}
	}
	row.People.Mean, row.People.Scores, row.People.People = c.means.MeanOnScale(1, eval.TopScore, noScores), c.scores, len(c.who)
	row.People.Mean.N = c.answers
}

// judgeScores are the judges that were asked about a run's answers, each with the
// score that stands: the last one that reads, by sequence.
type judgeScores struct {
	names []string
	last  map[string]map[eval.Key]eval.Score
}

func readJudgeScores(ctx context.Context, facts ScoreFacts, run eval.RunID, judge string) (*judgeScores, error) {
	out := &judgeScores{last: make(map[string]map[eval.Key]eval.Score)}
	for s, err := range facts.Scores(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read scores: %w", err)
		}
		if judge != "" && s.Judge != judge {
			continue
		}
		if out.last[s.Judge] == nil {
			out.names = append(out.names, s.Judge)
			out.last[s.Judge] = make(map[eval.Key]eval.Score)
		}
		if old, ok := out.last[s.Judge][s.Key]; !ok || s.HasReply() || !old.HasReply() {
			out.last[s.Judge][s.Key] = s
		}
	}
	slices.Sort(out.names)
	return out, nil
}
