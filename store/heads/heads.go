// Package heads keeps the head of everybody's chain of acts, each in the
// transaction of the act that it is the hash of, and checks the chains of a
// file. How an act is hashed, and what is wrong with a chain, is annotate/chain's
// business; which acts there may be is that of the handles in store.
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

// Keeper binds acts, each in the transaction that keeps it.
type Keeper struct{ codec record.Codec }

// By is the keeper of acts that a codec reads.
func By(c record.Codec) Keeper { return Keeper{c} }

// Bind makes an act the last one of its person's chain, whose head is kept in
// the same transaction, and gives the bytes of its record under key.
func (k Keeper) Bind(tx *file.Tx, t record.Table, key []byte, r *record.Bound) ([]byte, error) {
	f, ok := r.Form(key)
	if !ok {
		return nil, record.Corrupt(t, key, "no key of an act")
	}
	head, err := k.head(tx, f.Who)
	if err != nil {
		return nil, err
	}
	link := chain.Link{Place: head.Place + 1, Before: head.Hash}
	r.Bind(link)
	value, err := k.codec.Encode(r.Record)
	if err != nil {
		return nil, err
	}
	head = chain.Head{Place: link.Place, Hash: f.Hash(link)}
	return value, tx.Table(record.TableHeads).Put([]byte(f.Who), record.FromHead(head))
}

// head is that of a person, who may not have done anything yet.
func (k Keeper) head(tx *file.Tx, who annotate.Annotator) (chain.Head, error) {
	raw := tx.Table(record.TableHeads).Get([]byte(who))
	if raw == nil {
		return chain.Head{Hash: chain.Begin(who).Hash()}, nil
	}
	return record.ReadHead([]byte(who), raw)
}

// Unbound are the bytes of a stored act as they would be without a chain; nil
// of none.
func (k Keeper) Unbound(t record.Table, stored []byte) []byte {
	r := record.NewBound(t)
	if stored == nil || k.codec.Decode(t, nil, stored, r.Record) != nil {
		return nil
	}
	r.Bind(chain.Link{})
	raw, err := k.codec.Encode(r.Record)
	if err != nil {
		return nil
	}
	return raw
}

// Begin gives a head to everybody who has acted in these tables and has none. An act that
// cannot be read is passed over, as it is when the chain is checked.
func (k Keeper) Begin(tx *file.Tx, tables ...record.Table) error {
	before := make(map[annotate.Annotator]chain.Beginning)
	heads := make(map[annotate.Annotator]chain.Head)
	for _, t := range tables {
		for p, err := range tx.Table(t).Prefix(nil) {
			if err != nil {
				continue
			}
			f, link, err := k.form(t, p)
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
func (k Keeper) form(t record.Table, p file.Pair) (f chain.Form, l chain.Link, err error) {
	r := record.NewBound(t)
	if err := k.codec.Decode(t, p.Key, p.Value, r.Record); err != nil {
		return f, l, err
	}
	f, ok := r.Form(p.Key)
	if !ok {
		err = record.Corrupt(t, p.Key, "no key of an act")
	}
	return f, r.Link(), err
}

// All gives the heads of all chains. With an error come those that can be read.
func All(f *file.File) (map[annotate.Annotator]chain.Head, error) {
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

// Check checks everybody's chain of acts, and that the heads that were published
// are in them; those that are no hashes give record.ErrInvalid. What cannot be
// read is damage, and the rest goes on. It may run while others write: what they
// add meanwhile is left for the next time.
func (k Keeper) Check(ctx context.Context, f *file.File, published []chain.Published) (all []chain.Chain, damage []error, err error) {
	now, err := All(f)
	if err = note(&damage, err); err != nil {
		return nil, nil, err
	}
	v := chain.NewVerifier(now)
	for _, p := range published {
		if !v.Publish(p) {
			return nil, nil, fmt.Errorf("%w: %q is no hash of an act: want %d to %d hexadecimal digits", record.ErrInvalid, p.Hash, chain.ShortSize, 2*len(chain.Hash{}))
		}
	}
	if err := note(&damage, k.counted(ctx, f, v)); err != nil {
		return nil, nil, err
	}
	for _, t := range record.ActTables() {
		for p, err := range f.Scan(ctx, t, nil, nil) {
			var act chain.Form
			var link chain.Link
			if err == nil {
				act, link, err = k.form(t, p)
			}
			if err == nil {
				v.Take(&act, link)
				continue
			}
			if act, ok := placeOf(t, err); ok {
				v.Unread(&act)
			}
			if err := note(&damage, err); err != nil {
				return nil, nil, err
			}
		}
	}
	now, err = All(f)
	if err = note(&damage, err); err != nil {
		return nil, nil, err
	}
	return v.End(now), damage, nil
}

// placeOf is where an act stands whose record of a table is damaged; false for
// other damage.
func placeOf(t record.Table, err error) (chain.Form, bool) {
	var d *record.DamageError
	if !errors.As(err, &d) || d.Table != t || d.Key == nil {
		return chain.Form{}, false
	}
	return record.NewBound(t).Form(d.Key)
}

// note takes up damage, and gives any other error back.
func note(damage *[]error, err error) error {
	if !errors.Is(err, record.ErrCorrupt) {
		return err
	}
	*damage = append(*damage, err)
	return nil
}

// counted tells a verifier how many acts everybody has done in each queue.
func (k Keeper) counted(ctx context.Context, f *file.File, v *chain.Verifier) error {
	for p, err := range f.Scan(ctx, record.TableTallies, nil, nil) {
		if err != nil {
			return err
		}
		q, rest, _ := record.CutName(p.Key)
		who, _, ok := record.CutName(rest)
		var r record.Tally
		if err := k.codec.Decode(record.TableTallies, p.Key, p.Value, &r); err != nil || !ok {
			return errors.Join(err, record.Corrupt(record.TableTallies, p.Key, "no tally"))
		}
		v.Count(chain.Stream{Queue: annotate.QueueName(q), Of: chain.InQueue}, annotate.Annotator(who), r.Acts)
	}
	return nil
}
