package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// CheckProjectFile looks after the project's file, and at what is in it unless
// another process holds it: that one is asked then.
func CheckProjectFile(ctx context.Context, a *project.Project, all *Findings) {
	const check = "project"
	info, err := os.Stat(a.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		all.addWarning(check, "make one: concord import, or concord demo; or name yours with --project", "there is no project %s here yet", a.Path)
		return
	case err != nil:
		all.addBroken(check, "", "%v", err)
		return
	}
	var damage []error
	st, err := store.Open(a.Path, store.Options{
		ReadOnly: true, Old: true, Now: a.Now, Logger: a.Log, Damaged: func(err error) { damage = append(damage, err) },
	})
	switch {
	case errors.Is(err, store.ErrLocked):
		checkThroughHolder(ctx, a, all)
	case err != nil:
		addDamagedParts(damage, all)
		v, advice := adviseOnOpening(err)
		*all = append(*all, finding{check, v, err.Error(), advice})
	default:
		if st.IsOlder() {
			v, advice := adviseOnOpening(store.ErrOlderSchema)
			*all = append(*all, finding{check, v, store.ErrOlderSchema.Error(), advice})
		}
		CheckProjectContents(ctx, a, st, all)
		checkRecords(ctx, st, &damage, all)
		if err := st.Close(); err != nil {
			all.addBroken(check, "", "%v", err)
		}
	}
	if f, err := os.OpenFile(a.Path, os.O_RDWR, 0); err != nil {
		all.addWarning(check, "runs and labels need a file that you may write", "%v", err)
	} else if err := f.Close(); err != nil {
		all.addBroken(check, "", "%v", err)
	}
	checkDisk(a, info.Size(), all)
}

func adviseOnOpening(err error) (health, string) {
	switch {
	case errors.Is(err, store.ErrOlderSchema):
		return healthLook, "the next command that writes brings it up to date, and keeps a copy of the old one"
	case errors.Is(err, store.ErrNewerSchema):
		return healthBroken, "install the newest concord"
	case errors.Is(err, store.ErrNotProject):
		return healthBroken, "name the project's file with --project"
	case errors.Is(err, store.ErrCorrupt):
		return healthBroken, savesWhatItCan
	case errors.Is(err, fs.ErrPermission):
		return healthBroken, "the file has to be readable and writable for you"
	}
	return healthBroken, ""
}

// checkThroughHolder has the process that holds the project look into it.
func checkThroughHolder(ctx context.Context, a *project.Project, all *Findings) {
	const check = "project"
	pid, err := project.AskHolderPID(a.Path)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		all.addWarning(check, "continue it (fg, kill -CONT) or end it", "%s is open in another process (pid %d), which is stopped or stuck", a.Path, pid)
		return
	}
	if err != nil {
		all.addWarning(check, "close the other process, or wait until it is done", "%s is open in another process, which does not answer", a.Path)
		return
	}
	all.addOK(check, "%s is open in another process (pid %d)", a.Path, pid)
	conn, err := project.DialHolder(ctx, a.Path)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	var out bytes.Buffer
	var told struct{ Rows Findings }
	_, err = project.SendRequestAttended(ctx, a.Path, conn, project.Request{Args: []string{"doctor", "--json", "--project", a.Path}}, &out, io.Discard)
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &told)
	}
	if err != nil {
		all.addWarning(check, "it may be of another version of concord", "process %d does not say what is in it", pid)
		return
	}
	*all = append(*all, told.Rows...)
}

// CheckProjectContents looks at what is in a project: what is whole and what is not.
func CheckProjectContents(_ context.Context, a *project.Project, st *store.Store, all *Findings) {
	datasets, err := st.Datasets().List()
	runs, rerr := st.Runs().List()
	queues, qerr := st.Queues().List()
	if err := errors.Join(err, rerr, qerr); err != nil {
		all.addBroken("project", "use a copy from before", "%v", err)
	}
	all.addOK("project", "%s holds %s, %s, %s", a.Path, cli.FormatCountOf(len(datasets), "dataset", "datasets"),
		cli.FormatCountOf(len(runs), "run", "runs"), cli.FormatCountOf(len(queues), "queue", "queues"))
	for _, d := range datasets {
		if !d.Complete {
			all.addWarning("import", "run the same import again: it continues where it stopped", "dataset %s was not imported to the end", d.Name)
		}
	}
	for _, r := range runs {
		addUnfinishedRun(st, r, all)
	}
}

