package accuracy

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// The figures that can be opened. Those of questions yield a key for each: the pass that decides it.
const (
	Pending    report.Which = "pending"
	Irregular  report.Which = "irregular"
	NoTruth    report.Which = "no_truth"
	Unanswered report.Which = "unanswered"
	NoRules    report.Which = "no_rules"

	Lost report.Which = "lost" // right in pass 0, not in all passes

	Kept       report.Which = "kept"        // not answered right by the text-only run
	Dropped    report.Which = "dropped"     // answered right by it
	NotCovered report.Which = "not_covered" // not decided by it
	KeptRight  report.Which = "kept_right"  // of Kept, right by the row's own run
	KeptWrong  report.Which = "kept_wrong"

	TextRight report.Which = "text_right" // of a gain: by the run without the picture
	TextWrong report.Which = "text_wrong"
	BaseRight report.Which = "base_right" // by the language base
	BaseWrong report.Which = "base_wrong"
	Gained    report.Which = "gained"   // right with the picture, wrong without
	Spoiled   report.Which = "spoiled"  // right without it, wrong with it
	Leaked    report.Which = "leaked"   // right without the picture, wrong by the language base
	Unleaked  report.Which = "unleaked" // the other way round

	Suspected report.Which = "suspected" // turned from wrong to right by more than half of the pairs
	TurnedBy  report.Which = "turned"    // by Part.Hits pairs

	PlusRight  report.Which = "plus_right"  // of MME: both questions about their picture are right
	PlusWrong  report.Which = "plus_wrong"  // not both
	AlwaysYes  report.Which = "always_yes"  // both answers are yes
	SaidYes    report.Which = "said_yes"    // the answer is yes
	SaidNo     report.Which = "said_no"     // it is read as no
	Follows    report.Which = "follows"     // the answer begins with yes or no
	NotFollows report.Which = "not_follows" // there is one, and it does not
	Unpaired   report.Which = "unpaired"    // no other question about their picture is there
	Undecided  report.Which = "undecided"   // in no rate

	Found     report.Which = "found" // predictions from here on
	None      report.Which = "none"
	Refused   report.Which = "refused"
	Ambiguous report.Which = "ambiguous"
	Missing   report.Which = "missing"
	NotRead   report.Which = "not_read"
	Errors    report.Which = "errors"

	Step1    report.Which = "step1"
	Step1Not report.Which = "step1_left" // the rules read no choice
	Step2    report.Which = "step2"
	Neither  report.Which = "neither"      // no step has read them
	Unparsed report.Which = "unparsed"     // the judge's reply says nothing
	Failed   report.Which = "judge_errors" // the judge's calls failed
	Fallback report.Which = "fallback"

	Predicted report.Which = "predicted" // with Part.Label; "" for the unread
	Unread    report.Which = "unread"    // no option was read out of them
	Truth     report.Which = "truth"     // with Part.Label
)

// FigurePart tells figures apart that have one name.
type FigurePart struct {
	Label eval.Choice // for Predicted and Truth
	Hits  int         // for TurnedBy
	Model string      // for Leaked, of a pair
}

// partOfSelection is that of a selection; the zero value without one.
func partOfSelection(s *report.Selection) FigurePart {
	p, _ := s.Part.(FigurePart)
	return p
}

// nameFigure are how the figures are called whose own name says too little.
func nameFigure(s *report.Selection) string {
	switch s.Which {
	case TurnedBy:
		return "rotated by " + fmt.Sprint(partOfSelection(s).Hits)
	case Predicted:
		return "read as " + string(partOfSelection(s).Label)
	case Truth:
		return "ground truth " + string(partOfSelection(s).Label)
	default:
		return pickNames[s.Which]
	}
}

var pickNames = map[report.Which]string{
	Lost: "right in pass 0 alone", report.VanillaRight: "right", report.VanillaWrong: "wrong", KeptRight: "right", KeptWrong: "wrong",
	TextRight: "right without the image", TextWrong: "wrong without the image", BaseRight: "right by the base", BaseWrong: "wrong by the base",
	Gained: "right with the image alone", Spoiled: "right without it alone", Leaked: "right beyond the base", Unleaked: "right by the base alone",
	Errors: "failed", Failed: "failed", Step1: "read", Step1Not: "not read", Step2: "read", Neither: "not read", Fallback: "drawn at random",
	PlusRight: "both right", PlusWrong: "not both right", SaidYes: "yes", SaidNo: "no", NotFollows: "does not follow",
}

func newOpener(row report.Row, extractor string) report.Opener {
	return report.Opener{Row: row, Extractor: extractor, Names: nameFigure}
}

