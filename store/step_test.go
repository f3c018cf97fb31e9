package store

import (
	"encoding/hex"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// firstSchema writes a project as the first schema had it: its buckets, and
// records in its bytes.
func firstSchema(t *testing.T, path string) {
	t.Helper()
	db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
	bytes := func(s string) []byte { return got[[]byte](t)(hex.DecodeString(s)) }
	const (
		run = "01a301a901416402416d03020402050206f50747636f6e636f726408f5094166021b0000019ca9450a0503f5"
		// Two predictions, a failure among them.
		counts = "01a50102020103010483000100054172"
		answer = "01a4014274ff040105020603"                 // 1, 2 and 3 tokens
		failed = "01a6040105020603" + "0903" + "0a416d0bf5" // of FailureSample
		found  = "01a6014141020103416d04417206010702"
		none   = "01a50202" + "03416d04417306010702"
	)
	must(t, db.Update(func(tx *bbolt.Tx) error {
		for _, b := range []table{
			tableMeta, tableDatasets, tableSamples, tableSampleIDs, tablePictures, tableBlobs,
			tableRuns, tableConfigs, tableCounts, tablePredictions, tableAttempts,
			tableJudgments, tableJudges, tableQueues, tableQueueIDs, tableItems, tableItemKeys,
			tableActs, tableItemActs, tableTallies, tablePlaces, tableReports,
		} {
			_ = got[*bbolt.Bucket](t)(tx.CreateBucket([]byte(b)))
		}
		put := func(b table, key, value []byte) { must(t, tx.Bucket([]byte(b)).Put(key, value)) }
		put(tableMeta, []byte(metaFormat), []byte(format))
		put(tableMeta, []byte(metaSchema), u64(1))
		put(tableRuns, runKey(1), bytes(run))
		// SHA-256 of the configuration within run.
		put(tableConfigs, bytes("190adb7f4f4ee625aa7b7b67850dfccf1c814b4ac272719ad3508736fefcf8c4"), runKey(1))
		put(tableCounts, runKey(1), bytes(counts))
		put(tablePredictions, predictionKey(key(1, 2, 0)), bytes(answer))
		put(tablePredictions, predictionKey(key(1, 2, 1)), bytes(failed))
		put(tablePredictions, predictionKey(key(1, 3, 0)), []byte{recordVersion, 0x80}) // damaged
		put(tableAttempts, appendU32(predictionKey(key(1, 2, 1)), 0), bytes(failed))
		judged := appendName(predictionKey(key(1, 2, 0)), "gpt")
		put(tableJudgments, appendU32(clone(judged), 0), bytes(found))
		put(tableJudgments, appendU32(clone(judged), 1), bytes(none))
		put(tableJudgments, appendU32(appendName(predictionKey(key(1, 3, 0)), "gpt"), 0), bytes(found))
		put(tableJudges, append(runKey(1), "gpt"...), u64(3))
		return nil
	}))
	must(t, db.Close())
}

func TestSecondSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	firstSchema(t, path)
	wantErr(t, second(Open(path, Options{ReadOnly: true})), ErrOlderSchema)
	s := openAt(t, path, Options{})
	counts := eval.Counts{Predictions: 2, Failures: 1, Questions: 1, Reader: "r", Usage: eval.Usage{Prompt: 3, Completion: 6, Reasoning: 9}}
	counts.Statuses[eval.Found] = 1
	same(t, got[eval.Counts](t)(s.Runs().Counts(1)), counts)
	failures := got[[]eval.Prediction](t)(s.Runs().Failures(t.Context(), 1, 9))
	same(t, len(failures), 1)
	same(t, failures[0].Key, key(1, 2, 1))
	judge := eval.JudgeCounts{Judged: 2, Usage: eval.Usage{Prompt: 3, Completion: 6}}
	judge.Statuses[eval.Found], judge.Statuses[eval.None] = 1, 1
	same(t, got[[]eval.JudgeProgress](t)(s.Judgments().Counts(1)), []eval.JudgeProgress{{Judge: "gpt", Counts: judge}})
	got[string](t)(s.Texts().Put(t.Context(), "a prompt"))
}

// The hash that finds a run did not change with the schema.
func TestRunsAreFoundAfterMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	firstSchema(t, path)
	s := openAt(t, path, Options{})
	run := got[eval.Run](t)(s.Runs().Run(1))
	same(t, got[eval.Run](t)(s.Runs().FindRun(run.Config)), run)
}
