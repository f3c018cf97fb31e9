package alignment

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strconv"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// judgedFacts are facts with all that judges say beside readings.
type judgedFacts interface {
	report.VoteFacts
	TriedByCandidates() report.Tried
}

// judgedQueue shows a queue of pairs, grades or scores as one of readings, so that the
// candidates of a judge are compared in all alike: each pair, each criterion of a response
// and each answer is an item, and the word that somebody says of it is its choice.
type judgedQueue struct {
	judgedFacts
	queue annotate.Queue
	items []annotate.QueueItem // one for each unit
	units map[annotate.ItemKey][]judgedUnit
	of    map[eval.Key]Labelled // by the key of a unit; none where items are units
}

// judgedUnit is what one word is about. In its key the pass tells apart what belongs to
// the same response: pairs and criteria are about the first one.
type judgedUnit struct {
	key             eval.Key
	criterion, hash string
}

// Labelled is what people have come to a word on: an answer, a pair, or a criterion of a response.
type Labelled struct {
	eval.Key  // tells it apart
	Item      annotate.ItemKey
	Criterion string      // "" of the others
	Class     eval.Choice // eval.X: none of the options; of a score its digit, else a word
}

// showAsReadings gives facts that show the queue as one of readings, and the queue as they do, where
// halves of it are measured. Where the facts tell nothing beside readings, both are as they were.
func showAsReadings(ctx context.Context, facts report.Facts, q annotate.Queue, halves bool) (report.Facts, annotate.Queue, *judgedQueue, error) {
	all, ok := facts.(judgedFacts)
	if !ok || q.Labels.Name != "" || !halves {
		return facts, q, nil, nil
	}
	d := &judgedQueue{judgedFacts: all, queue: q, units: make(map[annotate.ItemKey][]judgedUnit), of: make(map[eval.Key]Labelled)}
	if q.CheckTakesLabels() == nil {
		return d, q, d, nil
	}
	asked := make(map[eval.Ordinal][]criteria.Criterion)
	if q.Rule.From == annotate.FromCriteria {
		for set, err := range all.CriteriaSets(ctx, q.Rule.Dataset) {
			if err != nil {
				return nil, q, nil, fmt.Errorf("read criteria: %w", err)
			}
			asked[set.Sample] = set.Criteria()
		}
	}
	pairs := make(map[eval.Key]eval.Pass) // of a response, so far
	for it, err := range all.QueueItems(ctx, q.Name) {
		switch {
		case err != nil:
			return nil, q, nil, fmt.Errorf("read items of queue %s: %w", q.Name, err)
		case q.Rule.From == annotate.FromPairs:
			k := it.Key.Key // of the first pass, as all pairs are
			k.Pass, pairs[it.Key.Key] = pairs[it.Key.Key], pairs[it.Key.Key]+1
			d.addJudgedUnit(it, judgedUnit{key: k})
		default:
			cs := asked[it.Key.Sample]
			for i := range cs {
				d.addJudgedUnit(it, judgedUnit{eval.Key{Run: it.Key.Run, Sample: it.Key.Sample, Pass: eval.Pass(i)}, criteria.CriterionName(cs, i), cs[i].HashText()})
			}
		}
	}
	q.Rule.From, q.Rule.Runs, q.GoldItems = annotate.FromAll, nil, 0
	return d, q, d, nil
}

func (d *judgedQueue) addJudgedUnit(it annotate.QueueItem, u judgedUnit) {
	if d.queue.GoldItems > 0 && it.Inclusion == 0 {
		return // its answer is known
	}
	d.units[it.Key] = append(d.units[it.Key], u)
	d.of[u.key] = Labelled{Key: u.key, Item: it.Key, Criterion: u.criterion}
	it.Key = annotate.NewItemKey(u.key)
	d.items = append(d.items, it)
}

// QueueItems yields the units.
func (d *judgedQueue) QueueItems(ctx context.Context, name annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	if d.queue.CheckTakesLabels() == nil {
		return d.judgedFacts.QueueItems(ctx, name)
	}
	return eval.WithNilErrors(d.items)
}

// Prediction gives the response that a unit is about.
func (d *judgedQueue) Prediction(k eval.Key) (eval.Prediction, error) {
	return d.judgedFacts.Prediction(d.labelledItem(k).Item.Key)
}

func (d *judgedQueue) labelledItem(k eval.Key) Labelled {
	if d == nil || d.queue.CheckTakesLabels() == nil {
		return Labelled{Key: k, Item: annotate.NewItemKey(k)}
	}
	return d.of[k]
}

// QueueActs yields each act once for each unit of its item.
func (d *judgedQueue) QueueActs(ctx context.Context, name annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return func(yield func(annotate.Act, error) bool) {
		for a, err := range d.judgedFacts.QueueActs(ctx, name) {
			if err != nil {
				yield(a, err)
				return
			}
			units := eval.Either(d.queue.CheckTakesLabels() == nil, []judgedUnit{{key: a.Item.Key}}, d.units[a.Item])
			for _, u := range units {
				one := a
				one.Item, one.Reading = annotate.NewItemKey(u.key), u.readPersonWord(&a.Reading)
				if a.Kind == annotate.GradedOne || a.Kind == annotate.RuledOne || one.Reading.Kind == annotate.Graded {
					continue // others are still to come, or none is of the criterion as it is worded
				}
				if !yield(one, nil) {
					return
				}
			}
		}
	}
}

