package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	_ "golang.org/x/image/bmp" // read, and sent as PNG: no endpoint takes it
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"concord/eval"
	"concord/eval/bound"
)

// errTurns is about a chat that says nothing to answer.
var errTurns = &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: "chat without a turn of the user's at its begin and end"}

// BuildBody builds the request body exactly as Chat would send it.
func (m *Model) BuildBody(c eval.Chat) ([]byte, error) { return m.buildBody(c, m.tail) }

func (m *Model) buildBody(c eval.Chat, tail []byte) ([]byte, error) {
	if len(c.Turns) == 0 || c.Turns[0].Role != eval.User || c.Turns[len(c.Turns)-1].Role != eval.User {
		return nil, errTurns
	}
	urls := make([][]byte, len(c.Pictures))
	size := len(m.head) + len(tail) + len(c.System) + len(c.System)/8 + 64
	for i, file := range c.Pictures {
		url, err := m.endpoint.urls.dataURL(i, file, m.edge)
		if err != nil {
			return nil, err
		}
		urls[i] = url
		size += len(url) + 64
	}
	size += eval.Sum(c.Turns, func(t eval.Turn) int { return len(t.Text) + len(t.Text)/8 + 64 })
	b := append(make([]byte, 0, size), m.head...)
	if c.System != "" {
		b = append(b, `{"role":"system","content":`...)
		b = append(appendQuote(b, c.System), '}', ',')
	}
	for i, t := range c.Turns {
		if i > 0 {
			b = append(b, ',')
		}
		if t.Role == eval.RoleUnset {
			return nil, errTurns
		}
		b = append(append(append(b, `{"role":"`...), t.Role.String()...), `","content":`...)
		if i == 0 && len(urls) > 0 {
			b = m.appendPicturesAndText(b, urls, t.Text, c.Places)
		} else {
			b = appendQuote(b, t.Text)
		}
		b = append(b, '}')
	}
	b = append(b, tail...)
	if most := m.endpoint.maxRequest; most > 0 && len(b) > most {
		return nil, &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: fmt.Sprintf(
			"a request of %d bytes, and max_request_bytes of endpoint %q is %d: scale images down by edge in the model's section, or raise it", len(b), m.endpoint.name, most)}
	}
	return b, nil
}

// appendPicturesAndText appends the pictures and the text that is asked about them: each
// picture at its place in the text, and before it those that have none.
func (m *Model) appendPicturesAndText(b []byte, urls [][]byte, text string, places []eval.Place) []byte {
	as := m.endpoint.wording
	picture := func(i int) {
		b = append(append(b, as.picture...), urls[i]...)
		b = append(append(b, m.detail...), as.pictureEnd...)
	}
	written := func(text string) {
		if text != "" {
			b = append(appendQuote(append(b, as.text...), text), '}', ',')
		}
	}
	b = append(b, '[')
	for i := range urls {
		if !slices.ContainsFunc(places, func(p eval.Place) bool { return p.Picture == i }) {
			picture(i)
		}
	}
	from := 0
	for _, p := range places {
		written(text[from:p.At])
		picture(p.Picture)
		from = p.At
	}
	written(text[from:])
	b[len(b)-1] = ']'
	return b
}

// estimateTokens guesses the prompt's and the answer's tokens before there is a
// usage to learn from: four bytes a token, a thousand a picture.
func (m *Model) estimateTokens(c eval.Chat) int {
	n := len(c.System)/4 + 8 + 1000*len(c.Pictures)
	for i := range c.Turns {
		n += len(c.Turns[i].Text)/4 + 4
	}
	return n + eval.Either(m.room > 0, min(m.room, 1024), 256)
}

// batchCallPath is where a batch's calls go, whatever the endpoint's address.
func (e *Endpoint) batchCallPath() string { return "/v1" + e.wording.path }

// FormatBatchLine is the call as one line of the OpenAI Batch format, without the line's end. It never streams.
func (m *Model) FormatBatchLine(id string, c eval.Chat) ([]byte, error) {
	if id == "" {
		return nil, errors.New("write batch line: no id")
	}
	body, err := m.buildBody(c, m.still)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(body)+len(id)+96)
	b = appendQuote(append(b, `{"custom_id":`...), id)
	b = append(b, `,"method":"POST","url":"`+m.endpoint.batchCallPath()+`","body":`...)
	return append(append(b, body...), '}'), nil
}

