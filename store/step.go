package store

import (
	"bytes"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// migrations are all steps since the first schema, in order.
func migrations() []file.Migration {
	return []file.Migration{
		{Name: "totals of judges, usage, failures, texts", Step: totals},
		{Name: "votes", Step: votes},
		{Name: "criteria", Step: addCriteria},
		{Name: "queues of pairs", Step: nothing},
		{Name: "scores, captions, detections", Step: addScores},
		{Name: "known answers, scores from elsewhere, inspections, curation", Step: addCuration},
		{Name: "versions of guidelines", Step: addGuidelines},
		{Name: "people, leases, packets", Step: addPeople},
		{Name: "replies that were no answer", Step: recountNoAnswers},
		{Name: "what each person was shown", Step: addDisclosures},
	}
}

// nothing takes a project to schema 5: only what is written from then on
// differs. Queues say whether they show criteria, and places hold sides; an
// older concord would lose the one and not read the other.
func nothing(*bbolt.Tx) error { return nil }

// addCriteria makes room for what people do about criteria.
func addCriteria(tx *bbolt.Tx) error { return add(tx, record.TableCriteria) }

// totals takes a project to schema 2: it keeps what a judge's judgments and a
// run's calls come to, where the failures are, and texts by their hash. A
// record that cannot be read adds nothing; whoever scans it is told.
func totals(tx *bbolt.Tx) error {
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	for _, t := range []record.Table{record.TableFailed, record.TableTexts} {
		if _, err := tx.CreateBucketIfNotExists([]byte(t)); err != nil {
			return err
		}
	}
	s := &Store{codec: codec}
	if err := totalCalls(tx, s); err != nil {
		return err
	}
	return totalJudgments(tx, s.Judgments())
}

// totalCalls sums up what the calls of each run took, and finds the failures.
func totalCalls(tx *bbolt.Tx, s *Store) error {
	used := make(map[eval.RunID]*eval.Usage)
	failed := tx.Bucket([]byte(record.TableFailed))
	for _, t := range []record.Table{record.TablePredictions, record.TableAttempts} {
		err := tx.Bucket([]byte(t)).ForEach(func(k, v []byte) error {
			p, err := s.readPrediction(k, v)
			if err != nil {
				return nil //nolint:nilerr // a damaged record is left as it is
			}
			if used[p.Run] == nil {
				used[p.Run] = &eval.Usage{}
			}
			used[p.Run].Add(p.Usage)
			if t == record.TablePredictions && p.Failure != nil {
				return failed.Put(file.Clone(k), nil)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	runs := s.Runs()
	for id, u := range used {
		c, err := runs.counts(tx, id)
		if err != nil {
			continue // damaged, or of no run
		}
		c.Usage = *u
		if err := runs.putCounts(tx, id, c); err != nil {
			return err
		}
	}
	return nil
}

// totalJudgments counts the judgments of each judge of each run.
func totalJudgments(tx *bbolt.Tx, j *Judgments) error {
	if err := tx.DeleteBucket([]byte(record.TableJudges)); err != nil {
		return err
	}
	if _, err := tx.CreateBucket([]byte(record.TableJudges)); err != nil {
		return err
	}
	all := make(map[record.JudgeOf]*eval.JudgeCounts)
	var last *eval.Judgment // of the judge and the prediction that prefix is of
	var prefix []byte
	err := tx.Bucket([]byte(record.TableJudgments)).ForEach(func(k, v []byte) error {
		one, err := j.read(k, v)
		if err != nil {
			return nil //nolint:nilerr // a damaged record is left as it is
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
		return nil
	})
	if err != nil {
		return err
	}
	for of, c := range all {
		if err := j.putCounts(tx, of.Run, of.Judge, *c); err != nil {
			return err
		}
	}
	return nil
}

// votes takes a project to schema 3: it keeps votes on pairs of answers.
func votes(tx *bbolt.Tx) error { return add(tx, record.TableVotes, record.TableContests) }

// addScores takes a project to schema 6: it keeps scores of open answers, and
// what stands for pictures before judges that are shown none.
func addScores(tx *bbolt.Tx) error {
	return add(tx, record.TableScores, record.TableScorers, record.TableCaptions, record.TableDetections)
}

// addCuration takes a project to schema 7: it keeps the known answers in
// queues, scores measured elsewhere, inspections of a pool, and what experts
// decide about its samples.
func addCuration(tx *bbolt.Tx) error {
	return add(tx, record.TableGolds, record.TableMeasures, record.TableInspections, record.TableCuration)
}

// addGuidelines takes a project to schema 8: it keeps the versions of a queue's
// guideline.
func addGuidelines(tx *bbolt.Tx) error { return add(tx, record.TableGuidelines) }

// addPeople takes a project to schema 9: it keeps who takes part, what they have
// in front of them, and the packets that went out.
func addPeople(tx *bbolt.Tx) error {
	return add(tx, record.TablePeople, record.TableLeases, record.TablePackets, record.TablePacketItems)
}

func add(tx *bbolt.Tx, all ...record.Table) error {
	for _, t := range all {
		if _, err := tx.CreateBucketIfNotExists([]byte(t)); err != nil {
			return err
		}
	}
	return nil
}

// recountNoAnswers takes a project to schema 10: failures of replies that were
// no answer are the endpoint's since, so that their questions are open again.
// The totals of runs that have such failures are counted anew.
func recountNoAnswers(tx *bbolt.Tx) error {
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	s := &Store{codec: codec}
	runs := make(map[eval.RunID]bool)
	predictions := tx.Bucket([]byte(record.TablePredictions))
	err = tx.Bucket([]byte(record.TableFailed)).ForEach(func(k, _ []byte) error {
		p, err := s.readPrediction(k, predictions.Get(k))
		if err != nil {
			return nil //nolint:nilerr // a damaged record is left as it is
		}
		if p.Failure != nil && p.Failure.Kind == eval.FailureTransient {
			runs[p.Run] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	handle := s.Runs()
	for id := range runs {
		c, err := handle.counts(tx, id)
		if err != nil {
			continue // damaged, or of no run
		}
		c.Reader = ""
		if err := handle.putCounts(tx, id, c); err != nil {
			return err
		}
	}
	return nil
}
