package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"concord/eval/dataset"

	"concord/eval"
	"concord/store"
)

func TestPicturesComeLater(t *testing.T) {
	st, err := store.Open(t.TempDir()+"/p.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	ds, ctx := st.Datasets(), t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	d := eval.Dataset{Name: "d", Samples: 1, Hash: "h"}
	must(ds.BeginDataset(ctx, d))
	must(ds.PutSamples(ctx, "d", []dataset.Item{{Sample: eval.Sample{ID: "7", Question: "?"}}}))
	must(ds.FinishDataset(ctx, d))

	give := func(data string) error {
		sum := sha256.Sum256([]byte(data))
		hash := eval.PictureHash(hex.EncodeToString(sum[:]))
		return ds.PutPictures(ctx, "d", []dataset.Item{{
			Sample:   eval.Sample{ID: "7", Ordinal: 3, Question: "other", Pictures: []eval.Picture{{Hash: hash, Name: data}}},
			Pictures: map[eval.PictureHash][]byte{hash: []byte(data)},
		}})
	}
	must(give("first"))
	must(give("second"))
	s, err := ds.Sample("d", 0)
	if err != nil || len(s.Pictures) != 1 || s.Pictures[0].Name != "first" || s.Question != "?" {
		t.Errorf("sample %+v, %v", s, err)
	}
	if data, err := ds.Picture(s.Pictures[0].Hash); err != nil || string(data) != "first" {
		t.Errorf("image %q, %v", data, err)
	}
	unknown := dataset.Item{Sample: eval.Sample{ID: "8"}}
	if err := ds.PutPictures(ctx, "d", []dataset.Item{unknown}); err == nil {
		t.Error("a sample that is not there got images")
	}
}
