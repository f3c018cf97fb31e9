package profile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// Source is a file of rows with the names of VLMEvalKit, which can be read again from its start.
type Source struct {
	File   *format.File
	Format string // one of Formats
	Model  string // that the file, or one beside it, names for all rows; a log's is known once it is read
	Task   string // of a log: the dataset that it names
	Shots  *int   // of a log: worked examples before each question; nil: it does not say

	Wish *column.Wish // rows are samples, and this is said of their columns; nil: columns keep their names

	own  bool // rows keep the file's names
	plan *column.Plan
	mme  []mmeFile
	log  inspectLog
}

// OpenSamples opens a file whose rows are samples or predictions: its columns get
// the names of VLMEvalKit, whatever they are called.
func OpenSamples(path, name string, wish column.Wish, watch func(read, total int64)) (*Source, error) {
	return withDetectedFormat(&Source{File: format.NewFromPath(path, watch), Format: name, Wish: &wish})
}

// OpenDetectingFormat finds out the format of the file when none is given. Watch is told how
// far the file has been read, in bytes; nil: nobody is.
func OpenDetectingFormat(path, name string, watch func(read, total int64)) (*Source, error) {
	return withDetectedFormat(&Source{File: format.NewFromPath(path, watch), Format: name})
}

func withDetectedFormat(s *Source) (*Source, error) {
	return s, eval.WrapError(s.detectFormat(), "read %s", filepath.Base(s.File.Path))
}

// NewFromOpener gives a source that open opens, whose format is known.
func NewFromOpener(path, name string, open format.Opener, watch func(read, total int64)) *Source {
	s := &Source{File: format.NewFromOpener(path, "", open, watch), Format: name}
	s.File.Kind = layoutOfFormat(name).container
	return s
}

// NewStream gives a source that can be read once, and whose rows keep the names that the file has for its columns.
func NewStream(in io.Reader, name string) (*Source, error) {
	buffered := bufio.NewReaderSize(in, 64<<10)
	head, err := format.PeekHead(buffered)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, errors.New("the file is empty")
	}
	kind, _ := format.DetectContainer(head, strings.ToLower(filepath.Ext(name)))
	if kind == "" {
		return nil, errors.New("this is neither CSV, TSV, JSON lines, JSON nor xlsx")
	}
	open := func() (io.ReadCloser, int64, error) { return io.NopCloser(buffered), 0, nil }
	return &Source{File: format.NewFromOpener(name, kind, open, nil), Format: kind, own: true}, nil
}

// detectFormat trusts the content over the file's extension.
func (s *Source) detectFormat() error {
	if s.Format != "" && !slices.Contains(Formats(), s.Format) {
		return fmt.Errorf("unknown format %q: want one of %s", s.Format, strings.Join(Formats(), ", "))
	}
	if s.Format == "" {
		start, err := readFileStart(s.File)
		if err != nil {
			return err
		}
		start.Wish = s.Wish
		claims := RankLayouts(start)
		if len(claims) == 0 {
			return fmt.Errorf("the format is not known: name one of %s", strings.Join(Formats(), ", "))
		}
		s.Format = claims[0].Format
	}
	l := layoutOfFormat(s.Format)
	s.File.Kind = l.container
	if l.begin == nil {
		return nil
	}
	return l.begin(s)
}

// ForbidsReadingAhead reports that the source says of the file as a whole, while it is
// read, what an import asks for: the two must not go on at the same time.
func (s *Source) ForbidsReadingAhead() bool { return layoutOfFormat(s.Format).whole }

// HasOneHeader reports whether all rows have the columns of one header.
func (s *Source) HasOneHeader() bool { return s.File.IsTable() }

