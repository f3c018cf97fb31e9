package file

import (
	"fmt"
	"strings"

	"concord/store/record"
)

// compare gives what is wrong with the groups that a scan has seen: of those
// that were changed meanwhile only that records are missing.
func (f *File) compare(c *census) (all []error) {
	if c == nil || c.incomplete {
		return nil
	}
	for group := range c.have {
		if _, ok := c.want[group]; !ok && c.all {
			c.order = append(c.order, group) // written meanwhile, or its sum is gone
		}
	}
	for _, group := range c.order {
		want, have := c.want[group], c.have[group]
		if have == nil {
			have = new(record.Sum)
		}
		if *have == want {
			continue
		}
		now, err := f.sum(c.table, group)
		switch {
		case err != nil:
			all = append(all, err)
		case *have == now:
		case now == want, have.Records < min(want.Records, now.Records):
			if err := missing(c.table, group, *have, want); f.damaged != nil {
				f.damaged(err)
			} else {
				all = append(all, err)
			}
		}
	}
	return all
}

// sum reads the sum of a group.
func (f *File) sum(t record.Table, group string) (sum record.Sum, err error) {
	key := record.SumKey(t, []byte(group))
	err = f.View(func(tx *Tx) error {
		raw := tx.Table(record.TableSums).Get(key)
		if raw == nil {
			return nil
		}
		var err error
		sum, err = record.ReadSum(key, raw)
		return err
	})
	return sum, err
}

// missing says by how much the records of a group differ from what was written.
func missing(t record.Table, group string, have, want record.Sum) error {
	what := plural(t)
	if group != "" {
		if of := strings.SplitN(record.About(t, []byte(group)), " of ", 2); len(of) == 2 {
			what += " of " + of[1]
		}
	}
	why := fmt.Sprintf("%s: %d of %d are there", what, have.Records, want.Records)
	switch {
	case have.Records < want.Records:
		why += fmt.Sprintf(", %d are missing", want.Records-have.Records)
	case have.Records == want.Records:
		why = what + ": not all are those that were written last"
	default:
		why = fmt.Sprintf("%s: %d are there, and %d were written", what, have.Records, want.Records)
	}
	return &record.DamageError{Table: t, Why: why}
}

func plural(t record.Table) string { return string(t) }
