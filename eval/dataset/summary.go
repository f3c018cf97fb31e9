package dataset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
)

// keptProblems is how many problems a summary keeps; all are counted.
const keptProblems = 100

// Problem is something in a file that could not be taken as it stands.
type Problem = problem.Problem

// Formats lists the formats that can be named.
func Formats() []string { return profile.Formats() }

// Options steer an import. The zero value imports under the file's name,
// finds the format out by itself and keeps what can be read.
type Options struct {
	Name      eval.DatasetName // default: the file's base name, less its extension
	Origin    string           // of the file, where that is a copy; "": the file's base name
	Format    string           // one of Formats; "": found out
	Pictures  string           // folder of the pictures that rows name; "": images beside the file, if there is one
	Strict    bool             // fail on the first row that cannot be read
	Synthetic bool             // the content was made up, for a demo or a test
	Progress  func(read, total int64)
	Skipped   func(Problem) // every problem as it is met, warnings included
	Columns   Wish          // what is said of the file's columns
}

// PredictionOptions steer an import of predictions.
type PredictionOptions struct {
	Options
	Dataset  eval.DatasetName // of the samples; made from the file when there is none
	Model    string           // "": the one that the file names
	Modality eval.Modality    // default: with image
	Shots    *int             // worked examples before each question; nil: as the file says, else none
	Reader   eval.Reader      // gives each fact its reading; nil: none
	Now      func() time.Time
}

// Summary is what an import did.
type Summary struct {
	Dataset         eval.DatasetName `json:"dataset"`
	Run             eval.RunID       `json:"run,omitempty"`
	Model           string           `json:"model,omitempty"`
	Shots           int              `json:"shots,omitempty"`
	Format          string           `json:"format"`
	Made            bool             `json:"made,omitempty"` // the dataset was made from a file of predictions
	Circular        bool             `json:"circular"`
	Read            int              `json:"read"`             // rows
	Added           int              `json:"added"`            // samples, or predictions
	Unchanged       int              `json:"unchanged"`        // those that were there already
	Filled          int              `json:"filled,omitempty"` // samples that were there, and got what they lacked
	Skipped         int              `json:"skipped"`          // rows
	Warnings        int              `json:"warnings"`         // about rows that were kept
	Questions       int              `json:"questions"`
	Irregular       int              `json:"irregular"` // circular questions with other passes than options
	Pictures        int              `json:"pictures"`  // distinct, with their bytes
	MissingPictures int              `json:"missing_pictures"`
	NoTruth         int              `json:"no_truth"`               // questions without a ground truth
	Scorer          string           `json:"scorer,omitempty"`       // of a log; the next three are by it
	Scored          int              `json:"scored,omitempty"`       // answers
	ScoredRight     int              `json:"scored_right,omitempty"` // of those
	Judgments       int              `json:"judgments,omitempty"`    // what it read, kept as a judge's readings
	Problems        []Problem        `json:"problems"`               // the first 100

	Columns []column.Read   `json:"columns"` // of the file, and what each was read as
	Unread  []column.Unread `json:"unread"`  // that nobody reads
}

// String is the summary in one line.
func (s Summary) String() string {
	out := fmt.Sprintf("read %d, skipped %d", s.Read, s.Skipped)
	return eval.Either(s.Added == 0 && s.Unchanged > 0 && s.Filled == 0, out+": nothing added, all of it is there already", out)
}

// reportProblem counts a problem and hands it on; strict makes an error of the first row that is lost.
func (s *Summary) reportProblem(p *Problem, o *Options) error {
	if p.Warning {
		s.Warnings++
	} else {
		s.Skipped++
	}
	if len(s.Problems) < keptProblems {
		s.Problems = append(s.Problems, *p)
	}
	if o.Skipped != nil {
		o.Skipped(*p)
	}
	if o.Strict && !p.Warning {
		return fmt.Errorf("strict: %w", p)
	}
	return nil
}

// defaultDatasetName is the default name of a dataset: its file's, less the extension.
func defaultDatasetName(path string) eval.DatasetName {
	base := filepath.Base(path)
	return eval.DatasetName(strings.TrimSuffix(base, filepath.Ext(base)))
}

// Wish is what somebody says of a file's columns.
type Wish = column.Wish

// ParseRoleMap reads roles and their columns: options=choices,answer=index0:answer.
func ParseRoleMap(written string) (map[string]string, error) { return column.ParseRoleMap(written) }

// ReadOwnLayouts reads a file of layouts (eval/dataset/profile/layouts.toml).
func ReadOwnLayouts(path string) (*column.Table, error) { return column.ReadOwnLayouts(path) }

// JudgmentSink is what a PredictionSink may offer beside: the readings of a
// log's own scorers are kept as a judge's.
type JudgmentSink interface {
	// PutJudgments commits judgments on predictions that are recorded. Those
	// that are there already are left alone and not counted.
	PutJudgments(ctx context.Context, all []eval.Judgment) (added int, err error)
}

// countLogScores counts the scorers' verdicts on a row that was taken, and keeps what they read.
func (p *predictionImporter) countLogScores(rec *record, s *eval.Sample, f *eval.Fact) {
	for i, score := range rec.scores {
		if i == 0 { // of several, the first by name
			p.sum.Scored++
			p.sum.Scorer = score.Scorer
			if score.Right {
				p.sum.ScoredRight++
			}
		}
		reading, ok := extractLogReading(&score, f.Prediction.ShownQuestion(s), s.Kind)
		if !ok || len(score.Scorer) > profile.IDLimit {
			continue
		}
		raw, err := json.Marshal(score)
		if err != nil {
			continue // texts and bools always marshal
		}
		p.judgments = append(p.judgments, eval.Judgment{
			Key: f.Prediction.Key, Judge: score.Scorer, Extraction: reading, Raw: string(raw), Call: eval.Call{At: p.at},
		})
	}
}