// Rows reads the file from its start. A *problem.Problem stands for one row
// that could not be read, and more follow; any other error ends the rows.
func (s *Source) Rows(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		stopped := false
		head := &Header{}
		if err := s.planColumns(); err != nil {
			yield(Row{}, err)
			return
		}
		err := s.File.EachRow(s.makeLayout(), func(f format.Row, e error) bool {
			if ctx.Err() != nil {
				return false
			}
			if s.plan != nil && e == nil {
				f = s.plan.TranslateRow(f)
			}
			if head.Names == nil || !slices.Equal(head.Names, f.Names) {
				head = FindKnownColumns(f.Names)
			}
			stopped = !yield(Row{Line: f.Line, Head: head, Cells: f.Cells, Broken: f.Broken}, e)
			return !stopped && ctx.Err() == nil
		})
		if err = errors.Join(err, context.Cause(ctx)); err != nil && !stopped {
			yield(Row{}, fmt.Errorf("read %s: %w", filepath.Base(s.File.Path), err))
		}
	}
}

// planColumns finds out what the columns of samples are, once, and begins a reading.
func (s *Source) planColumns() error {
	if s.Wish == nil {
		return nil
	}
	if s.plan == nil {
		p, err := column.NewPlan(s.File, s.makeLayout(), s.Wish, layoutOfFormat(s.Format).whole)
		if err != nil {
			return err
		}
		s.plan = p
	}
	s.plan.ResetCounts()
	return nil
}

// ListUsedColumns are what the last reading read of samples' columns, and what it did
// not. The error names what must not be left out without being told.
func (s *Source) ListUsedColumns() ([]column.Read, []column.Unread, error) {
	if s.plan == nil {
		return []column.Read{}, []column.Unread{}, nil
	}
	return s.plan.ListUsedColumns()
}

// StatedScoreMetric gives how the file's layout makes the score of a dataset; "": it does not say.
func (s *Source) StatedScoreMetric() string {
	if s.plan == nil {
		return ""
	}
	return s.plan.StatedScoreMetric()
}

// makeLayout makes how the names of the file's columns become those of the rows, for one reading.
func (s *Source) makeLayout() format.Layout {
	if s.own {
		return format.Layout{Keys: keys, Column: keepColumnName}
	}
	l := layoutOfFormat(s.Format).names(s)
	if read := l.Object; s.Wish != nil && read != nil && !layoutOfFormat(s.Format).whole {
		l.Object = func(text []byte, like []string) (fastio.Object, error) {
			members, err := read(text, like)
			return flattenObject(members), err
		}
	}
	return l
}

func makeObjectRenamer(rename func(fastio.Object) fastio.Object) func([]byte, []string) (fastio.Object, error) {
	return func(text []byte, like []string) (fastio.Object, error) {
		members, err := fastio.ParseLenientObject(text, like)
		if err != nil {
			return nil, err
		}
		return rename(members), nil
	}
}

// flattenObject gives what stands in objects within an object columns of their own:
// metadata.task. Options by their letters stay as they are.
func flattenObject(members fastio.Object) fastio.Object {
	for i := 0; i < len(members); i++ {
		m := members[i]
		if len(m.Value) == 0 || m.Value[0] != '{' {
			continue
		}
		inner, err := fastio.ParseLenientObject(m.Value, nil)
		if err != nil || len(inner) > 0 && !slices.ContainsFunc(inner, func(in fastio.Member) bool { return !column.IsOptionLetter(in.Name) }) {
			continue
		}
		members = slices.Delete(members, i, i+1)
		i--
		for _, in := range flattenObject(inner) {
			members.Set(m.Name+"."+in.Name, in.Value)
		}
	}
	return members
}

// ReadDatasetName reads the dataset, or the task, that a log names as what was answered: ""
// for every other file. That of inspect_ai has it before its samples.
func (s *Source) ReadDatasetName(ctx context.Context) (string, error) {
	if s.Format == Inspect && s.Task == "" {
		for _, err := range s.Rows(ctx) {
			var p *problem.Problem
			if err != nil && !errors.As(err, &p) {
				return "", err
			}
			break
		}
		s.File.ResetProgress()
	}
	return s.Task, nil
}

