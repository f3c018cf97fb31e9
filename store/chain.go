package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/store/file"
	"concord/store/record"
)

// chains binds acts, each in the transaction that keeps it.
type chains struct{ codec record.Codec }

func chainsBy(c record.Codec) chains { return chains{c} }

// bind makes an act the last one of its person's chain, whose head is kept in
// the same transaction, and gives the bytes of its record under key.
func (c chains) bind(tx *file.Tx, t record.Table, key []byte, r record.Bound) ([]byte, error) {
	f, ok := r.Form(key)
	if !ok {
		return nil, record.Corrupt(t, key, "no key of an act")
	}
	head, err := c.head(tx, f.Who)
	if err != nil {
		return nil, err
	}
	link := chain.Link{Place: head.Place + 1, Before: head.Hash}
	r.Bind(link)
	value, err := c.codec.Encode(r)
	if err != nil {
		return nil, err
	}
	head = chain.Head{Place: link.Place, Hash: f.Hash(link)}
	return value, tx.Table(record.TableHeads).Put([]byte(f.Who), record.FromHead(head))
}

// head is that of a person, who may not have done anything yet.
func (c chains) head(tx *file.Tx, who annotate.Annotator) (chain.Head, error) {
	raw := tx.Table(record.TableHeads).Get([]byte(who))
	if raw == nil {
		return chain.Head{Hash: chain.Begin(who).Hash()}, nil
	}
	return record.ReadHead([]byte(who), raw)
}

// unbound are the bytes of a stored act as they would be without a chain; nil
// of none.
func (c chains) unbound(t record.Table, stored []byte) []byte {
	r := record.NewBound(t)
	if stored == nil || c.codec.Decode(t, nil, stored, r) != nil {
		return nil
	}
	r.Bind(chain.Link{})
	raw, err := c.codec.Encode(r)
	if err != nil {
		return nil
	}
	return raw
}

// chained takes a project to schema 13: what people do from then on is chained,
// behind the hash of what they did before. The acts of before stay as they are.
func chained(tx *file.Tx) error {
	if err := add(tx, record.TableHeads); err != nil {
		return err
	}
	codec, err := record.NewCodec()
	if err != nil {
		return err
	}
	return chainsBy(codec).begin(tx)
}

// begin gives a head to everybody who has acted and has none. An act that
// cannot be read is passed over, as it is when the chain is checked.
func (c chains) begin(tx *file.Tx) error {
	before := make(map[annotate.Annotator]chain.Beginning)
	heads := make(map[annotate.Annotator]chain.Head)
	for _, t := range record.ActTables() {
		for p, err := range tx.Table(t).Prefix(nil) {
			if err != nil {
				continue
			}
			f, link, err := c.form(t, p)
			if err != nil {
				continue
			}
			b, known := before[f.Who]
			if !known {
				b = chain.Begin(f.Who)
				before[f.Who] = b
			}
			if link.Place == 0 {
				b.Take(&f)
			} else if link.Place > heads[f.Who].Place {
				heads[f.Who] = chain.Head{Place: link.Place, Hash: f.Hash(link)}
			}
		}
	}
	table := tx.Table(record.TableHeads)
	for _, who := range slices.Sorted(maps.Keys(before)) {
		head, ok := heads[who]
		if !ok {
			head.Hash = before[who].Hash()
		}
		if table.Get([]byte(who)) != nil {
			continue
		}
		if err := table.Put([]byte(who), record.FromHead(head)); err != nil {
			return err
		}
	}
	return nil
}

// form reads an act in its canonical form.
func (c chains) form(t record.Table, p file.Pair) (f chain.Form, l chain.Link, err error) {
	r := record.NewBound(t)
	if err := c.codec.Decode(t, p.Key, p.Value, r); err != nil {
		return f, l, err
	}
	f, ok := r.Form(p.Key)
	if !ok {
		err = record.Corrupt(t, p.Key, "no key of an act")
	}
	return f, r.Link(), err
}

// heads gives the heads of all chains. With an error come those that can be
// read.
func (a *Acts) heads() (map[annotate.Annotator]chain.Head, error) {
	all := make(map[annotate.Annotator]chain.Head)
	var first error
	for p, err := range a.s.file.Scan(context.Background(), record.TableHeads, nil, nil) {
		var h chain.Head
		if err == nil {
			h, err = record.ReadHead(p.Key, p.Value)
		}
		switch {
		case err == nil:
			all[annotate.Annotator(p.Key)] = h
		case first == nil:
			first = err
		}
	}
	return all, first
}

// Heads gives the head of everybody's chain of acts, by name.
func (a *Acts) Heads() (all []annotate.Head, err error) {
	heads, err := a.heads()
	for _, who := range slices.Sorted(maps.Keys(heads)) {
		all = append(all, heads[who].Of(who))
	}
	return all, err
}

// Chains checks everybody's chain of acts, and that the heads that were
// published are in them; those that are no hashes give ErrInvalid. What cannot
// be read is damage, and the rest goes on. It may run while others write: what
// they add meanwhile is left for the next time.
func (a *Acts) Chains(ctx context.Context, published []chain.Published) (all []chain.Chain, damage []error, err error) {
	note := func(err error) bool {
		if !errors.Is(err, ErrCorrupt) {
			return false
		}
		damage = append(damage, err)
		return true
	}
	heads, err := a.heads()
	if err != nil && !note(err) {
		return nil, nil, err
	}
	v := chain.NewVerifier(heads)
	for _, p := range published {
		if !v.Publish(p) {
			return nil, nil, fmt.Errorf("%w: %q is no hash of an act: want %d to %d hexadecimal digits", ErrInvalid, p.Hash, chain.ShortSize, 2*len(chain.Hash{}))
		}
	}
	if err := a.counted(ctx, v); err != nil && !note(err) {
		return nil, nil, err
	}
	for _, t := range record.ActTables() {
		for p, err := range a.s.file.Scan(ctx, t, nil, nil) {
			var f chain.Form
			var link chain.Link
			if err == nil {
				f, link, err = chainsBy(a.s.codec).form(t, p)
			}
			switch {
			case err == nil:
				v.Take(&f, link)
			case !note(err):
				return nil, nil, err
			}
		}
	}
	if heads, err = a.heads(); err != nil && !note(err) {
		return nil, nil, err
	}
	return v.End(heads), damage, nil
}

// counted tells a verifier how many acts everybody has done in each queue.
func (a *Acts) counted(ctx context.Context, v *chain.Verifier) error {
	for p, err := range a.s.file.Scan(ctx, record.TableTallies, nil, nil) {
		if err != nil {
			return err
		}
		q, rest, _ := record.CutName(p.Key)
		who, _, ok := record.CutName(rest)
		var r record.Tally
		if err := a.s.codec.Decode(record.TableTallies, p.Key, p.Value, &r); err != nil || !ok {
			return errors.Join(err, record.Corrupt(record.TableTallies, p.Key, "no tally"))
		}
		v.Count(chain.Stream{Queue: annotate.QueueName(q), Of: chain.InQueue}, annotate.Annotator(who), r.Acts)
	}
	return nil
}
