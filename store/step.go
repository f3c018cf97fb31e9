package store

import (
	"bytes"
	"fmt"

	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
	"concord/store/unseen"
)

// migrations are all steps since the first schema, in order.
func migrations() []file.Migration {
	return []file.Migration{
		{Name: "totals of judges, usage, failures, texts", Step: addTotals},
		{Name: "votes", Step: votes},
		{Name: "criteria", Step: addCriteria},
		{Name: "queues of pairs", Step: nothing},
		{Name: "scores, captions, detections", Step: addScores},
		{Name: "known answers, scores from elsewhere, inspections, curation", Step: addCuration},
		{Name: "versions of guidelines", Step: addGuidelines},
		{Name: "people, leases, packets", Step: addPeople},
		{Name: "replies that were no answer", Step: recountNoAnswers},
		{Name: "what each person was shown", Step: addDisclosures},
		{Name: "checksums and sums", Step: sumUp},
		{Name: "chains of acts", Step: chained},
		{Name: "exclusions, comments, drafts of guidelines", Step: addDrafts},
		{Name: "grades", Step: addGrades},
		{Name: "calls without the image that was due", Step: unseen.Separate},
		{Name: "grades in queues", Step: nothing},
	}
}

// Schema is the schema number of projects that this program writes.
func Schema() int { return 1 + len(migrations()) }

// Open opens the project at path, and creates it, readable for its owner
// only, when there is none and it may write. It gives ErrLocked soon when
// the file is held elsewhere, and ErrNotProject, ErrNewerSchema,
// ErrOlderSchema or ErrCorrupt for a file that it leaves as it is.
func Open(path string, o Options) (*Store, error) {
	s, err := open(path, o, migrations())
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", path, err)
	}
	return s, nil
}

// Older reports whether the project is of an earlier schema, and read as it is.
func (s *Store) Older() bool { return s.file.Schema() < 1+len(migrations()) }

// nothing takes a project to schemas 5 and 17: only what is written from then on
// differs, and an older concord would lose or misread it. In 5 queues say whether
// they show criteria, and places hold sides; in 17 acts in queues hold grades, and
// criteria what they count in part.
func nothing(*file.Tx) error { return nil }

// addCriteria makes room for what people do about criteria.
func addCriteria(tx *file.Tx) error { return add(tx, record.TableCriteria) }

// addTotals takes a project to schema 2: it keeps what a judge's judgments and a
// run's calls come to, where the failures are, and texts by their hash. A
// record that cannot be read adds nothing; whoever scans it is told.
func addTotals(tx *file.Tx) error {
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	if err := add(tx, record.TableFailed, record.TableTexts); err != nil {
		return err
	}
	s := &Store{codec: codec}
	if err := totalCalls(tx, s); err != nil {
		return err
	}
	return totalJudgments(tx, s.Judgments())
}

// totalCalls sums up what the calls of each run took, and finds the failures.
func totalCalls(tx *file.Tx, s *Store) error {
	used := make(map[eval.RunID]*eval.Usage)
	failed := tx.Table(record.TableFailed)
	for _, t := range []record.Table{record.TablePredictions, record.TableAttempts} {
		for pair, err := range tx.Table(t).Prefix(nil) {
			if err != nil {
				return err
			}
			p, err := s.codec.ReadPrediction(pair.Key, pair.Value)
			if err != nil {
				continue // a damaged record is left as it is
			}
			if used[p.Run] == nil {
				used[p.Run] = &eval.Usage{}
			}
			used[p.Run].Add(p.Usage)
			if t == record.TablePredictions && p.Failure != nil {
				if err := failed.Put(file.Clone(pair.Key), nil); err != nil {
					return err
				}
			}
		}
	}
	runs := s.Runs()
	for id, u := range used {
		if _, err := runs.counts(tx, id); err != nil {
			continue // damaged, or of no run
		}
		if err := runs.recount(tx, id, func(c *eval.Counts) { c.Usage = *u }); err != nil {
			return err
		}
	}
	return nil
}

