package record

import "concord/eval"

// Counts is the record of a run's totals.
type Counts struct {
	Predictions int    `cbor:"1,keyasint,omitempty"`
	Failures    int    `cbor:"2,keyasint,omitempty"`
	Questions   int    `cbor:"3,keyasint,omitempty"`
	Statuses    []int  `cbor:"4,keyasint,omitempty"`
	Reader      string `cbor:"5,keyasint,omitempty"`
	Prompt      int    `cbor:"6,keyasint,omitempty"` // tokens, as the next two
	Completion  int    `cbor:"7,keyasint,omitempty"`
	Reasoning   int    `cbor:"8,keyasint,omitempty"`
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

// FromConfig makes the record of a configuration.
func FromConfig(c eval.Config) Config {
	return Config{
		Dataset: string(c.Dataset), Model: c.Model, Strategy: uint8(c.Strategy), Modality: uint8(c.Modality),
		Origin: uint8(c.Origin), AllPasses: c.AllPasses, Rules: c.Rules, Synthetic: c.Synthetic, File: c.File,
		Settings: fromSettings(c.Settings),
	}
}

// Config is the configuration that the record holds.
func (r Config) Config() eval.Config {
	return eval.Config{
		Dataset: eval.DatasetName(r.Dataset), Model: r.Model, Strategy: eval.Strategy(r.Strategy),
		Modality: eval.Modality(r.Modality), Origin: eval.Origin(r.Origin), AllPasses: r.AllPasses,
		Rules: r.Rules, Synthetic: r.Synthetic, File: r.File, Settings: r.Settings.settings(),
	}
}
