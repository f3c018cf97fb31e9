package report

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/metric"
)

// Which names a figure of a row whose samples are asked for.
type Which string

// The figures that can be opened. Those of questions yield one key for each
// question: the pass that decides it.
const (
	Right      Which = "right"
	Wrong      Which = "wrong" // not right: read as another option, or not read
	Pending    Which = "pending"
	Irregular  Which = "irregular"
	NoTruth    Which = "no_truth"
	Unanswered Which = "unanswered"
	NoRules    Which = "no_rules"

	VanillaRight Which = "vanilla_right"
	VanillaWrong Which = "vanilla_wrong"
	Lost         Which = "lost" // right in pass 0, not in all passes

	Kept       Which = "kept"        // not answered right by the text-only run
	Dropped    Which = "dropped"     // answered right by it
	NotCovered Which = "not_covered" // not decided by it
	KeptRight  Which = "kept_right"  // of Kept, right by the row's own run
	KeptWrong  Which = "kept_wrong"

	TextRight Which = "text_right" // of a gain: by the run without the picture
	TextWrong Which = "text_wrong"
	BaseRight Which = "base_right" // by the language base
	BaseWrong Which = "base_wrong"
	Gained    Which = "gained"   // right with the picture, wrong without
	Spoiled   Which = "spoiled"  // right without it, wrong with it
	Leaked    Which = "leaked"   // right without the picture, wrong by the language base
	Unleaked  Which = "unleaked" // the other way round

	Suspected Which = "suspected" // turned from wrong to right by more than half of the pairs
	TurnedBy  Which = "turned"    // by Selection.Hits pairs

	PlusRight  Which = "plus_right"  // of MME: both questions about their picture are right
	PlusWrong  Which = "plus_wrong"  // not both
	AlwaysYes  Which = "always_yes"  // both answers are yes
	SaidYes    Which = "said_yes"    // the answer is yes
	SaidNo     Which = "said_no"     // it is read as no
	Follows    Which = "follows"     // the answer begins with yes or no
	NotFollows Which = "not_follows" // there is one, and it does not
	Unpaired   Which = "unpaired"    // no other question about their picture is there
	Undecided  Which = "undecided"   // in no rate

	Incomplete   Which = "incomplete" // of an inspection: an inspector has not decided them
	Hits         Which = "hits"       // with Selection.Hits
	Abnormal     Which = "abnormal"
	ByMajority   Which = "majority"     // more than half of the inspectors answer them
	Passed       Which = "filtered"     // kept by the coarse filter
	Answerable   Which = "answerable"   // dropped by it
	SightedHits  Which = "sighted_hits" // with Selection.Hits
	OfDifficulty Which = "difficulty"   // with Selection.Difficulty
	Ungraded     Which = "ungraded"
	Doubtful     Which = "doubtful"
	Candidates   Which = "candidates"
	Accepted     Which = "accepted" // by experts

	Found     Which = "found" // predictions from here on
	None      Which = "none"
	Refused   Which = "refused"
	Ambiguous Which = "ambiguous"
	Missing   Which = "missing"
	NotRead   Which = "not_read"
	Errors    Which = "errors"

	Step1    Which = "step1"
	Step1Not Which = "step1_left" // the rules read no choice
	Step2    Which = "step2"
	Neither  Which = "neither"      // no step has read them
	Unparsed Which = "unparsed"     // the judge's reply says nothing
	Failed   Which = "judge_errors" // the judge's calls failed
	Fallback Which = "fallback"

	Predicted Which = "predicted" // with Selection.Label; "" for the unread
	Unread    Which = "unread"    // no option was read out of them
	Truth     Which = "truth"     // with Selection.Label

	Aligned    Which = "aligned" // items of a queue from here on
	Misaligned Which = "misaligned"
	CaseOne    Which = "case_one"
	CaseTwo    Which = "case_two"
	Excluded   Which = "excluded"  // with Selection.Reason, or for any reason
	Confused   Which = "confusion" // with Selection.People and Machine
	Settled    Which = "settled"   // an adjudicator has ruled
	CausedBy   Which = "cause"     // Case II items by who was right: with Selection.Cause, unset for those that nobody settled
	OnlyFirst  Which = "first_only"
	OnlySecond Which = "second_only" // only the one of Selection.With reads as people do
)

// Selection is a figure of a row, and where in the taxonomy.
type Selection struct {
	Which Which
	Level []string    // a prefix of the taxonomy; empty: all
	Label eval.Choice // for Predicted and Truth

	Model           string // of the items of a queue; "": all
	Reason          string // for Excluded
	People, Machine string // for Confused, as a row's Confusion names them

	With  string         // the extractor that the row's is set beside
	Cause annotate.Cause // for CausedBy

	Hits       int                 // of an inspection: for Hits and SightedHits
	Difficulty curation.Difficulty // for OfDifficulty
	Source     string              // of samples, as its tables name them; "": all

	Person, Other annotate.Annotator // whose labels, "" for people's consensus; and of an AnnotatorsRow beside whose, "" for the others' word
}

// Drill yields the predictions behind a figure of a row, in the order of
// samples. A question without a prediction is named by its pass 0.
func Drill(ctx context.Context, facts Facts, row Row, s Selection) iter.Seq2[eval.Key, error] {
	return row.keys(ctx, facts, s)
}

func failed(err error) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) { yield(eval.Key{}, err) }
}

// question is one question of a drill, decided.
type question struct {
	*eval.Question
	outcome metric.Outcome
	scheme  *metric.Scheme
}

