package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"testing"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

func hashOf(data []byte) eval.PictureHash {
	sum := sha256.Sum256(data)
	return eval.PictureHash(hex.EncodeToString(sum[:]))
}

func TestDatasetRoundTrip(t *testing.T) {
	s := openTest(t, Options{})
	d, ctx := s.Datasets(), t.Context()
	picture := []byte("\x89PNG not really")
	sample := eval.Sample{
		Ordinal: 7, ID: "id/7 é", Kind: eval.KindChoice, Question: "bad \xff\xfe UTF-8", Hint: "hint",
		Options: []eval.Option{{Letter: "A", Text: "None"}, {Letter: "C", Text: ""}}, Answer: "C",
		Pictures: []eval.Picture{{Hash: hashOf(picture), Name: "a.png"}, {Name: "only a reference.jpg"}},
		Taxonomy: []string{"a", "", "c"}, Split: "dev", Source: "ScienceQA",
	}
	ds := eval.Dataset{
		Name: "d", Samples: 1, NoTruth: 0, Circular: true, Coarse: true, Hash: "abc", Synthetic: true, Origin: "d.tsv",
	}
	must(t, d.BeginDataset(ctx, ds))
	if got := got[eval.Dataset](t)(d.Dataset("d")); got.Complete || got.Samples != 0 {
		t.Errorf("begun: %+v", got)
	}
	must(t, d.PutSamples(ctx, "d", []dataset.Item{{
		Sample: sample, Pictures: map[eval.PictureHash][]byte{hashOf(picture): picture},
	}}))
	must(t, d.FinishDataset(ctx, ds))
	must(t, d.FinishDataset(ctx, ds))

	ds.Complete = true
	same(t, got[eval.Dataset](t)(d.Dataset("d")), ds)
	same(t, got[[]eval.Dataset](t)(d.List()), []eval.Dataset{ds})
	same(t, got[eval.Sample](t)(d.Sample("d", 7)), sample)
	same(t, got[eval.Sample](t)(d.SampleByID("d", sample.ID)), sample)
	same(t, all(t, d.Samples(ctx, "d")), []eval.Sample{sample})
	same(t, got[[]byte](t)(d.Picture(hashOf(picture))), picture)

	for _, err := range []error{
		second(d.Dataset("e")), second(d.Sample("d", 8)), second(d.Sample("e", 7)),
		second(d.SampleByID("d", "7")), second(d.Picture(hashOf(nil))), second(d.Picture("no hash")),
	} {
		wantErr(t, err, eval.ErrNotFound)
	}
}

func second[T any](_ T, err error) error { return err }

