package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
)

// packetOrder says what goes into a packet.
type packetOrder struct {
	queue, who, file, by string
	items, days          int
}

type packetMade struct {
	Packet    string             `json:"packet"`
	Queue     annotate.QueueName `json:"queue"`
	Annotator annotate.Annotator `json:"annotator"`
	File      string             `json:"file"`
	Items     int                `json:"items"`
	Left      int                `json:"left"` // items that want the person's label, too, and are not in it
	Until     time.Time          `json:"until"`
}

// makePacket writes the file beside its place, notes that it went out, and then
// puts it there: a packet that anybody has is one that this project knows.
func makePacket(ctx context.Context, a *project.Project, st *store.Store, o *packetOrder) error {
	here, is, err := st.Packets().OwnPacket()
	switch {
	case err != nil:
		return err
	case is:
		return fmt.Errorf("project %s is a packet itself, for %s: make packets where it was made", a.Path, here.Who)
	}
	pool, err := loadPacketPool(ctx, st, annotate.QueueName(o.queue), annotate.Annotator(o.who), a.Now())
	if err != nil {
		return err
	}
	if pool.Queue.Rule.From == annotate.FromCriteria {
		return cli.NewUsageError(fmt.Errorf("queue %s holds responses to grade by criteria, which packets do not take along (concord serve has people work on it from elsewhere)", pool.Queue.Name))
	}
	if pool.Queue.Labels.Name+pool.Queue.Tags.Name != "" {
		return cli.NewUsageError(fmt.Errorf("queue %s has labels or tags of its own, which packets do not take along (concord serve has people work on it from elsewhere)", pool.Queue.Name))
	}
	items := pool.ChooseItems(0)
	file := cmp.Or(o.file, notInFileNames.ReplaceAllString("packet-"+o.queue+"-"+o.who, "-")+".db")
	if a.Held != nil && !filepath.IsAbs(file) { // another process asks for it, from where it is
		file = filepath.Join(a.Folder, file)
	}
	made := packetMade{Queue: pool.Queue.Name, Annotator: pool.Who, File: file, Until: a.Now().AddDate(0, 0, o.days)}
	if len(items) == 0 {
		return fmt.Errorf("queue %s has no item left for %s: all are labelled, or with somebody (see: concord packet list)", pool.Queue.Name, pool.Who)
	}
	if o.items > 0 && o.items < len(items) {
		made.Left, items = len(items)-o.items, items[:o.items]
	}
	p := packet.Packet{
		ID:    strings.ToLower(rand.Text()[:8]), // short enough to be typed, and no other project has it
		Queue: pool.Queue.Name, Who: pool.Who, By: annotate.Annotator(o.by), Made: a.Now(), Until: made.Until,
		Items: len(items), Guideline: pool.Queue.Guideline.Version,
		Keys: eval.Map(items, func(it annotate.QueueItem) annotate.ItemKey { return it.Key }),
	}
	made.Packet, made.Items = p.ID, p.Items
	if err := writeAndRecordPacket(ctx, a, st, &p, &pool, items, made.File); err != nil {
		return fmt.Errorf("make packet: %w", err)
	}
	known, err := isKnownPerson(st, pool.Who, len(pool.Own.Labels) > 0)
	if err != nil {
		return err
	}
	if !known {
		_, _ = fmt.Fprintf(a.Err, "%s is new here: what comes home is under this name. If it was misspelt: concord packet recall %s\n", cli.EscapeControls(string(pool.Who)), p.ID)
	}
	left := eval.Either(made.Left > 0, fmt.Sprintf(" (%d more are left)", made.Left), "")
	return a.PrintResult(made, "packet %s: %s of queue %s for %s%s in %s\nkept from others until %s; it opens with: concord -p %s\n", p.ID,
		cli.FormatCount(p.Items, "item"), cli.EscapeControls(string(p.Queue)), cli.EscapeControls(string(p.Who)), left, cli.EscapeControls(made.File), formatDay(p.Until), cli.EscapeControls(made.File))
}

// isKnownPerson reports whether somebody may come in, or has done anything in a queue.
func isKnownPerson(st *store.Store, who annotate.Annotator, labelled bool) (bool, error) {
	if labelled {
		return true, nil
	}
	people, err := st.People().List()
	if err != nil || slices.ContainsFunc(people, func(p annotate.Person) bool { return p.Name == who }) {
		return true, err
	}
	return project.HasActedInQueues(st, who)
}

var notInFileNames = regexp.MustCompile(`[^\pL\pN._-]+`)

// loadPacketPool loads what a packet for somebody is chosen from.
func loadPacketPool(ctx context.Context, st *store.Store, name annotate.QueueName, who annotate.Annotator, now time.Time) (packet.Pool, error) {
	out := packet.Pool{Who: who, States: make(map[annotate.Annotator]annotate.State)}
	q, items, err := (view.Queue{Store: st}).ItemsSince(ctx, name, 0)
	if errors.Is(err, eval.ErrNotFound) {
		err = fmt.Errorf("%w (see: concord queue list)", err)
	}
	if err != nil {
		return out, err
	}
	out.Queue, out.Items = q, q.SortAsOffered(items)
	own, err := st.Acts().Acts(name, who)
	if err != nil {
		return out, err
	}
	out.Own = annotate.FoldActs(own)
	if out.Others, err = (view.Queue{Store: st}).CrowdsByItem(name, own); err != nil {
		return out, err
	}
	golds, err := st.Queues().GoldItems(name)
	if err != nil {
		return out, err
	}
	out.Known = annotate.KnownItems(golds)
	if out.Held, err = st.Packets().ItemsAway(name); err != nil {
		return out, err
	}
	leases, err := st.Leases().OfQueue(name)
	if err != nil {
		return out, err
	}
	// The person's own are no reason to leave an item out.
	out.Held = append(out.Held, eval.Select(leases, func(l annotate.Lease) bool { return l.Who != who && l.Until.After(now) })...)
	for _, l := range out.Held {
		if _, err := eval.GetOrRead(out.States, l.Who, func() (annotate.State, error) {
			acts, err := st.Acts().Acts(name, l.Who)
			return annotate.FoldActs(acts), err
		}); err != nil {
			return out, err
		}
	}
	return out, nil
}

