package blind

import (
	"context"
	"fmt"

	"concord/annotate"
)

// Recorder keeps what people were shown. It is given what it has already, too.
type Recorder interface {
	Record(ctx context.Context, all []annotate.Disclosure) error
}

// remembered is how many disclosures are kept in memory, so that what was
// recorded is not written again.
const remembered = 1 << 17

// Show records that a person is about to be shown something, and must be called
// before it is: what gives an error is not to be shown. Who has no name is
// recorded as annotate.Unnamed.
func (v *Policies) Show(ctx context.Context, who annotate.Annotator, screen string, all []annotate.Disclosure) error {
	if who == "" {
		who = annotate.Unnamed
	}
	var news []annotate.Disclosure
	v.mu.Lock()
	for _, d := range all {
		d.Person, d.Screen = who, screen
		if !v.recorded[fact(d)] {
			news = append(news, d)
		}
	}
	v.mu.Unlock()
	if len(news) == 0 {
		return nil
	}
	if err := v.ledger.Record(ctx, news); err != nil {
		return fmt.Errorf("record what %s is shown: %w", who, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.recorded)+len(news) > remembered {
		clear(v.recorded)
	}
	for _, d := range news {
		if who != annotate.Unnamed { // until they have a name, what they see may become anybody's
			v.recorded[fact(d)] = true
		}
	}
	return nil
}

// fact is a disclosure without where and when.
func fact(d annotate.Disclosure) annotate.Disclosure {
	return annotate.Disclosure{Person: d.Person, Dataset: d.Dataset, Key: d.Key, Content: d.Content}
}
