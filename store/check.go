package store

import (
	"context"
	"encoding/hex"
	"fmt"

	"concord/eval"
	"concord/store/record"
)

// Check reads every record and every picture of the project and gives how
// many records there are. Its error is ErrCorrupt when a page is damaged, or a
// picture or a text is not the one that its hash says; what a record says is
// not looked at. It may run while others write. bbolt's own check may not, and dies of a
// file that was cut off.
func (s *Store) Check(ctx context.Context) (n int, err error) {
	for _, t := range record.Tables() {
		for p, err := range s.file.Scan(ctx, t, nil, nil) {
			switch {
			case err != nil:
			case t == record.TablePictures:
				_, err = s.Datasets().Picture(eval.PictureHash(hex.EncodeToString(p.Key)))
			case t == record.TableTexts:
				_, err = s.Texts().Text(hex.EncodeToString(p.Key))
			}
			if err != nil {
				return n, fmt.Errorf("check %s: %w", t, err)
			}
			n++
		}
	}
	return n, nil
}
