#include "feed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t idx_t;

extern void *duckdb_create_table_function(void);
extern void duckdb_destroy_table_function(void **);
extern void duckdb_table_function_set_name(void *, const char *);
extern void duckdb_table_function_add_parameter(void *, void *type);
extern void duckdb_table_function_set_extra_info(void *, void *, void (*)(void *));
extern void duckdb_table_function_set_bind(void *, void (*)(void *));
extern void duckdb_table_function_set_init(void *, void (*)(void *));
extern void duckdb_table_function_set_function(void *, void (*)(void *, void *));
extern void duckdb_table_function_supports_projection_pushdown(void *, bool);
extern int duckdb_register_table_function(void *connection, void *);
extern void *duckdb_bind_get_extra_info(void *);
extern void *duckdb_bind_get_parameter(void *, idx_t);
extern void duckdb_bind_add_result_column(void *, const char *, void *type);
extern void duckdb_bind_set_bind_data(void *, void *, void (*)(void *));
extern void duckdb_bind_set_cardinality(void *, idx_t, bool);
extern void duckdb_bind_set_error(void *, const char *);
extern void *duckdb_init_get_bind_data(void *);
extern idx_t duckdb_init_get_column_count(void *);
extern idx_t duckdb_init_get_column_index(void *, idx_t);
extern void duckdb_init_set_init_data(void *, void *, void (*)(void *));
extern void duckdb_init_set_max_threads(void *, idx_t);
extern void duckdb_init_set_error(void *, const char *);
extern void *duckdb_function_get_bind_data(void *);
extern void *duckdb_function_get_init_data(void *);
extern void duckdb_function_set_error(void *, const char *);
extern int64_t duckdb_get_int64(void *value);
extern void duckdb_destroy_value(void **);
extern void *duckdb_create_logical_type(int);
extern void duckdb_destroy_logical_type(void **);
extern void *duckdb_data_chunk_get_vector(void *, idx_t);
extern void duckdb_data_chunk_set_size(void *, idx_t);
extern void *duckdb_vector_get_data(void *);
extern uint64_t *duckdb_vector_get_validity(void *);
extern void duckdb_vector_ensure_validity_writable(void *);
extern void duckdb_unsafe_vector_assign_string_element_len(void *, idx_t, const char *, idx_t);
extern void *duckdb_list_vector_get_child(void *);
extern int duckdb_list_vector_reserve(void *, idx_t);
extern int duckdb_list_vector_set_size(void *, idx_t);
extern void *duckdb_struct_vector_get_child(void *, idx_t);
extern void *duckdb_array_vector_get_child(void *);

enum {
	DUCKDB_BIGINT = 5,   // DUCKDB_TYPE_BIGINT
	VECTOR_SIZE = 2048,  // rows that a chunk holds
	CARDINALITY = 1000,  // what the planner is told: small, as most commits are
	INLINE_LENGTH = 12,  // strings up to it stand in the string itself
};

typedef struct column {
	feed_shape shape;
	feed_source source;
	struct column *below; // shape.children of them
} column;

struct feed {
	feed_registry *registry;
	uint64_t id;
	void **types;
	uint32_t columns;
	column *all; // the columns, and after them what is below them
	uint32_t all_count;

	pthread_mutex_t lock; // guards what follows, and the sources
	uint64_t generation;  // of what scans read; each feed_set begins one
	uint64_t rows;
	bool set;
	char *failure;

	// Guarded by the registry's lock.
	uint64_t references; // plans, and one of the owner's
	bool closed;
	feed *next;
};

struct feed_registry {
	pthread_mutex_t lock;
	feed *first;
};

