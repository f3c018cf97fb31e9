package store

import (
	"bytes"

	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
	"concord/store/unseen"
)

// listMigrations lists all steps since the first schema, in order.
func listMigrations() []file.Migration {
	return []file.Migration{
		newMigration("totals of judges, usage, failures, texts", migrateToTotals, record.TableFailed, record.TableTexts),
		newMigration("votes", nil, record.TableVotes, record.TableComparisons),
		newMigration("criteria", nil, record.TableCriteria),
		// Only what is written from then on differs: queues say whether they show criteria, and
		// places hold sides. An older concord would lose the one and not read the other.
		newMigration("queues of pairs", nil),
		newMigration("scores, captions, detections", nil, record.TableScores, record.TableScorers, record.TableCaptions, record.TableDetections),
		newMigration("known answers, scores from elsewhere, inspections, curation", nil,
			record.TableGoldItems, record.TableMeasures, record.TableInspections, record.TableCuration),
		newMigration("versions of guidelines", nil, record.TableGuidelines),
		newMigration("people, leases, packets", nil, record.TablePeople, record.TableLeases, record.TablePackets, record.TablePacketItems),
		newMigration("replies that were no answer", recountNoAnswers),
		newMigration("what each person was shown", migrateToDisclosures, record.TableDisclosures),
		newMigration("checksums and sums", migrateToSums, record.TableSums),
		// What people do from then on is chained, behind the hash of what they did
		// before. The acts of before stay as they are.
		newMigration("chains of acts", func(tx *file.Tx, s *Store) error {
			return heads.NewKeeper(s.codec).CreateHeads(tx, record.TableActs, record.TableCriteria, record.TableCuration)
		}, record.TableHeads),
		// An older concord would read these acts as none, and give other figures.
		newMigration("exclusions, comments, drafts of guidelines", nil, record.TableDrafts),
		newMigration("grades", nil, record.TableGrades, record.TableGradings),
		{Name: "calls without the image that was due", Step: unseen.SeparateUnseen},
		// Criteria say what they count in part. An older concord would count a half.
		newMigration("partial credit", nil),
		// Acts in queues hold grades. An older concord would read these acts as none.
		newMigration("grades in queues", nil),
		// An older concord would take uncertain items to be as likely as others.
		newMigration("queues by uncertainty", nil),
		// An older concord would read labels of a queue's own as options, and tags as none.
		newMigration("label sets and tags", nil),
		// An older concord would lose the cached tokens of totals, and give a higher cost.
		newMigration("cached prompt tokens, batches", nil, record.TableBatches),
		newMigration("written samples", nil, record.TableAuthoring),
		// Long texts are compressed from then on. An older concord would read them as empty.
		newMigration("compressed texts", nil),
	}
}

// newMigration adds tables to a project, and changes what stands there; nil changes nothing.
func newMigration(name string, change func(*file.Tx, *Store) error, tables ...record.Table) file.Migration {
	return file.Migration{Name: name, Step: func(tx *file.Tx) error {
		if err := tx.CreateTables(tables...); err != nil || change == nil {
			return err
		}
		codec, err := record.NewCodec()
		if err != nil {
			return err
		}
		return change(tx, &Store{codec: codec})
	}}
}

// SchemaNumber is the schema number of projects that this program writes.
func SchemaNumber() int { return 1 + len(listMigrations()) }

// Open opens the project at path, and creates it, readable for its owner only, when there is none and
// it may write. It gives ErrLocked soon when the file is held elsewhere, and ErrNotProject,
// ErrNewerSchema, ErrOlderSchema or ErrCorrupt for a file that it leaves as it is.
func Open(path string, o Options) (*Store, error) {
	s, err := openWith(path, o, listMigrations())
	return s, eval.WrapError(err, "open project %s", path)
}

// IsOlder reports whether the project is of an earlier schema, and read as it is.
func (s *Store) IsOlder() bool { return s.file.Schema() < 1+len(listMigrations()) }

// migrateToTotals takes a project to schema 2: it keeps what a judge's judgments and a
// run's calls come to, where the failures are, and texts by their hash. A
// record that cannot be read adds nothing; whoever scans it is told.
func migrateToTotals(tx *file.Tx, s *Store) error {
	if err := sumUpCalls(tx, s); err != nil {
		return err
	}
	return countJudgments(tx, s.Judgments())
}

// sumUpCalls sums up what the calls of each run took, and finds the failures.
func sumUpCalls(tx *file.Tx, s *Store) error {
	used := make(map[eval.RunID]*eval.Usage)
	failed := tx.Table(record.TableFailed)
	for _, t := range []record.Table{record.TablePredictions, record.TableAttempts} {
		for pair, err := range tx.Table(t).ScanPrefix(nil) {
			if err != nil {
				return err
			}
			p, err := s.codec.ReadPrediction(pair.Key, pair.Value)
			if err != nil {
				continue // a damaged record is left as it is
			}
			eval.GetOrAdd(used, p.Run, func() *eval.Usage { return new(eval.Usage) }).Add(p.Usage)
			if t == record.TablePredictions && p.Failure != nil {
				if err := failed.Put(file.Clone(pair.Key), nil); err != nil {
					return err
				}
			}
		}
	}
	runs := s.Runs()
	for id, u := range used {
		_ = runs.changeCounts(tx, id, func(c *eval.Counts) { c.Usage = *u }) // damaged, or of no run
	}
	return nil
}

// countJudgments counts the judgments of each judge of each run.
func countJudgments(tx *file.Tx, j *Judgments) error {
	if err := tx.ClearTable(record.TableJudges); err != nil {
		return err
	}
	all := make(map[record.JudgeOf]*eval.JudgeCounts)
	var last *eval.Judgment // of the judge and the prediction that prefix is of
	var prefix []byte
	for pair, err := range tx.Table(record.TableJudgments).ScanPrefix(nil) {
		if err != nil {
			return err
		}
		k := pair.Key
		one, err := decodeRecord(j.s, record.Judgments, k, pair.Value)
		if err != nil {
			continue // a damaged record is left as it is
		}
		if p := k[:len(k)-4]; !bytes.Equal(p, prefix) {
			prefix, last = file.Clone(p), nil
		}
		of := record.JudgeOf{Run: one.Run, Judge: one.Judge}
		eval.GetOrAdd(all, of, func() *eval.JudgeCounts { return new(eval.JudgeCounts) }).CountJudgment(&one, last)
		last = &one
	}
	for of, c := range all {
		if err := putValue(j.s, record.Judges, tx, &judgeTotals{JudgeOf: of, Counts: *c}); err != nil {
			return err
		}
	}
	return nil
}

// recountNoAnswers takes a project to schema 10: failures of replies that were
// no answer are the endpoint's since, so that their questions are open again.
// The totals of runs that have such failures are counted anew.
func recountNoAnswers(tx *file.Tx, s *Store) error {
	runs := make(map[eval.RunID]bool)
	predictions := tx.Table(record.TablePredictions)
	for pair, err := range tx.Table(record.TableFailed).ScanPrefix(nil) {
		if err != nil {
			return err
		}
		p, err := s.codec.ReadPrediction(pair.Key, predictions.Get(pair.Key))
		if err != nil {
			continue // a damaged record is left as it is
		}
		if p.Failure != nil && p.Failure.Kind == eval.FailureTransient {
			runs[p.Run] = true
		}
	}
	handle := s.Runs()
	for id := range runs {
		_ = handle.changeCounts(tx, id, func(c *eval.Counts) { c.Reader = "" }) // damaged, or of no run
	}
	return nil
}
