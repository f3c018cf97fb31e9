package remote

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"concord/eval"
)

// Protocol is the version of the messages: holder and worker need the same one.
const Protocol = 2

// A worker says every beat that it is there, and every third one that it is still at its
// calls: those of one that does not are out again after ackWait.
const (
	beat     = 2 * time.Second
	ackWait  = 20 * time.Second
	goneFrom = 30 * time.Second // until others have taken over what it had
)

// What all holders of a cluster hear, and say.
const (
	subSeek = "concord.hello" // Hello -> Word: whoever takes the worker
	subEnd  = "concord.end"   // Word: a holder leaves
)

// subject is one of a session's own, so that holders share a cluster: call (Call, in the
// stream), hello (Hello -> Word), result (Result -> Word, after the commit), and image
// (Piece -> so many of its bytes; none: the holder has no such image).
func subject(session, what string) string { return "concord." + session + "." + what }

const streamPrefix = "CONCORD-"

// Hello is what a worker says of itself, when it joins and every beat.
type Hello struct {
	Protocol           int
	Session            string // that it works for; "" while it seeks one
	ID, Name, Endpoint string
	Capacity           int      // concurrency
	Models             []string // of its endpoint; none: it does not list them
	Last               string   // why it leaves
	Leaving            bool
}

// Word is what the holder says: to a hello, of a result, and when it leaves.
type Word struct {
	Protocol int
	Session  string // another one is another holder, or one that was started anew
	Project  string // whose runs these are, also after that
	Refused  string // why; "": it was not
	Unknown  bool   // nobody waits for the result
	Done     bool   // of the end: nothing is left to ask
}

// Call is one message of the queue: what one call says to a model.
type Call struct {
	ID, Session   string // the ID is session/run/sample.pass#attempt.number
	Model, Params string // as endpoints call it; canonical JSON
	Edge          int
	LogProbs      bool      // see eval.Reply
	Chat          eval.Chat // without its pictures
	Images        []Image   // which these are
}

// Image is a picture that the holder is asked for.
type Image struct {
	Hash string
	Size int
}

// Piece is the part of an image that is asked for. A message of a cluster has 1 MB at most
// where nothing else is said, so that an image comes in several.
type Piece struct {
	Hash string
	From int
}

const pieceBytes = 512 << 10

// Result is what came of a call. It is acknowledged at Ack.
type Result struct {
	ID, Worker, Name, Endpoint, Ack string
	Reply                           eval.Reply
	Failure                         *eval.Failure
}

// decode reads a message; whoever sent it may be anybody.
func decode(data []byte, into any) error {
	return eval.WrapError(json.Unmarshal(data, into), "the message does not decode")
}

func encode(v any) []byte {
	out, _ := json.Marshal(v) // a message holds nothing that JSON has no form for
	return out
}

// whyOther says why a side that speaks another protocol is refused; "" for the same one.
func whyOther(side string, version int) string {
	other := fmt.Sprintf("%s speaks version %d of the workers' protocol, this one %d: both need the same version of concord", side, version, Protocol)
	return eval.Either(version == Protocol, "", other)
}

func errorText(err error) string { return eval.Either(err == nil, "", fmt.Sprint(err)) }

func newID() string { return rand.Text() }