feed_registry *feed_registry_new(void) {
	feed_registry *r = calloc(1, sizeof *r);
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

static void feed_free(feed *f) {
	for (uint32_t i = 0; i < f->columns; i++) {
		duckdb_destroy_logical_type(&f->types[i]);
	}
	pthread_mutex_destroy(&f->lock);
	free(f->types);
	free(f->all);
	free(f->failure);
	free(f);
}

void feed_registry_free(feed_registry *r) {
	while (r->first) {
		feed *f = r->first;
		r->first = f->next;
		feed_free(f);
	}
	pthread_mutex_destroy(&r->lock);
	free(r);
}

// Gives up one reference, and unlinks and frees the feed after the last.
static void feed_unref(feed *f) {
	feed_registry *r = f->registry;
	pthread_mutex_lock(&r->lock);
	bool last = --f->references == 0;
	if (last) {
		feed **at = &r->first;
		while (*at != f) {
			at = &(*at)->next;
		}
		*at = f->next;
	}
	pthread_mutex_unlock(&r->lock);
	if (last) {
		feed_free(f);
	}
}

static feed *feed_find(feed_registry *r, uint64_t id) {
	pthread_mutex_lock(&r->lock);
	feed *f = r->first;
	while (f && (f->id != id || f->closed)) {
		f = f->next;
	}
	if (f) {
		f->references++;
	}
	pthread_mutex_unlock(&r->lock);
	return f;
}

// Lays out the shapes from *at on as columns: count of them at out, what is
// below them at *free_at.
static void lay_out(const feed_shape *shapes, uint32_t *at, column *out, uint32_t count, column **free_at) {
	for (uint32_t i = 0; i < count; i++) {
		column *c = &out[i];
		c->shape = shapes[(*at)++];
		c->below = *free_at;
		*free_at += c->shape.children;
		lay_out(shapes, at, c->below, c->shape.children, free_at);
	}
}

feed *feed_new(feed_registry *r, uint64_t id, void **types, uint32_t columns, const feed_shape *shapes,
               uint32_t shape_count) {
	feed *f = calloc(1, sizeof *f);
	f->registry = r;
	f->id = id;
	f->columns = columns;
	f->types = malloc(columns * sizeof *types);
	memcpy(f->types, types, columns * sizeof *types);
	f->all = calloc(shape_count, sizeof *f->all);
	f->all_count = shape_count;
	f->references = 1;
	uint32_t at = 0;
	column *free_at = f->all + columns;
	lay_out(shapes, &at, f->all, columns, &free_at);
	pthread_mutex_init(&f->lock, NULL);
	pthread_mutex_lock(&r->lock);
	f->next = r->first;
	r->first = f;
	pthread_mutex_unlock(&r->lock);
	return f;
}

void feed_close(feed *f) {
	feed_fail(f, NULL);
	pthread_mutex_lock(&f->registry->lock);
	f->closed = true;
	pthread_mutex_unlock(&f->registry->lock);
	feed_unref(f);
}

// Hands the sources out in the order of the shapes.
static void place(column *cols, uint32_t count, const feed_source **next) {
	for (uint32_t i = 0; i < count; i++) {
		cols[i].source = *(*next)++;
		place(cols[i].below, cols[i].shape.children, next);
	}
}

void feed_set(feed *f, const feed_source *sources, uint64_t rows) {
	pthread_mutex_lock(&f->lock);
	f->generation++;
	f->set = true;
	f->rows = rows;
	place(f->all, f->columns, &sources);
	pthread_mutex_unlock(&f->lock);
}

void feed_fail(feed *f, const char *message) {
	pthread_mutex_lock(&f->lock);
	f->generation++;
	f->set = false;
	f->rows = 0;
	free(f->failure);
	f->failure = message ? strdup(message) : NULL;
	pthread_mutex_unlock(&f->lock);
}

static void unref_bound(void *f) { feed_unref(f); }

static void bind(void *info) {
	void *id = duckdb_bind_get_parameter(info, 0);
	feed *f = feed_find(duckdb_bind_get_extra_info(info), (uint64_t)duckdb_get_int64(id));
	duckdb_destroy_value(&id);
	if (!f) {
		duckdb_bind_set_error(info, "there is no such feed");
		return;
	}
	for (uint32_t i = 0; i < f->columns; i++) {
		char name[16] = "c";
		char digits[12];
		int n = 0;
		for (uint32_t rest = i; n == 0 || rest > 0; rest /= 10) {
			digits[n++] = (char)('0' + rest % 10);
		}
		for (int j = 0; j < n; j++) {
			name[1 + j] = digits[n - 1 - j];
		}
		duckdb_bind_add_result_column(info, name, f->types[i]);
	}
	duckdb_bind_set_cardinality(info, CARDINALITY, false);
	duckdb_bind_set_bind_data(info, f, unref_bound);
}

typedef struct {
	uint64_t generation;
	uint64_t row; // the next one
	idx_t count;
	idx_t columns[]; // which ones the plan reads
} scan;

static void init(void *info) {
	feed *f = duckdb_init_get_bind_data(info);
	idx_t count = duckdb_init_get_column_count(info);
	scan *s = calloc(1, sizeof *s + count * sizeof s->columns[0]);
	s->count = count;
	for (idx_t i = 0; i < count; i++) {
		s->columns[i] = duckdb_init_get_column_index(info, i);
	}
	duckdb_init_set_init_data(info, s, free);
	duckdb_init_set_max_threads(info, 1); // rows keep their order
	pthread_mutex_lock(&f->lock);
	s->generation = f->generation;
	if (!f->set) {
		duckdb_init_set_error(info, f->failure ? f->failure : "the feed has no rows");
	}
	pthread_mutex_unlock(&f->lock);
}

static bool is_valid(const uint64_t *valid, uint64_t row) {
	return !valid || (valid[row >> 6] >> (row & 63) & 1);
}

// Copies the bits of n rows from start on, if one of them is NULL.
static void fill_validity(void *vector, const uint64_t *valid, uint64_t start, uint64_t n) {
	uint64_t nulls = 0;
	for (uint64_t i = 0; valid && i < n && !nulls; i++) {
		nulls = !is_valid(valid, start + i);
	}
	if (!nulls) {
		return;
	}
	duckdb_vector_ensure_validity_writable(vector);
	uint64_t *out = duckdb_vector_get_validity(vector);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t bit = (uint64_t)1 << (i & 63);
		if (is_valid(valid, start + i)) {
			out[i >> 6] |= bit;
		} else {
			out[i >> 6] &= ~bit;
		}
	}
}