// appendQuote appends s as a JSON string. Bodies are put together by hand, since
// encoding/json would scan a data URL of megabytes four times.
func appendQuote(dst []byte, s string) []byte {
	text, _ := encodeJSON(s) // a text has no error
	return append(dst, text...)
}

// reserved are the fields of a body that are not the user's to set: what is
// asked, of whom, and in which form the answer comes.
var reserved = []string{"input", "messages", "model", "n", "stream", "stream_options"}

// CanonicalParams writes a request's parameters as one text for one meaning: sorted keys, numbers in
// their shortest form, temperature 0 when nothing is said about it. A field that is null is not sent
// and not mentioned, except temperature, where null says that none is sent (some models refuse any).
// Params must be a JSON object or empty.
func CanonicalParams(raw json.RawMessage) (string, error) {
	fields, err := parseParams(raw)
	if err != nil {
		return "", err
	}
	return encodeJSON(fields)
}

// detailParam holds one of eval.ImageDetails among canonical parameters. It is sent with each
// picture, and not as a field.
const detailParam = "image_detail"

// AddDetail adds the detail of pictures to canonical parameters; "" adds nothing.
func AddDetail(params, detail string) string {
	fields, err := parseParams(json.RawMessage(params))
	if err != nil || detail == "" {
		return params
	}
	fields[detailParam] = detail
	params, _ = encodeJSON(fields) // they were canonical
	return params
}

// takeOutDetail takes the detail of pictures out of parameters, as a member behind the URL.
func takeOutDetail(fields map[string]any) (member string, err error) {
	word, set := fields[detailParam]
	delete(fields, detailParam)
	if s, _ := word.(string); set && slices.Contains(eval.ImageDetails, s) {
		return `,"detail":"` + s + `"`, nil
	}
	return "", eval.Either(set, fmt.Errorf("parameter %s: want one of %s, set as detail beside params", detailParam, strings.Join(eval.ImageDetails, ", ")), nil)
}

func parseParams(raw json.RawMessage) (map[string]any, error) {
	fields := map[string]any{}
	if len(bytes.TrimSpace(raw)) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&fields); err != nil {
			return nil, fmt.Errorf("read parameters: not a JSON object: %w", err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, errors.New("read parameters: more than one JSON object")
		}
	}
	if fields == nil {
		fields = map[string]any{}
	}
	for _, name := range reserved {
		if _, ok := fields[name]; ok {
			return nil, fmt.Errorf("read parameters: %q cannot be set: concord sets it", name)
		}
	}
	if _, ok := fields["temperature"]; !ok {
		fields["temperature"] = json.Number("0")
	}
	for name, value := range fields {
		if value == nil && name != "temperature" {
			delete(fields, name)
			continue
		}
		v, err := shortenNumbers(value)
		if err != nil {
			return nil, fmt.Errorf("read parameter %q: %w", name, err)
		}
		fields[name] = v
	}
	return fields, nil
}

