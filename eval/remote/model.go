package remote

import (
	"context"

	"concord/eval"
)

// Builder says what a run asks.
type Builder interface {
	BuildChat(r eval.Request) (eval.Chat, error)
	DescribeSent(r *eval.Request) eval.Sent
}

// Local is the part that the holder asks itself.
type Local struct {
	Model    eval.Model
	Endpoint string
	Calls    int // concurrency; 0: it asks nothing
}

type model struct {
	holder *Holder
	from   Builder
	call   Call // without what one question adds
	local  Local
	busy   chan struct{} // a slot for each call of the holder's own
}

// NewModel gives a model that workers are asked for, with the parameters of call, and the
// holder itself for as many calls as it takes.
func (h *Holder) NewModel(from Builder, call Call, local Local) eval.Model {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.models = append(h.models, call.Model)
	return &model{h, from, call, local, make(chan struct{}, local.Calls)}
}

// Answer has a question asked where there is room.
func (m *model) Answer(ctx context.Context, r eval.Request) (eval.Reply, error) {
	select {
	case m.busy <- struct{}{}:
		defer func() { <-m.busy }()
		reply, err := m.local.Model.Answer(ctx, r)
		reply.Sent.Endpoint = m.local.Endpoint
		return reply, err
	default:
	}
	chat, err := m.from.BuildChat(r)
	if err != nil {
		return eval.Reply{}, err
	}
	c := m.call
	c.Chat = chat
	result, err := m.holder.ask(ctx, c, r.Key(), r.Attempt)
	if err != nil {
		return eval.Reply{}, err
	}
	reply := result.Reply
	reply.Sent = m.from.DescribeSent(&r)
	reply.Sent.Worker, reply.Sent.Endpoint = result.Name, result.Endpoint
	if result.Failure != nil {
		return reply, result.Failure
	}
	return reply, nil
}
