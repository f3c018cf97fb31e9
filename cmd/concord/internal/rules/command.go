package rules

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/extract/pattern"
	"concord/eval/extract/reading"
)

// Prefix is what a rule set's name begins with that is a command.
const Prefix = "exec:"

// answerTime is how long a command may take for one response.
const answerTime = 30 * time.Second

// ruleCommand reads responses by another program, which speaks the lines of concord extract: it gets
// one for each response, and is to answer it with one line before the next comes.
type ruleCommand struct {
	ctx     context.Context
	fail    func(error) // ends what it is read for
	words   []string
	version string

	mu      sync.Mutex // one line is out at a time
	started bool
	err     error
	in      io.WriteCloser
	out     *bufio.Scanner
	kill    func() // and lets go of its output, which a child of it may hold
	asked   int
}

// NewCommandSet gives a rule set by a command: a program and its arguments, with spaces between. It is
// started when it is first asked, and runs until ctx ends. What goes wrong in it, a line that does not
// parse or an answer that is not there in time, ends everything by fail: there is no figure of half a
// rule set. The version is the hash of the words, and of the files that they name.
func NewCommandSet(ctx context.Context, fail func(error), name string) (extract.Set, error) {
	words := strings.Fields(strings.TrimPrefix(name, Prefix))
	if len(words) == 0 {
		return extract.Set{}, errors.New(Prefix + " names no command")
	}
	if strings.ContainsAny(name, "\"'`\\") {
		return extract.Set{}, fmt.Errorf("%s takes words with spaces between, without quotes: put %.80q into a script", Prefix, strings.TrimPrefix(name, Prefix))
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return extract.Set{}, fmt.Errorf("find the command of the rules: %w", err)
	}
	sum := sha256.New()
	for _, w := range append([]string{path}, words[1:]...) {
		_, _ = fmt.Fprintf(sum, "%q\n", w)
		if info, err := os.Stat(w); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := addFileToHash(sum, w); err != nil {
			return extract.Set{}, fmt.Errorf("hash the rules: %w", err)
		}
	}
	c := &ruleCommand{ctx: ctx, fail: fail, words: words, version: hex.EncodeToString(sum.Sum(nil)[:6])}
	return extract.NewSet(name, c, eval.KindChoice, eval.KindYesNo), nil
}

func addFileToHash(sum io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(sum, f)
	return errors.Join(err, f.Close())
}

// Version is the hash of the command.
func (c *ruleCommand) Version() string { return c.version }

// IsVolatile is so: the version says nothing of what the command reads beside the files that it names.
func (c *ruleCommand) IsVolatile() bool { return true }

// Read asks the command for one response.
func (c *ruleCommand) Read(options []eval.Option, text string) eval.Extraction {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil || c.ctx.Err() != nil {
		return eval.Extraction{}
	}
	e, err := c.askRuleProgram(options, text)
	if err != nil {
		c.err = fmt.Errorf("rules %s%s: response %d: %w", Prefix, strings.Join(c.words, " "), c.asked, err)
		c.fail(c.err)
		return eval.Extraction{}
	}
	return e
}

func (c *ruleCommand) startRuleProgram() (err error) {
	c.started = true
	p := exec.CommandContext(c.ctx, c.words[0], c.words[1:]...)
	p.Stderr = os.Stderr
	if c.in, err = p.StdinPipe(); err != nil {
		return err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewScanner(out)
	c.out.Buffer(nil, 1<<20) // no answer is longer
	if err := p.Start(); err != nil {
		return err
	}
	c.kill = func() { _, _ = p.Process.Kill(), out.Close() }
	return nil
}

func (c *ruleCommand) askRuleProgram(options []eval.Option, text string) (eval.Extraction, error) {
	c.asked++
	if !c.started {
		if err := c.startRuleProgram(); err != nil {
			return eval.Extraction{}, err
		}
	}
	offered := eval.IndexBy(options, func(o eval.Option) (string, string) { return string(o.Letter), o.Text })
	line, err := json.Marshal(map[string]any{"id": c.asked, "options": offered, "prediction": text})
	if err != nil {
		return eval.Extraction{}, err
	}
	late := time.AfterFunc(answerTime, c.kill)
	defer late.Stop()
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return eval.Extraction{}, fmt.Errorf("the command takes no more: %w", err)
	}
	if !c.out.Scan() {
		if !late.Stop() {
			return eval.Extraction{}, fmt.Errorf("no answer in %s: the command is to answer each line before the next one comes", answerTime)
		}
		if errors.Is(c.out.Err(), bufio.ErrTooLong) {
			return eval.Extraction{}, errors.New("its answer is a line of over 1 MB")
		}
		return eval.Extraction{}, errors.New("the command ended without an answer")
	}
	return parseProgramReply(c.out.Bytes(), c.asked, options)
}

