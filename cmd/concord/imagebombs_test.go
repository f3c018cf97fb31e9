package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/jobs"
)

// mostServed is how much memory a server of a team may take, in MB, with the
// clients of the test in the same process.
const mostServed = 600

// TestImageBombs is 30 sessions through SSH that look at images which are small
// files and hundreds of megabytes once they are decoded: of two bytes a channel,
// which are refused, and the largest that are not, one at a time.
func TestImageBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("memory is measured without the race detector")
	}
	const sessions, each, side = 30, 4, 8190
	var bombs [][]byte
	for i := range byte(20) {
		depth := byte(16)
		if i%10 == 0 {
			depth = 8
		}
		bombs = append(bombs, bombPNG(t, side, depth, i))
	}
	t.Logf("files of %d and %d kB", len(bombs[0])>>10, len(bombs[1])>>10)
	defer jobs.CollectGarbageSeldom()() // as serve does
	team := serveTeam(t, 2000, 1, bombs...)
	debug.FreeOSMemory()
	var people []*mate
	for i := range sessions {
		team.person("p"+strconv.Itoa(i), annotate.RoleAnnotator)
	}
	var peak atomic.Uint64
	stop := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			select {
			case <-tick.C:
				metrics.Read(sample)
				peak.Store(max(peak.Load(), sample[0].Value.Uint64()-sample[1].Value.Uint64()))
			case <-stop:
				tick.Stop()
				return
			}
		}
	})
	for i := range sessions {
		people = append(people, team.come("p"+strconv.Itoa(i), 80, 24))
	}
	var wg sync.WaitGroup
	for _, m := range people {
		wg.Go(func() {
			ok := m.open(0)
			for i := 0; ok && i < each; i++ {
				_, ok = m.label("1")
			}
			m.paints("image too large")
		})
	}
	wg.Wait()
	close(stop)
	watch.Wait()
	for _, m := range people {
		m.leave()
	}
	t.Logf("%d sessions: %d MB at most", sessions, peak.Load()>>20)
	if peak.Load()>>20 > mostServed {
		t.Errorf("%d MB, %d at most", peak.Load()>>20, mostServed)
	}
}

// bombPNG is a PNG of one colour with transparency: its rows are packed once.
func bombPNG(t *testing.T, side int, depth, shade byte) []byte {
	t.Helper()
	row := bytes.Repeat([]byte{shade}, 1+side*4*int(depth)/8)
	row[0] = 0 // no filter
	var one bytes.Buffer
	w, err := flate.NewWriter(&one, flate.BestCompression)
	if err == nil {
		_, err = w.Write(row)
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	pixels := []byte{0x78, 0xda}
	sum := adler32.New()
	for range side {
		pixels = append(pixels, one.Bytes()...)
		_, _ = sum.Write(row)
	}
	pixels = sum.Sum(append(pixels, 1, 0, 0, 0xff, 0xff)) // a last block, of nothing
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		from := len(out)
		out = append(append(out, name...), data...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(side))
	chunk("IHDR", append(binary.BigEndian.AppendUint32(head, uint32(side)), depth, 6, 0, 0, 0))
	chunk("IDAT", pixels)
	chunk("IEND", nil)
	return out
}
