package extract

import (
	"bufio"
	"encoding/json"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"

	"concord/eval"
)

// row is a line of the real data that the rules are measured on.
type row struct {
	ID         string          `json:"id"`
	Raw        json.RawMessage `json:"options"`
	Prediction string          `json:"prediction"`
	Human      string          `json:"human"`
	Kind       string          `json:"human_kind"`
	Kit2026    string          `json:"vlmevalkit_2026"`
	Kit2024    string          `json:"vlmevalkit_2024"`
	Kit        string          `json:"vlmevalkit"`
	MME        string          `json:"mme_official"`
	Options    []eval.Option   `json:"-"`
}

// holdout splits the rows in two halves that stay the same: the rules are
// developed on one only.
func (r row) holdout() bool {
	h := fnv.New32a()
	h.Write([]byte(r.ID))
	return h.Sum32()>>16&1 == 1
}

func realRows(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("real data is absent: %v", err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	var rows []row
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Raw != nil {
			if r.Options, err = parseOptions(r.Raw); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// reader is a rule set as it reads one kind of samples.
type reader struct {
	Set
	kind eval.Kind
}

func (r reader) Read(options []eval.Option, text string) eval.Extraction {
	return r.Set.Read(r.kind, options, text)
}

func readerOf(t testing.TB, name string, kind eval.Kind) reader {
	t.Helper()
	s, err := FindRulesFor(name, kind)
	if err != nil {
		t.Fatal(err)
	}
	return reader{s, kind}
}