// shortenNumbers brings every number in v to its shortest form; whole numbers, seeds
// beyond a float's reach among them, stay as they are.
func shortenNumbers(v any) (any, error) {
	var err error
	switch x := v.(type) {
	case json.Number:
		if s := x.String(); s != "-0" && !strings.ContainsAny(s, ".eE") {
			return x, nil
		}
		f, bad := x.Float64()
		if bad != nil {
			return nil, fmt.Errorf("number %q out of range", x)
		}
		return json.Number(strconv.FormatFloat(f+0, 'f', -1, 64)), nil
	case map[string]any:
		for k := range x {
			if x[k], err = shortenNumbers(x[k]); err != nil {
				return nil, err
			}
		}
	case []any:
		for i := range x {
			if x[i], err = shortenNumbers(x[i]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// encodeJSON writes v with sorted keys and without HTML escapes.
func encodeJSON(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("write parameters: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// buildBodyTail builds the end of every body: what follows the messages.
func buildBodyTail(fields map[string]any, stream bool) ([]byte, error) {
	tail := []byte("]")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name] == nil {
			continue
		}
		text, err := encodeJSON(fields[name])
		if err != nil {
			return nil, err
		}
		tail = append(appendQuote(append(tail, ','), name), ':')
		tail = append(tail, text...)
	}
	if stream {
		tail = append(tail, `,"stream":true,"stream_options":{"include_usage":true}`...)
	}
	return append(tail, '}'), nil
}

// maxReplyTokens is how many tokens the parameters let a model write; 0 when they do not say.
func maxReplyTokens(fields map[string]any) int {
	most := 0
	for _, name := range []string{"max_completion_tokens", "max_tokens", "max_output_tokens"} {
		if n, ok := fields[name].(json.Number); ok {
			if v, err := n.Int64(); err == nil && v > 0 && v < 1<<20 {
				most = max(most, int(v))
			}
		}
	}
	return most
}

const (
	mostPixels = 1 << 27 // more is a decompression bomb, or no picture for a model
	quality    = 90      // of a JPEG that was scaled
)

// fitForCall makes of an encoded picture one whose longer edge is at most edge pixels (0: any), and
// says its format. Bytes that fit are left untouched. JPEG and PNG stay so; what else must be scaled
// becomes PNG if it is see-through or drawn, else JPEG.
func fitForCall(file []byte, edge int) (out []byte, format string, err error) {
	size, err := bound.MeasureImage(file)
	switch {
	case errors.Is(err, image.ErrFormat):
		return nil, "", errors.New("neither PNG, JPEG, WebP nor GIF")
	case err != nil && !errors.Is(err, bound.ErrImageSize):
		return nil, "", err
	case size.Width > mostPixels/size.Height:
		return nil, "", fmt.Errorf("%d x %d pixels are refused", size.Width, size.Height)
	}
	small := edge <= 0 || max(size.Width, size.Height) <= edge
	switch {
	case small && size.Format != "bmp":
		return file, size.Format, nil
	case err != nil:
		return nil, "", err
	}
	var beside int64
	if !small {
		beside = int64(edge) * int64(size.Height) * 4 * 8 // what a kernel takes for each pixel that is narrow and still high
	}
	src, err := bound.DecodeImage(context.Background(), file, beside)
	if err != nil {
		return nil, "", err
	}
	defer src.Release()
	if small {
		return encodeImage(src.Image, file, size.Format)
	}
	return encodeImage(scaleImage(src.Image, edge), file, size.Format)
}

// RefuseUnfitPicture refuses an encoded picture that no call takes, or that cannot be read to its end.
func RefuseUnfitPicture(ctx context.Context, file []byte) error {
	if _, _, err := fitForCall(file, 0); err != nil {
		return err
	}
	d, err := bound.DecodeImage(ctx, file, 0)
	if err == nil {
		d.Release()
	}
	return err
}

// scaleImage brings the longer edge down to edge, with a kernel as wide as what a
// pixel stands for: no moiré, thin lines stay.
func scaleImage(src image.Image, edge int) image.Image {
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	by := float64(edge) / float64(max(w, h))
	to := image.Rect(0, 0, max(int(math.Round(float64(w)*by)), 1), max(int(math.Round(float64(h)*by)), 1))
	var dst draw.Image = image.NewRGBA(to)
	if _, ok := src.(*image.Gray); ok {
		dst = image.NewGray(to)
	}
	draw.CatmullRom.Scale(dst, to, src, src.Bounds(), draw.Src, nil)
	return dst
}

func encodeImage(m image.Image, file []byte, format string) ([]byte, string, error) {
	var b bytes.Buffer
	if format == "jpeg" || format == "webp" && isOpaque(m) {
		err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
		return insertExif(b.Bytes(), bound.FindExif(file)), "jpeg", err
	}
	err := png.Encode(&b, m)
	return b.Bytes(), "png", err
}

func isOpaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// insertExif gives a scaled picture the segment of the picture itself, so that an
// endpoint turns it as it would turn that one.
func insertExif(file, segment []byte) []byte {
	if len(segment) == 0 || len(file) < 2 {
		return file
	}
	out := make([]byte, 0, len(file)+len(segment))
	out = append(out, file[:2]...)
	out = append(out, segment...)
	return append(out, file[2:]...)
}
