package extract

import "concord/eval"

// concord is the default rule set.
type concord struct{}

// Name implements eval.Reader.
func (concord) Name() string { return Default }

// Version implements eval.Reader.
func (concord) Version() string { return "1" }

// Read implements eval.Reader.
func (concord) Read(options []eval.Option, text string) eval.Extraction {
	return without(eval.Missing, "none")
}

// concordYesNo is the default rule set for yes/no samples.
type concordYesNo struct{}

// Name implements eval.Reader.
func (concordYesNo) Name() string { return Default }

// Version implements eval.Reader.
func (concordYesNo) Version() string { return "1" }

// Read implements eval.Reader.
func (concordYesNo) Read(_ []eval.Option, text string) eval.Extraction {
	return without(eval.Missing, "none")
}
