package record

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/packet"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/eval/stat"
)

var update = flag.Bool("update", false, "write the golden bytes anew")

// Golden bytes hold the format of records and keys: a change in them means
// that old projects read differently, and takes a migration.
func TestGolden(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	when := clock()
	k := eval.Key{Run: 1, Sample: 2, Pass: 3}
	pair := annotate.ItemKey{Key: k, Against: 4}
	config := eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.TextOnly, Origin: eval.Asked,
		AllPasses: true, Rules: "concord", Synthetic: true, File: "f",
	}
	failed := eval.Failure{Kind: eval.FailureSample, Message: "m", After: time.Second, Status: 400}
	var lines strings.Builder
	line := func(name string, raw []byte) { fmt.Fprintf(&lines, "%s %s\n", name, hex.EncodeToString(raw)) }
	record := func(name string, v any) {
		filled(t, name, reflect.ValueOf(v))
		raw, err := c.Encode(v)
		must(t, err)
		line(name, raw)
		back := reflect.New(reflect.TypeOf(v))
		must(t, c.Decode(Table(name), nil, raw, back.Interface()))
		same(t, back.Elem().Interface(), v)
	}
	line("key.prediction", PredictionKey(k))
	sealed, _ := Seal(TablePredictions, PredictionKey(k), []byte{RecordVersion, 0xa0})
	line("envelope", sealed)
	line("sum", Sum{Records: 3, Digest: 1 << 60}.Encode())
	line("key.sample", SampleKey("d", 2))
	line("key.item", ItemKey("q", 2))
	line("key.enrolled", QueueItemKey("q", pair))
	line("key.act", AppendU32(StreamPrefix("q", "ann"), 2))
	record("dataset", recordOf(Datasets, &eval.Dataset{
		Name: "d", Samples: 3, NoTruth: 1, Circular: true, Hash: "h", Complete: true, Synthetic: true, Origin: "o", Added: 2, Coarse: true, Metric: "f1",
	}))
	record("sample", NewSample(&eval.Sample{
		ID: "s", Kind: eval.KindYesNo, Question: "q\xff", Hint: "h", Options: []eval.Option{{Letter: "A", Text: "t"}},
		Answer: "A", Pictures: []eval.Picture{{Hash: "00", Name: "n"}}, Taxonomy: []string{"a"}, Split: "x", Source: "y",
		Reference: "r", Type: eval.Compound, Columns: []eval.Column{{Name: "template", Value: "7"}},
		References: []string{"r", "s"}, Metric: "vqa", Groups: []eval.Column{{Name: "g", Value: "1"}}, Also: [][]string{{"b"}},
	}))
	// A configuration without settings keeps the bytes, and so the hash, that
	// it had before there were any.
	line("config", got[[]byte](t)(c.EncodeBare(NewConfigRecord(&config))))
	refs := []eval.PromptRef{{Name: "n", Language: "en", Version: "1", Hash: "h"}}
	config.Settings = eval.Settings{
		Endpoint: "e", Name: "n", Params: "{}", Prompts: refs, Language: "en", Edge: 1, Shots: 2,
		Exemplars: []eval.Exemplar{{Sample: "s", Question: "q", Options: []eval.Option{{Letter: "A", Text: "t"}}, Answer: "A"}},
		Judges:    []eval.JudgeSetup{{Judge: "j", Endpoint: "e", Name: "n", Params: "{}", Prompts: refs, Language: "en", Pseudo: "Z"}},
		Fallback:  true, Seed: 1 << 63,
	}
	line("config.settings", got[[]byte](t)(c.EncodeBare(NewConfigRecord(&config))))
	line("setup.edge", got[[]byte](t)(c.EncodeBare(partOf(&eval.Settings{Judges: []eval.JudgeSetup{{Judge: "j", Edge: 768}}}))))
	record("run", recordOf(Runs, &eval.Run{Config: config, Created: when, Whole: true, Ended: "w"}))
	counts := Totals.toRecord(&RunTotals{Counts: eval.Counts{
		Predictions: 300, Failures: 1, Questions: 2, Statuses: [eval.Statuses]int{0, 1, 2}, Reader: "r", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1},
	}}).Elem()
	counts.Field(3).SetLen(3)
	record("counts", counts.Interface())
	sent := eval.Sent{Known: true, Images: 1, Lacking: 2, Shots: 3, Prompt: "p", Params: "{}"}
	record("prediction", NewPrediction(&eval.Prediction{
		Sent: sent,
		Text: "t\xff", Reasoning: "hm", Shown: &eval.Shown{Options: []eval.Option{{Letter: "A", Text: "t"}}, Answer: "A"},
		Finish: "stop", Served: "m-1", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1}, Latency: time.Second, At: when,
		Tokens: []eval.Token{{Text: "A", LogProb: -0.5}}, Failure: &failed,
	}))
	// A frame of Zstandard that says "text", and one that says "thought".
	packed := Prediction{Packed: []byte("\x28\xb5\x2f\xfd\x00\x58\x21\x00\x00text"), PackedThought: []byte("\x28\xb5\x2f\xfd\x00\x58\x39\x00\x00thought")}
	line("prediction.packed", got[[]byte](t)(c.Encode(packed)))
	var unpacked Prediction
	must(t, c.Decode(TablePredictions, nil, got[[]byte](t)(c.Encode(packed)), &unpacked))
	same(t, unpacked, Prediction{Text: "text", Thought: "thought"})
	record("judgment", recordOf(Judgments, &eval.Judgment{
		Extraction: eval.Extraction{Choice: "A", Status: eval.Found, Method: "m"}, Raw: "r", Earlier: []string{"q"}, Confidence: 0.5, Call: eval.Call{Prompt: "p", Setup: "s", Finish: "stop", Served: "j-1", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1}, Latency: time.Second, At: when, Failure: &failed},
	}))
	record("judge", recordOf(Judges, &JudgeTotals[eval.JudgeCounts]{Counts: eval.JudgeCounts{
		Judged: 3, Failures: 1, Fallback: 2, Statuses: [eval.Statuses]int{1: 2, 5: 1},
		Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1},
	}}))
	vote := eval.Preference{
		Pair: eval.Pair{Sample: 2, First: 5, Second: 4}, Ballot: eval.Ballot{Judge: "j", Criteria: true, Input: eval.SeesImage, Repeat: 1},
		Vote: eval.SituationTwo, Raw: "r", Earlier: []string{"q"}, Text: "t", Call: eval.Call{Prompt: "p", Setup: "s", Served: "j-1", Finish: "stop", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1}, Latency: time.Second, At: when, Failure: &failed},
	}
	vote.Sent = sent
	line("key.vote", AppendU32(VoteKey(&vote), 3))
	record("preference", recordOf(Votes, &vote))
	record("contest", recordOf(Comparisons, &eval.ComparisonProgress{Counts: eval.VoteCounts{
		Votes: [eval.Votes]int{1: 2, 4: 1}, Failures: 1, Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1},
	}}))
	scored := eval.Score{
		Key: k, Judge: "j", Value: 5, Raw: "r", Earlier: []string{"q"}, Call: eval.Call{Prompt: "p", Setup: "s", Served: "j-1", Finish: "stop", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1}, Latency: time.Second, At: when, Failure: &failed},
	}
	line("key.score", AppendU32(AppendName(PredictionKey(k), "j"), 3))
	record("score", recordOf(Scores, &scored))
	record("scorer", recordOf(Scorers, &JudgeTotals[eval.ScoreCounts]{Counts: eval.ScoreCounts{
		Values: [eval.TopScore + 1]int{0: 2, 5: 1}, Failures: 1, Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1},
	}}))
	line("key.caption", AppendU32(AppendName(SampleKey("d", 2), "m"), 3))
	record("caption", recordOf(Captions, &eval.Caption{
		Dataset: "d", Sample: 2, Model: "m", Text: "t", Call: eval.Call{Prompt: "p", Setup: "s", Served: "m-1", Finish: "stop", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1}, Latency: time.Second, At: when, Failure: &failed},
	}))
	line("key.detections", AppendU32(SampleKey("d", 2), 3))
	record("detections", recordOf(Detected, &eval.Detected{
		Objects: []eval.Detection{{Label: "l", Confidence: 0.5, X1: 1, Y1: 2, X2: 3, Y2: 4.5}}, At: when,
	}))
	measured := eval.ExternalScore{Benchmark: "b", Model: "m", Metric: "x", Value: 75.1, Source: "s", N: 3, File: "f", At: when, Revision: 3}
	line("key.measure", Measures.Key(&measured))
	record("measure", recordOf(Measures, &measured))
	record("queue", recordOf(Queues, &annotate.Queue{
		Stratum: annotate.Random, Overlap: 2, Growing: true, Population: 9, Items: 3, Guideline: annotate.Guideline{Version: 2, Text: "g", By: "bob", At: when}, Synthetic: true,
		By: "ann", Created: when, Criteria: true, Extra: 1, GoldItems: 4, Design: annotate.Design{File: "f", Column: "c", Weights: true, Seed: 7},
		Labels: annotate.LabelSet{Name: "l", Hash: "h", Options: []eval.Option{{Letter: "G", Text: "good"}}},
		Tags:   annotate.LabelSet{Name: "t", Hash: "i", Options: []eval.Option{{Letter: "A", Text: "perception"}}},
		Rule: annotate.Rule{
			Dataset: "d", Runs: []eval.RunID{1}, From: annotate.FromAll, Rules: "r", Rate: 0.1, Number: 1, Level: 2,
			PerLevel: 3, Listed: 1, Seed: 1 << 63, Anchor: 2, Whole: true,
			Order: annotate.ByDisagreement, Among: []string{"r@1"},
			Drawing: annotate.Drawing{Uniform: 0.5, Lift: 2, Limit: 1 << 63, Sizes: []int{9}, Unsure: []int{3}},
		},
	}))
	line("key.guideline", GuidelineKey("q", 2))
	record("guideline", recordOf(Guidelines, &annotate.Guideline{Text: "t", By: "b", At: when}))
	line("key.person", People.Key(&annotate.Person{Name: "ann", Version: 2}))
	record("person", recordOf(People, &annotate.Person{Role: annotate.RoleCurator, Keys: []string{"k"}, By: "b", At: when}))
	record("lease", recordOf(Leases, &annotate.Lease{Item: pair, Until: when}))
	out := packet.Packet{
		ID: "x1", Queue: "q", Who: "ann", By: "b", Made: when, Until: when, Keys: []annotate.ItemKey{pair}, Items: 1, Guideline: 2,
		Here: true, Merged: when, Recalled: when, Labels: 1, MergedBy: "c", RecallBy: "d",
	}
	line("key.packetitem", PacketItemKey(&out, pair))
	record("packet", recordOf(Packets, &out))
	record("gold", recordOf(GoldItems, &annotate.Gold{
		From: "f", Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A", Score: 5, Vote: eval.Answer1, Swapped: true},
	}))
	record("item", recordOf(Items, &annotate.QueueItem{Key: pair, Inclusion: 0.25, Group: "g", Uncertain: true}))
	link := chain.Link{Place: 7, Before: chain.Hash{1, 2, 3}}
	act := Acts.ToBound(&annotate.Act{
		Item: pair, Kind: annotate.Labelled, Reason: "r", Confidence: 0.5, Text: "t", Target: 1, Imported: true, Informed: true,
		Reading: annotate.Reading{
			Kind: annotate.PickedOption, Choice: "A", Several: []eval.Choice{"B"}, Grades: []annotate.Grade{{Criterion: "c", Hash: "h", Verdict: eval.Met}},
			Vote: eval.SituationOne, Swapped: true, Criteria: "c", Score: 5,
		},
		At: when, Spent: time.Second, Cause: annotate.BothWrong, Guideline: 2, Decoy: true, Whose: "cy", Matter: annotate.GoldMatter,
	})
	act.SetLink(link)
	record("act", reflect.ValueOf(act.Record).Elem().Interface())
	line("head", EncodeHead(chain.Head{Place: 7, Hash: link.Before}))
	shown := annotate.Disclosure{Person: "ann", Dataset: "d", Key: eval.Key{Run: 1, Sample: 2, Pass: 3}, Content: annotate.JudgeContent, Screen: "queue q", At: when}
	batch := eval.Batch{Run: 1, File: "file-1", ID: "batch_1", Endpoint: "e", Judge: "j", Made: when, Taken: when}
	line("key.batch", Batches.Key(&batch))
	record("batch", recordOf(Batches, &batch))
	line("key.disclosure", Disclosures.Key(&shown))
	record("disclosure", recordOf(Disclosures, &shown))
	line("key.criteria", AppendU32(SampleKey("d", 2), 3))
	on := CriteriaActs.ToBound(&criteria.Act{
		Kind: criteria.Revised, Who: "ann", Round: 1, Criteria: []criteria.Criterion{{Type: criteria.Range, Text: "t"}},
		Type: eval.Compound, Reason: "r", Text: "t", Ticks: []criteria.Tick{{Item: criteria.License, OK: true}},
		Assignee: "bob", Other: "9", Target: 2, Imported: true, At: when,
	})
	on.SetLink(link)
	record("criteria", reflect.ValueOf(on.Record).Elem().Interface())
	line("key.curation", AppendU32(ExpertPrefix("d", "ann"), 3))
	inspectors := []curation.Inspector{{Run: 1, Model: "m", Rules: "r@1", Judge: "j"}}
	settings := curation.MMStarSettings()
	settings.Doubtful = curation.Share{K: 1, Of: 16}
	record("inspection", recordOf(Inspections, &curation.Inspection{
		Name: "n", Dataset: "d", Settings: settings, Probes: inspectors, Graders: inspectors,
		Marks: []curation.HitMark{{Sample: 300, Blind: stat.Count{K: 2, N: 8}, Sighted: stat.Count{K: 12, N: 16}}}, By: "b", Created: when,
	}))
	said := CurationActs.ToBound(&curation.Act{
		Sample: 2, Kind: curation.Placed, Verdict: curation.Wrong, Axis: []string{"a", "b"}, Text: "t", Target: 1,
		Informed: true, Imported: true, At: when, Spent: time.Second,
	})
	said.SetLink(link)
	record("curation", reflect.ValueOf(said.Record).Elem().Interface())
	expected := 2.5
	record("grade", recordOf(Grades, &eval.Grade{
		Graded: eval.Graded{Verdict: eval.Scored, Score: 2, Label: "l"}, Hash: "h", Expected: &expected, Probabilities: []float64{0.25, 0.75},
		Raw: "r", Earlier: []string{"e"}, Call: eval.Call{Prompt: "p", Setup: "s", Served: "m-1", Finish: "stop", Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3, Cached: 1}, Latency: time.Second, At: when, Failure: &failed},
	}))
	line("key.grade", AppendU32(Grades.Key(&eval.Grade{Key: k, Judge: "j", Criterion: "c", Repeat: 1}), 2))
	graded := Gradings.ToBound(&rubric.Act{
		Kind: rubric.Gave, Response: k, Criterion: "c", Hash: "h", Graded: eval.Graded{Verdict: eval.Partial, Score: 2, Label: "l"},
		Target: 1, Informed: true, Imported: true, At: when, Spent: time.Second,
	})
	graded.SetLink(link)
	record("grading", reflect.ValueOf(graded.Record).Elem().Interface())
	record("criterion", partOf(&criteria.Criterion{Type: 1, Text: "t", ID: "i", Class: "c", Weighted: true, Weight: -2, Tags: []string{"t"}, Path: []string{"p"}, Credit: &expected}))
	record("tally", Tally{Acts: 4, Labelled: 3, Skipped: 2, Flagged: 1})
	record("report", recordOf(Reports, &annotate.SavedReport{
		Name: "n", Queue: "q", Policy: "p", Rules: []string{"r"}, Judges: []string{"j"}, LabelsHash: "h",
		Rows: []byte("[]"), By: "ann", At: when, RulingsHash: "g",
		Heads: []annotate.Head{{Person: "ann", Acts: 3, Hash: "00"}},
		Build: "1.2 abc",
	}))

	const file = "testdata/records.golden"
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(file, []byte(lines.String()), 0o644))
	}
	want := string(got[[]byte](t)(os.ReadFile(file)))
	if lines.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &lines, want)
	}
}

