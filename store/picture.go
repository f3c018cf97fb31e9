package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// picture is a picture on its way into the file.
type picture struct {
	sum  []byte
	data []byte
}

// picturesOf gathers the pictures of a batch, each once, by hash, and checks
// that their bytes are what their hash says. size is how many bytes they are.
func picturesOf(batch []dataset.Item) (all []picture, size int, err error) {
	seen := make(map[eval.PictureHash]bool)
	for i := range batch {
		for hash, data := range batch[i].Pictures {
			if seen[hash] {
				continue
			}
			seen[hash] = true
			sum := sha256.Sum256(data)
			if hex.EncodeToString(sum[:]) != string(hash) {
				return nil, 0, fmt.Errorf("%w: image %q has other bytes (SHA-256 %x)", ErrInvalid, hash, sum)
			}
			all, size = append(all, picture{sum: sum[:], data: data}), size+len(data)
		}
	}
	slices.SortFunc(all, func(a, b picture) int { return bytes.Compare(a.sum, b.sum) })
	return all, size, nil
}

// putPictures appends the pictures that the file does not hold. Their bytes
// stand in the order of arrival, and the hash leads to them: under the hash
// itself, each picture would have its random neighbours written anew.
func putPictures(tx *file.Tx, pictures []picture) error {
	index, blobs := tx.Table(record.TablePictures), tx.Table(record.TableBlobs)
	blobs.FillPercent = 1
	for _, p := range pictures {
		if index.Get(p.sum) != nil {
			continue
		}
		n, err := blobs.NextNumber()
		if err != nil {
			return err
		}
		if err := blobs.Put(record.EncodeU64(n), p.data); err != nil {
			return fmt.Errorf("put image %x: %w", p.sum, err)
		}
		if err := index.Put(p.sum, record.EncodeU64(n)); err != nil {
			return fmt.Errorf("put image %x: %w", p.sum, err)
		}
	}
	return nil
}

// Picture gives the bytes of a picture, checked against its hash, or
// eval.ErrNotFound.
func (d *Datasets) Picture(hash eval.PictureHash) ([]byte, error) {
	sum, err := hex.DecodeString(string(hash))
	if err != nil || len(sum) != sha256.Size {
		return nil, fmt.Errorf("image %q: %w: not a SHA-256", hash, eval.ErrNotFound)
	}
	var number, data []byte
	err = d.s.file.View(func(tx *file.Tx) error {
		number = file.Clone(tx.Table(record.TablePictures).Get(sum))
		if number != nil {
			data = file.Clone(tx.Table(record.TableBlobs).Get(number))
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case number == nil:
		return nil, fmt.Errorf("image %s: %w", hash, eval.ErrNotFound)
	case sha256.Sum256(data) != [sha256.Size]byte(sum):
		return nil, record.NewCorruptError(record.TableBlobs, number, "other bytes than the hash of the image says")
	}
	return data, nil
}
