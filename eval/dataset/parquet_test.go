package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"concord/eval"
	"concord/eval/dataset/tablefile"
)

// jpeg is longer than what names another row.
var jpeg = "\xff\xd8\xff" + strings.Repeat("jpeg", 20)

// released are the columns of MMStar's release: the options stand within the
// question, the picture is bytes, where the row comes from is a struct.
type released struct {
	Index    int64       `parquet:"index"`
	Question string      `parquet:"question"`
	Image    imageStruct `parquet:"image"`
	Answer   string      `parquet:"answer"`
	Category string      `parquet:"category"`
	Fine     string      `parquet:"l2_category"`
	Meta     struct {
		Source string `parquet:"source"`
		Split  string `parquet:"split"`
		Path   string `parquet:"image_path"`
	} `parquet:"meta_info"`
}

type imageStruct struct {
	Bytes []byte  `parquet:"bytes,optional"`
	Path  *string `parquet:"path,optional"`
}

func parquetOf[T any](t testing.TB, rows ...T) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func importBytes(t *testing.T, name string, in []byte) (*memory, Summary, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, in, 0o644); err != nil {
		t.Fatal(err)
	}
	m := newMemory(t)
	sum, err := Import(t.Context(), m, path, Options{Name: "d"})
	return m, sum, err
}

func TestParquetRelease(t *testing.T) {
	r := released{
		Index: 268, Question: "What?\nOptions: A: None, B: 1.0, C: x, D: nan", Answer: "A",
		Image: imageStruct{Bytes: []byte(jpeg)}, Category: "math", Fine: "geometry",
	}
	r.Meta.Source, r.Meta.Split, r.Meta.Path = "MathVista", "testmini", "images/268.jpg"
	m, sum, err := importBytes(t, "mmstar.parquet", parquetOf(t, r))
	if err != nil || sum.Format != tablefile.Parquet || sum.Pictures != 1 || sum.Warnings != 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	s := m.samples["d"][0]
	if s.ID != "268" || s.Question != "What?" || len(s.Options) != 3 || s.Options[0].Text != "None" || s.Options[1].Text != "1.0" || s.Answer != "A" ||
		eval.JoinPath(s.Taxonomy) != "math / geometry" || s.Source != "MathVista" || s.Split != "testmini" || s.Pictures[0].Name != "images/268.jpg" ||
		string(m.pictures[s.Pictures[0].Hash]) != jpeg {
		t.Errorf("%+v", s)
	}
}

// In MME's parquet two rows share an id, which is the picture's name; options
// may be a list, and a picture plain bytes.
func TestParquetColumns(t *testing.T) {
	type mme struct {
		ID       string      `parquet:"question_id"`
		Image    imageStruct `parquet:"image"`
		Question string      `parquet:"question"`
		Answer   string      `parquet:"answer"`
		Category string      `parquet:"category"`
	}
	path := "code_reasoning/0020.png"
	m, _, err := importBytes(t, "mme.parquet", parquetOf(t,
		mme{path, imageStruct{Bytes: []byte(jpeg)}, "Is it?", "Yes", "code_reasoning"}, mme{path, imageStruct{Bytes: []byte(jpeg)}, "Is it not?", "No", "code_reasoning"}))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.samples["d"][1]; s.ID != "1" || s.Answer != eval.No || s.Pictures[0].Name != path || string(m.pictures[s.Pictures[0].Hash]) != jpeg {
		t.Errorf("%+v", s)
	}
	type listed struct {
		ID      string   `parquet:"id"`
		Text    string   `parquet:"question"`
		Options []string `parquet:"options,list"`
		Answer  *string  `parquet:"answer,optional"`
		Image   []byte   `parquet:"image"`
	}
	m, sum, err := importBytes(t, "listed.parquet", parquetOf(t, listed{ID: "x", Text: "q", Options: []string{"None", "b, c"}, Image: []byte(jpeg)}))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.samples["d"][0]; s.ID != "x" || len(s.Options) != 2 || s.Options[1].Text != "b, c" || s.Kind != eval.KindChoice || sum.NoTruth != 1 || sum.Pictures != 1 {
		t.Errorf("%+v", s)
	}
}

func TestParquetBroken(t *testing.T) {
	good := parquetOf(t, released{Index: 1, Question: "q"})
	for name, in := range map[string][]byte{
		"cut": good[:len(good)-9], "magic": []byte("PAR1"),
	} {
		if _, _, err := importBytes(t, name, in); err == nil || !strings.HasPrefix(err.Error(), "import "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
