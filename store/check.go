package store

import (
	"context"
	"encoding/hex"
	"errors"
	"io"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Check reads every record and every picture of the project and gives how
// many records are whole, and what is damaged: records, pages, pictures and
// texts that are not the ones that their hashes say, groups with other records
// than were written. What a record says is not looked at. It may run while
// others write.
func (s *Store) Check(ctx context.Context) (n int, damage []error, err error) {
	if err := s.file.Freelist(); err != nil {
		damage = append(damage, err)
	}
	for _, t := range record.Tables() {
		for p, err := range s.file.Scan(ctx, t, nil, nil) {
			switch {
			case err != nil:
			case t == record.TablePictures:
				_, err = s.Datasets().Picture(eval.PictureHash(hex.EncodeToString(p.Key)))
			case t == record.TableTexts:
				_, err = s.Texts().Text(hex.EncodeToString(p.Key))
			}
			switch {
			case errors.Is(err, ErrCorrupt):
				damage = append(damage, err)
			case err != nil:
				return n, damage, err
			case t != record.TableMeta && t != record.TableSums:
				n++
			}
		}
	}
	return n, damage, nil
}

// WriteTo writes the project as of one commit, while it is in use.
func (s *Store) WriteTo(w io.Writer) (int64, error) { return s.file.WriteTo(w) }

// Compact writes the project anew: every record with its checksum, and no page
// that is free. The store has to be open for writing, and is to be closed
// afterwards.
func (s *Store) Compact(ctx context.Context) error { return s.file.Compact(ctx) }

// Repair writes what can be read of a damaged project into a new one, says how
// many records these are, and what could not be read. Totals are counted anew
// from what was saved. The damaged file stays as it is.
func Repair(ctx context.Context, path, to string, o Options) (records int, lost []error, err error) {
	saved, err := file.Repair(path, to, o, uint64(1+len(listMigrations())))
	for t, n := range saved.Records {
		if t != record.TableSums {
			records += n
		}
	}
	if err != nil {
		return records, saved.Lost, err
	}
	s, err := Open(to, Options{Now: o.Now, Logger: o.Logger, Copy: true})
	if err != nil {
		return records, saved.Lost, err
	}
	err = s.recountTotals(ctx)
	return records, saved.Lost, errors.Join(err, s.Close())
}