// totalJudgments counts the judgments of each judge of each run.
func totalJudgments(tx *file.Tx, j *Judgments) error {
	if err := tx.Clear(record.TableJudges); err != nil {
		return err
	}
	all := make(map[record.JudgeOf]*eval.JudgeCounts)
	var last *eval.Judgment // of the judge and the prediction that prefix is of
	var prefix []byte
	for pair, err := range tx.Table(record.TableJudgments).Prefix(nil) {
		if err != nil {
			return err
		}
		k := pair.Key
		one, err := j.read(k, pair.Value)
		if err != nil {
			continue // a damaged record is left as it is
		}
		if p := k[:len(k)-4]; !bytes.Equal(p, prefix) {
			prefix, last = file.Clone(p), nil
		}
		of := record.JudgeOf{Run: one.Run, Judge: one.Judge}
		if all[of] == nil {
			all[of] = &eval.JudgeCounts{}
		}
		all[of].Take(&one, last)
		last = &one
	}
	for of, c := range all {
		if err := j.totals().put(tx, &judgeTotals{JudgeOf: of, Counts: *c}); err != nil {
			return err
		}
	}
	return nil
}

// votes takes a project to schema 3: it keeps votes on pairs of answers.
func votes(tx *file.Tx) error { return add(tx, record.TableVotes, record.TableComparisons) }

// addScores takes a project to schema 6: it keeps scores of open answers, and
// what stands for pictures before judges that are shown none.
func addScores(tx *file.Tx) error {
	return add(tx, record.TableScores, record.TableScorers, record.TableCaptions, record.TableDetections)
}

// addCuration takes a project to schema 7: it keeps the known answers in
// queues, scores measured elsewhere, inspections of a pool, and what experts
// decide about its samples.
func addCuration(tx *file.Tx) error {
	return add(tx, record.TableGoldItems, record.TableMeasures, record.TableInspections, record.TableCuration)
}

// addGuidelines takes a project to schema 8: it keeps the versions of a queue's
// guideline.
func addGuidelines(tx *file.Tx) error { return add(tx, record.TableGuidelines) }

// addPeople takes a project to schema 9: it keeps who takes part, what they have
// in front of them, and the packets that went out.
func addPeople(tx *file.Tx) error {
	return add(tx, record.TablePeople, record.TableLeases, record.TablePackets, record.TablePacketItems)
}

// chained takes a project to schema 13: what people do from then on is chained,
// behind the hash of what they did before. The acts of before stay as they are.
func chained(tx *file.Tx) error {
	if err := add(tx, record.TableHeads); err != nil {
		return err
	}
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	return heads.By(codec).Begin(tx, record.TableActs, record.TableCriteria, record.TableCuration)
}

// addDrafts takes a project to schema 14: it keeps drafts of guidelines, and acts
// by which items are excluded, commented on and closed. An older concord would
// read these acts as none, and give other figures.
func addDrafts(tx *file.Tx) error { return add(tx, record.TableDrafts) }

// addGrades takes a project to schema 15: it keeps what judges and people say of
// single criteria of responses, and criteria have names, weights and paths.
func addGrades(tx *file.Tx) error { return add(tx, record.TableGrades, record.TableGradings) }

func add(tx *file.Tx, all ...record.Table) error {
	return tx.Create(all...)
}

// recountNoAnswers takes a project to schema 10: failures of replies that were
// no answer are the endpoint's since, so that their questions are open again.
// The totals of runs that have such failures are counted anew.
func recountNoAnswers(tx *file.Tx) error {
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	s := &Store{codec: codec}
	runs := make(map[eval.RunID]bool)
	predictions := tx.Table(record.TablePredictions)
	for pair, err := range tx.Table(record.TableFailed).Prefix(nil) {
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
		if _, err := handle.counts(tx, id); err != nil {
			continue // damaged, or of no run
		}
		if err := handle.recount(tx, id, func(c *eval.Counts) { c.Reader = "" }); err != nil {
			return err
		}
	}
	return nil
}
