// Package heads keeps the head of everybody's chain of acts, each in the transaction of the act that it
// is the hash of, and checks the chains of a file. How an act is hashed, and what is wrong with a
// chain, is annotate/chain's business; which acts there may be is that of the handles in store.
package heads

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

// ChainKeeper binds acts, each in the transaction that keeps it.
type ChainKeeper struct{ codec record.Codec }

// NewKeeper gives the keeper of acts that a codec reads.
func NewKeeper(c record.Codec) ChainKeeper { return ChainKeeper{c} }

// BindAct makes an act the last one of its person's chain, whose head is kept in
// the same transaction, and gives the bytes of its record under key.
func (k ChainKeeper) BindAct(tx *file.Tx, t record.Table, key []byte, r *record.BoundAct) ([]byte, error) {
	f, ok := r.Form(key)
	if !ok {
		return nil, record.NewCorruptError(t, key, "no key of an act")
	}
	head, err := k.readHead(tx, f.Who)
	if err != nil {
		return nil, err
	}
	link := chain.Link{Place: head.Place + 1, Before: head.Hash}
	r.SetLink(link)
	value, err := k.codec.Encode(r.Record)
	if err != nil {
		return nil, err
	}
	head = chain.Head{Place: link.Place, Hash: f.HashAct(link)}
	return value, tx.Table(record.TableHeads).Put([]byte(f.Who), record.EncodeHead(head))
}

// readHead reads that of a person, who may not have done anything yet.
func (k ChainKeeper) readHead(tx *file.Tx, who annotate.Annotator) (chain.Head, error) {
	raw := tx.Table(record.TableHeads).Get([]byte(who))
	if raw == nil {
		return chain.Head{Hash: chain.NewInitialHash(who).Sum()}, nil
	}
	return record.ReadHead([]byte(who), raw)
}

// UnboundBytes are the bytes of a stored act as they would be without a chain; nil of none.
func (k ChainKeeper) UnboundBytes(t record.Table, stored []byte) []byte {
	r := record.NewBound(t)
	if stored == nil || k.codec.Decode(t, nil, stored, r.Record) != nil {
		return nil
	}
	r.SetLink(chain.Link{})
	raw, err := k.codec.Encode(r.Record)
	if err != nil {
		return nil
	}
	return raw
}

// CreateHeads gives a head to everybody who has acted in these tables and has none. An act that
// cannot be read is passed over, as it is when the chain is checked.
func (k ChainKeeper) CreateHeads(tx *file.Tx, tables ...record.Table) error {
	before := make(map[annotate.Annotator]chain.InitialHash)
	heads := make(map[annotate.Annotator]chain.Head)
	for _, t := range tables {
		for p, err := range tx.Table(t).ScanPrefix(nil) {
			if err != nil {
				continue
			}
			f, link, err := k.readForm(t, p)
			if err != nil {
				continue
			}
			b, known := before[f.Who]
			if !known {
				b = chain.NewInitialHash(f.Who)
				before[f.Who] = b
			}
			if link.Place == 0 {
				b.AddAct(&f)
			} else if link.Place > heads[f.Who].Place {
				heads[f.Who] = chain.Head{Place: link.Place, Hash: f.HashAct(link)}
			}
		}
	}
	table := tx.Table(record.TableHeads)
	for _, who := range slices.Sorted(maps.Keys(before)) {
		head, ok := heads[who]
		if !ok {
			head.Hash = before[who].Sum()
		}
		if table.Get([]byte(who)) != nil {
			continue
		}
		if err := table.Put([]byte(who), record.EncodeHead(head)); err != nil {
			return err
		}
	}
	return nil
}

// readForm reads an act in its canonical form.
func (k ChainKeeper) readForm(t record.Table, p file.Pair) (f chain.Form, l chain.Link, err error) {
	r := record.NewBound(t)
	if err := k.codec.Decode(t, p.Key, p.Value, r.Record); err != nil {
		return f, l, err
	}
	f, ok := r.Form(p.Key)
	if !ok {
		err = record.NewCorruptError(t, p.Key, "no key of an act")
	}
	return f, r.Link(), err
}

// AllHeads gives the heads of all chains. With an error come those that can be read.
func AllHeads(f *file.File) (map[annotate.Annotator]chain.Head, error) {
	all := make(map[annotate.Annotator]chain.Head)
	var first error
	for p, err := range f.Scan(context.Background(), record.TableHeads, nil, nil) {
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

// CheckChains checks everybody's chain of acts, and that the heads that were published are in them;
// those that are no hashes give record.ErrInvalid. What cannot be read is damage, and the rest goes on.
// It may run while others write: what they add meanwhile is left for the next time.
func (k ChainKeeper) CheckChains(ctx context.Context, f *file.File, published []chain.Published) (all []chain.Chain, damage []error, err error) {
	now, err := AllHeads(f)
	if err = collectDamage(&damage, err); err != nil {
		return nil, nil, err
	}
	v := chain.NewVerifier(now)
	for _, p := range published {
		if !v.AddPublished(p) {
			return nil, nil, fmt.Errorf("%w: %q is no hash of an act: want %d to %d hexadecimal digits", record.ErrInvalid, p.Hash, chain.ShortSize, 2*len(chain.Hash{}))
		}
	}
	if err := collectDamage(&damage, k.expectCountedActs(ctx, f, v)); err != nil {
		return nil, nil, err
	}
	for _, t := range record.ActTables() {
		for p, err := range f.Scan(ctx, t, nil, nil) {
			var act chain.Form
			var link chain.Link
			if err == nil {
				act, link, err = k.readForm(t, p)
			}
			if err == nil {
				v.AddAct(&act, link)
				continue
			}
			if act, ok := damagedPlace(t, err); ok {
				v.AddDamaged(&act)
			}
			if err := collectDamage(&damage, err); err != nil {
				return nil, nil, err
			}
		}
	}
	now, err = AllHeads(f)
	if err = collectDamage(&damage, err); err != nil {
		return nil, nil, err
	}
	return v.Finish(now), damage, nil
}

// damagedPlace is where an act stands whose record of a table is damaged; false for other damage.
func damagedPlace(t record.Table, err error) (chain.Form, bool) {
	var d *record.DamageError
	if !errors.As(err, &d) || d.Table != t || d.Key == nil {
		return chain.Form{}, false
	}
	return record.NewBound(t).Form(d.Key)
}

// collectDamage takes up damage, and gives any other error back.
func collectDamage(damage *[]error, err error) error {
	if !errors.Is(err, record.ErrCorrupt) {
		return err
	}
	*damage = append(*damage, err)
	return nil
}

// expectCountedActs tells a verifier how many acts everybody has done in each queue.
func (k ChainKeeper) expectCountedActs(ctx context.Context, f *file.File, v *chain.Verifier) error {
	for p, err := range f.Scan(ctx, record.TableTallies, nil, nil) {
		if err != nil {
			return err
		}
		q, rest, _ := record.CutName(p.Key)
		who, _, ok := record.CutName(rest)
		var r record.Tally
		if err := k.codec.Decode(record.TableTallies, p.Key, p.Value, &r); err != nil || !ok {
			return errors.Join(err, record.NewCorruptError(record.TableTallies, p.Key, "no tally"))
		}
		v.ExpectActs(chain.Stream{Queue: annotate.QueueName(q), Of: chain.InQueue}, annotate.Annotator(who), r.Acts)
	}
	return nil
}
