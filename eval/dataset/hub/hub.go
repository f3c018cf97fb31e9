// Package hub brings the parquet files of a dataset from the Hugging Face hub,
// or from a server that speaks the same, into a folder: over HTTPS, without git.
//
// It refuses to read what the files hold, and to send the token to any host but the hub's own.
//
// Its one invariant: a file is in the folder of a commit once it has the SHA-256 that the hub lists.
package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"concord/eval/bound"
)

// Scheme begins the name of a dataset on the hub.
const Scheme = "hf://"

// Source is a dataset on the hub, or a folder of it.
type Source struct{ Owner, Name, Revision, Folder string }

var (
	written = regexp.MustCompile(`^hf://(?:datasets/)?(\w[\w.-]*)/(\w[\w.-]*)(?:@(refs/\w+/[\w.-]+|\w[\w.-]*))?(?:/(.+?)/?)?$`)
	commit  = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// ParseSource reads hf://OWNER/NAME@REVISION/FOLDER. Without a revision it is main,
// without a folder all of the dataset.
func ParseSource(text string) (Source, error) {
	m := written.FindStringSubmatch(text)
	if m == nil || m[4] != "" && !fs.ValidPath(m[4]) {
		return Source{}, fmt.Errorf("%.200q names no dataset of the hub: want %sOWNER/NAME@REVISION, or a folder of it behind a slash", text, Scheme)
	}
	return Source{m[1], m[2], cmp.Or(m[3], "main"), m[4]}, nil
}

// Hub is where datasets come from, and where they go.
type Hub struct {
	Address  string // "": huggingface.co
	Token    string // "": none
	Cache    string // folder
	Progress func(read, total int64)

	base   *url.URL
	client http.Client
}

// hubFile is a file of a dataset as the hub lists it.
type hubFile struct {
	Path string
	Size int64
	LFS  struct{ OID string } // SHA-256 of the content
}

// FetchDataset brings the dataset's parquet files into the cache and returns their
// folder. What is there is not brought again, and what broke off goes on.
func (h *Hub) FetchDataset(ctx context.Context, s Source) (folder string, err error) {
	if err := h.parseSafeAddress(); err != nil {
		return "", err
	}
	about := h.base.JoinPath("api/datasets", s.Owner, s.Name)
	var revision struct{ SHA string }
	if err := h.getJSON(ctx, about.JoinPath("revision", url.PathEscape(s.Revision)), &revision); err != nil || !commit.MatchString(revision.SHA) {
		return "", fmt.Errorf("look up the revision %s: %w", s.Revision, cmp.Or(err, errors.New("the hub names no commit")))
	}
	files, total, err := h.listParquetFiles(ctx, about.JoinPath("tree", revision.SHA, s.Folder))
	if err != nil {
		return "", fmt.Errorf("list the files: %w", err)
	}
	root, done := filepath.Join(h.Cache, "hub", s.Owner, s.Name, revision.SHA), int64(0)
	for i := range files {
		f := &files[i]
		from := h.base.JoinPath("datasets", s.Owner, s.Name, "resolve", revision.SHA, f.Path)
		if err := h.downloadFile(ctx, from, f, filepath.Join(root, filepath.FromSlash(f.Path))); err != nil {
			return "", fmt.Errorf("bring %s: %w", f.Path, err)
		}
		done += f.Size
		h.Progress(done, total)
	}
	return filepath.Join(root, filepath.FromSlash(s.Folder)), nil
}

// parseSafeAddress checks the address. A token goes over no wire that others can read.
func (h *Hub) parseSafeAddress() (err error) {
	if h.base, err = url.Parse(cmp.Or(h.Address, "https://huggingface.co")); err != nil || h.base.User != nil {
		return errors.New("the hub's address is no URL, or holds a user: the token belongs in HF_TOKEN")
	}
	ip := net.ParseIP(h.base.Hostname())
	switch {
	case h.base.Scheme != "https" && (h.base.Scheme != "http" || ip == nil || !ip.IsLoopback()):
		return fmt.Errorf("the hub's address %.200q does not begin with https://", h.base)
	case h.Cache == "":
		return errors.New("there is no cache folder: set XDG_CACHE_HOME")
	}
	h.client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > 5 || h.base.Scheme == "https" && r.URL.Scheme != "https" {
			return errors.New("the hub leads elsewhere, without https or without end")
		}
		return nil // the client leaves the token out where the host is another one
	}
	return nil
}