// KeysBehind yields what is behind the row, or with Selection.Level of an ability or
// of an ability and a subtask: questions by their verdict or by what is said,
// and those of the pictures that PlusRight, PlusWrong and AlwaysYes name.
func (r *MMERow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	var all metric.MMECounts
	whole := report.Selection{}
	for _, err := range r.EachKeyBehind(ctx, facts, r.ReadAs, whole, func(q *report.DrilledQuestion) []eval.Key {
		if name, ok := metric.MMESubtaskOf(&q.Sample); ok && report.PathHasPrefix([]string{eval.MMEAbilityOf(name), name}, s.Level) {
			all.AddQuestion(q.Question, &q.Outcome)
		}
		return nil
	}) {
		if err != nil {
			return report.YieldError(err)
		}
	}
	var out []eval.Key
	for _, looks := range all.QuestionsBySubtask() {
		for i := range looks {
			if isBehindMME(looks, &looks[i], s.Which) {
				out = append(out, eval.Key{Run: r.Run, Sample: looks[i].Sample})
			}
		}
	}
	slices.SortFunc(out, report.CompareKeys)
	return report.YieldKeys(out)
}

// isBehindMME reports whether a question is behind a figure; looks are those about its picture.
func isBehindMME(looks []metric.PictureQuestion, l *metric.PictureQuestion, which report.Which) bool {
	all := func(test func(*metric.PictureQuestion) bool) bool {
		return len(looks) == 2 && test(&looks[0]) && test(&looks[1])
	}
	decided := func(l *metric.PictureQuestion) bool { return l.State.IsDecided() }
	right := func(l *metric.PictureQuestion) bool { return l.State == metric.Right }
	switch which {
	case PlusRight:
		return all(right)
	case PlusWrong:
		return all(decided) && !all(right)
	case AlwaysYes:
		return all(func(l *metric.PictureQuestion) bool { return l.Said == eval.Yes })
	case SaidYes:
		return l.Said == eval.Yes
	case SaidNo:
		return l.Said != "" && l.Said != eval.Yes
	case Follows:
		return l.Answered && l.Follows
	case NotFollows:
		return l.Answered && !l.Follows
	case Unpaired:
		return len(looks) < 2
	case Undecided:
		return !l.State.IsDecided()
	default:
		want, ok := verdictOf[which]
		return ok && l.State == want
	}
}

// CircularRow sets a run's accuracy by pass 0 beside that by all passes (MMBench, Table 2).
// Each rate is over the questions that its strategy has decided; Difference is circular less
// vanilla, over those that both have. The counts are of questions under CircularEval.
type CircularRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Strategy   string        `json:"-" column:"strategy"` // of Right and Wrong
	Vanilla    stat.Rate     `json:"vanilla" opens:"vanilla_right vanilla_wrong"`
	Circular   stat.Rate     `json:"circular" opens:"right wrong"`
	Difference stat.Estimate `json:"difference" as:"points" opens:"lost"`

	Pending    int `json:"pending" opens:"pending"`
	Irregular  int `json:"irregular" opens:"irregular"`
	NoTruth    int `json:"no_truth" opens:"no_truth"`
	Unanswered int `json:"unanswered" opens:"unanswered"`
	NoRules    int `json:"no_rules" opens:"no_rules"`
}

var circularLayout = report.NewLayout(report.HeadNames+"extractor vanilla circular difference pending irregular no_truth unanswered no_rules", CircularRow{}).WithFigureNames(nameFigure)

