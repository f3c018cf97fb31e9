package store

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
)

// earlier is a project as the concord of an earlier schema wrote it: a dataset of
// twelve samples, two of them with a picture, two runs of it, three readings of a
// judge and six labels of each of two people; from schema 4 on criteria and a
// judge's votes on four pairs, from 6 on people's, and in 15 a run asked as with images
// and another judge's votes, on samples that have none.
func earlier(t *testing.T, schema int) []byte {
	t.Helper()
	f := got[*os.File](t)(os.Open(filepath.Join("testdata", "schemas", fmt.Sprintf("%d.db.gz", schema))))
	defer func() { _ = f.Close() }()
	z := got[*gzip.Reader](t)(gzip.NewReader(f))
	return got[[]byte](t)(io.ReadAll(z))
}

// holds checks what every earlier project holds.
func holds(t *testing.T, s *Store, schema int) {
	t.Helper()
	n, damage, err := s.Check(t.Context())
	if err != nil || len(damage) > 0 || n < 100 {
		t.Errorf("%d records, %v, %v", n, damage, err)
	}
	same(t, len(all(t, s.Datasets().Samples(t.Context(), "d"))), 12)
	runs := got[[]eval.Run](t)(s.Runs().List())
	for _, r := range runs[:2] {
		same(t, len(all(t, s.Runs().Predictions(t.Context(), r.ID, eval.Key{}))), 12)
		same(t, got[eval.Counts](t)(s.Runs().Counts(r.ID)).Predictions, 12)
	}
	same(t, len(all(t, s.Judgments().Calls(t.Context(), runs[0].ID))), 3)
	for _, who := range []annotate.Annotator{"ann", "bob"} {
		same(t, len(annotate.FoldActs(got[[]annotate.Act](t)(s.Acts().Acts("q", who))).Labels), 6)
	}
	comparisons := 1
	if schema >= 15 {
		comparisons = 2
	}
	if schema >= 4 {
		same(t, len(got[[]eval.ComparisonProgress](t)(s.Votes().Comparisons(t.Context()))), comparisons)
		same(t, len(all(t, s.Criteria().All(t.Context(), "o"))), 3)
	}
	if schema >= 6 {
		same(t, len(got[[]annotate.Act](t)(s.Acts().Acts("pv", "ann"))), 3)
	}
}

// A project of each earlier schema, as the concord of then wrote it, is read, taken
// along with a copy beside it, labelled and found whole.
func TestEarlierSchemas(t *testing.T) {
	for schema := 1; schema <= len(listMigrations()); schema++ {
		t.Run(fmt.Sprint(schema), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.db")
			must(t, os.WriteFile(path, earlier(t, schema), 0o600))
			old := got[*Store](t)(Open(path, Options{ReadOnly: true, Old: true}))
			same(t, old.file.Schema(), schema)
			if n, damage, err := old.Check(t.Context()); err != nil || len(damage) > 0 || n < 100 {
				t.Errorf("as it was: %d records, %v, %v", n, damage, err)
			}
			must(t, old.Close())

			s := openAt(t, path, Options{Now: clock})
			same(t, file.Exists(fmt.Sprintf("%s.schema%d", path, schema)), true)
			holds(t, s, schema)
			run := got[[]eval.Run](t)(s.Runs().List())[0]
			must(t, s.Acts().Append(t.Context(), []annotate.Act{label("q", "cyd", 1, item(run.ID, 0, 0), "B")}))
			must(t, s.Close())
			s = openAt(t, path, Options{ReadOnly: true})
			same(t, len(got[[]annotate.Act](t)(s.Acts().Acts("q", "cyd"))), 1)
			same(t, faults(t, path), "")
			holds(t, s, schema)
		})
	}
}

// The copy that is kept of a project is not lost when another one of the same
// name and schema comes, and one that is there is not made twice.
func TestCopiesOfEarlierSchemasStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	first := earlier(t, 11)
	bring := func(raw []byte) {
		must(t, os.WriteFile(path, raw, 0o600))
		must(t, openAt(t, path, Options{Now: clock}).Close())
	}
	bring(first)
	kept := got[[]byte](t)(os.ReadFile(path + ".schema11"))
	bring(first)
	same(t, file.Exists(path+".schema11-2"), false)
	must(t, os.WriteFile(path+".schema11", append(kept, 0), 0o600)) // another project's
	bring(first)
	same(t, len(got[[]byte](t)(os.ReadFile(path+".schema11"))), len(kept)+1)
	same(t, bytes.Equal(got[[]byte](t)(os.ReadFile(path+".schema11-2")), kept), true)
	same(t, file.Exists(path+".schema11.part"), false)
}

// A damaged project of an earlier schema is saved as one of the present, and
// nothing else is left beside it.
func TestRepairOfEarlierSchemas(t *testing.T) {
	for schema := 1; schema <= len(listMigrations()); schema++ {
		for how, damage := range map[string]func(raw []byte){
			"both metas": func(raw []byte) { clear(raw[:2*4096]) },
			"a bit":      func(raw []byte) { raw[4096*(1+len(raw)/4096/2)+20] ^= 8 },
		} {
			dir := t.TempDir()
			path, to := filepath.Join(dir, "p.db"), filepath.Join(dir, "saved.db")
			raw := bytes.Clone(earlier(t, schema))
			damage(raw)
			must(t, os.WriteFile(path, raw, 0o600))
			n, lost, err := Repair(t.Context(), path, to, Options{Now: clock})
			if err != nil || n < 100 || how == "both metas" && len(lost) == 0 {
				t.Errorf("schema %d, %s: %d records, %v, %v", schema, how, n, lost, err)
				continue
			}
			s := openAt(t, to, Options{ReadOnly: true})
			if _, damage, err := s.Check(t.Context()); err != nil || len(damage) > 0 {
				t.Errorf("schema %d, %s: %v, %v", schema, how, damage, err)
			}
			if how == "both metas" {
				holds(t, s, schema)
			}
			must(t, s.Close())
			if beside := got[[]string](t)(filepath.Glob(filepath.Join(dir, "saved.db?*"))); len(beside) > 0 {
				t.Errorf("schema %d, %s: %v", schema, how, beside)
			}
			same(t, file.Exists(path), true)
		}
	}
}

// What asked as with images, and had none to send, is told from what had them.
func TestCallsWithoutTheirImage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	must(t, os.WriteFile(path, earlier(t, 15), 0o600))
	s := openAt(t, path, Options{Now: clock})
	runs := got[[]eval.Run](t)(s.Runs().List())
	last := runs[len(runs)-1]
	same(t, last.Config.Modality, eval.WithoutImages)
	same(t, got[eval.Run](t)(s.Runs().FindRun(last.Config)).ID, last.ID)
	for _, r := range runs[:len(runs)-1] {
		same(t, r.Config.Modality, eval.WithImage) // imported: nobody knows
	}
	for _, c := range got[[]eval.ComparisonProgress](t)(s.Votes().Comparisons(t.Context())) {
		votes := all(t, s.Votes().OfComparison(t.Context(), c.Comparison))
		if c.Judge == "g" {
			same(t, c.Input, eval.SeesImage)
			same(t, len(votes), 8)
			continue
		}
		same(t, c.Input, eval.SeesNothing)
		same(t, len(votes), 4)
		same(t, c.Counts, eval.VoteCounts{Votes: [eval.Votes]int{eval.Answer1: 2}, Usage: eval.Usage{Prompt: 20}})
	}
}
