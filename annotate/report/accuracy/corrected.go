package accuracy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// CorrectAccuracy sets beside each row of an accuracy report what people's
// labels make of it, as o.Corrected says. The unit is the question, of those
// that the accuracy is over: the machine's word is its verdict, people's the
// verdict with their readings in place of the machine's in all passes that a
// queue was drawn from, other passes as read. A question is labelled when all
// of the former are, and their labels count (see counting). Within a stratum all questions were as likely to be: those
// of one queue that draws whole questions, as Rule.Whole has it; of one that
// draws predictions, those with as many passes in it, since all of them must
// have been drawn (at a rate of 10 % one question in 10,000 has its four).
// Questions of which no pass was in a queue's population, or which stay not
// right whatever people say of those that were, are a stratum taken as read:
// it gives its machine's mean and no error of labels.
//
// So the corrected share of questions right under CircularEval is
//
//	sum over strata h of N_h/N * (lambda_h * mean(f over the N_h - n_h unlabelled)
//	                              + mean(y - lambda_h * f over the n_h labelled))
//
// with f the machine's verdict of a question and y people's, 1 or 0, and the
// variance of correct.Correct, in which a question is one observation however
// many passes it has.
func CorrectAccuracy(ctx context.Context, facts report.Facts, o report.Options, out *report.Report) error {
	f, err := report.NewFraming(facts, &o)
	if err != nil {
		return err
	}
	var rows []*Row
	frames := make(map[eval.DatasetName]*report.Labelled)
	for _, r := range out.Rows {
		row := r.(*Row)
		rows = append(rows, row)
		if frames[row.Dataset] == nil {
			l := new(report.Labelled)
			if l.Frames, l.Priority, err = f.Frames(ctx, row.Dataset); err != nil {
				return err
			}
			frames[row.Dataset] = l
		}
		if row.Correction, err = correctedAccuracy(ctx, f, row, frames[row.Dataset]); err != nil {
			return fmt.Errorf("correct run %d: %w", row.Run, err)
		}
	}
	out.Notes = append(out.Notes, report.CorrectedNotes(rows)...)
	out.Sheets = []table.Table{out.Table(), correctedSheet(rows)}
	out.Sheets[0].Notes = nil
	return nil
}

// correctedAccuracy is what people's labels make of one row.
func correctedAccuracy(ctx context.Context, f *report.Framing, row *Row, l *report.Labelled) (*report.Correction, error) {
	judge := report.EstimateOf(row.Accuracy)
	drawn, reason := l.Of(row.Run)
	if reason == "" && row.Accuracy.N == 0 {
		reason = row.Accuracy.Undefined
	}
	if reason != "" {
		return report.Refuse(f.Correcting, reason, judge, report.CountedLabels{}), nil
	}
	run := f.Runs[row.Run]
	frames, labels := report.ForRow(drawn, row.Run, row.Strategy == eval.Circular.String())
	scheme, _, err := report.SchemeOf(ctx, f.Facts, run, &row.ReadAs)
	if err != nil {
		return nil, err
	}
	left := make(map[string]int)
	b := boards{scheme: scheme, frames: frames, circular: row.Strategy == eval.Circular.String(), strata: report.NewStrata()}
	for q, err := range f.Facts.Questions(ctx, run) {
		if err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		if row.Covers(&q.Sample) {
			b.add(&q)
			report.CountLeft(left, frames, &q, b.circular)
		}
	}
	out := report.Correct(f.Correcting, b.strata.List(), correct.Options{High: 1, Confidence: stat.Confidence}, judge, labels)
	switch {
	case b.partly > 0 && b.labels == 0:
		out = report.Refuse(f.Correcting, fmt.Sprintf("of some questions (%d) one pass or more is labelled, of none all that a queue was drawn from (%s)", b.partly, drawWhole), judge, labels)
	case b.partly > 0 && out.Corrected.Reason() != "":
		out = report.Refuse(f.Correcting, out.Corrected.Reason()+" ("+drawWhole+")", judge, labels)
	case b.open > 0:
		out = report.Refuse(f.Correcting, fmt.Sprintf("people read as right the pass that ended a question (%d): its other passes were never asked", b.open), judge, labels)
	}
	out.Target = target(frames, run, row)
	for _, fr := range frames {
		out.Queues = append(out.Queues, fr.Queue.Name)
	}
	out.LeftOut = left
	if n := left[annotate.LeftNoConsensus]; n > 0 && out.Corrected.Reason() == "" {
		out.Warnings = append(out.Warnings, fmt.Sprintf("drawn answers on which people came to nothing (%s) are assumed to be like the others, though they are harder: the bounds allow for it; "+
			"adjudicate them, or count them as not right with --undecided none", table.Grouped(n)))
	}
	return out, nil
}

