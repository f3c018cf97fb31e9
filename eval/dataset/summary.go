package dataset

import (
	"fmt"
	"path/filepath"
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
	if s.Added == 0 && s.Unchanged > 0 && s.Filled == 0 {
		return out + ": nothing added, all of it is there already"
	}
	return out
}

// note counts a problem and hands it on; strict makes an error of the first
// row that is lost.
func (s *Summary) note(p *Problem, o *Options) error {
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

// nameOf is the default name of a dataset: its file's, less the extension.
func nameOf(path string) eval.DatasetName {
	base := filepath.Base(path)
	return eval.DatasetName(strings.TrimSuffix(base, filepath.Ext(base)))
}
