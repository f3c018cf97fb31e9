package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// gradeImporter makes of rows what judges said and what people did.
type gradeImporter struct {
	*RowCounter
	st     *store.Store
	name   eval.DatasetName
	at     time.Time
	runs   []eval.Run
	sets   map[eval.Ordinal]map[string]string // hashes of a sample's criteria by their names
	people *actLedger[rubric.Act, map[rubric.Subject]rubric.Act]
	taken  OnceByKey[rubricCell]
	judged []eval.Grade
}

// rubricCell is what a file may say once.
type rubricCell struct {
	eval.Key
	Rater, Criterion string
	Repeat           int
}

// ImportGrades takes a file of verdicts on criteria that were given elsewhere.
func ImportGrades(ctx context.Context, st *store.Store, rows *RowCounter) error {
	in := &gradeImporter{
		RowCounter: rows, st: st, name: rows.Sum.Dataset, at: rows.Project.Now().UTC().Truncate(time.Millisecond),
		sets: make(map[eval.Ordinal]map[string]string), taken: OnceByKey[rubricCell]{},
	}
	stored := func(who annotate.Annotator) ([]rubric.Act, error) { return st.Grades().ActsOf(in.name, who) }
	in.people = newActLedger(stored, rubric.FoldActs, st.Grades().Append)
	all, err := st.Runs().List()
	if err != nil {
		return err
	}
	in.runs = slices.DeleteFunc(all, func(r eval.Run) bool { return r.Config.Dataset != in.name })
	err = EachRow(rows, rowfile.ReadGrades(rows.Path), func(r *rowfile.GradeRow) int { return r.Line }, in.importRow)
	if err == nil {
		err = storeFactsInBatches(ctx, in.RowCounter, in.judged, st.Grades().Put)
	}
	if err != nil {
		return err
	}
	return in.people.storeNewActs(ctx)
}

func (in *gradeImporter) importRow(r *rowfile.GradeRow) error {
	s, err := in.st.Datasets().SampleByID(in.name, r.Sample)
	if err != nil {
		return fmt.Errorf("%w: name a sample of the dataset (concord export dataset lists them)", err)
	}
	k := eval.Key{Sample: s.Ordinal}
	if k.Run, err = in.findRunOfModel(r.Model, s.Ordinal); err != nil {
		return err
	}
	hashes, err := in.readCriterionHashes(s.Ordinal)
	if err != nil {
		return err
	}
	hash, ok := hashes[r.Criterion]
	switch {
	case r.Hash != "":
		hash = r.Hash // of an earlier revision, it may be
	case !ok:
		return fmt.Errorf("sample %s has no criterion %.80q: it has %.120s; concord import criteria brings others", r.Sample, r.Criterion, cmp.Or(strings.Join(slices.Sorted(maps.Keys(hashes)), ", "), "none"))
	}
	if err := in.taken.NoteFirstLine(rubricCell{k, r.Rater, r.Criterion, r.Repeat}, r.Line, "the verdict of %s on criterion %s of sample %s", r.Rater, r.Criterion, r.Sample); err != nil {
		return err
	}
	at := eval.Either(r.At.IsZero(), in.at, r.At)
	if !r.Person {
		in.Sum.Read++
		in.judged = append(in.judged, eval.Grade{
			Key: k, Judge: r.Rater, Criterion: r.Criterion, Hash: hash, Repeat: r.Repeat, Graded: r.Graded,
			Expected: r.Expected, Probabilities: r.Probabilities, Raw: r.Reply, Call: eval.Call{At: at},
		})
		return nil
	}
	return in.addPersonAct(rubric.Act{
		Dataset: in.name, Person: annotate.Annotator(r.Rater), Kind: rubric.Gave, Response: k, Criterion: r.Criterion, Hash: hash,
		Graded: r.Graded, Informed: r.Informed, Imported: true, At: at,
	})
}

// addPersonAct adds an act that says anything new.
func (in *gradeImporter) addPersonAct(act rubric.Act) error {
	g, err := in.people.actsOfPerson(act.Person)
	if err != nil {
		return err
	}
	in.Sum.Read++
	if old, ok := g.state[rubric.Subject{Response: act.Response, Criterion: act.Criterion}]; ok && old.Graded == act.Graded && old.Hash == act.Hash {
		in.Sum.Unchanged++
		return nil
	}
	in.Sum.Added++
	act.N = g.nextActNumber()
	g.acts = append(g.acts, act)
	return nil
}