// DuckDB's string: up to 12 bytes stand in it, padded with zeros.
typedef struct {
	uint32_t length;
	char inlined[INLINE_LENGTH];
} string;

static void fill_strings(void *vector, const feed_source *src, uint64_t start, uint64_t n) {
	const uint64_t *offsets = src->data;
	string *out = duckdb_vector_get_data(vector);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t from = offsets[start + i], length = offsets[start + i + 1] - from;
		if (length > INLINE_LENGTH) {
			duckdb_unsafe_vector_assign_string_element_len(vector, i, src->arena + from, length);
			continue;
		}
		string s = {.length = (uint32_t)length};
		if (length) {
			memcpy(s.inlined, src->arena + from, length);
		}
		out[i] = s;
	}
}

static void fill(void *vector, const column *c, uint64_t start, uint64_t n);

static void fill_lists(void *vector, const column *c, uint64_t start, uint64_t n) {
	const uint64_t *offsets = c->source.data;
	uint64_t first = offsets[start], total = offsets[start + n] - first;
	duckdb_list_vector_reserve(vector, total);
	duckdb_list_vector_set_size(vector, total);
	struct {
		uint64_t offset, length;
	} *out = duckdb_vector_get_data(vector);
	for (uint64_t i = 0; i < n; i++) {
		out[i].offset = offsets[start + i] - first;
		out[i].length = offsets[start + i + 1] - offsets[start + i];
	}
	fill(duckdb_list_vector_get_child(vector), &c->below[0], first, total);
}

// Fills a vector from its first place on with n rows of c from start on.
static void fill(void *vector, const column *c, uint64_t start, uint64_t n) {
	fill_validity(vector, c->source.valid, start, n);
	if (n == 0) {
		return;
	}
	switch (c->shape.layout) {
	case FEED_FIXED:
		memcpy(duckdb_vector_get_data(vector), (const char *)c->source.data + start * c->shape.width,
		       n * c->shape.width);
		break;
	case FEED_STRING:
		fill_strings(vector, &c->source, start, n);
		break;
	case FEED_LIST:
		fill_lists(vector, c, start, n);
		break;
	case FEED_STRUCT:
		for (uint32_t i = 0; i < c->shape.children; i++) {
			fill(duckdb_struct_vector_get_child(vector, i), &c->below[i], start, n);
		}
		break;
	case FEED_ARRAY:
		fill(duckdb_array_vector_get_child(vector), &c->below[0], start * c->shape.length, n * c->shape.length);
		break;
	}
}

static void unlock(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }

static void read_rows(void *info, void *chunk) {
	feed *f = duckdb_function_get_bind_data(info);
	scan *s = duckdb_function_get_init_data(info);
	// Given up also when DuckDB throws, for want of memory.
	pthread_mutex_t *held __attribute__((cleanup(unlock))) = &f->lock;
	pthread_mutex_lock(held);
	if (s->generation != f->generation) {
		duckdb_function_set_error(info, "the feed's rows were replaced while they were read");
		return;
	}
	uint64_t n = f->rows - s->row;
	if (n > VECTOR_SIZE) {
		n = VECTOR_SIZE;
	}
	for (idx_t i = 0; i < s->count; i++) {
		if (s->columns[i] < f->columns) { // what is not a column of ours asks for no value
			fill(duckdb_data_chunk_get_vector(chunk, i), &f->all[s->columns[i]], s->row, n);
		}
	}
	s->row += n;
	duckdb_data_chunk_set_size(chunk, n);
}

bool feed_register(feed_registry *r, void *connection, const char *name) {
	void *f = duckdb_create_table_function();
	void *bigint = duckdb_create_logical_type(DUCKDB_BIGINT);
	duckdb_table_function_set_name(f, name);
	duckdb_table_function_add_parameter(f, bigint);
	duckdb_table_function_set_extra_info(f, r, NULL);
	duckdb_table_function_set_bind(f, bind);
	duckdb_table_function_set_init(f, init);
	duckdb_table_function_set_function(f, read_rows);
	duckdb_table_function_supports_projection_pushdown(f, true);
	int state = duckdb_register_table_function(connection, f);
	duckdb_destroy_logical_type(&bigint);
	duckdb_destroy_table_function(&f);
	return state == 0;
}