// drill goes through the questions behind a row and yields the keys that pick
// names in each.
func (h *Head) drill(
	ctx context.Context, facts Facts, o Options, s Selection, pick func(*question) []eval.Key,
) iter.Seq2[eval.Key, error] {
	run, err := runOf(facts, h.Run)
	if err != nil {
		return failed(err)
	}
	scheme, _, err := schemeOf(ctx, facts, run, &o)
	if err != nil {
		return failed(err)
	}
	return func(yield func(eval.Key, error) bool) {
		for q, err := range facts.Questions(ctx, run) {
			if err != nil {
				yield(eval.Key{}, fmt.Errorf("read questions: %w", err))
				return
			}
			if !h.covers(&q.Sample) || !under(q.Sample.Taxonomy, s.Level) {
				continue
			}
			for _, k := range pick(&question{&q, scheme.Outcome(&q), scheme}) {
				if !yield(k, nil) {
					return
				}
			}
		}
	}
}

func runOf(facts Facts, id eval.RunID) (eval.Run, error) {
	runs, err := facts.Runs()
	if err != nil {
		return eval.Run{}, fmt.Errorf("list runs: %w", err)
	}
	for _, r := range runs {
		if r.ID == id {
			return r, nil
		}
	}
	return eval.Run{}, fmt.Errorf("find run %d: %w", id, eval.ErrNotFound)
}

// covers reports whether the sample is of the row's split.
func (h *Head) covers(s *eval.Sample) bool {
	return h.Split == AllSplits || h.Split == s.Split || h.Split == NoSplit && s.Split == ""
}

func under(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// key is the prediction to look at first for the question.
func (q *question) key(run eval.RunID) []eval.Key {
	pass, _ := q.outcome.Deciding()
	return []eval.Key{{Run: run, Sample: q.Sample.Ordinal, Pass: pass}}
}

// records yields the predictions whose reading the test wants.
func (q *question) records(want func(i int, r *metric.Reading) bool) []eval.Key {
	var out []eval.Key
	for i := range q.outcome.Readings {
		if want(i, &q.outcome.Readings[i]) {
			out = append(out, q.Predictions[i].Key)
		}
	}
	return out
}

var statusOf = map[Which]eval.Status{
	Found: eval.Found, None: eval.None, Refused: eval.Refused, Ambiguous: eval.Ambiguous, Missing: eval.Missing,
	NotRead: eval.StatusUnset,
}

var verdictOf = map[Which]metric.Verdict{
	Right: metric.Right, Wrong: metric.NotRight, Pending: metric.Pending,
	NoTruth: metric.NoTruth, Unanswered: metric.Unanswered, NoRules: metric.NoRules,
}

func (r *AccuracyRow) keys(ctx context.Context, facts Facts, s Selection) iter.Seq2[eval.Key, error] {
	circular := r.Strategy == eval.Circular.String()
	counts := func(x *metric.Reading) bool { return circular || x.Pass == 0 }
	return r.drill(ctx, facts, r.options, s, func(q *question) []eval.Key {
		verdict := q.outcome.Vanilla
		if circular {
			verdict = q.outcome.Circular
		}
		want, ofQuestion := verdictOf[s.Which]
		status, ofRecords := statusOf[s.Which]
		switch {
		case s.Which == Every:
			return q.key(r.Run)
		case ofQuestion && verdict == want && !circular, s.Which == Irregular && q.outcome.Irregular && !circular:
			return []eval.Key{{Run: r.Run, Sample: q.Sample.Ordinal}}
		case ofQuestion && verdict == want, s.Which == Irregular && q.outcome.Irregular:
			return q.key(r.Run)
		case ofRecords:
			return q.records(func(_ int, x *metric.Reading) bool {
				return counts(x) && !x.Failed && x.Combined.Status == status
			})
		case s.Which == Errors:
			return q.records(func(_ int, x *metric.Reading) bool { return counts(x) && x.Failed })
		}
		return nil
	})
}

func (r *PositionsRow) keys(ctx context.Context, facts Facts, s Selection) iter.Seq2[eval.Key, error] {
	return r.drill(ctx, facts, r.options, s, func(q *question) []eval.Key {
		return q.records(func(_ int, x *metric.Reading) bool {
			if x.NotRead() {
				return s.Which == NotRead
			}
			switch s.Which {
			case Predicted:
				return !x.Failed && x.Combined.Choice == s.Label
			case Unread:
				return !x.Failed && x.Combined.Choice == ""
			case Truth:
				return x.Answer == s.Label && x.Answer != ""
			case Errors:
				return x.Failed
			case Right:
				return x.Right()
			case Wrong:
				return x.Answer != "" && !x.Right()
			default:
				return false
			}
		})
	})
}

func (r *StepsRow) keys(ctx context.Context, facts Facts, s Selection) iter.Seq2[eval.Key, error] {
	o := r.options
	if r.Judge != nil {
		o.Judge = *r.Judge
	}
	return r.drill(ctx, facts, o, s, func(q *question) []eval.Key {
		return q.records(func(i int, x *metric.Reading) bool {
			key := q.Predictions[i].Key
			step := q.scheme.Step(key, x)
			switch s.Which {
			case Step1:
				return step == metric.ByRules
			case Step1Not:
				return step != metric.ByRules && step != metric.StepUnset
			case Step2:
				return step == metric.ByJudge
			case Fallback:
				return step == metric.ByFallback
			case Neither:
				return step == metric.ByNobody
			case Unparsed:
				return step == metric.ByNobody && q.scheme.Replied(key)
			case Failed:
				return step == metric.ByNobody && q.scheme.JudgeFailed(key)
			case Errors:
				return x.Failed
			default:
				return false
			}
		})
	})
}
