package annotate

import "time"

// SavedReport is an alignment report that somebody keeps and may cite: the
// figures as they were, with what they were computed from, so that a later
// look knows whether it is stale.
type SavedReport struct {
	ID         uint64 // given by the store, from 1
	Name       string // the report's name, "alignment"
	Queue      QueueName
	Policy     string
	Rules      []string // name@version of every rule set in it
	Judges     []string // a JudgeID of every judge in it
	LabelsHash string   // of the labels that stood
	Rows       []byte   // the report's rows as JSON
	By         Annotator
	At         time.Time

	RulingsHash string // of the rulings that stood; "" in older ones
	Build       string // the version and commit of the concord that made it; "" in older ones
	Heads       []Head // of the people whose acts it counts, when it was made; none in older ones
}

// Head is where a person's chain of acts stands: the number of acts in it, and
// the SHA-256 of the last one, in hexadecimal. Before the first act it is that
// of what was there before the chain.
type Head struct {
	Person Annotator `json:"person"`
	Acts   uint64    `json:"acts"`
	Hash   string    `json:"head"`
}
