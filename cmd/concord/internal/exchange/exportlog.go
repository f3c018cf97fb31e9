package exchange

import (
	"context"
	"encoding/json"
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

// WriteLogScores writes a row for each question of one run, as the logs of a tool name things: what rules extract and
// whether that is right, what people say where their labels count, and in the first row the score that these correct.
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
	out, err := accuracy.ReportAccuracy(ctx, facts.NewSource(st), report.Options{Runs: []eval.RunID{runs[0].ID}, Rules: f.Rules, Reader: facts.FindRules, Corrected: c})
	if err != nil {
		return nil, err
	}
	row := report.SelectRows[*accuracy.Row](out.Rows)[0]
	if len(answers) == 0 {
		return nil, fmt.Errorf("export scores: run %d (%s on %s) has no question that can be scored", row.Run, row.Model, row.Dataset)
	}
	unsaid := ""
	if !slices.ContainsFunc(answers, func(a report.CorrectedAnswer) bool { return a.State == report.StateSaid }) {
		unsaid = fmt.Sprintf("no label of people counts for run %d: %s", row.Run, row.Corrected.WhyUndefined())
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

func describeLogScores(r *accuracy.Row) any {
	return map[string]any{
		"version": eval.ThisBuild().String(), "run": r.Run, "model": r.Model, "dataset": r.Dataset, "extractor": r.Extractor, "rules": r.Rules + "@" + r.RulesVersion,
		"queues": append([]annotate.QueueName{}, r.Queues...), "policy": r.Policy, "target": r.Target, "labels": r.Labels,
		"machine": r.Accuracy, "people_only": r.People, "corrected": r.Corrected,
	}
}

func writeLMMSScore(t *tablefile.Table, id eval.SampleID, response string, a *report.CorrectedAnswer, whole any) error {
	var said, people any
	if a.State == report.StateSaid {
		said, people = a.Said.Word(), a.People
	}
	return t.Write([]any{string(id), []string{response}, string(a.Extracted.Choice), a.Machine, said, people, whole})
}

// writeInspectScore writes scores as inspect_ai's samples have them, by scorer; C is right and I is not.
func writeInspectScore(t *tablefile.Table, id eval.SampleID, response string, a *report.CorrectedAnswer, whole any) error {
	score := func(right float64, answer, by string) map[string]any {
		value := eval.Either(right == 1, "C", "I")
		return map[string]any{"value": value, "answer": answer, "explanation": by}
	}
	scores := map[string]any{profile.WrittenScore: score(a.Machine, string(a.Extracted.Choice), "the rules' reading: "+a.Extracted.Status.String())}
	if a.State == report.StateSaid {
		scores[profile.WrittenPeopleScore] = score(a.People, a.Said.Word(), "the consensus of people's labels")
	}
	return t.Write([]any{string(id), 1, response, scores, whole})
}

// The settings of a run as an export writes them beside each prediction, and those of a judge
// beside each judgment. Neither holds a key: settings name an endpoint by its address alone.
type (
	runSettings struct {
		Endpoint  string           `json:"endpoint"`
		Model     string           `json:"model"`
		Params    json.RawMessage  `json:"params"`
		Prompts   []eval.PromptRef `json:"prompts"`
		Language  string           `json:"language,omitempty"`
		Edge      int              `json:"edge,omitempty"`
		Shots     int              `json:"shots"`
		Exemplars []exemplar       `json:"exemplars,omitempty"`
		Judges    []judgeSettings  `json:"judges,omitempty"`
		Fallback  bool             `json:"fallback"`
		Seed      uint64           `json:"seed,omitempty"`
		AllPasses bool             `json:"all_passes"`
		Rules     string           `json:"rules"`
	}
	judgeSettings struct {
		Judge    string           `json:"judge"`
		Endpoint string           `json:"endpoint"`
		Model    string           `json:"model"`
		Params   json.RawMessage  `json:"params"`
		Prompts  []eval.PromptRef `json:"prompts"`
		Language string           `json:"language,omitempty"`
		Pseudo   string           `json:"pseudo_choice"`
	}
	exemplar struct {
		Sample   string            `json:"sample,omitempty"`
		Question string            `json:"question"`
		Options  map[string]string `json:"options"`
		Answer   string            `json:"answer"`
	}
)

// settingsForExport is nil for a run that concord did not ask.
func settingsForExport(run eval.Run) any {
	s := run.Config.Settings
	if run.Config.Origin != eval.Asked {
		return nil
	}
	out := runSettings{
		Endpoint: s.Endpoint, Model: s.Name, Params: rawParamsOrEmpty(s.Params), Prompts: append([]eval.PromptRef{}, s.Prompts...),
		Language: s.Language, Edge: s.Edge, Shots: s.Shots, Fallback: s.Fallback, Seed: s.Seed,
		AllPasses: run.Config.AllPasses, Rules: run.Config.Rules,
	}
	for _, x := range s.Exemplars {
		e := exemplar{Sample: string(x.Sample), Question: x.Question, Options: make(map[string]string), Answer: string(x.Answer)}
		for _, o := range x.Options {
			e.Options[string(o.Letter)] = o.Text
		}
		out.Exemplars = append(out.Exemplars, e)
	}
	for _, j := range s.Judges {
		out.Judges = append(out.Judges, judgeSettings{
			Judge: j.Judge, Endpoint: j.Endpoint, Model: j.Name, Params: rawParamsOrEmpty(j.Params), Prompts: append([]eval.PromptRef{}, j.Prompts...),
			Language: j.Language, Pseudo: string(j.Pseudo),
		})
	}
	return out
}

func rawParamsOrEmpty(p string) json.RawMessage {
	return json.RawMessage(eval.Either(json.Valid([]byte(p)), p, "{}"))
}

// Batch is how many acts or facts a transaction of an import holds.
const Batch = 5000

// StoreInParts hands all to a function, as many at a time as a transaction holds.
func StoreInParts[T any](ctx context.Context, all []T, put func(context.Context, []T) error) error {
	return eval.Each(slices.Collect(slices.Chunk(all, Batch)), func(part []T) error { return put(ctx, part) })
}

// actLedger is what everybody whom a file names did, stored and new. S is what acts come to.
type actLedger[A, S any] struct {
	stored func(annotate.Annotator) ([]A, error)
	fold   func([]A) S
	put    func(context.Context, []A) error
	of     map[annotate.Annotator]*personActs[A, S]
	order  []annotate.Annotator
}

func newActLedger[A, S any](stored func(annotate.Annotator) ([]A, error), fold func([]A) S, put func(context.Context, []A) error) *actLedger[A, S] {
	return &actLedger[A, S]{stored: stored, fold: fold, put: put, of: make(map[annotate.Annotator]*personActs[A, S])}
}

// personActs is one person's acts, stored and new.
type personActs[A, S any] struct {
	acts  []A
	state S
	fresh int // index of the first new act
}

func (l *actLedger[A, S]) actsOfPerson(who annotate.Annotator) (*personActs[A, S], error) {
	if one := l.of[who]; one != nil {
		return one, nil
	}
	acts, err := l.stored(who)
	if err != nil {
		return nil, err
	}
	one := &personActs[A, S]{acts: acts, state: l.fold(acts), fresh: len(acts)}
	l.of[who], l.order = one, append(l.order, who)
	return one, nil
}

func (a *personActs[A, S]) nextActNumber() uint32 { return uint32(len(a.acts) + 1) }

func (l *actLedger[A, S]) storeNewActs(ctx context.Context) error {
	for _, who := range l.order {
		one := l.of[who]
		if err := StoreInParts(ctx, one.acts[one.fresh:], l.put); err != nil {
			return err
		}
	}
	return nil
}

// actStreams are the acts of people in a queue, and hand those of one of them.
type (
	actStream  = personActs[annotate.Act, annotate.State]
	actStreams struct {
		*actLedger[annotate.Act, annotate.State]
		queue annotate.QueueName
	}
)

func newActStreams(st *store.Store, name annotate.QueueName) *actStreams {
	stored := func(who annotate.Annotator) ([]annotate.Act, error) { return st.Acts().Acts(name, who) }
	return &actStreams{newActLedger(stored, annotate.FoldActs, st.Acts().Append), name}
}

func (h *actStreams) addImportedAct(to *actStream, who annotate.Annotator, act annotate.Act) {
	act.Queue, act.Annotator, act.Imported, act.N = h.queue, who, true, to.nextActNumber()
	to.acts = append(to.acts, act)
}