// ReportCircular reports vanilla beside circular accuracy of the runs that have both.
func ReportCircular(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	f, err := report.ScanRunsThatServe(ctx, facts, &o,
		"a run under CircularEval (ask one with --strategy circular, or import a file in the circular layout)",
		func(r *eval.Run) bool { return r.Config.Strategy == eval.Circular })
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "circular", Layout: circularLayout, Confidence: stat.Confidence, Notes: f.DescribeNotRead()}
	for r, s := range f.EachSplit() {
		root := s.Counted.Root
		score := &root.Circular
		row := &CircularRow{
			Head: report.NewHead(r.Run, s.Name), Source: r.ReadingSource(), Strategy: eval.Circular.String(),
			Vanilla: root.Vanilla.Rate(), Circular: score.Rate(),
			Difference: root.CircularDifference("no question decided under both"),
			Pending:    score.Pending, Irregular: score.Irregular, NoTruth: score.NoTruth,
			Unanswered: score.Unanswered, NoRules: score.NoRules,
		}
		if reason := row.Circular.Undefined; reason != "" {
			row.Difference = stat.NewUndefinedEstimate(reason)
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// KeysBehind yields the questions behind the circular accuracy; report.VanillaRight,
// report.VanillaWrong and Lost those behind the others.
func (r *CircularRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	var want func(o *metric.Outcome) bool
	switch s.Which {
	case report.VanillaRight:
		want = func(o *metric.Outcome) bool { return o.Vanilla == metric.Right }
	case report.VanillaWrong:
		want = func(o *metric.Outcome) bool { return o.Vanilla == metric.NotRight }
	case Lost:
		want = func(o *metric.Outcome) bool { return o.Vanilla == metric.Right && o.Circular == metric.NotRight }
	default:
		return eachAccuracyKey(ctx, facts, &r.Head, &r.Source, eval.Circular.String(), s)
	}
	return r.EachKeyBehind(ctx, facts, r.ReadAs, s, func(q *report.DrilledQuestion) []eval.Key {
		if !want(&q.Outcome) {
			return nil
		}
		return q.KeyToShow(r.Run)
	})
}

// eachAccuracyKey yields what is behind an accuracy, whatever the row that shows it.
func eachAccuracyKey(
	ctx context.Context, facts report.Facts, h *report.Head, src *report.Source, strategy string, s report.Selection,
) iter.Seq2[eval.Key, error] {
	row := &Row{Head: *h, Source: *src, Strategy: strategy}
	return row.KeysBehind(ctx, facts, s)
}

// KeysBehind lists the predictions that a selection counts.
func (r *Row) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	circular := r.Strategy == eval.Circular.String()
	counts := func(x *metric.Reading) bool { return circular || x.Pass == 0 }
	return r.EachKeyBehind(ctx, facts, r.ReadAs, s, func(q *report.DrilledQuestion) []eval.Key {
		verdict := eval.Either(circular, q.Outcome.Circular, q.Outcome.Vanilla)
		want, ofQuestion := verdictOf[s.Which]
		status, ofRecords := statusOf[s.Which]
		switch {
		case s.Which == report.Every:
			return q.KeyToShow(r.Run)
		case ofQuestion && verdict == want && !circular, s.Which == Irregular && q.Outcome.Irregular && !circular:
			return []eval.Key{{Run: r.Run, Sample: q.Sample.Ordinal}}
		case ofQuestion && verdict == want, s.Which == Irregular && q.Outcome.Irregular:
			return q.KeyToShow(r.Run)
		case ofRecords:
			return q.KeysWhere(func(_ int, x *metric.Reading) bool {
				return counts(x) && !x.Failed && x.Combined.Status == status
			})
		case s.Which == Errors:
			return q.KeysWhere(func(_ int, x *metric.Reading) bool { return counts(x) && x.Failed })
		}
		return nil
	})
}

// KeysBehind lists the predictions that a selection counts.
func (r *PositionsRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return r.EachKeyBehind(ctx, facts, r.ReadAs, s, func(q *report.DrilledQuestion) []eval.Key {
		return q.KeysWhere(func(_ int, x *metric.Reading) bool {
			if x.IsNotRead() {
				return s.Which == NotRead
			}
			switch s.Which {
			case Predicted:
				return !x.Failed && x.Combined.Choice == partOfSelection(&s).Label
			case Unread:
				return !x.Failed && x.Combined.Choice == ""
			case Truth:
				return x.Answer == partOfSelection(&s).Label && x.Answer != ""
			case Errors:
				return x.Failed
			case report.Right:
				return x.IsRight()
			case report.Wrong:
				return x.Answer != "" && !x.IsRight() && !x.Due
			default:
				return false
			}
		})
	})
}

// KeysBehind lists the predictions that a selection counts.
func (r *StepsRow) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	o := r.ReadAs
	if r.Judge != nil {
		o.Judge = *r.Judge
	}
	return r.EachKeyBehind(ctx, facts, o, s, func(q *report.DrilledQuestion) []eval.Key {
		return q.KeysWhere(func(i int, x *metric.Reading) bool {
			key := q.Predictions[i].Key
			step := q.Scheme.ReadingStep(key, x)
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
				return step == metric.ByNobody && !x.Due
			case Unparsed:
				return step == metric.ByNobody && q.Scheme.HasJudgeReplied(key)
			case Failed:
				return step == metric.ByNobody && q.Scheme.HasJudgeFailed(key)
			case Errors:
				return x.Failed
			default:
				return false
			}
		})
	})
}

var statusOf = map[report.Which]eval.Status{
	Found: eval.Found, None: eval.None, Refused: eval.Refused, Ambiguous: eval.Ambiguous, Missing: eval.Missing,
	NotRead: eval.StatusUnset,
}

var verdictOf = map[report.Which]metric.QuestionState{
	report.Right: metric.Right, report.Wrong: metric.NotRight, Pending: metric.Pending,
	NoTruth: metric.NoTruth, Unanswered: metric.Unanswered, NoRules: metric.NoRules,
}