// recordOf is the record of a value, and partOf of one that stands within others.
func recordOf[T any](k *Kind[T], v *T) any { return k.toRecord(v).Elem().Interface() }

func partOf[T any](v *T) any {
	t := reflect.TypeFor[T]()
	return newMapping(t, parts[t]).toRecord(reflect.ValueOf(v).Elem()).Elem().Interface()
}

// filled demands that every field of a record is set, so that no field is
// left out of the golden bytes, nor of the conversion from its domain type.
func filled(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			filled(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
		return
	}
	if v.IsZero() && !strings.Contains(name, ".Packed") { // of which there is a line of its own
		t.Errorf("%s is not set", name)
	}
}

// A field that a later concord adds is passed over; a later version is not.
func TestLaterRecords(t *testing.T) {
	c, err := NewCodec()
	must(t, err)
	var r Option
	later := []byte{RecordVersion, 0xa2, 0x01, 0x41, 'A', 0x18, 0x63, 0x81, 0xa1, 0x01, 0x02} // {1: 'A', 99: [{1: 2}]}
	must(t, c.Decode(TableSamples, nil, later, &r))
	same(t, r, Option{Letter: "A"})
	wantErr(t, c.Decode(TableSamples, []byte("k"), []byte{RecordVersion + 1, 0xa0}, &r), ErrNewerRecord)
	for _, raw := range [][]byte{nil, {}, {0, 0xa0}, {RecordVersion}, {RecordVersion, 0xa1, 0x01}, {RecordVersion, 0x80}} {
		if err := c.Decode(TableSamples, []byte("k"), raw, &r); err != nil {
			wantErr(t, err, ErrCorrupt)
			if !strings.Contains(err.Error(), "samples 6b") {
				t.Errorf("%v does not name the record", err)
			}
		} else {
			t.Errorf("%x was read as %+v", raw, r)
		}
	}
}

