package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Disclosures keeps what each person was shown of each response: the ledger by
// which a label is blind or informed.
type Disclosures struct{ s *Store }

// Disclosures is the handle of disclosures.
func (s *Store) Disclosures() *Disclosures { return &Disclosures{s} }

// Record commits disclosures in one transaction. Of each content the first time
// is kept; one that is there already changes nothing. A disclosure without a time
// gets the present one.
func (d *Disclosures) Record(ctx context.Context, all []annotate.Disclosure) error {
	if len(all) == 0 {
		return nil
	}
	all = slices.Clone(all)
	for i := range all {
		if err := checkDisclosure(&all[i]); err != nil {
			return err
		}
		if all[i].At.IsZero() {
			all[i].At = d.s.now()
		}
	}
	return d.s.file.Do(ctx, 96*len(all), func(tx *bbolt.Tx) error {
		for i := range all {
			if err := d.put(tx, &all[i]); err != nil {
				return fmt.Errorf("record what %s was shown: %w", all[i].Person, err)
			}
		}
		return nil
	})
}

func checkDisclosure(one *annotate.Disclosure) error {
	if one.Content == annotate.ContentUnset {
		return fmt.Errorf("%w: disclosure of nothing to %s", ErrInvalid, one.Person)
	}
	if err := record.CheckName("person", string(one.Person)); err != nil {
		return err
	}
	return record.CheckName("dataset", string(one.Dataset))
}

func (d *Disclosures) put(tx *bbolt.Tx, one *annotate.Disclosure) error {
	b, key := tx.Bucket([]byte(record.TableDisclosures)), record.DisclosureKey(one)
	if b.Get(key) != nil {
		return nil
	}
	raw, err := d.s.codec.Encode(record.FromDisclosure(one))
	if err != nil {
		return err
	}
	return b.Put(key, raw)
}

func (d *Disclosures) read(key, raw []byte) (annotate.Disclosure, error) {
	one, ok := record.CutDisclosure(key)
	if !ok {
		return one, record.Corrupt(record.TableDisclosures, key, "no key of a disclosure")
	}
	var r record.Disclosure
	if err := d.s.codec.Decode(record.TableDisclosures, key, raw, &r); err != nil {
		return one, err
	}
	one.Screen, one.At = r.Screen, record.FromMillis(r.At)
	return one, nil
}

// To yields all that a person was shown, by dataset and sample.
func (d *Disclosures) To(ctx context.Context, who annotate.Annotator) iter.Seq2[annotate.Disclosure, error] {
	return file.Records(d.s.file.Scan(ctx, record.TableDisclosures, record.AppendName(nil, string(who)), nil), d.read)
}

// All yields what everybody was shown, by person.
func (d *Disclosures) All(ctx context.Context) iter.Seq2[annotate.Disclosure, error] {
	return file.Records(d.s.file.Scan(ctx, record.TableDisclosures, nil, nil), d.read)
}

// Name gives what a person without a name was shown to the person who they
// turned out to be.
func (d *Disclosures) Name(ctx context.Context, who annotate.Annotator) error {
	var seen []annotate.Disclosure
	for one, err := range d.To(ctx, annotate.Unnamed) {
		if err != nil {
			return err
		}
		seen = append(seen, one)
	}
	if len(seen) == 0 || who == annotate.Unnamed {
		return nil
	}
	return d.s.file.Do(ctx, 192*len(seen), func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(record.TableDisclosures))
		for i := range seen {
			one := seen[i]
			if err := b.Delete(record.DisclosureKey(&one)); err != nil {
				return err
			}
			one.Person = who
			if err := d.put(tx, &one); err != nil {
				return err
			}
		}
		return nil
	})
}

// of gives what a person was shown of one sample, and of all of them.
func (d *Disclosures) of(tx *bbolt.Tx, who annotate.Annotator, name eval.DatasetName, o eval.Ordinal) (out []annotate.Disclosure, err error) {
	c := tx.Bucket([]byte(record.TableDisclosures)).Cursor()
	for _, at := range []eval.Ordinal{o, annotate.EverySample} {
		prefix := record.DisclosedKey(who, name, at)
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			one, err := d.read(k, v)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	return out, nil
}
