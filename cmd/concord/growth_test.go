package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/store"
)

// Twice the project takes each report about twice the processor's time, never
// four times: none compares everything with everything. Both are measured in one
// run, each by the best of several, and what seems too long is measured anew. CONCORD_GROWTH is how often the rows of the
// reports' project are repeated; with more than the default it prints a table.
func TestReportsGrowWithTheProject(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has a measure of its own")
	}
	const short = 100
	n := short
	if s := os.Getenv("CONCORD_GROWTH"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	slow := slowReports(t, n, n > short)
	for range 2 {
		if len(slow) == 0 {
			return
		}
		again := slowReports(t, n, false)
		maps.DeleteFunc(slow, func(name, _ string) bool { return again[name] == "" })
	}
	for name, took := range slow {
		t.Errorf("report %s takes %s", name, took)
	}
}

// slowReports are those that take more than three times as long of a project of
// twice the size, with both times.
func slowReports(t *testing.T, n int, prints bool) map[string]string {
	t.Helper()
	slow := make(map[string]string)
	once, twice := reportTimes(t, n), reportTimes(t, 2*n)
	for name, a := range once {
		b := twice[name]
		if prints {
			t.Logf("%-40s %8s %8s  %.2f", name, a.Round(time.Millisecond), b.Round(time.Millisecond), b.Seconds()/a.Seconds())
		}
		if b > 3*a+20*time.Millisecond {
			slow[name] = fmt.Sprintf("%s of the processor's time, and of twice the project %s", a, b)
		}
	}
	return slow
}

// reportTimes makes the reports' project with each row so often, under other
// numbers, and gives what each of its reports takes.
func reportTimes(t *testing.T, n int) map[string]time.Duration {
	t.Helper()
	numbered := regexp.MustCompile(`(?m)("(?:index|sample|id)":"?|^)(\d+)\b`)
	r := newReportsRig(t, func(name string, data []byte) string {
		rows := string(data)
		if name == "scores.csv" || name == "concord.toml" {
			return rows
		}
		var out strings.Builder
		if strings.HasSuffix(name, ".csv") {
			head, rest, _ := strings.Cut(rows, "\n")
			out.WriteString(head + "\n")
			rows = rest
		}
		for k := range n {
			out.WriteString(numbered.ReplaceAllStringFunc(rows, func(s string) string {
				m := numbered.FindStringSubmatch(s)
				number, _ := strconv.Atoi(m[2])
				return m[1] + strconv.Itoa(number+k*20)
			}))
		}
		return out.String()
	}, nil)
	st, err := store.Open(r.path("p.db"), store.Options{ReadOnly: true, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	source := curating.Source{Source: facts.NewSource(st), How: curating.NewSettings(newTestApp(cli.Streams{}, r.path("p.db")), curating.Flags{})}
	kinds, err := catalogue.KindsOfProject(t.Context(), source, "")
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]time.Duration)
	for _, k := range kinds {
		best, broken := time.Duration(-1), error(nil)
		for range 4 { // the first builds columns
			runtime.GC() // which otherwise takes more of a machine that has nothing else to do
			collect := debug.SetGCPercent(400)
			start := processorTime()
			_, err := k.Build(t.Context(), source, report.Options{})
			debug.SetGCPercent(collect)
			if err != nil {
				broken = err
				break
			}
			if took := processorTime() - start; best < 0 || took < best {
				best = took
			}
		}
		if broken == nil {
			out[fmt.Sprint(k.CommandLine())] = best
		}
	}
	if len(out) < 20 {
		t.Errorf("only %d reports were made", len(out))
	}
	return out
}

// processorTime is what this process has taken of all processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
