package fastio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"concord/eval/bound"
	"concord/eval/dataset/problem"
)

// cut reads text to its end: rows as joined cells with their lines, and the
// problems as "line!".
func cut(in io.Reader, delim byte, key, limit int) (out []string) {
	s := NewSplitter(in, "f", delim)
	s.limit = limit
	if _, err := s.ReadHeader(); err != nil {
		return []string{"header: " + err.Error()}
	}
	s.Key = key
	for {
		cells, line, err := s.Next()
		var p *problem.Problem
		switch {
		case errors.Is(err, io.EOF):
			return out
		case errors.As(err, &p):
			out = append(out, fmt.Sprintf("%d!", p.Line))
			continue
		case err != nil:
			return append(out, err.Error())
		}
		out = append(out, fmt.Sprintf("%d:%s", line, bytes.Join(cells, []byte("|"))))
	}
}

func TestSplitter(t *testing.T) {
	check := func(in string, want ...string) {
		t.Helper()
		in = strings.ReplaceAll(in, ";", "\t")
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			if got := cut(r, '\t', 0, bound.Cell); !slices.Equal(got, want) {
				t.Errorf("%q:\n got %q\nwant %q", in, got, want)
			}
		}
	}
	const h = "i;q;a;p\n"
	check(h+"1;x;y;z\n2;x;y;z\n", "2:1|x|y|z", "3:2|x|y|z")
	check("\xef\xbb\xbf"+"i;q;a;p\r\n"+"1;x;y;z\r\n2;x;y;z", "2:1|x|y|z", "3:2|x|y|z")
	check(h+"1;\"x\ny\";a;\"b\"\"c\"\n2;;;\n", "2:1|x\ny|a|b\"c", "4:2|||")
	check(h+"1;5\" pipe;a\"b\";c\n", "2:1|5\" pipe|a\"b\"|c")
	check(h+"\n1;x;y;z\n\n2;x;y;z\n\n", "3:1|x|y|z", "5:2|x|y|z")
	check(h+"1;x;y\n2;x;y;z\n3;x;y;z;w\n4;x;y;z\n", "2!", "3:2|x|y|z", "4!", "5:4|x|y|z")
	// A stray quote costs its own row only.
	check(h+"1;\"x;y;z\n2;x;y;z\n3;x;y;z\n", "2!", "3:2|x|y|z", "4:3|x|y|z")
	check(h+"1;\"x;y;z\n2;\"a\nb\";y;z\n3;5\";y;z\n", "2!", "3:2|a\nb|y|z", "5:3|5\"|y|z")
	check(h+"1;x;y;\"z\n2;x;y;z\"\n3;x;y;z\n", "2!", "3:2|x|y|z\"", "4:3|x|y|z")
	check(h+"0;x;y;z\n1;\"x\"y;y;z\n2;x;y;z\n", "2:0|x|y|z", "3!", "4:2|x|y|z")
	// The rest of a broken row of several lines is reported with it, once.
	check(h+"0;x;y;z\n1;\"x\ny\"z;y;z\n2;x;y;z\n", "2:0|x|y|z", "3!", "5:2|x|y|z")
	check(h+"0;x;y;z\n1;\"x\nfoo\nbar\n2;x;y;z\n3;x\n4;x;y;z\n", "2:0|x|y|z", "3!", "6:2|x|y|z", "7!", "8:4|x|y|z")
	check(h+"1;x;y;\"z\n", "2!")
	// Broken rows in a row are reported one by one.
	check(h+"1;\"x;y;z\n2;\"x;y;z\n3;\"x;y;z\n4;x;y;z\n", "2!", "3!", "4!", "5:4|x|y|z")
	check(h+"\"1\";\"5\" x\";\"y\";\"z\"\n\"2\";\"5\" x\";\"y\";\"z\"\n\"3\";\"x\";\"y\";\"z\"\n", "2!", "3!", "4:3|x|y|z")
	check(h+"a;\"x;y;z\nb;\"x;y;z\nc;x;y;z\n", "2!", "3!", "4:c|x|y|z")
	check(h+"1;x;y;\"z", "2!")
	check(h)
	check("", "header: f:1: the file is empty")
	check("\xff\xfei\x00", "header: f:1: the text is UTF-16: save it as UTF-8")
	// A line of prose in a quoted cell is no row, whatever its tabs.
	check(h+"1;x;y;z\n2;\"a\nb;c;d;e\n\";y;z\n", "2:1|x|y|z", "3:2|a\nb\tc\td\te\n|y|z")
}

func TestSplitterLimit(t *testing.T) {
	check := func(in string, want ...string) {
		t.Helper()
		if got := cut(strings.NewReader(in), '\t', 0, 1000); !slices.Equal(got, want) {
			t.Errorf("got %.60q\nwant %q", got, want)
		}
	}
	long := strings.Repeat("x", 1200)
	check("i\tq\n1\t"+long+"\n2\ty\n", "2!", "3:2|y")
	check("i\tq\n1\t\""+long+"\n"+long+"\"\n2\ty\n", "2!", "4:2|y")
	check("i\tq\n1\t"+strings.Repeat(long, 5000)+"\n2\ty\n", "2!", "3:2|y")
	check("i\tq\n1\t"+strings.Repeat(long, 5000), "2!")
}

// What encoding/csv reads without complaint is read alike.
func FuzzSplitter(f *testing.F) {
	for _, s := range []string{
		"i,q\n1,x\n", "i,q\r\n1,\"a\"\"b\nc\"\r\n", "i,q\n1,\"x\n2,y\n3,z\n", "\xef\xbb\xbfi,q,r,s\n\"\"\",,\n,,,", "a\n\"\n\"\n", "i,q\n\"1\",\"\"x\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got := cut(bytes.NewReader(in), ',', -1, bound.Cell)
		if slow := cut(iotest.OneByteReader(bytes.NewReader(in)), ',', -1, bound.Cell); !slices.Equal(got, slow) {
			t.Fatalf("%q: %q, byte by byte %q", in, got, slow)
		}
		if bytes.Contains(in, []byte("\r")) || bytes.HasPrefix(in, []byte("\xef\xbb\xbf")) || bytes.HasPrefix(in, []byte("\xff\xfe")) || bytes.HasPrefix(in, []byte("\xfe\xff")) {
			return // encoding/csv drops carriage returns within cells
		}
		r := csv.NewReader(bytes.NewReader(in))
		rows, err := r.ReadAll()
		if err != nil || len(rows) == 0 {
			return
		}
		var want []string
		for i, row := range rows[1:] {
			line := 0
			_ = i
			want = append(want, fmt.Sprintf("%d:%s", line, strings.Join(row, "|")))
		}
		for i := range got {
			_, rest, _ := strings.Cut(got[i], ":")
			got[i] = "0:" + rest
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q:\n got %q\nwant %q", in, got, want)
		}
	})
}
