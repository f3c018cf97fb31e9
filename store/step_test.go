package store

import (
	"encoding/hex"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
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
		for _, b := range []record.Table{
			record.TableMeta, record.TableDatasets, record.TableSamples, record.TableSampleIDs, record.TablePictures, record.TableBlobs,
			record.TableRuns, record.TableConfigs, record.TableCounts, record.TablePredictions, record.TableAttempts,
			record.TableJudgments, record.TableJudges, record.TableQueues, record.TableQueueIDs, record.TableItems, record.TableItemKeys,
			record.TableActs, record.TableItemActs, record.TableTallies, record.TablePlaces, record.TableReports,
		} {
			_ = got[*bbolt.Bucket](t)(tx.CreateBucket([]byte(b)))
		}
		put := func(b record.Table, key, value []byte) { must(t, tx.Bucket([]byte(b)).Put(key, value)) }
		put(record.TableMeta, []byte(file.MetaFormat), []byte(file.Format))
		put(record.TableMeta, []byte(file.MetaSchema), record.EncodeU64(1))
		put(record.TableRuns, record.RunKey(1), bytes(run))
		// SHA-256 of the configuration within run.
		put(record.TableConfigs, bytes("190adb7f4f4ee625aa7b7b67850dfccf1c814b4ac272719ad3508736fefcf8c4"), record.RunKey(1))
		put(record.TableCounts, record.RunKey(1), bytes(counts))
		put(record.TablePredictions, record.PredictionKey(key(1, 2, 0)), bytes(answer))
		put(record.TablePredictions, record.PredictionKey(key(1, 2, 1)), bytes(failed))
		put(record.TablePredictions, record.PredictionKey(key(1, 3, 0)), []byte{record.RecordVersion, 0x80}) // damaged
		put(record.TableAttempts, record.AppendU32(record.PredictionKey(key(1, 2, 1)), 0), bytes(failed))
		judged := record.AppendName(record.PredictionKey(key(1, 2, 0)), "gpt")
		put(record.TableJudgments, record.AppendU32(file.Clone(judged), 0), bytes(found))
		put(record.TableJudgments, record.AppendU32(file.Clone(judged), 1), bytes(none))
		put(record.TableJudgments, record.AppendU32(record.AppendName(record.PredictionKey(key(1, 3, 0)), "gpt"), 0), bytes(found))
		put(record.TableJudges, append(record.RunKey(1), "gpt"...), record.EncodeU64(3))
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
	failures := got[[]eval.Prediction](t)(s.Runs().FailedPredictions(t.Context(), 1, 9))
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

// older makes of a project one of an earlier schema, which had no envelopes and
// lacked some tables.
func older(t *testing.T, path string, schema uint64, lacks ...record.Table) {
	t.Helper()
	db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
	must(t, db.Update(func(tx *bbolt.Tx) error {
		for _, name := range append(lacks, record.TableSums) {
			must(t, tx.DeleteBucket([]byte(name)))
		}
		meta := tx.Bucket([]byte(record.TableMeta))
		must(t, meta.Delete([]byte(file.MetaEnvelope)))
		must(t, meta.Put([]byte(file.MetaSchema), record.EncodeU64(schema)))
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			if record.Table(name) == record.TableMeta {
				return nil
			}
			bare := make(map[string][]byte)
			must(t, b.ForEach(func(k, v []byte) error {
				body, _, err := record.Unseal(record.Table(name), k, v, true)
				bare[string(k)] = file.Clone(body)
				return err
			}))
			for k, v := range bare {
				must(t, b.Put([]byte(k), v))
			}
			return nil
		})
	}))
	must(t, db.Close())
}