// requestFromByte asks for what is at an address, from a byte on. Errors do not hold it: a storage's is signed.
func (h *Hub) requestFromByte(ctx context.Context, at *url.URL, from int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	if h.Token != "" {
		r.Header.Set("Authorization", "Bearer "+h.Token)
	}
	if from > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	reply, err := h.client.Do(r)
	if inner := new(url.Error); errors.As(err, &inner) {
		return nil, inner.Err
	}
	if reply.StatusCode == http.StatusOK || reply.StatusCode == http.StatusPartialContent {
		return reply, nil
	}
	return nil, errors.Join(fmt.Errorf("the hub answers %s: it has none, is busy, or HF_TOKEN may not read it", reply.Status), reply.Body.Close())
}

func (h *Hub) getJSON(ctx context.Context, at *url.URL, into any) error {
	reply, err := h.requestFromByte(ctx, at, 0)
	if err != nil {
		return err
	}
	text, err := bound.ReadAll(reply.Body, "the reply", bound.Reply)
	if err = errors.Join(err, reply.Body.Close()); err != nil {
		return err
	}
	if reply.Header.Get("Link") != "" { // it goes on at another page
		return errors.New("it has too many files for one list: name a folder of it behind a slash")
	}
	return json.Unmarshal(text, into)
}

// listParquetFiles lists the parquet files, and adds up their sizes.
func (h *Hub) listParquetFiles(ctx context.Context, at *url.URL) (files []hubFile, total int64, err error) {
	at.RawQuery = "recursive=true"
	var all []hubFile
	if err := h.getJSON(ctx, at, &all); err != nil {
		return nil, 0, err
	}
	for _, f := range all {
		sum, err := hex.DecodeString(f.LFS.OID)
		switch {
		case path.Ext(f.Path) != ".parquet":
			continue
		case err != nil || len(sum) != sha256.Size || !fs.ValidPath(f.Path) || !filepath.IsLocal(f.Path) || f.Size < 0:
			return nil, 0, fmt.Errorf("the file %.100q has no SHA-256, or a name that is none", f.Path)
		}
		files, total = append(files, f), total+min(f.Size, bound.Unpacked+1)
	}
	if len(files) == 0 {
		return nil, 0, errors.New("it has no parquet files: those that the hub makes of others are at the revision refs/convert/parquet")
	}
	return files, total, bound.CheckSize("what its parquet files have", total, bound.Unpacked)
}

// downloadFile puts a file where it belongs, once its content is the one that is
// listed. What came stays where a download breaks off, and the next one goes on.
func (h *Hub) downloadFile(ctx context.Context, from *url.URL, f *hubFile, to string) error {
	if info, err := os.Lstat(to); err == nil && info.Mode().IsRegular() {
		return nil
	}
	sum, err := h.resumeDownload(ctx, from, f, to+".part")
	switch {
	case err != nil:
		return err
	case sum != f.LFS.OID:
		return errors.Join(errors.New("what came is not what the hub lists, and was removed"), os.Remove(to+".part"))
	}
	return os.Rename(to+".part", to)
}

// resumeDownload brings what a file lacks, and returns the SHA-256 of all of it.
func (h *Hub) resumeDownload(ctx context.Context, from *url.URL, f *hubFile, part string) (_ string, err error) {
	if err := os.MkdirAll(filepath.Dir(part), 0o700); err != nil {
		return "", err
	}
	out, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // within the cache
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha256.New()
	have, err := io.Copy(sum, out)
	if err != nil || have >= f.Size {
		return hex.EncodeToString(sum.Sum(nil)), err
	}
	reply, err := h.requestFromByte(ctx, from, have)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, reply.Body.Close()) }()
	if have > 0 && !strings.HasPrefix(reply.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) { // all of it
		sum.Reset()
		_, err = out.Seek(0, io.SeekStart)
		if have, err = 0, errors.Join(err, out.Truncate(0)); err != nil {
			return "", err
		}
	}
	_, err = io.Copy(io.MultiWriter(out, sum), io.LimitReader(reply.Body, f.Size-have))
	return hex.EncodeToString(sum.Sum(nil)), err
}