// findRunOfModel finds the run whose model's response to a sample is meant.
func (in *gradeImporter) findRunOfModel(model string, o eval.Ordinal) (eval.RunID, error) {
	found := eval.RunsOfModel(in.runs, in.name, model, nil)
	if len(found) > 1 {
		found = slices.DeleteFunc(slices.Clone(found), func(r eval.Run) bool {
			_, err := in.st.Runs().Prediction(eval.Key{Run: r.ID, Sample: o})
			return err != nil
		})
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("there is no response of %.80q: import its answers first (concord import predictions)", model)
	case 1:
		return found[0].ID, nil
	}
	return 0, fmt.Errorf("%.80q has %d runs that answer the sample, and nobody knows which is meant: give each model a name of its own", model, len(found))
}

func (in *gradeImporter) readCriterionHashes(o eval.Ordinal) (map[string]string, error) {
	return eval.GetOrRead(in.sets, o, func() (map[string]string, error) {
		set, err := in.st.Criteria().Set(in.name, o)
		cs, out := set.Criteria(), make(map[string]string)
		for i := range cs {
			out[criteria.CriterionName(cs, i)] = cs[i].HashText()
		}
		return out, err
	})
}

// gradeColumns are those that import grades reads.
var gradeColumns = []string{
	"sample", "model", "criterion", "rater", "rater_kind", "verdict", "score", "raw", "expected", "probabilities", "reply",
	"repeat", "hash", "informed", "at", "dataset", "failure",
}

// WriteGrades writes every grade that stands, of judges and of people.
func WriteGrades(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags) ([]string, error) {
	return WriteTable(w, f.Format, gradeColumns, func(t *tablefile.Table) error {
		runs, err := st.Runs().List()
		out := gradeWriter{st: st, to: t, ids: make(map[eval.DatasetName][]eval.SampleID)}
		out.runs = eval.IndexBy(runs, func(r eval.Run) (eval.RunID, eval.Run) { return r.ID, r })
		for _, r := range runs {
			d := r.Config.Dataset
			if err != nil || f.Only != "" && f.Only != string(d) {
				continue
			}
			if out.ids[d] == nil {
				if out.ids[d], err = st.Datasets().SampleIDs(ctx, d); err == nil {
					err = out.writePeopleGrades(ctx, d)
				}
			}
			if err == nil {
				err = eval.EachRead(rubric.LatestGrades(st.Grades().All(ctx, r.ID)), func(g eval.Grade) error { return out.writeRow(&g, "judge", false) })
			}
		}
		return err
	})
}

type gradeWriter struct {
	st   *store.Store
	to   *tablefile.Table
	runs map[eval.RunID]eval.Run
	ids  map[eval.DatasetName][]eval.SampleID
}

func (e *gradeWriter) writePeopleGrades(ctx context.Context, d eval.DatasetName) error {
	stands, rulings, err := facts.NewSource(e.st).PeoplesGrades(ctx, d)
	for i, a := range append(stands, rubric.KeepNewestGrades(rulings)...) {
		kind := eval.Either(i >= len(stands), "adjudicator", "human")
		if err != nil {
			break
		}
		err = e.writeRow(&eval.Grade{Key: a.Response, Judge: string(a.Person), Criterion: a.Criterion, Hash: a.Hash, Graded: a.Graded, Call: eval.Call{At: a.At}}, kind, a.Informed)
	}
	return err
}

