// Package unsaved keeps what people did and a project's file could not take: in a
// file beside it, from which it is taken in later.
//
//	Acts --Write--> FILE.unsaved-TIME.jsonl --Read--> Acts --Into--> store
//
// It refuses to decide who is right: what the project has is left as it is, and
// what does not fit it is told and stays in the file. Its one invariant: taken in
// twice, an act counts once.
package unsaved

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
)

// Acts are acts that were not stored, each kind in the order in which it was
// done.
type Acts struct {
	Queues   []annotate.Act
	Criteria []criteria.Act
	Curation []curation.Act
}

// Len is how many there are.
func (u *Acts) Len() int { return len(u.Queues) + len(u.Criteria) + len(u.Curation) }

// fileLine is one act as the file has it.
type fileLine struct {
	Act      *annotate.Act `json:"act,omitempty"`
	Criteria *criteria.Act `json:"criteria,omitempty"`
	Curation *curation.Act `json:"curation,omitempty"`
}

// Write keeps the acts in a file of their own beside the project or, where no file
// can be made, in a further folder; its path is given. Only its user may read it.
func Write(project, further string, u *Acts, now time.Time) (path string, err error) {
	name := filepath.Base(project) + ".unsaved-" + now.UTC().Format("20060102T150405")
	for _, dir := range []string{filepath.Dir(project), further} {
		for n := 1; n <= mostFiles; n++ {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", name, n))
			if werr := writeTo(path, u); !errors.Is(werr, os.ErrExist) {
				err = errors.Join(err, werr)
				if werr == nil {
					return path, nil
				}
				break
			}
		}
	}
	return "", fmt.Errorf("keep what was not saved: %w", err)
}

// mostFiles bounds the files of one second.
const mostFiles = 100

func writeTo(path string, u *Acts) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	for i := range u.Queues {
		err = errors.Join(err, enc.Encode(fileLine{Act: &u.Queues[i]}))
	}
	for i := range u.Criteria {
		err = errors.Join(err, enc.Encode(fileLine{Criteria: &u.Criteria[i]}))
	}
	for i := range u.Curation {
		err = errors.Join(err, enc.Encode(fileLine{Curation: &u.Curation[i]}))
	}
	err = errors.Join(err, w.Flush())
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Problem is a line that could not be taken, or an act that does not fit.
type Problem struct {
	Line int // of the file, from 1; 0: not of one line
	Err  error
}

// Error names the line.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.Err.Error()
	}
	return fmt.Sprintf("line %d: %v", p.Line, p.Err)
}

const longestLine = 4 << 20

// Read reads such a file; lines that say nothing are problems, and the rest goes on.
func Read(r io.Reader) (u Acts, problems []Problem, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), longestLine)
	n := 0
	for in.Scan() {
		n++
		var l fileLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			problems = append(problems, Problem{n, err})
			continue
		}
		switch {
		case l.Act != nil:
			u.Queues = append(u.Queues, *l.Act)
		case l.Criteria != nil:
			u.Criteria = append(u.Criteria, *l.Criteria)
		case l.Curation != nil:
			u.Curation = append(u.Curation, *l.Curation)
		default:
			problems = append(problems, Problem{n, errors.New("it holds no act")})
		}
	}
	if err := in.Err(); err != nil {
		return u, problems, fmt.Errorf("read line %d: %w", n+1, err)
	}
	return u, problems, nil
}
