package record

// The records of how an endpoint's model is asked, a part of a run's
// configuration.
type (
	// Settings is the record of how an endpoint's model is asked.
	Settings struct {
		Endpoint  string     `cbor:"1,keyasint,omitempty"`
		Name      string     `cbor:"2,keyasint,omitempty"`
		Params    string     `cbor:"3,keyasint,omitempty"`
		Prompts   []Prompt   `cbor:"4,keyasint,omitempty"`
		Language  string     `cbor:"5,keyasint,omitempty"`
		Edge      int        `cbor:"6,keyasint,omitempty"`
		Shots     int        `cbor:"7,keyasint,omitempty"`
		Exemplars []Exemplar `cbor:"8,keyasint,omitempty"`
		Judges    []Setup    `cbor:"9,keyasint,omitempty"`
		Fallback  bool       `cbor:"10,keyasint,omitempty"`
		Seed      uint64     `cbor:"11,keyasint,omitempty"`
	}
	// Prompt is the record of a prompt by its hash.
	Prompt struct {
		Name     string `cbor:"1,keyasint,omitempty"`
		Language string `cbor:"2,keyasint,omitempty"`
		Version  string `cbor:"3,keyasint,omitempty"`
		Hash     string `cbor:"4,keyasint,omitempty"`
	}
	// Exemplar is the record of a worked example.
	Exemplar struct {
		Sample   string   `cbor:"1,keyasint,omitempty"`
		Question string   `cbor:"2,keyasint,omitempty"`
		Options  []Option `cbor:"3,keyasint,omitempty"`
		Answer   string   `cbor:"4,keyasint,omitempty"`
	}
	// Setup is the record of how a judge is asked.
	Setup struct {
		Judge    string   `cbor:"1,keyasint,omitempty"`
		Endpoint string   `cbor:"2,keyasint,omitempty"`
		Name     string   `cbor:"3,keyasint,omitempty"`
		Params   string   `cbor:"4,keyasint,omitempty"`
		Prompts  []Prompt `cbor:"5,keyasint,omitempty"`
		Language string   `cbor:"6,keyasint,omitempty"`
		Pseudo   string   `cbor:"7,keyasint,omitempty"`
		Edge     int      `cbor:"8,keyasint,omitempty"`
	}
)

// Counts is the record of a run's totals.
type Counts struct {
	Predictions int    `cbor:"1,keyasint,omitempty" of:"Counts.Predictions"`
	Failures    int    `cbor:"2,keyasint,omitempty" of:"Counts.Failures"`
	Questions   int    `cbor:"3,keyasint,omitempty" of:"Counts.Questions"`
	Statuses    []int  `cbor:"4,keyasint,omitempty" of:"Counts.Statuses"`
	Reader      string `cbor:"5,keyasint,omitempty" of:"Counts.Reader"`
	Prompt      int    `cbor:"6,keyasint,omitempty" of:"Counts.Usage.Prompt"` // tokens, as the next two
	Completion  int    `cbor:"7,keyasint,omitempty" of:"Counts.Usage.Completion"`
	Reasoning   int    `cbor:"8,keyasint,omitempty" of:"Counts.Usage.Reasoning"`
}

// The records of runs. Every field of a configuration is left out when it is
// zero: the hash that finds a run is over the bytes of its configuration, and
// a field added later must not change it for the runs that there are.
type (
	// Config is the record of a run's configuration.
	Config struct {
		Dataset   string    `cbor:"1,keyasint,omitempty"`
		Model     string    `cbor:"2,keyasint,omitempty"`
		Strategy  uint8     `cbor:"3,keyasint,omitempty"`
		Modality  uint8     `cbor:"4,keyasint,omitempty"`
		Origin    uint8     `cbor:"5,keyasint,omitempty"`
		AllPasses bool      `cbor:"6,keyasint,omitempty"`
		Rules     string    `cbor:"7,keyasint,omitempty"`
		Synthetic bool      `cbor:"8,keyasint,omitempty"`
		File      string    `cbor:"9,keyasint,omitempty"`
		Settings  *Settings `cbor:"10,keyasint,omitempty"`
	}
	// Run is the record of a run.
	Run struct {
		Config  Config `cbor:"1,keyasint"`
		Created int64  `cbor:"2,keyasint,omitempty"`
		Whole   bool   `cbor:"3,keyasint,omitempty"`
	}
)