func (e *gradeWriter) writeRow(g *eval.Grade, kind string, informed bool) error {
	run := e.runs[g.Run]
	var verdict, score, expected, probabilities any = g.Verdict.String(), nil, nil, nil
	if g.Verdict == eval.Scored {
		verdict, score = nil, g.Score
	}
	if g.Expected != nil {
		expected = *g.Expected
	}
	if g.Probabilities != nil {
		probabilities = g.Probabilities
	}
	failure := ""
	if g.Failure != nil {
		failure = g.Failure.Message
	}
	ids := e.ids[run.Config.Dataset]
	if int(g.Sample) >= len(ids) {
		return fmt.Errorf("sample %d of dataset %s: %w", g.Sample, run.Config.Dataset, eval.ErrNotFound)
	}
	return e.to.Write([]any{
		string(ids[g.Sample]), run.Config.Model, g.Criterion, g.Judge, kind, verdict, score, g.Label, expected, probabilities, g.Raw,
		g.Repeat, g.Hash, informed, export.FormatTimestamp(g.At), string(run.Config.Dataset), failure,
	})
}

// verdictImporter turns rows of a file into acts.
type verdictImporter struct {
	*RowCounter
	st      *store.Store
	experts *actLedger[curation.Act, curation.State]
}

// ImportVerdicts takes a file of what experts say of samples.
func ImportVerdicts(ctx context.Context, st *store.Store, rows *RowCounter) error {
	stored := func(who annotate.Annotator) ([]curation.Act, error) { return st.Curation().Acts(rows.Sum.Dataset, who) }
	in := &verdictImporter{rows, st, newActLedger(stored, curation.FoldActs, st.Curation().Append)}
	err := EachRow(in.RowCounter, rowfile.ReadExpertVerdicts(in.Path), func(r *rowfile.VerdictRow) int { return r.Line }, in.importRow)
	if err != nil {
		return err
	}
	return in.experts.storeNewActs(ctx)
}

func (in *verdictImporter) importRow(row *rowfile.VerdictRow) error {
	v, err := curation.ParseVerdict(row.Verdict)
	if err != nil {
		return err
	}
	s, err := in.st.Datasets().SampleByID(in.Sum.Dataset, row.Sample)
	if err != nil {
		return err
	}
	who := annotate.Annotator(row.Annotator)
	x, err := in.experts.actsOfPerson(who)
	if err != nil {
		return err
	}
	said := x.state.ActsForWord(s.Ordinal, curation.ExpertWord{Expert: who, Verdict: v, Axis: row.Axis, Note: row.Note, Informed: row.Informed, At: in.TimeOrNow(row.At)}, row.Ruling)
	in.Sum.Read++
	if len(said) == 0 {
		in.Sum.Unchanged++
		return nil
	}
	in.Sum.Added++
	for _, act := range said {
		act.Dataset, act.N = in.Sum.Dataset, x.nextActNumber()
		x.acts = append(x.acts, act)
		x.state.AddAct(&act)
	}
	return nil
}

// verdictColumns begin with those that import curation reads.
var verdictColumns = []string{"sample", "annotator", "verdict", "axis", "note", "at", "informed", "act", "dataset", "seconds", "imported", "outcome", "votes", "of"}

// WriteVerdicts writes what experts said of the candidates of a dataset.
func WriteVerdicts(ctx context.Context, st *store.Store, w io.Writer, format string, name eval.DatasetName, p curation.Panel) ([]string, error) {
	cases, err := curating.CasesBySample(ctx, st, name, p)
	if err != nil {
		return nil, err
	}
	return WriteTable(w, format, verdictColumns, func(t *tablefile.Table) error {
		return eval.EachRead(st.Datasets().Samples(ctx, name), func(s eval.Sample) (err error) {
			one := cases[s.Ordinal]
			for i := range one.Words {
				err = errors.Join(err, writeVerdictRow(t, name, &s, &one, &one.Words[i], curation.Judged))
			}
			if one.Ruling != nil {
				err = errors.Join(err, writeVerdictRow(t, name, &s, &one, one.Ruling, curation.Ruled))
			}
			return err
		})
	})
}

func writeVerdictRow(t *tablefile.Table, name eval.DatasetName, s *eval.Sample, c *curation.Case, w *curation.ExpertWord, act curation.Kind) error {
	var axis any
	if w.Axis != nil {
		axis = w.Axis
	}
	return t.Write([]any{
		string(s.ID), string(w.Expert), w.Verdict.String(), axis, w.Note, export.FormatTimestamp(w.At), w.Informed, act.String(),
		string(name), w.Spent.Seconds(), w.Imported, c.Decision.Outcome.String(), c.Decision.Votes, c.Decision.Of,
	})
}
