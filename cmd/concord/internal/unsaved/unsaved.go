// Package unsaved keeps what people did and a project's file could not take: in a
// file beside it, from which it is taken in later.
//
//	Acts --Write--> FILE.unsaved-TIME.jsonl --Read--> Acts --Into--> store
//
// It refuses to decide who is right: what the project has is left as it is, and what does not fit it is
// told and stays in the file. Its one invariant: taken in twice, an act counts once.
package unsaved

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/store"
)

// Acts are acts that were not stored, each kind in the order in which it was done.
type Acts struct {
	Queues   []annotate.Act
	Criteria []criteria.Act
	Curation []curation.Act
}

// Len is how many there are.
func (u *Acts) Len() int { return len(u.Queues) + len(u.Criteria) + len(u.Curation) }

type fileLine struct {
	Act      *annotate.Act `json:"act,omitempty"`
	Criteria *criteria.Act `json:"criteria,omitempty"`
	Curation *curation.Act `json:"curation,omitempty"`
}

// WriteActsBeside keeps the acts in a file of their own beside the project or, where no file
// can be made, in a further folder; its path is given. Only its user may read it.
func WriteActsBeside(project, further string, u *Acts, now time.Time) (path string, err error) {
	name := filepath.Base(project) + ".unsaved-" + now.UTC().Format("20060102T150405")
	for _, dir := range []string{filepath.Dir(project), further} {
		for n := 1; n <= mostFiles; n++ {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", name, n))
			if werr := writeActsFile(path, u); !errors.Is(werr, os.ErrExist) {
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

func writeActsFile(path string, u *Acts) error {
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

// ReadActsFile reads such a file; lines that say nothing are problems, and the rest goes on.
func ReadActsFile(r io.Reader) (u Acts, problems []Problem, err error) {
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

// numberedActs is an act that is numbered in a stream and may name an earlier one.
type numberedActs[A any] struct {
	n, target func(*A) *uint32
	same      func(a, b *A) bool
	takesBack func(*A) bool
}

func describeQueueActs() numberedActs[annotate.Act] {
	return numberedActs[annotate.Act]{
		n: func(a *annotate.Act) *uint32 { return &a.N }, target: func(a *annotate.Act) *uint32 { return &a.Target },
		takesBack: func(a *annotate.Act) bool { return a.Kind == annotate.TookBack },
		same: func(a, b *annotate.Act) bool {
			return a.Item == b.Item && a.At.UnixMilli() == b.At.UnixMilli() &&
				(a.Kind == b.Kind || b.Kind == annotate.TooLate) && reflect.DeepEqual(a.Reading, b.Reading) && a.Text == b.Text
		},
	}
}

func describeCurationActs() numberedActs[curation.Act] {
	return numberedActs[curation.Act]{
		n: func(a *curation.Act) *uint32 { return &a.N }, target: func(a *curation.Act) *uint32 { return &a.Target },
		takesBack: func(a *curation.Act) bool { return a.Kind == curation.TookBack },
		same: func(a, b *curation.Act) bool {
			return a.Sample == b.Sample && a.At.UnixMilli() == b.At.UnixMilli() && a.Kind == b.Kind && a.Verdict == b.Verdict && a.Text == b.Text
		},
	}
}

// storeFittingActs hands the acts of one stream to put, numbered so that they follow those that are stored:
// the file may have come back as it was some acts ago. What is stored already is left out. An act that
// takes back one which is not there is a problem, one that keeps such a reading says it anew, and what
// put refuses is a problem and takes no number.
func storeFittingActs[A any](how numberedActs[A], unsaved, stored []A, put func(*A) error) (taken int, problems []Problem) {
	if len(unsaved) == 0 {
		return 0, nil
	}
	next, first := uint32(len(stored))+1, *how.n(&unsaved[0]) //nolint:gosec // streams are numbered so
	follows := first <= next
	moved := make(map[uint32]uint32)
	for _, a := range unsaved {
		was, target := *how.n(&a), how.target(&a)
		if at := slices.IndexFunc(stored, func(b A) bool { return how.same(&a, &b) }); at >= 0 {
			moved[was] = *how.n(&stored[at])
			continue
		}
		now, known := moved[*target]
		switch {
		case *target == 0 || !known && follows && *target < first: // it was stored before, and still is
		case known:
			*target = now
		case how.takesBack(&a):
			problems = append(problems, Problem{Err: fmt.Errorf("act %d takes back act %d, which the project does not have", was, *target)})
			continue
		default:
			*target = 0
		}
		*how.n(&a) = next
		if err := put(&a); err != nil {
			problems = append(problems, Problem{Err: err})
			continue
		}
		moved[was] = next
		next++
		taken++
	}
	return taken, problems
}

// StoreInto stores what fits the project, act by act, and gives how many it took and what did not fit. What
// people did meanwhile stands: a label that others came before is kept as too late, as it would have been.
func (u *Acts) StoreInto(ctx context.Context, st *store.Store) (taken int, problems []Problem, err error) {
	note := func(n int, wrong []Problem) {
		taken += n
		problems = append(problems, wrong...)
	}
	for _, one := range groupByStream(u.Queues, func(a *annotate.Act) [2]string { return [2]string{string(a.Queue), string(a.Annotator)} }) {
		stored, err := st.Acts().Acts(one[0].Queue, one[0].Annotator)
		if err != nil {
			return taken, problems, err
		}
		note(storeFittingActs(describeQueueActs(), one, stored, func(a *annotate.Act) error { return appendActOrTooLate(ctx, st, a) }))
	}
	for _, one := range groupByStream(u.Curation, func(a *curation.Act) [2]string { return [2]string{string(a.Dataset), string(a.Expert)} }) {
		stored, err := st.Curation().Acts(one[0].Dataset, one[0].Expert)
		if err != nil {
			return taken, problems, err
		}
		note(storeFittingActs(describeCurationActs(), one, stored, func(a *curation.Act) error { return st.Curation().Append(ctx, []curation.Act{*a}) }))
	}
	for i := range u.Criteria {
		if err := st.Criteria().Append(ctx, u.Criteria[i]); err != nil {
			note(0, []Problem{{Err: err}})
			continue
		}
		taken++
	}
	return taken, problems, ctx.Err()
}

// appendActOrTooLate stores an act, as too late where others came before.
func appendActOrTooLate(ctx context.Context, st *store.Store, a *annotate.Act) error {
	err := st.Acts().Append(ctx, []annotate.Act{*a})
	if _, others := errors.AsType[*annotate.TakenError](err); others {
		a.Kind = annotate.TooLate
		err = st.Acts().Append(ctx, []annotate.Act{*a})
	}
	return err
}

// groupByStream gives the acts by stream, each in their order.
func groupByStream[A any](all []A, of func(*A) [2]string) (out [][]A) {
	at := make(map[[2]string]int)
	for i := range all {
		name := of(&all[i])
		k, ok := at[name]
		if !ok {
			k = len(out)
			at[name] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], all[i])
	}
	return out
}
