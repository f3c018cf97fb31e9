package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/openai"
)

// callID names a call in a batch file, so that its result finds its place. It
// holds a mark of the run, so that a file of another project is refused.
type callID struct {
	mark  string
	key   eval.Key
	setup string // beginning of the hash of a judge's setup; "" for a call of the model
}

const setupMark = 12 // hexadecimal digits of a setup's hash in a call's id

// markOf tells a run apart from those of other projects.
func markOf(run eval.Run) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s\x00%s", run.ID, run.Created.UnixMilli(), run.Config.Dataset, run.Config.Model))
	return hex.EncodeToString(sum[:4])
}

// String writes the id: at most 64 characters, as vendors want it.
func (c callID) String() string {
	s := fmt.Sprintf("concord-%s-%d-%d-%d", c.mark, c.key.Run, c.key.Sample, c.key.Pass)
	if c.setup != "" {
		s += "-" + c.setup
	}
	return s
}

// parseCallID reads what String writes.
func parseCallID(s string) (callID, error) {
	bad := fmt.Errorf("custom_id %.40q is none of concord's", s)
	parts := strings.Split(s, "-")
	if len(parts) < 5 || len(parts) > 6 || parts[0] != "concord" {
		return callID{}, bad
	}
	run, errRun := strconv.ParseUint(parts[2], 10, 64)
	sample, errSample := strconv.ParseUint(parts[3], 10, 32)
	pass, errPass := strconv.ParseUint(parts[4], 10, 8)
	if errors.Join(errRun, errSample, errPass) != nil {
		return callID{}, bad
	}
	c := callID{mark: parts[1], key: eval.Key{Run: eval.RunID(run), Sample: eval.Ordinal(sample), Pass: eval.Pass(pass)}}
	if len(parts) == 6 {
		if c.setup = parts[5]; len(c.setup) != setupMark {
			return callID{}, bad
		}
	}
	return c, nil
}

// batchWriter writes lines to a file, and to further ones once it is full.
type batchWriter struct {
	app   *app
	flags *batchFlags
	out   *outFile
	buf   *bufio.Writer
	calls int
	size  int64

	files []string
	total int
	held  int // questions whose next pass the judge decides about
}

// add writes one line.
func (w *batchWriter) add(line []byte) error {
	if w.out == nil || w.calls == w.flags.most || w.size+int64(len(line))+1 > w.flags.bytes && w.calls > 0 {
		if err := w.turn(); err != nil {
			return err
		}
	}
	w.calls++
	w.total++
	w.size += int64(len(line)) + 1
	if _, err := w.buf.Write(line); err != nil {
		return err
	}
	return w.buf.WriteByte('\n')
}

// call writes one call as a line.
func (w *batchWriter) call(m *openai.Model, id callID, chat eval.Chat) error {
	line, err := m.BatchLine(id.String(), chat)
	if err != nil {
		return err
	}
	return w.add(line)
}

// turn finishes the file and begins the next.
func (w *batchWriter) turn() error {
	if err := w.finish(nil); err != nil {
		return err
	}
	name := w.flags.file
	if n := len(w.files); n > 0 {
		stem, ext := cutExt(name)
		name = fmt.Sprintf("%s-%d%s", stem, n+1, ext)
	}
	out, err := createOut(name, w.app.path)
	if err != nil {
		return err
	}
	w.out, w.buf, w.calls, w.size = out, bufio.NewWriter(out), 0, 0
	w.files = append(w.files, name)
	return nil
}

func (w *batchWriter) finish(err error) error {
	if w.out == nil {
		return err
	}
	out := w.out
	w.out = nil
	return out.finish(errors.Join(err, w.buf.Flush()))
}

// cutExt cuts a file's name before its extension.
func cutExt(s string) (stem, ext string) {
	i := strings.LastIndex(s, ".")
	if i <= strings.LastIndexAny(s, `/\`)+1 {
		return s, ""
	}
	return s[:i], s[i:]
}

// batchFlags are the flags of batch export.
type batchFlags struct {
	orderFlags
	run     uint
	judging bool
	file    string
	most    int
	bytes   int64
}
