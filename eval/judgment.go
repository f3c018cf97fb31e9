package eval

import "time"

// Judgment is a judge model's reading of one prediction: a fact, with the
// judge's raw reply. Extraction.Choice is a letter as shown in that pass.
type Judgment struct {
	Key
	Judge      string
	Extraction Extraction
	Raw        string
	Prompt     string // hash or name of the prompt template, "" when unknown
	Usage      Usage
	Latency    time.Duration
	At         time.Time
}