// parseProgramReply reads a command's line.
func parseProgramReply(line []byte, id int, options []eval.Option) (eval.Extraction, error) {
	var got struct {
		ID     any         `json:"id"`
		Choice eval.Choice `json:"choice"`
		Status string      `json:"status"`
		Method string      `json:"method"`
		Error  string      `json:"error"`
	}
	if err := json.Unmarshal(line, &got); err != nil {
		return eval.Extraction{}, fmt.Errorf("%.80q is no line of JSON with id, choice, status and method: %w", line, err)
	}
	if got.Error != "" {
		return eval.Extraction{}, errors.New(got.Error)
	}
	status, err := eval.ParseStatus(got.Status)
	if err != nil {
		return eval.Extraction{}, err
	}
	if fmt.Sprint(got.ID) != strconv.Itoa(id) { // a number, or a text as extract has them
		return eval.Extraction{}, fmt.Errorf("the answer is about id %v", got.ID)
	}
	e := eval.Extraction{Choice: got.Choice, Status: status, Method: got.Method}
	if !e.IsFound() {
		e.Choice = ""
		return e, nil
	}
	if reading.HasLetter(options, e.Choice) || len(options) == 0 && (e.Choice == eval.Yes || e.Choice == eval.No) {
		return e, nil
	}
	return eval.Extraction{}, fmt.Errorf("choice %q is no option of the question", e.Choice)
}

// readers are those that may read by a command: no run or queue remembers what they print.
var readers = []string{"report", "extract", "export", "rules"}

// RegisterRules makes the user's own rule sets known, before a command looks at its flags: those of files,
// and the commands that its flags name. A file that cannot be read is told, and the others count.
func RegisterRules(a *project.Project, cmd *cobra.Command) error {
	sets, problems := LoadRuleFiles(a.RuleFolders()...)
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Err, "concord: %s (left out)\n", cli.EscapeControls(p.Error()))
	}
	for _, name := range findRuleCommands(cmd) {
		switch group := topCommandName(cmd); {
		case !slices.Contains(readers, group):
			return cli.NewUsageError(fmt.Errorf("--rules %s: %s does not run commands, since what it writes is read again later: write the rules as a file rules/NAME.toml", name, group))
		case a.Held != nil:
			return cli.NewUsageError(errors.New("--rules " + Prefix + ": another process has the project open, and does not run commands for this one: close it there first"))
		}
		s, err := NewCommandSet(cmd.Context(), a.Fail, name)
		if err != nil {
			return cli.NewUsageError(err)
		}
		sets = append(sets, s)
	}
	extract.SetOwnRuleSets(sets)
	return nil
}

// topCommandName is the name of the command directly below the root.
func topCommandName(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd.Name()
}

// findRuleCommands finds the commands that flags and arguments name as rule sets.
func findRuleCommands(cmd *cobra.Command) (names []string) {
	words := cmd.Flags().Args()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, "rules") {
			words = append(slices.Clip(words), strings.Split(f.Value.String(), ",")...)
		}
	})
	for _, w := range words {
		if _, set, ok := strings.Cut(w, "="+Prefix); ok { // --rules-of RUN=SET
			w = Prefix + set
		}
		if strings.HasPrefix(w, Prefix) && !slices.Contains(names, w) {
			names = append(names, w)
		}
	}
	return names
}

var nameOfFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// LoadRuleFiles reads the files of rules in folders. Of two with one name that in the
// earlier folder counts. What cannot be read is left out, and told as a problem
// that names the file; a folder that is not there is none.
func LoadRuleFiles(folders ...string) (sets []extract.Set, problems []error) {
	taken := make(map[string]bool)
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
		if err != nil { // the folder's name has signs of a pattern
			problems = append(problems, fmt.Errorf("rules in %s: %w", folder, err))
		}
		for _, path := range files {
			name := ruleSetName(path)
			if taken[name] {
				continue
			}
			taken[name] = true
			s, err := ReadRuleFile(path)
			if err != nil {
				problems = append(problems, fmt.Errorf("rules %s: %w", path, err))
				continue
			}
			sets = append(sets, s)
		}
	}
	return sets, problems
}

func ruleSetName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".toml") }

// ReadRuleFile reads a file of rules. Their name is the file's, without its ending.
func ReadRuleFile(path string) (extract.Set, error) {
	name := ruleSetName(path)
	if !nameOfFile.MatchString(name) {
		return extract.Set{}, errors.New("want a file name of small letters, digits, - and _, and then .toml")
	}
	if _, err := extract.BuiltInSet(name); err == nil {
		return extract.Set{}, errors.New("a built-in rule set has that name: rename the file")
	}
	data, err := cli.ReadBoundedFile(path, pattern.MaxBytes)
	if err != nil {
		return extract.Set{}, err
	}
	r, err := pattern.ParseRules(data)
	if err != nil {
		return extract.Set{}, err
	}
	return extract.NewSet(name, r, r.SampleKind()), nil
}
