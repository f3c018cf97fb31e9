package dataset

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"strconv"
	"testing"

	"concord/eval"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// rowsOf generates a TSV file with a picture a row, without holding it.
type rowsOf struct {
	rows, at int
	rest     []byte
	text     []byte
	picture  []byte // in base64; each row gives it another beginning
}

const pictureBytes = 300 << 10

func (g *rowsOf) Read(b []byte) (int, error) {
	for len(g.rest) == 0 {
		switch {
		case g.at > g.rows:
			return 0, io.EOF
		case g.at == 0:
			g.text = append(g.text[:0], "index\tquestion\tA\tB\tanswer\timage\n"...)
		default:
			g.text = fmt.Appendf(g.text[:0], "%d\tWhat is shown?\ta cat\ta dog\tA\t", g.at)
			own := binary.BigEndian.AppendUint64([]byte("one"), uint64(g.at))
			g.text = base64.RawStdEncoding.AppendEncode(g.text, append(own, 0))
			g.text = append(append(g.text, g.picture[16:]...), '\n')
		}
		g.rest = g.text
		g.at++
	}
	n := copy(b, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// counting is a sink that keeps nothing.
type counting struct {
	Sink
	samples, bytes, batch int
}

func (c *counting) Dataset(eval.DatasetName) (eval.Dataset, error) {
	return eval.Dataset{}, eval.ErrNotFound
}
func (c *counting) BeginDataset(context.Context, eval.Dataset) error  { return nil }
func (c *counting) FinishDataset(context.Context, eval.Dataset) error { return nil }
func (c *counting) PutSamples(_ context.Context, _ eval.DatasetName, batch []Item) error {
	size := 0
	for _, it := range batch {
		for _, p := range it.Pictures {
			size += len(p)
		}
	}
	c.samples, c.bytes, c.batch = c.samples+len(batch), c.bytes+size, max(c.batch, size)
	return nil
}

// A file is never held: 100 MB here, CONCORD_STREAM_MB for more.
func TestStreamMemory(t *testing.T) {
	size := 100
	if s := os.Getenv("CONCORD_STREAM_MB"); s != "" {
		var err error
		if size, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	rows := size << 20 / (pictureBytes * 4 / 3)
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	var peak uint64
	picture := []byte(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("pixels"), pictureBytes/6)))
	src := profile.NewFromOpener("large.tsv", tablefile.TSV, func() (io.ReadCloser, int64, error) {
		return io.NopCloser(&rowsOf{rows: rows, picture: picture}), 0, nil
	}, func(int64, int64) {
		metrics.Read(sample)
		peak = max(peak, sample[0].Value.Uint64()-sample[1].Value.Uint64())
	})
	c := &counting{}
	sum, err := importFromSource(context.Background(), c, src, Options{Name: "d"})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Added != rows || c.samples != rows || c.bytes != rows*pictureBytes || c.batch > 16<<20 {
		t.Errorf("%+v, %+v", sum, c)
	}
	t.Logf("%d MB in %d rows, peak %d MB", size, rows, peak>>20)
	if peak > 192<<20 {
		t.Errorf("peak memory %d MB", peak>>20)
	}
}
