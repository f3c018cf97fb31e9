package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"concord/eval"
)

func TestFilter(t *testing.T) {
	const options = `"options":{"A":"dog","B":"cat"}`
	lines := []struct{ in, out string }{
		{`{"id":1,` + options + `,"prediction":"The answer is B."}`, `{"id":1,"choice":"B","status":"found","method":"stated"}`},
		{`{"prediction":"A","id":{"a":[1,"x"]},` + options + `}`, `{"id":{"a":[1,"x"]},"choice":"A","status":"found","method":"opening"}`},
		{`{"id":12345678901234567890,` + options + `,"prediction":"A or B"}`, `{"id":12345678901234567890,"choice":"","status":"ambiguous","method":"listed"}`},
		{`{"id":null,` + options + `,"prediction":""}`, `{"id":null,"choice":"","status":"missing","method":"empty"}`},
		{`{"id":"<b>",` + options + `,"prediction":"None of the above","more":true}`, `{"id":"<b>","choice":"","status":"none","method":"none-of-them"}`},
		{`{"id":1,` + options + `}`, `{"line":6,"error":"prediction: missing"}`},
		{`{"id":1,` + options + `,"prediction":3}`, `{"line":7,"error":"prediction: want a string, got a number"}`},
		{`{"id":1,` + options + `,"prediction":null}`, `{"line":8,"error":"prediction: want a string, got null"}`},
		{`{` + options + `,"prediction":"A"}`, `{"line":9,"error":"id: missing"}`},
		{`{"id":1,"prediction":"A"}`, `{"line":10,"error":"options: missing"}`},
		{`{"id":1,"options":{"a":"x"},"prediction":"A"}`, `{"line":11,"error":"options: unknown letter \"a\": want A to Z"}`},
		{`{"id":1,"options":{"A":1},"prediction":"A"}`, `{"line":12,"error":"options: A is not a string"}`},
		{`{"id":1,"options":["x"],"prediction":"A"}`, `{"line":13,"error":"options: want an object of letter to text, got an array"}`},
		{`{"id":1,"options":{"A":"x","A":"y"},"prediction":"A"}`, `{"line":14,"error":"options: letter A stands twice"}`},
		{`{"id":1,"options":{},"prediction":"A"}`, `{"line":15,"error":"options: none given"}`},
		{``, `{"line":16,"error":"blank line"}`},
		{`  `, `{"line":17,"error":"blank line"}`},
		{`[1]`, ``},
		{`{"id":`, ``},
		{`{"id":7,` + options + `,"prediction":"B"}`, `{"id":7,"choice":"B","status":"found","method":"opening"}`},
	}
	var in bytes.Buffer
	for _, l := range lines {
		in.WriteString(l.in + "\r\n")
	}
	in.WriteString("\n \n")
	var out bytes.Buffer
	malformed, err := FilterLines(t.Context(), &in, &out, Default, eval.KindChoice)
	if err != nil {
		t.Fatal(err)
	}
	if malformed != 14 {
		t.Errorf("malformed = %d, want 14", malformed)
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(got) != len(lines) {
		t.Fatalf("lines = %d, want %d:\n%s", len(got), len(lines), out.String())
	}
	for i, l := range lines {
		if l.out == "" && strings.HasPrefix(got[i], fmt.Sprintf(`{"line":%d,"error":"parse JSON: `, i+1)) {
			continue
		}
		if got[i] != l.out {
			t.Errorf("line %d: got %s, want %s", i+1, got[i], l.out)
		}
	}
}

func TestFilterKeepsOrder(t *testing.T) {
	var in, out, want bytes.Buffer
	for i := range 20000 {
		l := 'A' + i%4
		text := strings.Repeat("x", i%700)
		fmt.Fprintf(&in, `{"id":%d,"options":{"A":"p","B":"q","C":"r","D":"s"},"prediction":"Answer: %c\n\n%s"}`+"\n", i, l, text)
		fmt.Fprintf(&want, `{"id":%d,"choice":"%c","status":"found","method":"stated"}`+"\n", i, l)
	}
	if n, err := FilterLines(t.Context(), &in, &out, Default, eval.KindChoice); n != 0 || err != nil {
		t.Fatalf("malformed %d, error %v", n, err)
	}
	if !bytes.Equal(out.Bytes(), want.Bytes()) {
		t.Error("output differs from the input's order")
	}
}

func TestFilterGivesTheKitsAnswer(t *testing.T) {
	in := `{"id":1,"options":{"A":"x","B":"y"},"prediction":"Z"}` + "\n" + `{"id":2,"options":{"A":"x","B":"y"},"prediction":"(B)"}`
	var out strings.Builder
	if _, err := FilterLines(t.Context(), strings.NewReader(in), &out, "vlmevalkit-2026", eval.KindChoice); err != nil {
		t.Fatal(err)
	}
	want := `{"id":1,"choice":"Z","status":"none","method":"kit-pseudo-choice"}` + "\n" + `{"id":2,"choice":"B","status":"found","method":"kit-option"}` + "\n"
	if out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

func TestFilterYesNo(t *testing.T) {
	var out strings.Builder
	_, err := FilterLines(t.Context(), strings.NewReader(`{"id":"a","prediction":"**Yes**, it is"}`), &out, Default, eval.KindYesNo)
	if want := `{"id":"a","choice":"yes","status":"found","method":"opening"}` + "\n"; err != nil || out.String() != want {
		t.Errorf("got %s %v, want %s", out.String(), err, want)
	}
}

func TestFilterLongLines(t *testing.T) {
	text, err := json.Marshal(strings.Repeat("lorem ipsum ", 1<<18) + "\nAnswer: B")
	if err != nil {
		t.Fatal(err)
	}
	in := `{"id":1,"options":{"A":"x","B":"y"},"prediction":` + string(text) + "}\n"
	var out strings.Builder
	if n, err := FilterLines(t.Context(), strings.NewReader(in+in), &out, Default, eval.KindChoice); n != 0 || err != nil {
		t.Fatalf("malformed %d, error %v", n, err)
	}
	if n := strings.Count(out.String(), `"choice":"B"`); n != 2 {
		t.Errorf("read %d of 2: %s", n, out.String())
	}
}

func TestFilterAnswersASlowInputAtOnce(t *testing.T) {
	in, feed := io.Pipe()
	drain, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := FilterLines(t.Context(), in, out, Default, eval.KindChoice)
		done <- err
	}()
	buf := make([]byte, 256)
	for range 3 {
		if _, err := io.WriteString(feed, `{"id":1,"options":{"A":"x"},"prediction":"A"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if n, err := drain.Read(buf); err != nil || n == 0 {
			t.Fatalf("read %d bytes, error %v", n, err)
		}
	}
	if err := feed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFilterStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ := io.Pipe()
	if _, err := FilterLines(ctx, in, io.Discard, Default, eval.KindChoice); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
	line := `{"id":1,"options":{"A":"x"},"prediction":"A"}` + "\n"
	if _, err := FilterLines(t.Context(), strings.NewReader(strings.Repeat(line, 50000)), brokenWriter{}, Default, eval.KindChoice); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want closed pipe", err)
	}
	if _, err := FilterLines(t.Context(), strings.NewReader(line), io.Discard, "nonsense", eval.KindChoice); err == nil || !strings.Contains(err.Error(), "vlmevalkit-2026") {
		t.Errorf("error %v, want the known names", err)
	}
	broken := io.MultiReader(strings.NewReader(line), iotestErr{})
	if _, err := FilterLines(t.Context(), broken, io.Discard, Default, eval.KindChoice); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v, want unexpected EOF", err)
	}
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Blank lines take no more room than others, however many they are.
func TestFilterBlankLines(t *testing.T) {
	in := strings.Repeat("\n", 5*batchLines) + `{"id":1}` + "\n"
	lines, most := 0, 0
	err := handOnBatches(t.Context(), strings.NewReader(in), func(b *lineBatch) bool {
		lines, most = lines+len(b.lines), max(most, len(b.lines))
		return b.first == lines-len(b.lines)+1
	})
	if err != nil || lines != 5*batchLines+1 || most > batchLines {
		t.Errorf("%d lines, %d in a batch, %v", lines, most, err)
	}
}
