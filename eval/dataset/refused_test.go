package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"concord/eval/bound"
)

// What a name could mean twice is refused, or told where it means nothing.
func TestNamesThatComeTwice(t *testing.T) {
	check := func(name, text, failure string, problems ...string) {
		t.Helper()
		m := newMemory(t)
		sum, err := Import(t.Context(), m, write(t, name, text), Options{Name: "d"})
		if failure != "" {
			if err == nil || !strings.Contains(err.Error(), failure) {
				t.Errorf("%s: %v, want %q", text, err, failure)
			}
			return
		}
		if err != nil || sum.Added != 1 || len(sum.Problems) != len(problems) {
			t.Fatalf("%s: %+v, %v", text, sum, err)
		}
		for i, p := range problems {
			if got := sum.Problems[i].String(); got != p {
				t.Errorf("%q, want %q", got, p)
			}
		}
	}
	check("a.tsv", "index\tquestion\tA\tB\tA\n1\tq\tx\ty\tz\n", `there are two columns "A": rename or remove one of them`)
	check("a.csv", "index,note,question,A,B,note,,\n1,n,q,x,y,m,,\n", "", `a.csv: there are two columns "note": the first one is read`)
	check("a.jsonl", `{"index":1,"question":"q","A":"x","B":"y","question":"other"}`+"\n"+`{"index":2,"question":"q","A":"x","B":"y"}`, "",
		`a.jsonl:1: the object has two members "question"`)
	check("a.json", `[{"index":1,"question":"q","options":{"A":"x","B":"y","A":"z"}},{"index":2,"question":"q","A":"x","B":"y"}]`, "",
		`a.json:1: options "{\"A\":\"x\",\"B\":\"y\",\"A\":\"z\"}" are no object: the object has two members "A"`)
}

// A folder's pictures are those in it: links that leave it and pipes are told,
// and not followed or waited for.
func TestPicturesOutside(t *testing.T) {
	root := folderOf(t, map[string]string{
		"secret.png": "secret", "images/in.png": "picture",
		"a.tsv": "index\tquestion\tA\tB\timage_path\n1\tq\tx\ty\tin.png\n2\tq\tx\ty\tout.png\n3\tq\tx\ty\t../secret.png\n4\tq\tx\ty\tpipe.png\n",
	})
	images := filepath.Join(root, "images")
	if err := os.Symlink("../secret.png", filepath.Join(images, "out.png")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(images, "pipe.png"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := newMemory(t)
	sum, err := Import(t.Context(), m, filepath.Join(root, "a.tsv"), Options{Name: "d"})
	if err != nil || sum.Added != 4 || sum.Pictures != 1 || sum.MissingPictures != 3 || len(sum.Problems) != 1 ||
		sum.Problems[0].String() != "a.tsv:3: read image: open out.png: it leads out of the folder" {
		t.Errorf("%+v, %v", sum, err)
	}
	for _, data := range m.pictures {
		if string(data) != "picture" {
			t.Errorf("%q was read", data)
		}
	}
	_, err = Import(t.Context(), m, filepath.Join(images, "pipe.png"), Options{Name: "p"})
	if err == nil || !strings.Contains(err.Error(), "it is a pipe") {
		t.Error(err)
	}
}

// What goes on with nothing ends, and is told with its line.
func TestTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes, byte by byte")
	}
	blank := strings.Repeat(" ", bound.Blank+1)
	check := func(name, text, want string) {
		t.Helper()
		sum, err := Import(t.Context(), newMemory(t), write(t, name, text), Options{Name: "d"})
		if err == nil || !strings.Contains(fmt.Sprint(err, sum.Problems), want) {
			t.Errorf("%s: %v %v, want %q", name, err, sum.Problems, want)
		}
	}
	const over = "the white space before the next row is over the limit of 16 MB"
	check("a.json", "[{\"index\":1},\n"+blank+"{}]", "line 2: "+over)
	check("a.jsonl", "{\"index\":1}\n"+blank+"\n{}", "line 2: "+over)
	check("a.tsv", "index\tquestion\n"+strings.Repeat("\n", bound.Blank+1)+"1\tq\n", over)
	check("b.tsv", "index"+strings.Repeat("\tx", bound.Columns+1)+"\n", "the row has more than 16384 cells")
}