// writeAndRecordPacket writes a packet's file and notes that it is away.
func writeAndRecordPacket(ctx context.Context, a *project.Project, st *store.Store, p *packet.Packet, from *packet.Pool, items []annotate.QueueItem, path string) (err error) {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return cli.NewUsageError(fmt.Errorf("%s is there already: name another file with -o", path))
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	contents, err := loadPacketContents(ctx, st, p, from, items)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	temp := f.Name()
	defer func() {
		if rerr := os.Remove(temp); !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}()
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := fillPacketStore(ctx, a, st, temp, p, from.Queue.Rule.Dataset, &contents); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := st.Packets().Put(ctx, *p); err != nil {
		return err
	}
	// A link, unlike a rename, never takes the place of another file.
	if err := os.Link(temp, path); err != nil {
		if err = os.Rename(temp, path); err != nil {
			return errors.Join(fmt.Errorf("write %s: %w", path, err), st.Packets().DropPacket(ctx, p.ID))
		}
	}
	return nil
}

// loadPacketContents loads what the person would be shown of the items.
func loadPacketContents(ctx context.Context, st *store.Store, p *packet.Packet, from *packet.Pool, items []annotate.QueueItem) (packet.Contents, error) {
	q := from.Queue
	entries := make([]packet.Entry, len(items))
	for i, it := range items {
		var err error
		if entries[i].Item, err = st.Queues().Item(ctx, q.Name, it.Index); err != nil {
			return packet.Contents{}, err
		}
		entries[i].Sides = from.Others[it.Key].Sides
		if entries[i].Item.Criteria == "" {
			continue
		}
		set, err := st.Criteria().Set(q.Rule.Dataset, it.Key.Sample)
		if err != nil {
			return packet.Contents{}, err
		}
		entries[i].Criteria = set.Criteria()
	}
	own, err := st.Acts().Acts(q.Name, p.Who)
	if err != nil {
		return packet.Contents{}, err
	}
	// Which run holds which answer is drawn, and nowhere kept: it would tell
	// answers of one model from those of another.
	return packet.PackItems(*p, q, entries, own, mathrand.Perm), nil
}

func fillPacketStore(ctx context.Context, a *project.Project, home *store.Store, path string, p *packet.Packet, d eval.DatasetName, c *packet.Contents) (err error) {
	st, err := store.Open(path, store.Options{Now: a.Now, Logger: a.Log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if err := copySamplesToPacket(ctx, home, st, d, c); err != nil {
		return err
	}
	facts := make([]eval.Fact, len(c.Predictions))
	closed := make(map[eval.Key]bool)
	for i, p := range c.Predictions { // what is asked of a question is in the packet, in however many passes
		question := eval.Key{Run: p.Run, Sample: p.Sample}
		facts[i] = eval.Fact{Prediction: p, Closes: !closed[question]}
		closed[question] = true
	}
	for i, conf := range c.Runs {
		run, err := st.Runs().CreateRun(ctx, conf)
		switch {
		case err != nil:
			return err
		case int(run.ID) != i+1:
			return fmt.Errorf("run %d of the packet has number %d", i+1, run.ID)
		}
	}
	if _, err := st.Runs().RecordAll(ctx, facts); err != nil {
		return err
	}
	for i := range c.Runs {
		if err := st.Runs().MarkRunImported(ctx, eval.RunID(i+1)); err != nil {
			return err
		}
	}
	if err := st.Queues().CreateQueue(ctx, c.Queue, c.Items); err != nil {
		return err
	}
	if err := st.Acts().RecordSides(ctx, c.Queue.Name, c.Sides); err != nil {
		return err
	}
	if err := exchange.StoreInParts(ctx, c.Acts, st.Acts().Append); err != nil {
		return err
	}
	if err := st.Criteria().Append(ctx, c.Criteria...); err != nil {
		return err
	}
	own := *p
	own.Here, own.Keys = true, nil
	return st.Packets().Put(ctx, own)
}

// packetBytes is how much of pictures is held at a time.
const packetBytes = 16 << 20

// copySamplesToPacket copies the samples of a packet and their pictures. A picture whose bytes are nowhere stays a name.
func copySamplesToPacket(ctx context.Context, home, st *store.Store, name eval.DatasetName, c *packet.Contents) error {
	d := eval.Dataset{Name: name, Samples: len(c.Samples), NoTruth: len(c.Samples), Hash: dataset.HashSamples(c.Samples), Synthetic: c.Queue.Synthetic}
	if err := st.Datasets().BeginDataset(ctx, d); err != nil {
		return err
	}
	var batch []dataset.Item
	size := 0
	for i, s := range c.Samples {
		it := dataset.Item{Sample: s, Pictures: make(map[eval.PictureHash][]byte)}
		for _, pic := range s.Pictures {
			if pic.Hash == "" {
				continue
			}
			data, err := home.Datasets().Picture(pic.Hash)
			if err != nil {
				return err
			}
			it.Pictures[pic.Hash] = data
			size += len(data)
		}
		batch = append(batch, it)
		if size < packetBytes && i+1 < len(c.Samples) {
			continue
		}
		if err := st.Datasets().PutSamples(ctx, name, batch); err != nil {
			return err
		}
		batch, size = nil, 0
	}
	return st.Datasets().FinishDataset(ctx, d)
}