// readPersonWord gives what a person says of the unit, as an option.
func (u *judgedUnit) readPersonWord(r *annotate.Reading) annotate.Reading {
	word := ""
	switch r.Kind {
	case annotate.Scored:
		word = strconv.Itoa(r.Score)
	case annotate.Voted:
		word = wordOfResult(metric.ResultOfVote(eval.Either(r.Swapped, r.Vote.Swapped(), r.Vote)))
	case annotate.Graded:
		g, _ := eval.FirstWanted(r.Grades, func(g annotate.Grade) bool { return g.Criterion == u.criterion && g.Hash == u.hash })
		word = g.Verdict.String()
	case annotate.ReadingUnset, annotate.PickedOption, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused:
	}
	if word == "" {
		return *r
	}
	return annotate.Reading{Kind: annotate.PickedOption, Choice: eval.Choice(word)}
}

// The words of votes: which response of a pair is better.
const (
	firstBetter   = "first"
	secondBetter  = "second"
	NeitherBetter = "neither"
)

func wordOfResult(r metric.Result) string {
	return cmp.Or(map[metric.Result]string{metric.Win: firstBetter, metric.Lose: secondBetter}[r], NeitherBetter)
}

// Judgments yields what candidates say of the units of a run, and of readings all.
func (d *judgedQueue) Judgments(ctx context.Context, run eval.RunID) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		say := func(k eval.Key, judge, word string, c eval.Call) bool {
			out := eval.Judgment{Key: k, Judge: judge, Call: c, Extraction: eval.Extraction{Status: eval.Missing}}
			if word != "" {
				out.Extraction = eval.Extraction{Status: eval.Found, Choice: eval.Choice(word)}
			}
			return yield(out, nil)
		}
		var err error
		switch d.queue.Rule.From {
		case annotate.FromPairs:
			err = d.readVotes(ctx, run, say)
		case annotate.FromCriteria:
			err = eachCandidateWord(d.TriedByCandidates().Grades(ctx, run), func(g *eval.Grade) string { return g.Judge }, func(g *eval.Grade) bool {
				for _, u := range d.units[annotate.NewItemKey(g.Key)] {
					if u.criterion == g.Criterion && u.hash == g.Hash && g.Repeat == 0 {
						return say(u.key, g.Judge, g.Verdict.String(), g.Call)
					}
				}
				return true
			})
		default:
			for j, err := range d.judgedFacts.Judgments(ctx, run) {
				if !yield(j, err) {
					return
				}
			}
			err = eachCandidateWord(d.TriedByCandidates().Scores(ctx, run), func(s *eval.Score) string { return s.Judge }, func(s *eval.Score) bool {
				return say(s.Key, s.Judge, eval.Either(s.Value > 0, strconv.Itoa(s.Value), ""), s.Call)
			})
		}
		if err != nil {
			yield(eval.Judgment{}, err)
		}
	}
}

// eachCandidateWord goes through what candidates say, until told to stop.
func eachCandidateWord[F any](all iter.Seq2[F, error], judge func(*F) string, tell func(*F) bool) error {
	for f, err := range all {
		if err != nil {
			return err
		}
		if eval.JudgeOfCandidate(judge(&f)) != "" && !tell(&f) {
			return nil
		}
	}
	return nil
}

// readVotes tells what candidates say of the pairs whose first response is of the run, both
// orders together.
func (d *judgedQueue) readVotes(ctx context.Context, run eval.RunID, tell func(k eval.Key, judge, word string, c eval.Call) bool) error {
	contests, err := d.TriedByCandidates().Votes(ctx)
	if err != nil {
		return fmt.Errorf("list comparisons: %w", err)
	}
	for _, c := range contests {
		if eval.JudgeOfCandidate(c.Judge) == "" || c.A != run && c.B != run || c.Criteria != d.queue.Criteria || c.Repeat > 0 {
			continue
		}
		votes, err := report.ReadStandingVotes(ctx, d.judgedFacts, c.Comparison)
		if err != nil {
			return err
		}
		for _, it := range d.items {
			of := d.of[it.Key.Key].Item
			p := eval.Pair{Sample: of.Sample, First: of.Run, Second: of.Against}
			first, second := votes[p], votes[p.Swapped()]
			if of.Run != run || c.OtherRun(run) != of.Against || first == nil || second == nil || !first.HasReply() || !second.HasReply() {
				continue
			}
			word := ""
			if first.Vote != eval.VoteUnset && second.Vote != eval.VoteUnset {
				word = wordOfResult(metric.VotePair{First: first.Vote, Second: second.Vote}.MergeBothOrders())
			}
			call := first.Call
			call.Latency += second.Latency
			call.Usage.Add(second.Usage)
			if !tell(it.Key.Key, c.Judge, word, call) {
				return nil
			}
		}
	}
	return nil
}

// Spending is what a judge's replies took, of those that stand.
type Spending struct {
	Calls int // items that it was asked about
	Usage eval.Usage
	Time  time.Duration // of all calls, one after the other
}

func (s *Spending) addCall(c *eval.Call) {
	if c.Usage != (eval.Usage{}) || c.Latency > 0 { // else it was taken over
		s.Calls, s.Time = s.Calls+1, s.Time+c.Latency
		s.Usage.Add(c.Usage)
	}
}
