package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval/dataset/tablefile"
)

// A dataset of the hub is imported by its name, a second time without bringing
// its files again, and the token stands nowhere.
func TestImportFromHub(t *testing.T) {
	var file bytes.Buffer
	table, err := tablefile.New(&file, tablefile.Parquet, []string{"index", "question", "A", "B", "answer"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := table.Write([]any{fmt.Sprint(i), fmt.Sprintf("Which is %d?", i), "this", "that", "B"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Close(); err != nil {
		t.Fatal(err)
	}
	const commit = "0123456789abcdef0123456789abcdef01234567"
	brought := 0
	mux := http.NewServeMux()
	mux.HandleFunc("/api/datasets/lab/bench/revision/v1", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintf(w, `{"sha":%q}`, commit) })
	mux.HandleFunc("/api/datasets/lab/bench/tree/"+commit, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `[{"path":"data/test-00000-of-00001.parquet","size":%d,"lfs":{"oid":"%x"}}]`, file.Len(), sha256.Sum256(file.Bytes()))
	})
	mux.HandleFunc("/datasets/lab/bench/resolve/"+commit+"/data/test-00000-of-00001.parquet", func(w http.ResponseWriter, _ *http.Request) {
		brought++
		_, _ = w.Write(file.Bytes())
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	dir := atHome(t)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HF_ENDPOINT", server.URL)
	t.Setenv("HF_TOKEN", "hf_secret")
	for _, want := range []string{"added 3", "nothing added"} {
		var out, errs strings.Builder
		code := runProgram(t.Context(), []string{"import", "dataset", "hf://lab/bench@v1"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != 0 || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "bench") {
			t.Fatalf("status %d: %s%s, want %q", code, out.String(), errs.String(), want)
		}
	}
	if brought != 1 {
		t.Errorf("brought %d times", brought)
	}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("hf_secret")) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