// layout is how one kind of file is told from others, and how its rows get the names of VLMEvalKit.
type layout struct {
	name      string // as --format takes it
	container string // one of format's
	// claim says how well a file fits, from 1 to 100, and why; 0: not at all.
	claim func(*FileStart) (score int, reason string)
	// begin takes what the file's name and neighbours say of all rows; nil: nothing.
	begin func(*Source) error
	// names gives the names, for one reading.
	names func(*Source) format.Layout
	// whole is a layout that says of the file as a whole, while it is read, what an import asks for.
	whole bool
}

// known are the layouts that are not just a container.
var known = []layout{newLMMSLayout(), newMMELayout(), newInspectLayout(), newShardsLayout()}

// layoutOfFormat is the layout of a format: for a container the names of published benchmarks, which are near enough.
func layoutOfFormat(name string) layout {
	if i := slices.IndexFunc(known, func(l layout) bool { return l.name == name }); i >= 0 {
		return known[i]
	}
	return layout{name: name, container: name, names: newBenchmarkNaming}
}

func newBenchmarkNaming(*Source) format.Layout {
	return format.Layout{Keys: keys, Column: kitColumnName, Object: makeObjectRenamer(renameBenchObject)}
}

// Shards is a folder of files that are read as one.
const Shards = "folder"

func newShardsLayout() layout {
	return layout{
		name: Shards,
		claim: func(s *FileStart) (int, string) {
			if !s.Folder {
				return 0, ""
			}
			if files, _, err := format.ListShards(s.Path); err != nil || len(files) == 0 {
				return 0, ""
			}
			return 50, "it is a folder of files of one kind"
		},
		begin: func(s *Source) (err error) {
			s.File.Shards, s.File.Kind, err = format.ListShards(s.File.Path)
			return err
		},
		names: newBenchmarkNaming,
	}
}

// Formats lists the formats that can be named, as --format takes them: a
// container whose rows already have names that are known, or a layout.
func Formats() []string {
	return slices.Concat(format.Named, eval.Map(known, func(l layout) string { return l.name }), []string{format.Parquet})
}

// LayoutMatch is a layout that a file may have.
type LayoutMatch struct {
	Format string // one of Formats
	Score  int    // how well it fits, from 1 to 100
	Reason string
}

// FileStart is what claims go by: a file's path and its beginning.
type FileStart struct {
	Path   string
	Folder bool
	Head   []byte       // the first 64 KB, or all; nil of a folder
	Wish   *column.Wish // nil: rows are no samples, and one object is one row
}

func (s *FileStart) extension() string { return strings.ToLower(filepath.Ext(s.Path)) }

// RankLayouts gives the layouts that fit a file, the best first. What is special claims
// more than what is general: any log of lmms-eval is JSON lines as well.
func RankLayouts(s FileStart) []LayoutMatch {
	var out []LayoutMatch
	for i := range known {
		if score, reason := known[i].claim(&s); score > 0 {
			out = append(out, LayoutMatch{known[i].name, score, reason})
		}
	}
	if s.Wish != nil && format.IsObjectTable(s.Head) {
		out = append(out, LayoutMatch{format.Object, 20, "it is one object of rows"})
	}
	if kind, reason := format.DetectContainer(s.Head, s.extension()); kind != "" && !s.Folder {
		out = append(out, LayoutMatch{kind, 10, reason})
	}
	slices.SortStableFunc(out, func(a, b LayoutMatch) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// readFileStart looks at a path. The head is read where the path leaves it open.
func readFileStart(file *format.File) (FileStart, error) {
	s := FileStart{Path: file.Path}
	if info, err := os.Stat(file.Path); err == nil && info.IsDir() {
		s.Folder = true
	}
	if s.Folder || isMMEResults(s.Path) {
		return s, nil
	}
	var err error
	s.Head, err = file.ReadHead()
	return s, err
}
