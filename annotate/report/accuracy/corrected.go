package accuracy

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
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
			for _, fr := range l.Frames {
				out.LeaveOut(fr.Excluded)
			}
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
	strata := report.NewStrata()
	b, err := report.EachCorrected(ctx, f, run, &row.ReadAs, row.Strategy == eval.Circular.String(), drawn, row.Covers, strata.Put)
	if err != nil {
		return nil, err
	}
	out := report.Correct(f.Correcting, strata.List(), correct.Options{High: 1, Confidence: stat.Confidence}, judge, b.Labels)
	if reason := b.Refused(out.Corrected.Reason()); reason != out.Corrected.Reason() {
		out = report.Refuse(f.Correcting, reason, judge, b.Labels)
	}
	frames, left := b.Frames, b.LeftOut
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

// Corrections are the row's corrected score, nil where none was asked for.
func (r *Row) Corrections() []*report.Correction { return []*report.Correction{r.Correction} }
