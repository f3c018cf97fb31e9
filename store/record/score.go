package record

// Caption is the record of a caption; the sample, the model and the
// revision stand in its key.
type Caption struct {
	Text string `cbor:"1,keyasint,omitempty"`
	Call
}

// The record of a sample's objects; the sample and the revision stand in its
// key. Objects are never left out: none is another fact than no record.
type (
	// Detections is the record of what a detector found.
	Detections struct {
		Objects []Object `cbor:"1,keyasint"`
		At      int64    `cbor:"2,keyasint,omitempty"`
	}
	// Object is the record of an object that was found.
	Object struct {
		Label      string  `cbor:"1,keyasint,omitempty"`
		Confidence float64 `cbor:"2,keyasint,omitempty"`
		X1         float64 `cbor:"3,keyasint,omitempty"`
		Y1         float64 `cbor:"4,keyasint,omitempty"`
		X2         float64 `cbor:"5,keyasint,omitempty"`
		Y2         float64 `cbor:"6,keyasint,omitempty"`
	}
)

// Score is the record of a score; the prediction, the judge and the
// revision stand in its key.
type Score struct {
	Value   int      `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Call
}

// Scorer is the record of what one judge's scores of a run come to.
type Scorer struct {
	Values     []int `cbor:"1,keyasint,omitempty" of:"Counts.Values"`
	Failures   int   `cbor:"2,keyasint,omitempty" of:"Counts.Failures"`
	Prompt     int   `cbor:"3,keyasint,omitempty" of:"Counts.Usage.Prompt"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty" of:"Counts.Usage.Completion"`
	Reasoning  int   `cbor:"5,keyasint,omitempty" of:"Counts.Usage.Reasoning"`
}

// Call is what records of judges' calls have in common, as fields of
// their own.
type Call struct {
	PromptHash     string `cbor:"5,keyasint,omitempty" of:"Prompt"`
	Setup          string `cbor:"6,keyasint,omitempty"`
	Served         string `cbor:"7,keyasint,omitempty"`
	Finish         string `cbor:"8,keyasint,omitempty"`
	Prompt         int    `cbor:"9,keyasint,omitempty" of:"Usage.Prompt"`
	Completion     int    `cbor:"10,keyasint,omitempty" of:"Usage.Completion"`
	Reasoning      int    `cbor:"11,keyasint,omitempty" of:"Usage.Reasoning"`
	Latency        int64  `cbor:"12,keyasint,omitempty"` // nanoseconds
	At             int64  `cbor:"13,keyasint,omitempty"`
	Failed         bool   `cbor:"14,keyasint,omitempty" of:"Failure"`
	FailureKind    uint8  `cbor:"15,keyasint,omitempty" of:"Failure.Kind"`
	FailureMessage string `cbor:"16,keyasint,omitempty" of:"Failure.Message"`
	FailureAfter   int64  `cbor:"17,keyasint,omitempty" of:"Failure.After"` // nanoseconds
	FailureStatus  int    `cbor:"18,keyasint,omitempty" of:"Failure.Status"`
}

// Grade is the record of a judge's grade; the prediction, the judge, the
// criterion, the repeat and the revision stand in its key.
type Grade struct {
	Verdict uint8    `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Hash    string   `cbor:"4,keyasint,omitempty"`
	Call
	Score         float64   `cbor:"20,keyasint,omitempty"`
	Label         string    `cbor:"21,keyasint,omitempty"`
	Expected      *float64  `cbor:"22,keyasint,omitempty"`
	Probabilities []float64 `cbor:"23,keyasint,omitempty"`
}

// Grading is the record of a person's act on the criteria of a response; the
// dataset, the person and the number stand in its key.
type Grading struct {
	Kind      uint8   `cbor:"1,keyasint,omitempty"`
	Run       uint64  `cbor:"2,keyasint,omitempty" of:"Response.Run"`
	Sample    uint32  `cbor:"3,keyasint,omitempty" of:"Response.Sample"`
	Pass      uint8   `cbor:"4,keyasint,omitempty" of:"Response.Pass"`
	Criterion string  `cbor:"5,keyasint,omitempty"`
	Hash      string  `cbor:"6,keyasint,omitempty"`
	Verdict   uint8   `cbor:"7,keyasint,omitempty" of:"Graded.Verdict"`
	Score     float64 `cbor:"8,keyasint,omitempty" of:"Graded.Score"`
	Label     string  `cbor:"9,keyasint,omitempty" of:"Graded.Label"`
	Target    uint32  `cbor:"10,keyasint,omitempty"`
	Informed  bool    `cbor:"11,keyasint,omitempty"`
	Imported  bool    `cbor:"12,keyasint,omitempty"`
	At        int64   `cbor:"13,keyasint,omitempty"`
	Spent     int64   `cbor:"14,keyasint,omitempty"` // nanoseconds
	Chained
}

// Comparison is the record of a comparison's totals.
type Comparison struct {
	Votes      []int `cbor:"1,keyasint,omitempty" of:"Counts.Votes"`
	Failures   int   `cbor:"2,keyasint,omitempty" of:"Counts.Failures"`
	Prompt     int   `cbor:"3,keyasint,omitempty" of:"Counts.Usage.Prompt"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty" of:"Counts.Usage.Completion"`
	Reasoning  int   `cbor:"5,keyasint,omitempty" of:"Counts.Usage.Reasoning"`
}

// Preference is the record of a vote; the pair, the ballot and the
// revision stand in its key.
type Preference struct {
	Vote    uint8    `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Text    string   `cbor:"4,keyasint,omitempty"`
	Call
	Sent *Sent `cbor:"19,keyasint,omitempty"`
}