func same(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestDatasetRefuses(t *testing.T) {
	s := openTest(t, Options{})
	d, ctx := s.Datasets(), t.Context()
	addDataset(t, s, "d", samples(2))
	must(t, d.BeginDataset(ctx, eval.Dataset{Name: "d", Hash: "h"}))
	if !got[eval.Dataset](t)(d.Dataset("d")).Complete {
		t.Error("the same content made a complete dataset incomplete")
	}
	wantErr(t, d.BeginDataset(ctx, eval.Dataset{Name: "d", Hash: "other"}), dataset.ErrOtherContent)
	wantErr(t, d.FinishDataset(ctx, eval.Dataset{Name: "d", Hash: "other"}), dataset.ErrOtherContent)
	wantErr(t, d.PutSamples(ctx, "d", samples(1)), ErrFinished)
	wantErr(t, d.PutSamples(ctx, "e", samples(1)), eval.ErrNotFound)
	wantErr(t, d.BeginDataset(ctx, eval.Dataset{}), ErrInvalid)

	must(t, d.BeginDataset(ctx, eval.Dataset{Name: "e"}))
	lie := samples(1)
	lie[0].Pictures = map[eval.PictureHash][]byte{hashOf([]byte("a")): []byte("b")}
	wantErr(t, d.PutSamples(ctx, "e", lie), ErrInvalid)
	twice := samples(2)
	twice[1].Sample.ID = twice[0].Sample.ID
	wantErr(t, d.PutSamples(ctx, "e", twice), ErrInvalid)
	must(t, d.PutSamples(ctx, "e", samples(2)))
	must(t, d.PutSamples(ctx, "e", samples(2)))
	wantErr(t, d.FinishDataset(ctx, eval.Dataset{Name: "e", Samples: 3}), ErrInvalid)
	must(t, d.FinishDataset(ctx, eval.Dataset{Name: "e", Samples: 2}))
}

// A crash in an import leaves an incomplete dataset, which starts over.
func TestImportStartsOver(t *testing.T) {
	s := openTest(t, Options{})
	d, ctx := s.Datasets(), t.Context()
	must(t, d.BeginDataset(ctx, eval.Dataset{Name: "d"}))
	items := samples(file.RemoveRecords + 500)
	must(t, d.PutSamples(ctx, "d", items))
	addDataset(t, s, "da", samples(4)) // a name that begins alike
	must(t, d.BeginDataset(ctx, eval.Dataset{Name: "d"}))
	if n := len(all(t, d.Samples(ctx, "d"))); n != 0 {
		t.Errorf("%d samples are left", n)
	}
	wantErr(t, second(d.SampleByID("d", "3")), eval.ErrNotFound)
	addDataset(t, s, "d", samples(3))
	if a, b := len(all(t, d.Samples(ctx, "d"))), len(all(t, d.Samples(ctx, "da"))); a != 3 || b != 4 {
		t.Errorf("%d and %d samples", a, b)
	}
}

func TestPicturesAreKeptOnce(t *testing.T) {
	s := openTest(t, Options{})
	a, b := []byte("a"), []byte("b")
	items := samples(3)
	items[0].Pictures = map[eval.PictureHash][]byte{hashOf(a): a}
	items[1].Pictures = map[eval.PictureHash][]byte{hashOf(a): a, hashOf(b): b}
	addDataset(t, s, "d", items)
	addDataset(t, s, "e", items)
	must(t, s.file.View(func(tx *file.Tx) error {
		n := 0
		for _, err := range tx.Table(record.TableBlobs).ScanPrefix(nil) {
			must(t, err)
			n++
		}
		same(t, n, 2)
		return nil
	}))
	must(t, s.file.Apply(t.Context(), 0, func(tx *file.Tx) error {
		return tx.Table(record.TableBlobs).Put(record.EncodeU64(1), []byte("rot"))
	}))
	errs := 0
	for _, p := range [][]byte{a, b} {
		if _, err := s.Datasets().Picture(hashOf(p)); err != nil {
			wantErr(t, err, ErrCorrupt)
			errs++
		}
	}
	if errs != 1 {
		t.Errorf("%d images are corrupt", errs)
	}
}

// A scan is cut into transactions; nothing is lost or doubled at the cuts, a
// broken record is named and passed over, and breaking off is fine.
func TestScan(t *testing.T) {
	s := openTest(t, Options{})
	n := 3*file.ChunkRecords + 17
	addDataset(t, s, "d", samples(n))
	addDataset(t, s, "e", samples(5))
	bad := record.SampleKey("d", 300)
	must(t, s.file.Apply(t.Context(), 0, func(tx *file.Tx) error {
		b := tx.Table(record.TableSamples)
		if err := b.Put(record.SampleKey("d", 301), []byte{record.RecordVersion + 1, 0xa0}); err != nil {
			return err
		}
		return b.Put(bad, []byte{record.RecordVersion, 0xff})
	}))
	at, errs := 0, []error{}
	for sample, err := range s.Datasets().Samples(t.Context(), "d") {
		if err != nil {
			errs = append(errs, err)
		} else if int(sample.Ordinal) != at {
			t.Fatalf("ordinal %d at %d", sample.Ordinal, at)
		}
		at++
	}
	if at != n || len(errs) != 2 {
		t.Fatalf("%d records, errors %v", at, errs)
	}
	wantErr(t, errs[0], ErrCorrupt)
	wantErr(t, errs[1], record.ErrNewerRecord)
	if want := fmt.Sprintf("samples %x", bad); !contains(errs[0].Error(), want) {
		t.Errorf("%v does not name %s", errs[0], want)
	}
	for _, err := range s.Datasets().Samples(t.Context(), "d") {
		must(t, err)
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.Datasets().Samples(ctx, "d") {
		wantErr(t, err, context.Canceled)
	}
}
