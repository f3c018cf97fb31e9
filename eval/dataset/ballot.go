package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/rowfile"
)

// VoteOptions steer an import of judges' votes.
type VoteOptions struct {
	Dataset  eval.DatasetName
	Judge    string       // "": as the file names it
	Runs     []eval.RunID // whose answers they are of, where a model has several on the dataset
	Read     func(eval.Reply) (eval.Vote, bool)
	Reader   eval.Reader // gives the answers of a run that is made their reading; nil: none
	Now      func() time.Time
	Strict   bool // fail on the first row that cannot be taken
	Progress func(read, total int64)
	Skipped  func(Problem) // every problem as it is met, warnings included
}

// VoteSinks are where an import of votes looks things up, and puts them.
type VoteSinks struct {
	Samples interface {
		Dataset(name eval.DatasetName) (eval.Dataset, error)
		SampleByID(name eval.DatasetName, id eval.SampleID) (eval.Sample, error)
	}
	Runs interface {
		RunSink
		PredictionLookup
		List() ([]eval.Run, error)
	}
	Votes interface {
		// Put commits votes; those that are there already add nothing.
		Put(ctx context.Context, votes []eval.Preference) (added int, err error)
	}
	Texts interface {
		Put(ctx context.Context, text string) (hash string, err error)
	}
}

// VoteSummary is what an import of votes did.
type VoteSummary struct {
	Dataset   eval.DatasetName `json:"dataset"`
	Format    string           `json:"format"`
	Judges    []string         `json:"judges"`
	Criteria  bool             `json:"criteria"` // the judge saw each sample's criteria
	Runs      []VoteRun        `json:"runs"`
	Read      int              `json:"read"`
	Added     int              `json:"added"`
	Unchanged int              `json:"unchanged"`
	Skipped   int              `json:"skipped"`
	Warnings  int              `json:"warnings"`

	Unparsed    int `json:"unparsed"`     // replies that hold no vote; stored as such
	Differ      int `json:"differ"`       // read otherwise than by the file's own reader
	OneOrder    int `json:"one_order"`    // pairs that stand in one order only
	NoAnswer    int `json:"no_answer"`    // rows skipped, as an answer is not there
	OtherAnswer int `json:"other_answer"` // answers that differ from those of the run

	Problems []Problem `json:"problems"` // the first 100
}

// VoteRun is a run whose answers were voted on.
type VoteRun struct {
	Run   eval.RunID `json:"run"`
	Model string     `json:"model"`
	Made  bool       `json:"made,omitempty"` // from the answers in the file
}

// ImportVotes reads a judge's votes on pairs of answers. The runs are those of the models on the
// dataset; one that is not there is made of the answers that the file holds. Each vote is read from the
// judge's raw reply, whatever the file says it means; a reply that holds none is stored as such.
//
// Importing the same file again adds nothing.
func ImportVotes(ctx context.Context, sinks VoteSinks, path string, o VoteOptions) (VoteSummary, error) {
	src, err := profile.OpenDetectingFormat(path, "", o.Progress)
	if err != nil {
		return VoteSummary{}, err
	}
	o.Now = eval.Either(o.Now != nil, o.Now, time.Now)
	src.File.Readings = 2
	b := &voteImporter{sinks: sinks, src: src, o: o, sum: VoteSummary{Dataset: o.Dataset, Judges: []string{}, Runs: []VoteRun{}, Problems: []Problem{}}}
	err = b.importVotes(ctx)
	return b.sum, eval.WrapError(err, "import votes %s", filepath.Base(path))
}

type voteImporter struct {
	sinks VoteSinks
	src   *profile.Source
	o     VoteOptions
	sum   VoteSummary

	judge string // of the rows of the released form, which name what served them
	runs  map[string]*votedModel
	at    time.Time
	votes []eval.Preference
	facts []eval.Fact
	fresh map[eval.Key]string // answers that wait in facts
	size  int
}

// votedModel is a model whose answers are voted on.
type votedModel struct {
	run eval.Run
	own bool // made of this file's answers
}

func (b *voteImporter) importVotes(ctx context.Context) error {
	if _, err := b.sinks.Samples.Dataset(b.o.Dataset); err != nil {
		return fmt.Errorf("look up dataset %s (import its questions first): %w", b.o.Dataset, err)
	}
	if err := b.runFirstReading(ctx); err != nil {
		return err
	}
	b.at, b.fresh = b.o.Now().UTC().Truncate(time.Millisecond), map[eval.Key]string{}
	err := b.eachVoteRow(ctx, func(v *rowfile.VoteRow, p *Problem) error {
		if p != nil {
			return b.countAndReport(p)
		}
		return b.importVote(ctx, v)
	})
	if err == nil {
		err = b.flushVotes(ctx)
	}
	if err != nil {
		return err
	}
	for _, model := range slices.Sorted(maps.Keys(b.runs)) {
		v := b.runs[model]
		if !v.own {
			continue
		}
		if err := b.sinks.Runs.MarkRunImported(ctx, v.run.ID); err != nil {
			return fmt.Errorf("finish run %d: %w", v.run.ID, err)
		}
	}
	return nil
}

