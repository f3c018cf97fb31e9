package file

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"concord/store/page"
	"concord/store/record"
)

// commitState is a commit of which a damaged file may still have all, or a part.
type commitState struct {
	meta     page.Meta
	tables   int
	records  int
	findings int
}

// findLatestCommit finds the commit as of which a damaged file is salvaged: that of its
// newer meta page, or, where that one is lost, of all states that its pages still
// hold the one that knows of the most records. It tells src what that one says of
// its schema.
func findLatestCommit(in *os.File, src *File, note func(error)) (page.Meta, error) {
	info, err := in.Stat()
	if err != nil {
		return page.Meta{}, err
	}
	m, sure := page.ReadMendedMeta(in)
	if sure {
		src.readSchema(in, m)
		return m, nil
	}
	all := []commitState{}
	if m.PageSize > 0 {
		all = append(all, measureState(in, m))
	}
	for _, root := range page.FindRoots(in, info.Size()) {
		if root.Root != m.Root || m.PageSize == 0 {
			all = append(all, measureState(in, root))
		}
	}
	if len(all) == 0 {
		return m, &record.DamageError{Where: "the file", Why: "no page of a project is in it"}
	}
	best := slices.MaxFunc(all, func(a, b commitState) int {
		return cmp.Or(cmp.Compare(a.tables, b.tables), cmp.Compare(a.records, b.records), cmp.Compare(b.findings, a.findings))
	})
	if best.meta.Root == m.Root && m.PageSize > 0 {
		src.readSchema(in, m)
		return m, nil
	}
	lost := &record.DamageError{
		Where:  fmt.Sprintf("page %d", best.meta.Root),
		Why:    "no meta page leads to it; of the states that are left in the file it knows of the most records, and is taken",
		Commit: true,
	}
	if best.meta.Root >= best.meta.Pages {
		lost.Where, lost.Why = "the file", "no meta page is left and no table of tables: records of earlier commits may be among those that are saved"
	}
	note(lost)
	src.readSchema(in, best.meta)
	return page.FindFreelist(in, best.meta), nil
}

// measureState measures a state, by its sums, or by its records where it has none.
func measureState(in *os.File, m page.Meta) commitState {
	s := page.NewReader(in, m, 1).AccountPages(1)
	out := commitState{meta: m, tables: len(s.Tables), findings: len(s.Findings)}
	summed := slices.ContainsFunc(s.Tables, func(t page.Table) bool { return record.Table(t.Name) == record.TableSums })
	for _, t := range s.Tables {
		if summed && record.Table(t.Name) != record.TableSums {
			continue
		}
		t.Ascend(nil, func(l page.Leaf, err *page.Error) bool {
			if err != nil {
				out.findings++
				return true
			}
			for i := range l.Len {
				out.countRecord(l.Key(i), l.Value(i), summed)
			}
			return true
		})
	}
	return out
}

// countRecord counts a record, or those that a sum stands for.
func (s *commitState) countRecord(key, value []byte, isSum bool) {
	if !isSum {
		s.records++
		return
	}
	body, _, err := record.Unseal(record.TableSums, key, value, false)
	if err == nil {
		var sum record.Sum
		sum, err = record.ReadSum(key, body)
		s.records += sum.Records
	}
	if err != nil {
		s.findings++
	}
}

// readSchema takes from a state what schema it has, if that can be read.
func (f *File) readSchema(in *os.File, m page.Meta) {
	if f.db != nil {
		return // it was opened, and has said so
	}
	meta, ok, _ := page.NewReader(in, m, 1).Root().Table([]byte(record.TableMeta))
	if !ok {
		return
	}
	leaf, i, found, err := meta.Find([]byte(MetaSchema))
	if err != nil || !found {
		return
	}
	n, ok := record.DecodeNumber(leaf.Value(i))
	if !ok || n == 0 || n > f.schema {
		return
	}
	f.schema, f.bare = n, true
	if leaf, i, found, err = meta.Find([]byte(MetaEnvelope)); err == nil && found {
		body, _, err := record.Unseal(record.TableMeta, []byte(MetaEnvelope), leaf.Value(i), false)
		f.bare = err != nil || len(body) != 9 || body[8] != 0
	}
}
