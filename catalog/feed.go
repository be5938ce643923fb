package catalog

/*
#cgo CFLAGS: -fexceptions
#include <stdlib.h>
#include "feed.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// feedFunction is the table function that all feeds of a database are read
// through; its argument says which. It is registered once, when the database
// is opened: a function that is made later is not seen by transactions that
// began before.
const feedFunction = "sessiondb_feed"

// idleFeeds bounds the feeds that are kept for the next user.
const idleFeeds = 256

// A Feed is rows in Go's memory that SQL reads as a table: columns c0, c1, …
// of the types it was acquired for. A statement that reads it is planned once
// and may be executed for any rows.
//
// A feed belongs to one user from AcquireFeed to Release, and its statements
// to any connection. What a statement reads is what was Set last; it must have
// ended, or its stream have been read, before the next Set, which fails it
// otherwise.
type Feed struct {
	pool      *feedPool
	id        uint64
	signature string
	types     []Type
	handle    *C.feed
	sources   []C.feed_source
	pins      runtime.Pinner
}

// AcquireFeed returns a feed of rows of the given types, which must be released
// in any case: a feed that is lost with its rows pinned ends the process. It
// fails with an *UnsupportedTypeError for a type that cannot be fed.
func (db *DB) AcquireFeed(types []Type) (*Feed, error) {
	return db.feeds.acquire(types)
}

// SQL is what stands for the feed's rows in a FROM clause. It is the same each
// time the feed is acquired, so that statements with it can be cached.
func (f *Feed) SQL() string {
	return feedFunction + "(" + strconv.FormatUint(f.id, 10) + ")"
}

// Set makes rows what the feed's next scans read; nil takes them away. The
// rows must not be changed before the next Set or Release. A value that did
// not fit (see ColumnSet.Err) makes the scans fail.
func (f *Feed) Set(rows *ColumnSet) {
	f.pins.Unpin()
	switch {
	case rows == nil:
		C.feed_fail(f.handle, nil)
	case rows.err != nil:
		f.fail(rows.err.Error())
	case !rows.matches(f.types):
		f.fail("the rows have not the types of the feed")
	default:
		f.sources = f.sources[:0]
		for i := range rows.cols {
			f.addSources(&rows.cols[i])
		}
		C.feed_set(f.handle, unsafe.SliceData(f.sources), C.uint64_t(rows.Rows()))
	}
}

func (f *Feed) fail(message string) {
	text := C.CString(message)
	defer C.free(unsafe.Pointer(text))
	C.feed_fail(f.handle, text)
}

// addSources pins the memory of a column and of those below it.
func (f *Feed) addSources(c *column) {
	var s C.feed_source
	switch c.layout {
	case layoutFixed:
		s.data = pinned(f, c.fixed)
	case layoutString:
		s.data = pinned(f, c.offsets)
		s.arena = (*C.char)(pinned(f, c.arena))
	case layoutList:
		s.data = pinned(f, c.offsets)
	default: // the columns below have the values
	}
	s.valid = (*C.uint64_t)(pinned(f, c.valid))
	f.sources = append(f.sources, s)
	for i := range c.below {
		f.addSources(&c.below[i])
	}
}

// pinned keeps a slice's memory in its place until the next Unpin.
func pinned[T any](f *Feed, s []T) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	p := unsafe.SliceData(s)
	f.pins.Pin(p)
	return unsafe.Pointer(p)
}

// Release gives the feed back. It must not be used after that.
func (f *Feed) Release() {
	f.Set(nil)
	f.pool.release(f)
}

// A feedPool has the feeds of a database: those nobody uses, by the types of
// their columns.
type feedPool struct {
	mu       sync.Mutex
	registry *C.feed_registry
	lastID   uint64
	idle     map[string][]*Feed
	idleAll  int
}

// register makes the table function known to the database of c.
func (p *feedPool) register(c *Conn) error {
	p.registry = C.feed_registry_new()
	p.idle = map[string][]*Feed{}
	name := C.CString(feedFunction)
	defer C.free(unsafe.Pointer(name))
	if !C.feed_register(p.registry, c.handle.Ptr, name) {
		return errors.New("DuckDB does not take the table function that feeds it")
	}
	return nil
}

// free must come after the database's end, whose plans refer to feeds.
func (p *feedPool) free() {
	if p.registry != nil {
		C.feed_registry_free(p.registry)
		p.registry = nil
	}
}

func (p *feedPool) acquire(types []Type) (*Feed, error) {
	signature := signatureOf(types)
	p.mu.Lock()
	defer p.mu.Unlock()
	if idle := p.idle[signature]; len(idle) > 0 {
		f := idle[len(idle)-1]
		p.idle[signature] = idle[:len(idle)-1]
		p.idleAll--
		return f, nil
	}
	return p.create(signature, types)
}

func signatureOf(types []Type) string {
	var b strings.Builder
	for i := range types {
		b.WriteString(types[i].Name)
		b.WriteByte(';')
	}
	return b.String()
}

func (p *feedPool) create(signature string, types []Type) (*Feed, error) {
	if len(types) == 0 {
		return nil, errors.New("a feed needs at least one column")
	}
	handles := make([]unsafe.Pointer, 0, len(types))
	for i := range types {
		l, err := types[i].logicalType()
		if err != nil {
			for _, h := range handles {
				l := bindings.LogicalType{Ptr: h}
				bindings.DestroyLogicalType(&l)
			}
			return nil, fmt.Errorf("column %d: %w", i+1, err)
		}
		handles = append(handles, l.Ptr)
	}
	set := NewColumns(types)
	var shapes []C.feed_shape
	for i := range set.cols {
		shapes = appendShapes(shapes, &set.cols[i])
	}
	p.lastID++
	f := &Feed{pool: p, id: p.lastID, signature: signature, types: types}
	f.handle = C.feed_new(p.registry, C.uint64_t(f.id), unsafe.SliceData(handles), C.uint32_t(len(handles)),
		unsafe.SliceData(shapes), C.uint32_t(len(shapes)))
	return f, nil
}

func appendShapes(shapes []C.feed_shape, c *column) []C.feed_shape {
	shapes = append(shapes, C.feed_shape{
		layout: C.uint8_t(c.layout), width: C.uint8_t(c.width),
		children: C.uint32_t(len(c.below)), length: C.uint64_t(c.typ.Len),
	})
	for i := range c.below {
		shapes = appendShapes(shapes, &c.below[i])
	}
	return shapes
}

func (p *feedPool) release(f *Feed) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idleAll >= idleFeeds {
		C.feed_close(f.handle)
		return
	}
	p.idle[f.signature] = append(p.idle[f.signature], f)
	p.idleAll++
}
