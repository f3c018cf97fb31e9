package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const sha = "0123456789abcdef0123456789abcdef01234567"

// content is what the file of a test holds.
var content = bytes.Repeat([]byte("parquet "), 4000)

// server speaks as the hub does. Files lie with a storage at another host, as
// they do there.
type server struct {
	hub, storage *httptest.Server
	cut          int      // bytes after which the storage breaks off once; 0: it does not
	ranges       []string // that the storage was asked for
	tokens       []string // that the storage got
	list         string
}

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{list: fmt.Sprintf(`[{"type":"directory","path":"data"},{"type":"file","path":"README.md","size":3,"oid":"x"},
		{"type":"file","path":"data/test-00000-of-00001.parquet","size":%d,"oid":"x","lfs":{"oid":"%x"}}]`, len(content), sha256.Sum256(content))}
	s.storage = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ranges, s.tokens = append(s.ranges, r.Header.Get("Range")), append(s.tokens, r.Header.Get("Authorization"))
		if s.cut > 0 {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			_, _ = w.Write(content[:s.cut])
			s.cut = 0
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	mux := http.NewServeMux()
	mux.HandleFunc("/api/datasets/o/d/revision/main", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprintf(w, `{"sha":%q}`, sha)
	})
	mux.HandleFunc("/api/datasets/o/d/tree/"+sha, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s.list)) })
	mux.HandleFunc("/datasets/o/d/resolve/"+sha+"/data/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(s.storage.URL, "127.0.0.1", "localhost", 1)+"/blob?signature=hidden", http.StatusFound)
	})
	s.hub = httptest.NewServer(mux)
	t.Cleanup(func() { s.hub.Close(); s.storage.Close() })
	return s
}

func (s *server) fetch(t *testing.T, cache, token string) (string, error) {
	t.Helper()
	h := &Hub{Address: s.hub.URL, Token: token, Cache: cache, Progress: func(int64, int64) {}}
	from, err := ParseSource("hf://o/d@main")
	if err != nil {
		t.Fatal(err)
	}
	return h.FetchDataset(context.Background(), from)
}

// A download that breaks off goes on where it was, and is made once; the token
// goes to the hub alone.
func TestFetch(t *testing.T) {
	s, cache := serve(t), t.TempDir()
	s.cut = 10_000
	if _, err := s.fetch(t, cache, "secret"); err == nil || strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "secret") {
		t.Fatalf("broken off: %v", err)
	}
	for range 2 {
		folder, err := s.fetch(t, cache, "secret")
		if err != nil || folder != filepath.Join(cache, "hub", "o", "d", sha) {
			t.Fatal(folder, err)
		}
		got, err := os.ReadFile(filepath.Join(folder, "data", "test-00000-of-00001.parquet"))
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if len(s.ranges) != 2 || s.ranges[1] != "bytes=10000-" || strings.Join(s.tokens, "") != "" {
		t.Errorf("ranges %q, tokens %q", s.ranges, s.tokens)
	}
}

func TestFetchRefuses(t *testing.T) {
	s := serve(t)
	check := func(name, want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "wrong-token") {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	_, err := s.fetch(t, t.TempDir(), "wrong-token")
	check("a token that may not read it", "HF_TOKEN may not read it", err)
	whole := s.list
	for name, c := range map[string][3]string{
		"a name outside":  {"data/test", "../test", "name that is none"},
		"other content":   {`"lfs":{"oid":"`, `"lfs":{"oid":"0`, "no SHA-256"},
		"too large":       {`"size":32000`, `"size":99999999999999`, "GB"},
		"nothing to read": {".parquet", ".csv", "refs/convert/parquet"},
	} {
		s.list = strings.Replace(whole, c[0], c[1], 1)
		_, err := s.fetch(t, t.TempDir(), "secret")
		check(name, c[2], err)
	}
	s.list = strings.Replace(whole, fmt.Sprintf("%x", sha256.Sum256(content)), fmt.Sprintf("%x", sha256.Sum256(nil)), 1)
	cache := t.TempDir()
	_, err = s.fetch(t, cache, "secret")
	check("another hash", "not what the hub lists", err)
	for _, address := range []string{"http://example.org", "https://user:pass@example.org", "ftp://127.0.0.1"} {
		_, err := (&Hub{Address: address, Token: "t", Cache: cache}).FetchDataset(context.Background(), Source{"o", "d", "main", ""})
		check(address, "the hub's address", err)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Source{
		"hf://MMMU/MMMU@main":                      {"MMMU", "MMMU", "main", ""},
		"hf://o/d":                                 {"o", "d", "main", ""},
		"hf://datasets/o/d.x@v1.0/data/test/":      {"o", "d.x", "v1.0", "data/test"},
		"hf://o/d@refs/convert/parquet/all/test":   {"o", "d", "refs/convert/parquet", "all/test"},
		"hf://o":                                   {},
		"hf://../d":                                {},
		"hf://o/d@main/../../x":                    {},
		"hf://o/d@main?x":                          {},
		"https://huggingface.co/datasets/o/d@main": {},
	} {
		if got, err := ParseSource(text); got != want || (err == nil) != (want != Source{}) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
