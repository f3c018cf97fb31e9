package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// The recipe "add a layout" of ARCHITECTURE.md, followed: a file of the layout, as
// it would stand in this package, and its row in known.

// Toy is the layout of lines with a riddle and its solution.
const Toy = "toy"

func toyLayout() layout {
	return layout{
		name: Toy, container: format.JSONL,
		claim: func(s *FileStart) (int, string) {
			if strings.HasPrefix(string(format.TrimBOMAndSpace(s.Head)), `{"riddle"`) {
				return 70, "its first line begins with a riddle"
			}
			return 0, ""
		},
		names: func(*Source) format.Layout { return format.Layout{Object: makeObjectRenamer(fromToy)} },
	}
}

func fromToy(in fastio.Object) fastio.Object {
	return fastio.Object{{Name: "index", Value: in.Get("no")}, {Name: "question", Value: in.Get("riddle")}, {Name: "answer", Value: in.Get("solution")}}
}

func TestALayoutIsAFileAndARow(t *testing.T) {
	before := known
	known = append(known[:len(known):len(known)], toyLayout())
	t.Cleanup(func() { known = before })
	path := filepath.Join(t.TempDir(), "riddles.jsonl")
	if err := os.WriteFile(path, []byte(`{"riddle":"Is it red?","solution":"Yes","no":7}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := OpenDetectingFormat(path, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Format != Toy || !strings.Contains(strings.Join(Formats(), " "), Toy) {
		t.Errorf("format %q of %v", s.Format, Formats())
	}
	for row, err := range s.Rows(t.Context()) {
		if err != nil || row.Get("index") != "7" || row.Get("question") != "Is it red?" || row.Get("answer") != "Yes" {
			t.Errorf("row %q %q %q, %v", row.Get("index"), row.Get("question"), row.Get("answer"), err)
		}
	}
}