// extractLogReading gives the option that the scorer read; not ok where it says none that
// the question has, as scorers that compare texts do.
func extractLogReading(l *profile.LogScore, shown eval.Shown, kind eval.Kind) (eval.Extraction, bool) {
	out := eval.Extraction{Status: eval.Missing, Method: "judge"}
	answer := strings.TrimSpace(l.Answer)
	switch {
	case !l.Read || kind != eval.KindChoice && kind != eval.KindYesNo:
		return out, false
	case answer == "":
		return out, true
	}
	allowed := []eval.Choice{eval.Yes, eval.No}
	if kind == eval.KindChoice {
		allowed = eval.Map(shown.Options, func(o eval.Option) eval.Choice { return o.Letter })
	}
	for _, c := range allowed {
		if strings.EqualFold(answer, string(c)) {
			out.Choice, out.Status = c, eval.Found
			return out, true
		}
	}
	return out, false
}

// commitJudgments commits what the scorers read, once its predictions are.
func (p *predictionImporter) commitJudgments(ctx context.Context) error {
	sink, ok := p.sink.(JudgmentSink)
	if !ok || len(p.judgments) == 0 {
		return nil
	}
	stands := make(map[eval.Key]bool, len(p.facts))
	for i := range p.facts {
		f := &p.facts[i].Prediction
		stands[f.Key] = true
		if known, ok := p.sink.(PredictionLookup); ok {
			old, err := known.Prediction(f.Key)
			if err != nil {
				return fmt.Errorf("look up prediction %s: %w", f.Key, err)
			}
			stands[f.Key] = old.Text == f.Text // else the reading is of what was not kept
		}
	}
	kept := p.judgments[:0]
	for _, j := range p.judgments {
		if j.Run = p.id; stands[j.Key] {
			kept = append(kept, j)
		}
	}
	added, err := sink.PutJudgments(ctx, kept)
	if err != nil {
		return fmt.Errorf("keep the extracted answers of %s: %w", p.sum.Scorer, err)
	}
	p.sum.Judgments += added
	p.judgments = p.judgments[:0]
	return nil
}

// Preview is what the beginning of a file holds, before anything is imported.
type Preview struct {
	Format   string
	Size     int64 // of the file in bytes; 0 of a folder
	Rows     []PreviewRow
	Problems []Problem // of the first rows that cannot be read
	Dataset  eval.DatasetName
	Model    string // that the file names for all rows
	Named    bool   // the file names the dataset itself; else Dataset is the file's name
}

// PreviewRow is one row as it would be imported.
type PreviewRow struct {
	Line              int
	ID                string // of the row, as written
	Question          string
	Options           []eval.Option
	Answer            string // the truth as read: a letter, yes or no, or a reference
	Kind              eval.Kind
	Pictures          int
	Answered          bool // there is a prediction
	Prediction, Model string
}

// HasAnswers reports whether the file is one of predictions: every row that was read has one.
func (p *Preview) HasAnswers() bool {
	return len(p.Rows) > 0 && !slices.ContainsFunc(p.Rows, func(r PreviewRow) bool { return !r.Answered })
}

// HasQuestions reports whether the rows hold the questions.
func (p *Preview) HasQuestions() bool {
	return len(p.Rows) > 0 && !slices.ContainsFunc(p.Rows, func(r PreviewRow) bool { return r.Question == "" && len(r.Options) == 0 })
}

// PreviewFile reads the first n rows of a file as an import would, and writes
// nothing. A row that cannot be read is a Problem, and counts as one of them.
func PreviewFile(ctx context.Context, path string, n int) (Preview, error) {
	src, err := profile.OpenSamples(path, "", Wish{}, nil)
	if err != nil {
		return Preview{}, err
	}
	out := Preview{Format: src.Format, Problems: []Problem{}}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		out.Size = info.Size()
	}
	for r, err := range src.Rows(ctx) {
		if len(out.Rows)+len(out.Problems) == n {
			break
		}
		var p *Problem
		switch {
		case errors.As(err, &p):
		case err != nil:
			return out, err
		case r.Head.Clash != "":
			return out, newDuplicateColumnError(r.Head.Clash)
		case r.Head.Index < 0 && src.HasOneHeader():
			return out, newNoIndexError(r.Head.Names)
		default:
			var rec record
			err := rec.readRow(&r)
			if err == nil {
				out.Rows = append(out.Rows, newPreviewRow(&r, &rec))
				continue
			}
			p = src.File.NewProblem(r.Line, "%s", err)
		}
		out.Problems = append(out.Problems, *p)
	}
	out.Dataset, out.Named = cmp.Or(eval.DatasetName(src.Task), defaultDatasetName(path)), src.Task != ""
	out.Model = src.Model
	return out, nil
}

func newPreviewRow(r *profile.Row, rec *record) PreviewRow {
	s := &rec.sample
	return PreviewRow{
		Line: rec.line, ID: rec.index, Question: s.Question, Options: s.Options, Answer: cmp.Or(string(s.Answer), s.Reference), Kind: s.Kind,
		Answered: rec.answered, Prediction: rec.text, Model: rec.model,
		Pictures: max(len(r.PicturePaths()), len(column.SplitImageCell(r.Cell(r.Head.Image)))),
	}
}
