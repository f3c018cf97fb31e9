package openai

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/bmp"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/openai/openaitest"
)

func drawn(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), 90, 255})
		}
	}
	return m
}

func encoded(t testing.TB, format string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, m)
	case "jpeg":
		err = jpeg.Encode(&b, m, nil)
	case "gif":
		err = gif.Encode(&b, m, nil)
	case "bmp":
		err = bmp.Encode(&b, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFit(t *testing.T) {
	check := func(format string, m image.Image, edge int, want string, w, h int) {
		t.Helper()
		file := encoded(t, format, m)
		out, got, err := fitForCall(file, edge)
		if err != nil || got != want {
			t.Errorf("%s to %d: %s, %v", format, edge, got, err)
			return
		}
		if want == format && w == m.Bounds().Dx() && !bytes.Equal(out, file) {
			t.Errorf("%s to %d: the bytes were touched", format, edge)
		}
		c, name, err := image.DecodeConfig(bytes.NewReader(out))
		if err != nil || name != want || c.Width != w || c.Height != h {
			t.Errorf("%s to %d: %s of %d x %d, %v", format, edge, name, c.Width, c.Height, err)
		}
	}
	wide, tall := drawn(200, 100), drawn(3, 300)
	check("png", wide, 0, "png", 200, 100)
	check("png", wide, 200, "png", 200, 100)
	check("png", wide, 64, "png", 64, 32)
	check("jpeg", wide, 64, "jpeg", 64, 32)
	check("jpeg", image.NewGray(image.Rect(0, 0, 90, 30)), 30, "jpeg", 30, 10)
	check("gif", wide, 200, "gif", 200, 100)
	check("gif", wide, 50, "png", 50, 25)
	check("bmp", wide, 0, "png", 200, 100)
	check("png", tall, 10, "png", 1, 10)
}

func TestScaledPictureLooksAlike(t *testing.T) {
	m, _, err := fitForCall(encoded(t, "png", drawn(200, 200)), 50)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(m))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, a := got.At(25, 10).RGBA()
	if near := func(v uint32, want int) bool { return int(v>>8) >= want-2 && int(v>>8) <= want+2 }; !near(r, 102) || !near(g, 42) || !near(b, 90) || a != 0xffff {
		t.Errorf("pixel is %d %d %d %d", r>>8, g>>8, b>>8, a>>8)
	}
}

func TestScaledJPEGKeepsWhichWayIsUp(t *testing.T) {
	segment := append([]byte{0xff, 0xe1, 0, 14}, "Exif\x00\x00MM..up"...)
	file := insertExif(encoded(t, "jpeg", drawn(80, 80)), segment)
	out, _, err := fitForCall(file, 20)
	if err != nil || !bytes.Equal(bound.FindExif(out), segment) {
		t.Errorf("segment %q, %v", bound.FindExif(out), err)
	}
	if c, err := jpeg.DecodeConfig(bytes.NewReader(out)); err != nil || c.Width != 20 {
		t.Errorf("%+v, %v", c, err)
	}
}

// bomb is a PNG of few bytes that says it is huge.
func bomb() []byte {
	file := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	file = binary.BigEndian.AppendUint32(file, 60000)
	file = binary.BigEndian.AppendUint32(file, 60000)
	file = append(file, 8, 2, 0, 0, 0)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[12:]))
}

func TestBadPictureIsTheSamplesAndNamed(t *testing.T) {
	s, m := serve(t, openaitest.Options{}, Limits{}, ModelOptions{Edge: 32})
	good := encoded(t, "png", drawn(64, 64))
	check := func(file []byte, word string) {
		t.Helper()
		c := say("q")
		c.Pictures = [][]byte{good, file}
		_, err := m.Chat(t.Context(), c)
		if f := eval.FailureOfError(err); f == nil || f.Kind != eval.FailureSample || !strings.Contains(f.Message, "image 2 (sha256 ") || !strings.Contains(f.Message, word) {
			t.Errorf("%v", err)
		}
	}
	check(bomb(), "60000 x 60000")
	check([]byte("no image"), "neither PNG")
	check(nil, "neither PNG")
	check(good[:len(good)/2], "png: ")
	if total, _ := s.TotalCalls(); total != 0 {
		t.Errorf("%d calls", total)
	}
}

