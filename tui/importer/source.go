package importer

import (
	"context"
	"time"

	"concord/tui/widget"
)

// Source reads folders and files, imports, and checks. Its methods are called
// beside the screen.
type Source interface {
	// Folder lists a folder; "" is where the program was started.
	Folder(ctx context.Context, path string) (Folder, error)
	// Preview reads the beginning of a file, and writes nothing.
	Preview(ctx context.Context, path string) (Preview, error)
	// Import brings the file in; watch is told how far it has come, in bytes.
	Import(ctx context.Context, o Order, watch func(read, total int64)) (Outcome, error)
	// Check looks after the configuration and its endpoints.
	Check(ctx context.Context) ([]Finding, error)
}

// Folder is what a folder holds: folders first, each by name, hidden ones left
// out.
type Folder struct {
	Path    string // absolute
	Entries []Entry
}

// Entry is a file or a folder.
type Entry struct {
	Name   string
	Folder bool
	Likely bool // its name ends as files do that can be imported
	Size   int64
	At     time.Time
}

// Preview is the beginning of a file.
type Preview struct {
	Path     string
	Format   string
	Size     int64
	Rows     []Row
	Problems []string // of the first rows that cannot be read
	Answers  bool     // it is one of predictions
	Asks     bool     // it holds the questions
	Dataset  string   // a name to begin with
	Known    bool     // the project has a dataset of that name
	Model    string   // "" when the file names none
}

// Row is a row as it would be imported.
type Row struct {
	ID, Question, Options, Prediction string
	Truth                             bool // the file says which answer is right
	Pictures                          int
}

// Order is what is to be imported.
type Order struct {
	Path           string
	Answers        bool // predictions of Model, else questions
	Dataset, Model string
}

// Outcome is what an import did.
type Outcome struct {
	Summary  string
	Problems []string // the first rows that were left out
	Left     int      // how many rows were left out
	Next     string   // what can be done with it now
}

// Finding is one thing that was checked.
type Finding struct {
	Check, Verdict, Text, Advice string
	Good                         bool
}

// Choice is what somebody chose to begin with. The zero value is unset.
type Choice uint8

// The choices.
const (
	ChoiceUnset Choice = iota
	Demo               // look around in a demo
	Imported           // something was imported
)

// OpenConnect asks for models to be made known.
type OpenConnect struct{}

// Done is the message that leaves the screen.
type Done struct{ Choice Choice }

// Deps is what the screen is made of; all of it is needed.
type Deps struct {
	Theme  *widget.Theme
	Source Source
	Open   bool // a project is open: no demo is offered
}