// target names what a row's score is of. While a run goes on, that is what it
// has answered: nothing is known of the other questions, which may be harder.
func target(frames []*report.RowFrame, run eval.Run, row *Row) string {
	goesOn := run.Config.Origin == eval.Asked && row.Pending > 0
	for _, f := range frames {
		goesOn = goesOn || f.Queue.Growing
	}
	if goesOn {
		return fmt.Sprintf("the %s questions answered so far", table.Grouped(row.Accuracy.N))
	}
	return fmt.Sprintf("the %s questions", table.Grouped(row.Accuracy.N))
}

// drawWhole is what to do about questions that are labelled in part.
const drawWhole = "queue create --whole draws questions with all their passes"

// boards puts the questions of one run into strata.
type boards struct {
	scheme   *metric.Scheme
	frames   []*report.RowFrame
	circular bool
	strata   *report.Strata
	labels   int // questions that are labelled
	partly   int // questions of which some passes are
	open     int // questions that people's readings leave undecided
}

func (b *boards) verdict(o *metric.Outcome) metric.Verdict {
	if b.circular {
		return o.Circular
	}
	return o.Vanilla
}

func (b *boards) add(q *eval.Question) {
	machine := b.scheme.Outcome(q)
	verdict := b.verdict(&machine)
	if !verdict.Decided() {
		return // it is in no rate
	}
	read := value(verdict)
	if b.failed(&machine) {
		b.strata.Unlabelled(report.NoText, read)
		return
	}
	s := b.sort(q)
	if len(s.framed) == 0 || b.settled(q, &machine, &s) {
		b.strata.Unlabelled(report.AsRead, read)
		return
	}
	switch {
	case s.open > 0:
		b.partly += report.OneIf(len(s.said) > 0)
		b.strata.Unlabelled(s.name, read)
		return
	case s.missing > 0:
		b.strata.Missing(s.name, read)
		return
	}
	with := b.scheme.With(q, &machine, func(k eval.Key) (eval.Extraction, bool) {
		r, ok := s.said[k]
		return reading(r), ok
	})
	people := b.verdict(&with)
	if !people.Decided() {
		b.open++
		return
	}
	b.labels++
	b.strata.Labelled(s.name, read, value(people))
}

// failed reports that a call failed which the verdict counts: that is not
// right, whatever the others say.
func (b *boards) failed(o *metric.Outcome) bool {
	return slices.ContainsFunc(o.Readings, func(r metric.Reading) bool { return r.Failed && (r.Pass == 0 || b.circular) })
}

func value(v metric.Verdict) float64 {
	if v == metric.Right {
		return 1
	}
	return 0
}

// reading is what people read, as a machine would have put it.
func reading(r annotate.Reading) eval.Extraction {
	if r.Verdict == annotate.PickedOption {
		return eval.Extraction{Status: eval.Found, Choice: r.Choice}
	}
	return eval.Extraction{Status: eval.None}
}

// sorted is a question by what could have been labelled of it.
type sorted struct {
	name    string // of its stratum
	framed  map[eval.Key]bool
	said    map[eval.Key]annotate.Reading
	missing int // passes that were drawn and stay without a say of people
	open    int // all other passes that a queue was drawn from
}

func (b *boards) sort(q *eval.Question) sorted {
	out := sorted{framed: make(map[eval.Key]bool), said: make(map[eval.Key]annotate.Reading)}
	passes := make([]int, len(b.frames))
	for i := range q.Predictions {
		p := &q.Predictions[i]
		if p.Pass > 0 && !b.circular {
			continue
		}
		at := slices.IndexFunc(b.frames, func(f *report.RowFrame) bool { return f.Takes(q, i) })
		if at < 0 {
			continue
		}
		passes[at]++
		out.framed[p.Key] = true
		switch f := b.frames[at]; f.State(p.Key, &q.Sample) {
		case report.StateSaid:
			out.said[p.Key] = f.Said[p.Key]
		case report.StateMissing:
			out.missing++
		case report.StateOpen:
			out.open++
		}
	}
	var parts []string
	for i, n := range passes {
		if n == 0 {
			continue
		}
		part := b.frames[i].StratumOf(&q.Sample)
		if n > 1 && !b.frames[i].Queue.Rule.Whole {
			part += fmt.Sprintf(", %d passes", n)
		}
		parts = append(parts, part)
	}
	out.name = strings.Join(parts, " and ")
	return out
}

// settled reports a question that stays not right whatever people say of the
// passes that could be labelled: another pass is found and wrong.
func (b *boards) settled(q *eval.Question, machine *metric.Outcome, s *sorted) bool {
	right := make(map[eval.Key]eval.Choice)
	for i := range machine.Readings {
		if k := q.Predictions[i].Key; s.framed[k] {
			right[k] = machine.Readings[i].Answer
		}
	}
	best := b.scheme.With(q, machine, func(k eval.Key) (eval.Extraction, bool) {
		c, ok := right[k]
		return eval.Extraction{Status: eval.Found, Choice: c}, ok
	})
	return b.verdict(&best) == metric.NotRight
}

// Corrections are the row's corrected score, nil where none was asked for.
func (r *Row) Corrections() []*report.Correction { return []*report.Correction{r.Correction} }
