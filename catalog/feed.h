// The table function that reads rows out of Go's memory. All of it is C, so
// that a scan never calls back into Go.
//
// The prototypes below are those of DuckDB's C interface that it needs; their
// handles are opaque.

#ifndef SESSIONDB_FEED_H
#define SESSIONDB_FEED_H

#include <stdbool.h>
#include <stdint.h>

// How a column's values are stored. The numbers are those of feed.go.
enum { FEED_FIXED, FEED_STRING, FEED_LIST, FEED_STRUCT, FEED_ARRAY };

// The shape of a column and of what is below it, in the order of a walk that
// meets each column before its children.
typedef struct {
	uint8_t layout;
	uint8_t width;     // FEED_FIXED: bytes of a value
	uint32_t children; // how many columns of the next level follow
	uint64_t length;   // FEED_ARRAY: elements of a value
} feed_shape;

// Where a column's values are: memory of Go that is pinned while it stands
// here.
typedef struct {
	const void *data;      // FEED_FIXED: values; FEED_STRING, FEED_LIST: rows+1 offsets
	const uint64_t *valid; // a bit per row; NULL: all are valid
	const char *arena;     // FEED_STRING: the bytes that the offsets point into
} feed_source;

typedef struct feed feed;
typedef struct feed_registry feed_registry;

// A registry has the feeds of one database. It is freed after the database.
feed_registry *feed_registry_new(void);
void feed_registry_free(feed_registry *r);
// Makes r's feeds known to SQL as name(id). Returns false if DuckDB refuses.
bool feed_register(feed_registry *r, void *connection, const char *name);

// feed_new takes over the types. shapes has one entry per column and column
// below it.
feed *feed_new(feed_registry *r, uint64_t id, void **types, uint32_t columns, const feed_shape *shapes,
               uint32_t shape_count);
// After feed_close the id is unknown; the feed is freed when no plan refers to
// it any more.
void feed_close(feed *f);
// Says what scans read from now on; those under way fail.
void feed_set(feed *f, const feed_source *sources, uint64_t rows);
// Makes scans fail with a message; NULL: with one that there are no rows.
void feed_fail(feed *f, const char *message);

#endif