// A project may come from a stranger: no bytes of a record bring the reader
// down, and what is read can be written.
func FuzzRecord(f *testing.F) {
	c, err := NewCodec()
	if err != nil {
		f.Fatal(err)
	}
	seeds, _ := os.ReadFile("testdata/records.golden")
	for l := range strings.Lines(string(seeds)) {
		_, digits, _ := strings.Cut(strings.TrimSpace(l), " ")
		if raw, err := hex.DecodeString(digits); err == nil {
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, r := range []any{
			&Sample{}, &Prediction{}, &Tally{}, blank(Datasets), blank(Runs), blank(Totals), blank(Judgments), blank(Judges), blank(Scores), blank(Scorers),
			blank(Captions), blank(Detected), blank(Votes), blank(Comparisons), blank(Grades), blank(Measures), blank(Inspections),
			blank(Acts), blank(CriteriaActs), blank(CurationActs), blank(Gradings), blank(Queues), blank(Items), blank(GoldItems), blank(Packets), blank(Reports),
		} {
			if c.Decode(TableMeta, nil, raw, r) == nil {
				if _, err := c.Encode(r); err != nil {
					t.Errorf("%T: %v", r, err)
				}
			}
		}
	})
}

func blank[T any](k *Kind[T]) any { return reflect.New(k.mapping.record).Interface() }
