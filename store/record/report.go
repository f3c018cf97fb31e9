package record

// Report is the record of a saved report.
type Report struct {
	Name       string   `cbor:"1,keyasint,omitempty"`
	Queue      string   `cbor:"2,keyasint,omitempty"`
	Policy     string   `cbor:"3,keyasint,omitempty"`
	Rules      []string `cbor:"4,keyasint,omitempty"`
	Judges     []string `cbor:"5,keyasint,omitempty"`
	LabelsHash string   `cbor:"6,keyasint,omitempty"`
	Rows       []byte   `cbor:"7,keyasint,omitempty"`
	By         string   `cbor:"8,keyasint,omitempty"`
	At         int64    `cbor:"9,keyasint,omitempty"`

	RulingsHash string `cbor:"10,keyasint,omitempty"`
	Heads       []Head `cbor:"11,keyasint,omitempty"`
	Build       string `cbor:"12,keyasint,omitempty"`
}

// Head is the record of a head that a saved report names.
type Head struct {
	Person string `cbor:"1,keyasint,omitempty"`
	Acts   uint64 `cbor:"2,keyasint,omitempty"`
	Hash   string `cbor:"3,keyasint,omitempty"`
}
