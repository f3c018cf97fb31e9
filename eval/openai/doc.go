// Package openai asks models behind OpenAI-compatible chat endpoints: vLLM, SGLang, Ollama, llama.cpp,
// LiteLLM, a vendor. An Endpoint is an address with its key and its limits, shared by all runs of a
// process; a Model is one of its models with fixed parameters, and an eval.Chatter.
//
//	Model.Chat -> body -> speed, crowd -> go-openai -> wire -> http.Transport
//	(pictures, params)    (limits)       (protocol)   (key, bounds, errors)
//
// Client and protocol are go-openai's. What it leaves out is done in one http.RoundTripper beneath it
// (wire): temperature 0 and fields that it has no place for, bounded bodies, Retry-After of errors, the
// key. The package refuses to retry: it tells failures apart and says when to come back, the engine
// decides whether to.
//
// Its one invariant: the key is in the Authorization header of a request to
// the endpoint's own address, and in no error, reply or redirect.
package openai
