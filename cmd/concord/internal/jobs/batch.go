package jobs

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/openai"
)

// CallID names a call in a batch file, so that its result finds its place. It
// holds a mark of the run, so that a file of another project is refused.
type CallID struct {
	Mark  string
	Key   eval.Key
	Setup string // beginning of the hash of a judge's setup; "" for a call of the model
}

// SetupMark is how much of a judge's hash stands in the name of a call.
const SetupMark = 12 // hexadecimal digits of a setup's hash in a call's id

// MarkOf tells a run apart from those of other projects.
func MarkOf(run eval.Run) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s\x00%s", run.ID, run.Created.UnixMilli(), run.Config.Dataset, run.Config.Model))
	return hex.EncodeToString(sum[:4])
}

// String writes the id: at most 64 characters, as vendors want it.
func (c CallID) String() string {
	s := fmt.Sprintf("concord-%s-%d-%d-%d", c.Mark, c.Key.Run, c.Key.Sample, c.Key.Pass)
	if c.Setup != "" {
		s += "-" + c.Setup
	}
	return s
}

// ParseCallID reads what String writes.
func ParseCallID(s string) (CallID, error) {
	bad := fmt.Errorf("custom_id %.40q is none of concord's", s)
	parts := strings.Split(s, "-")
	if len(parts) < 5 || len(parts) > 6 || parts[0] != "concord" {
		return CallID{}, bad
	}
	run, errRun := strconv.ParseUint(parts[2], 10, 64)
	sample, errSample := strconv.ParseUint(parts[3], 10, 32)
	pass, errPass := strconv.ParseUint(parts[4], 10, 8)
	if errors.Join(errRun, errSample, errPass) != nil {
		return CallID{}, bad
	}
	c := CallID{Mark: parts[1], Key: eval.Key{Run: eval.RunID(run), Sample: eval.Ordinal(sample), Pass: eval.Pass(pass)}}
	if len(parts) == 6 {
		if c.Setup = parts[5]; len(c.Setup) != SetupMark {
			return CallID{}, bad
		}
	}
	return c, nil
}

// BatchWriter writes lines to a file, and to further ones once it is full.
type BatchWriter struct {
	Project *project.Project
	Flags   *BatchFlags
	out     *cli.OutFile
	buf     *bufio.Writer
	calls   int
	size    int64

	Files []string
	Total int
	Held  int // questions whose next pass the judge decides about
}

// add writes one line.
func (w *BatchWriter) add(line []byte) error {
	if w.out == nil || w.calls == w.Flags.Most || w.size+int64(len(line))+1 > w.Flags.Bytes && w.calls > 0 {
		if err := w.turn(); err != nil {
			return err
		}
	}
	w.calls++
	w.Total++
	w.size += int64(len(line)) + 1
	if _, err := w.buf.Write(line); err != nil {
		return err
	}
	return w.buf.WriteByte('\n')
}

// call writes one call as a line.
func (w *BatchWriter) call(m *openai.Model, id CallID, chat eval.Chat) error {
	line, err := m.BatchLine(id.String(), chat)
	if err != nil {
		return err
	}
	return w.add(line)
}

// turn finishes the file and begins the next.
func (w *BatchWriter) turn() error {
	if err := w.Finish(nil); err != nil {
		return err
	}
	name := w.Flags.File
	if n := len(w.Files); n > 0 {
		stem, ext := cutExt(name)
		name = fmt.Sprintf("%s-%d%s", stem, n+1, ext)
	}
	out, err := cli.CreateOut(name, w.Project.Path)
	if err != nil {
		return err
	}
	w.out, w.buf, w.calls, w.size = out, bufio.NewWriter(out), 0, 0
	w.Files = append(w.Files, name)
	return nil
}

// Finish ends the last file.
func (w *BatchWriter) Finish(err error) error {
	if w.out == nil {
		return err
	}
	out := w.out
	w.out = nil
	return out.Finish(errors.Join(err, w.buf.Flush()))
}

// cutExt cuts a file's name before its extension.
func cutExt(s string) (stem, ext string) {
	i := strings.LastIndex(s, ".")
	if i <= strings.LastIndexAny(s, `/\`)+1 {
		return s, ""
	}
	return s[:i], s[i:]
}

// BatchFlags are the flags of batch export.
type BatchFlags struct {
	OrderFlags
	Run     uint
	Judging bool
	File    string
	Most    int
	Bytes   int64
}
