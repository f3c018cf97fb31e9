package exchange

import (
	"context"
	"fmt"
	"io"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// LogColumns are the columns of export scores --for, by the tool whose logs they go back to.
var LogColumns = map[string][]string{
	profile.Inspect: {"sample_id", "epoch", "response", "scores", "results"},
	profile.LMMS:    {"doc_id", "filtered_resps", "concord_choice", "concord_score", "concord_people_choice", "concord_people_score", "concord"},
}

// WriteLogScores writes a row for each question of one run, as the logs of a tool name
// things: what rules extract and whether that is right, what people say where their
// labels count, and in the first row the score that these correct.
func WriteLogScores(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, tool string) ([]string, error) {
	runs, err := facts.MatchRuns(st, f.Dataset, f.Model, f.Runs)
	if err != nil {
		return nil, err
	}
	if len(runs) > 1 {
		return nil, cli.NewUsageError(fmt.Errorf("a log is of one run, and %d pass the filters: %s (choose one with --run)", len(runs), report.DescribeRuns(runs)))
	}
	var answers []report.CorrectedAnswer
	c := &report.Correcting{Answered: func(a *report.CorrectedAnswer) { answers = append(answers, *a) }}
	if f.Queue != "" {
		c.Queues = []annotate.QueueName{annotate.QueueName(f.Queue)}
	}
	out, err := accuracy.ReportAccuracy(ctx, facts.Source{Store: st}, report.Options{Runs: []eval.RunID{runs[0].ID}, Rules: f.Rules, Reader: facts.FindRules, Corrected: c})
	if err != nil {
		return nil, err
	}
	row := report.SelectRows[*accuracy.Row](out.Rows)[0]
	if len(answers) == 0 {
		return nil, fmt.Errorf("export scores: run %d (%s on %s) has no question that can be scored", row.Run, row.Model, row.Dataset)
	}
	unsaid := ""
	if !slices.ContainsFunc(answers, func(a report.CorrectedAnswer) bool { return a.State == report.StateSaid }) {
		unsaid = fmt.Sprintf("no label of people counts for run %d: %s", row.Run, row.Corrected.Reason())
	}
	if unsaid != "" && f.Queue != "" {
		return nil, fmt.Errorf("export scores: %s (of queue %s; without --queue, labels of all queues count)", unsaid, f.Queue)
	}
	notes, err := WriteTable(w, f.Format, LogColumns[tool], func(t *tablefile.Table) error {
		write, whole := writeLMMSScore, describeLogScores(row)
		if tool == profile.Inspect {
			write = writeInspectScore
		}
		for i := range answers {
			a := &answers[i]
			s, err := st.Datasets().Sample(row.Dataset, a.Sample)
			if err != nil {
				return err
			}
			p, err := st.Runs().Prediction(eval.Key{Run: row.Run, Sample: a.Sample})
			if err != nil {
				return err
			}
			if err := write(t, s.ID, p.Text, a, whole); err != nil {
				return err
			}
			whole = nil
		}
		return nil
	})
	if unsaid != "" {
		notes = append(notes, unsaid+": the scores are the rules' alone")
	}
	return notes, err
}

// describeLogScores gives what the scores are of and by, and those of the whole run.
func describeLogScores(r *accuracy.Row) map[string]any {
	return map[string]any{
		"version": eval.ThisBuild().String(), "run": r.Run, "model": r.Model, "dataset": r.Dataset, "extractor": r.Extractor, "rules": r.Rules + "@" + r.RulesVersion,
		"queues": append([]annotate.QueueName{}, r.Queues...), "policy": r.Policy, "target": r.Target, "labels": r.Labels,
		"machine": r.Accuracy, "people_only": r.People, "corrected": r.Corrected,
	}
}

func writeLMMSScore(t *tablefile.Table, id eval.SampleID, response string, a *report.CorrectedAnswer, whole map[string]any) error {
	var said, people any
	if a.State == report.StateSaid {
		said, people = a.Said.Word(), a.People
	}
	return t.Write([]any{string(id), []string{response}, string(a.Extracted.Choice), a.Machine, said, people, cellOrNull(whole)})
}

// writeInspectScore writes scores as inspect_ai's samples have them, by scorer; C is right
// and I is not.
func writeInspectScore(t *tablefile.Table, id eval.SampleID, response string, a *report.CorrectedAnswer, whole map[string]any) error {
	score := func(right float64, answer, by string) map[string]any {
		value := "I"
		if right == 1 {
			value = "C"
		}
		return map[string]any{"value": value, "answer": answer, "explanation": by}
	}
	scores := map[string]any{profile.WrittenScore: score(a.Machine, string(a.Extracted.Choice), "the rules' reading: "+a.Extracted.Status.String())}
	if a.State == report.StateSaid {
		scores[profile.WrittenPeopleScore] = score(a.People, a.Said.Word(), "the consensus of people's labels")
	}
	return t.Write([]any{string(id), 1, response, scores, cellOrNull(whole)})
}

// cellOrNull gives an object as a cell, which is empty where there is none.
func cellOrNull(of map[string]any) any {
	if of == nil {
		return nil
	}
	return of
}
