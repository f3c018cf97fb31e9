package record

import "concord/eval"

// Sent is the record of what a call sent beside its text.
type Sent struct {
	Images  int    `cbor:"1,keyasint,omitempty"`
	Lacking int    `cbor:"2,keyasint,omitempty"`
	Shots   int    `cbor:"3,keyasint,omitempty"`
	Prompt  string `cbor:"4,keyasint,omitempty"`
	Params  string `cbor:"5,keyasint,omitempty"`
}

// fromSent gives nil where nothing is known.
func fromSent(s eval.Sent) *Sent {
	if !s.Known {
		return nil
	}
	return &Sent{Images: s.Images, Lacking: s.Lacking, Shots: s.Shots, Prompt: s.Prompt, Params: s.Params}
}

func (r *Sent) sent() eval.Sent {
	if r == nil {
		return eval.Sent{}
	}
	return eval.Sent{Known: true, Images: r.Images, Lacking: r.Lacking, Shots: r.Shots, Prompt: r.Prompt, Params: r.Params}
}
