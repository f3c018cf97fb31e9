package dataset

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
)

// odd is a dataset of all that makes a file come back other than it went.
func odd() ([]eval.Sample, map[eval.PictureHash][]byte) {
	pictures := make(map[eval.PictureHash][]byte)
	picture := func(name string, size int) eval.Picture {
		p, data, err := decodePicture([]byte("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="))
		if size > 0 {
			data = append(data, bytes.Repeat([]byte(name+"x"), size)...)
			p = hashPicture(data)
		}
		if err != nil {
			panic(err)
		}
		pictures[p.Hash] = data
		p.Name = name
		return p
	}
	options := func(texts ...string) (out []eval.Option) {
		for i, t := range texts {
			if t != "" {
				out = append(out, eval.Option{Letter: eval.Choice(rune('A' + i)), Text: t})
			}
		}
		return out
	}
	one, large := picture("", 0), picture("", 20_000)
	all := []eval.Sample{
		{Kind: eval.KindChoice, Question: "None?", Options: options("None", "NA", "null", "nan"), Answer: "A", Pictures: []eval.Picture{one}},
		{Kind: eval.KindChoice, Question: "1.0", Options: options("1.0", "1", "01", "1e5", "-0", "TRUE", "=1+1"), Answer: "G", Pictures: []eval.Picture{one}},
		{Kind: eval.KindChoice, Question: `say "so", 'so' and ""`, Hint: `"`, Options: options(`"`, `""`, `a"b`, "'x'", "`"), Answer: "B"},
		{Kind: eval.KindChoice, Question: "tab\there", Options: options("a\tb", "c\r\nd", "e\n\nf\n", " leading", "trailing "), Answer: "C"},
		{Kind: eval.KindChoice, Question: "Ａ：（Ｂ）　全角，是。", Hint: "提示", Options: options("是", "否", "Ａ", "\U0001F600"), Answer: "D"},
		{Kind: eval.KindChoice, Question: "gaps", Options: options("a", "", "c", "", "", "f"), Answer: "F"},
		{Kind: eval.KindChoice, Question: "to Z", Options: options(strings.Split("abcdefghijklmnopqrstuvwxyz", "")...), Answer: "Z"},
		{Kind: eval.KindChoice, Question: "no ground truth", Options: options("x", "y"), Pictures: []eval.Picture{large}},
		{Kind: eval.KindYesNo, Question: "yes?", Answer: eval.Yes, Taxonomy: []string{eval.Perception, "OCR"}, Pictures: []eval.Picture{picture("OCR/1.jpg", 10)}},
		{Kind: eval.KindYesNo, Question: "yes? of a split without ground truth"},
		{Kind: eval.KindOpen, Question: "open\nOptions: A: x, B: y", Reference: "yes", Type: eval.OpenEnded},
		{Kind: eval.KindOpen, Question: "open\n(A) x\n(B) y", Taxonomy: []string{"a", "b / c", "d", `e"f`}},
		{Kind: eval.KindChoice, Question: "named, not held", Options: options("x", "y"), Pictures: []eval.Picture{{Name: "gone.png"}}, Split: "test", Source: "NA"},
		{Kind: eval.KindChoice, Question: "<b>&amp;_x0041_</b> \\n", Options: options("<", "&"), Answer: "A", Taxonomy: []string{"perception", "coarse_perception", "image_style"}},
		{Kind: eval.KindChoice, Question: "line_x000D_\nnext_x000d_ _x005F_x000D_ _x005F_\r", Options: options("_x000D_", "a\rb", "_x0000_"), Answer: "A"},
		{Kind: eval.KindChoice, Question: "\ufeffmark \u00a0 \u200b end", Options: options("x", "y"), Answer: "A"},
	}
	for i := range all {
		all[i].Ordinal, all[i].ID = eval.Ordinal(i), eval.SampleID([]string{"0", "7", "text id", "1000001"}[min(i, 3)])
		if i > 3 {
			all[i].ID += eval.SampleID(rune('a' + i))
		}
	}
	return all, pictures
}

func sampleRowsOf(samples []eval.Sample, pictures map[eval.PictureHash][]byte) iter.Seq2[export.SampleRow, error] {
	return func(yield func(export.SampleRow, error) bool) {
		for _, s := range samples {
			r := export.SampleRow{Sample: s}
			for _, p := range s.Pictures {
				r.Pictures = append(r.Pictures, pictures[p.Hash])
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// A dataset comes back as it went, in every format that holds one.
func TestRoundTrip(t *testing.T) {
	single, pictures := odd()
	several := append([]eval.Sample{}, single...)
	several[3].Pictures = []eval.Picture{several[0].Pictures[0], several[7].Pictures[0]}
	letters := strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")
	for _, format := range tablefile.Formats() {
		for name, samples := range map[string][]eval.Sample{"single": single, "several": several} {
			t.Run(format+" "+name, func(t *testing.T) {
				o := export.SampleExport{Format: format, Several: name == "several", Largest: 40_200}
				for _, l := range letters {
					o.Letters = append(o.Letters, eval.Choice(l))
				}
				var out bytes.Buffer
				warnings, err := export.WriteSamples(&out, o, sampleRowsOf(samples, pictures))
				if err != nil || len(warnings) > 0 {
					t.Fatal(warnings, err)
				}
				path := filepath.Join(t.TempDir(), "d."+format)
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				m := newMemory(t)
				sum, err := Import(context.Background(), m, path, Options{Strict: true, Name: "d"})
				if err != nil {
					t.Fatal(err)
				}
				for i, want := range samples {
					if got := m.samples["d"][eval.Ordinal(i)]; !reflect.DeepEqual(got, want) {
						t.Errorf("sample %d\n got %#v\nwant %#v", i, got, want)
					}
				}
				if got, want := m.datasets["d"].Hash, HashSamples(samples); got != want || sum.Added != len(samples) {
					t.Errorf("hash %s, want %s: %+v", got, want, sum)
				}
				if !reflect.DeepEqual(m.pictures, pictures) {
					t.Errorf("%d images, want %d", len(m.pictures), len(pictures))
				}
			})
		}
	}
}
