package judge

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"concord/eval"
)

// Hash identifies a setup in judgments: the SHA-256, hexadecimal, of its
// canonical JSON, which is given too. Setups that judge alike have the same:
// the order of the templates and of the parameters' fields does not count,
// and an unset pseudo-choice is the default.
func Hash(s eval.JudgeSetup) (hash string, text []byte) {
	type template struct {
		Name     string `json:"name"`
		Language string `json:"language"`
		Version  string `json:"version"`
		Hash     string `json:"hash"`
	}
	out := struct {
		Judge    string     `json:"judge"`
		Endpoint string     `json:"endpoint"`
		Name     string     `json:"name"`
		Params   any        `json:"params"`
		Prompts  []template `json:"prompts"`
		Language string     `json:"language"`
		Pseudo   string     `json:"pseudo"`
		Edge     int        `json:"edge,omitempty"` // absent from the setups of judges that see no picture
	}{
		s.Judge, s.Endpoint, s.Name, params(s.Params),
		[]template{},
		s.Language,
		string(cmp.Or(s.Pseudo, DefaultPseudo)),
		s.Edge,
	}
	for _, p := range s.Prompts {
		out.Prompts = append(out.Prompts, template(p))
	}
	slices.SortFunc(out.Prompts, func(a, b template) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Language, b.Language), cmp.Compare(a.Hash, b.Hash))
	})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(out) // strings, and what json.Unmarshal gave, always encode
	text = bytes.TrimSpace(b.Bytes())
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text
}

// params sorts the fields of JSON parameters; other text stays text.
func params(text string) any {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return text
	}
	return v
}