func TestPicturesComeBeforeTheTextOfTheFirstTurn(t *testing.T) {
	file := encoded(t, "png", drawn(8, 8))
	m := model(t, Options{BaseURL: "http://lab.test/v1"}, ModelOptions{})
	got, err := m.BuildBody(eval.Chat{
		Turns:    []eval.Turn{{Role: eval.User, Text: "what?"}, {Role: eval.Assistant, Text: "a"}, {Role: eval.User, Text: "b"}},
		Pictures: [][]byte{file},
	})
	want := fmt.Sprintf(`{"model":"vlm","messages":[{"role":"user","content":[`+
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,%s"}},{"type":"text","text":"what?"}]},`+
		`{"role":"assistant","content":"a"},{"role":"user","content":"b"}],"temperature":0}`, base64.StdEncoding.EncodeToString(file))
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestDetailGoesWithEachPicture(t *testing.T) {
	params := AddDetail(`{"seed":1,"temperature":0}`, "low")
	if params != `{"image_detail":"low","seed":1,"temperature":0}` || AddDetail(params, "") != params {
		t.Errorf("parameters %s", params)
	}
	file := encoded(t, "png", drawn(8, 8))
	m := model(t, Options{BaseURL: "http://lab.test/v1"}, ModelOptions{Params: []byte(params)})
	c := say("q")
	c.Pictures = [][]byte{file, file}
	got, err := m.BuildBody(c)
	if err != nil || strings.Count(string(got), `","detail":"low"}}`) != 2 || !strings.HasSuffix(string(got), `],"seed":1,"temperature":0}`) {
		t.Errorf("%s, %v", got, err)
	}
	e, err := NewEndpoint(Options{BaseURL: "http://lab.test/v1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.NewModel(ModelOptions{Name: "vlm", Params: []byte(`{"image_detail":"much"}`)}); err == nil || !strings.Contains(err.Error(), "low, high, auto") {
		t.Error(err)
	}
}

func TestServerGetsThePicture(t *testing.T) {
	file := encoded(t, "jpeg", drawn(16, 16))
	_, m := serve(t, openaitest.Options{Answer: func(r *openaitest.Request) openaitest.Response {
		b, err := r.Pictures[0].Decode()
		return openaitest.Response{Text: fmt.Sprint(r.Pictures[0].MediaType(), bytes.Equal(b, file), err, r.Prompt())}
	}}, Limits{}, ModelOptions{Edge: 16})
	c := say("q")
	c.Pictures = [][]byte{file}
	if r, err := m.Chat(t.Context(), c); err != nil || r.Text != "image/jpegtrue <nil>q" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAlbumIsBounded(t *testing.T) {
	a := newURLCache(3000)
	first := encoded(t, "png", drawn(4, 4))
	for i := range 60 {
		if _, err := a.dataURL(0, encoded(t, "png", drawn(4, 4+i)), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := a.dataURL(0, first, 0); err != nil {
			t.Fatal(err)
		}
	}
	size := 0
	for e := a.used.Front(); e != nil; e = e.Next() {
		size += len(e.Value.(*sheet).url)
	}
	if size != a.bytes || size > 3000 || len(a.pages) != a.used.Len() {
		t.Errorf("%d bytes counted, %d held, %d pages, %d sheets", a.bytes, size, len(a.pages), a.used.Len())
	}
	if _, ok := a.pages[a.used.Front().Value.(*sheet).page]; !ok || a.used.Len() < 2 {
		t.Error("the latest is not held")
	}
}

func TestRealPicturesFit(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/mllm_bench/images/*")
	if len(files) == 0 {
		t.Skip("no data beside the repository")
	}
	for _, name := range files[:min(len(files), 3)] {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, format, err := fitForCall(file, 128)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c, got, err := image.DecodeConfig(bytes.NewReader(out))
		if err != nil || got != format || max(c.Width, c.Height) > 128 {
			t.Errorf("%s: %s %dx%d, %v", name, got, c.Width, c.Height, err)
		}
	}
}

func FuzzFit(f *testing.F) {
	for _, format := range []string{"png", "jpeg", "gif", "bmp"} {
		f.Add(encoded(f, format, drawn(20, 9)))
	}
	f.Add(bomb())
	f.Fuzz(func(t *testing.T, file []byte) {
		if c, _, err := image.DecodeConfig(bytes.NewReader(file)); err == nil && c.Width*c.Height > 1<<22 {
			t.Skip("slow")
		}
		out, format, err := newURLCache(0).fitPicture(file, 8)
		if err == nil && (len(out) == 0 || format == "") {
			t.Errorf("%q %q", out, format)
		}
	})
}

// BenchmarkPicture holds the claim that a picture that is shown again costs
// no scaling: CircularEval shows each up to four times.
func BenchmarkPicture(b *testing.B) {
	c := say(prompt)
	c.Pictures = [][]byte{encoded(b, "jpeg", drawn(1600, 1200))}
	for _, kept := range []string{"kept", "anew"} {
		b.Run(kept, func(b *testing.B) {
			m := model(b, Options{BaseURL: "http://lab.test/v1"}, ModelOptions{Edge: 768})
			if _, err := m.BuildBody(c); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if kept == "anew" {
					m.endpoint.urls = newURLCache(urlCacheBytes)
				}
				if _, err := m.BuildBody(c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
