package eval

// Card says what a model is. Reports group by it and link by it: a
// vision-language model to its language base (MMStar, Sec. 4.3), models by
// size and by openness (MMBench Tables 3 and 6). Empty fields are not known.
type Card struct {
	Model        string  // as runs name it
	Parameters   float64 // billions; 0: not known
	LanguageBase string  // the model that it was built on, as runs name that
	Vision       string  // its vision backbone
	Open         Openness
}

// Openness tells whether a model's weights can be had.
type Openness uint8

// The degrees of openness.
const (
	OpennessUnset Openness = iota
	OpenWeights
	Closed
)

var opennessNames = [...]string{"", "open", "closed"}

// String returns the name that files and reports use.
func (o Openness) String() string { return NameOf(opennessNames[:], o) }

// ParseOpenness reads what String writes.
func ParseOpenness(s string) (Openness, error) {
	return ParseName[Openness](opennessNames[:], s, "openness")
}