func addUnfinishedRun(st *store.Store, r eval.Run, all *Findings) {
	why, err := facts.WhyUnfinished(st, r)
	if err != nil {
		all.addBroken("run", "", "run %d: %v", r.ID, err)
		return
	}
	if why != "" {
		check, advice := "run", fmt.Sprintf("concord eval --run %d continues it", r.ID)
		switch r.Config.Origin {
		case eval.Imported:
			check, advice = "import", "run the same import again: it continues where it stopped"
		case eval.Replayed:
			advice = "concord demo continues it"
		default:
		}
		all.addWarning(check, advice, "%s", why)
	}
	c, err := st.Runs().Counts(r.ID)
	if err == nil && c.Failures > 0 {
		advice := eval.Either(r.Config.Origin == eval.Asked, fmt.Sprintf("concord eval --run %d --retry-failed asks these again", r.ID), "import it again, from a file in which they succeeded")
		all.addWarning("run", advice,
			"run %d (%s on %s) has %s", r.ID, r.Config.Model, r.Config.Dataset, cli.FormatCountOf(c.Failures, "failed call", "failed calls"))
	}
}

// recordsLimit is how long reading a project through may take.
const recordsLimit = 30 * time.Second

// checkRecords reads a project through; damage is what is found by the way.
func checkRecords(ctx context.Context, st *store.Store, damage *[]error, all *Findings) {
	const check = "records"
	ctx, cancel := context.WithTimeout(ctx, recordsLimit)
	defer cancel()
	n, more, err := st.Check(ctx)
	*damage = append(*damage, more...)
	addDamagedParts(*damage, all)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		all.addWarning(check, "", "%d records are whole; the rest was not read within %v", n, recordsLimit)
	case err != nil:
		_, advice := adviseOnOpening(err)
		all.addBroken(check, advice, "%v", err)
	case len(*damage) > 0:
		all.addWarning(check, "", "%s are whole", cli.FormatCountOf(n, "record", "records"))
	default:
		all.addOK(check, "%s and all images are whole", cli.FormatCountOf(n, "record", "records"))
	}
}

const savesWhatItCan = "concord doctor --repair FILE saves what can be read into a new file; a copy from before may have more (concord backup, or FILE.schemaN beside it)"

// mostDamage bounds how many damaged parts are named one by one.
const mostDamage = 50

func addDamagedParts(damage []error, all *Findings) {
	for i, err := range damage {
		if i == mostDamage {
			all.addBroken("records", savesWhatItCan, "%d more parts are damaged", len(damage)-mostDamage)
			return
		}
		advice := savesWhatItCan
		if d := (*store.DamageError)(nil); errors.As(err, &d) && d.Commit {
			advice = "compare the last labels and runs with what you know; concord doctor --accept takes the project as it is"
		}
		all.addBroken("records", advice, "%v", err)
	}
}

// The free space, in bytes, below which the disk is worth a look, and is too little.
const (
	spaceLook = 1 << 30
	spaceLeft = spaceLook / 16
)

func checkDisk(a *project.Project, size int64, all *Findings) {
	const check = "disk"
	d, err := readDiskSpace(filepath.Dir(a.Path))
	if err != nil {
		return // not known on this system
	}
	if d.remote != "" {
		all.addWarning(check, "keep the project on a local disk: locks and memory maps are not reliable over a network",
			"the project lies on a file system that is none of this machine's own (%s)", d.remote)
	}
	text := fmt.Sprintf("%s free, the project takes %s", cli.FormatBytes(d.free), cli.FormatBytes(uint64(size)))
	switch {
	case d.free < spaceLeft:
		all.addBroken(check, "make room: nothing can be saved on a full disk", "%s", text)
	case d.free < spaceLook || d.free < uint64(size):
		all.addWarning(check, "make room before the next long run", "%s", text)
	default:
		all.addOK(check, "%s", text)
	}
}

// disk is where a project lies.
type disk struct {
	free   uint64 // bytes for this user
	remote string // kind of a network file system, "" for others
}