// eachVoteRow reads the file once.
func (b *voteImporter) eachVoteRow(ctx context.Context, each func(*rowfile.VoteRow, *Problem) error) error {
	for r, err := range b.src.Rows(ctx) {
		var v rowfile.VoteRow
		if err == nil {
			if v, err = rowfile.ReadJudgeVote(&r); err != nil && !errors.Is(err, rowfile.ErrPeoplesVotes) {
				err = problem.NewAt(b.src.File.Path, r.Line, "%s", err)
			}
		}
		var p *Problem
		if err != nil && !errors.As(err, &p) {
			return err
		}
		if err := each(&v, p); err != nil {
			return err
		}
	}
	return nil
}

// runFirstReading gives the first reading: whose answers, whose votes, and how.
func (b *voteImporter) runFirstReading(ctx context.Context) error {
	type pair struct {
		sample eval.SampleID
		a, b   string
	}
	models, served, named := map[string]bool{}, map[string]int{}, map[string]bool{}
	orders := map[pair]int{}
	err := b.eachVoteRow(ctx, func(v *rowfile.VoteRow, p *Problem) error {
		if p != nil {
			return nil //nolint:nilerr // the second reading reports it
		}
		b.sum.Format = v.Form
		b.sum.Criteria = b.sum.Criteria || v.Criteria != nil
		models[v.Models[0]], models[v.Models[1]] = true, true
		if v.Form == rowfile.FormReleased && v.Judge != "" {
			served[v.Judge]++
		} else if v.Judge != "" {
			named[v.Judge] = true
		}
		if v.Models[0] < v.Models[1] {
			orders[pair{v.Sample, v.Models[0], v.Models[1]}] |= 1
		} else {
			orders[pair{v.Sample, v.Models[1], v.Models[0]}] |= 2
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(models) == 0:
		return errors.New("the file has no vote that can be read")
	}
	for _, seen := range orders {
		if seen != 3 {
			b.sum.OneOrder++
		}
	}
	if err := b.ensureJudgeName(served, named); err != nil {
		return err
	}
	return b.chooseRunsOfModels(ctx, slices.Sorted(maps.Keys(models)))
}

// ensureJudgeName says whose votes the rows are that name only what served them: an endpoint may serve one
// judge under several names, of which the most frequent stands for all, if most rows have it.
func (b *voteImporter) ensureJudgeName(served map[string]int, named map[string]bool) error {
	switch {
	case b.o.Judge != "":
		b.judge, b.sum.Judges = b.o.Judge, []string{b.o.Judge}
		return nil
	case len(served) > 0:
		all := 0
		names := slices.SortedFunc(maps.Keys(served), func(x, y string) int {
			return cmp.Or(cmp.Compare(served[y], served[x]), cmp.Compare(x, y))
		})
		for _, n := range served {
			all += n
		}
		if b.judge = names[0]; 2*served[b.judge] <= all {
			return fmt.Errorf("the replies name %d models as their judge, none of them in most: name it with --judge", len(names))
		}
		if len(names) > 1 {
			w := problem.NewWarningAt(b.src.File.Path, 0, "%d of the replies were served under other names than %.80s (%.200s): all are taken as that judge's, each with its name kept",
				all-served[b.judge], b.judge, strings.Join(names[1:], ", "))
			if err := b.countAndReport(w); err != nil {
				return err
			}
		}
		named[b.judge] = true
	case len(named) == 0:
		return errors.New("the file names no judge: name it with --judge")
	}
	b.sum.Judges = slices.Sorted(maps.Keys(named))
	return nil
}

// countAndReport counts a problem and hands it on.
func (b *voteImporter) countAndReport(p *Problem) error {
	s := Summary{Skipped: b.sum.Skipped, Warnings: b.sum.Warnings, Problems: b.sum.Problems}
	err := s.reportProblem(p, &Options{Strict: b.o.Strict, Skipped: b.o.Skipped})
	b.sum.Skipped, b.sum.Warnings, b.sum.Problems = s.Skipped, s.Warnings, s.Problems
	return err
}

func (b *voteImporter) reportWarning(line int, format string, args ...any) error {
	return b.countAndReport(problem.NewWarningAt(b.src.File.Path, line, format, args...))
}
