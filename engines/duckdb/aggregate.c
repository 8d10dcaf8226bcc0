#include "aggregate.h"
#include "_cgo_export.h"

#include <math.h>
#include <stdio.h>

struct duckdb_functions db;

// A number of a column: a double, or ±m.
typedef struct {
	bool is_double, negative;
	double x;
	unsigned __int128 m;
} number;

// A column of a chunk.
typedef struct {
	const void *data;
	const uint64_t *validity;
	int type;
	uint8_t scale;
} column;

// column_of returns column i of a chunk. Decimals have the type of their
// integers.
static column column_of(handle chunk, idx_t i) {
	handle vector = db.data_chunk_get_vector(chunk, i);
	handle type = db.vector_get_column_type(vector);
	column c = {db.vector_get_data(vector), db.vector_get_validity(vector), db.get_type_id(type), 0};
	if (c.type == TYPE_DECIMAL) {
		c.type = db.decimal_internal_type(type);
		c.scale = db.decimal_scale(type);
	}
	db.destroy_logical_type(&type);
	return c;
}

static inline number integer(__int128 v) {
	return (number){false, v < 0, 0, v < 0 ? -(unsigned __int128)v : (unsigned __int128)v};
}

// is_number reports whether a type is one of numbers.
static bool is_number(int type) {
	return (type >= TYPE_TINYINT && type <= TYPE_DOUBLE) || type == TYPE_HUGEINT ||
	       type == TYPE_UHUGEINT;
}

// number_at returns number i of a column.
static inline number number_at(const column *c, idx_t i) {
	switch (c->type) {
	case TYPE_TINYINT:
		return integer(((const int8_t *)c->data)[i]);
	case TYPE_SMALLINT:
		return integer(((const int16_t *)c->data)[i]);
	case TYPE_INTEGER:
		return integer(((const int32_t *)c->data)[i]);
	case TYPE_BIGINT:
		return integer(((const int64_t *)c->data)[i]);
	case TYPE_UTINYINT:
		return integer(((const uint8_t *)c->data)[i]);
	case TYPE_USMALLINT:
		return integer(((const uint16_t *)c->data)[i]);
	case TYPE_UINTEGER:
		return integer(((const uint32_t *)c->data)[i]);
	case TYPE_UBIGINT:
		return integer(((const uint64_t *)c->data)[i]);
	case TYPE_HUGEINT: {
		__int128 v;
		memcpy(&v, (const char *)c->data + 16 * i, sizeof v);
		return integer(v);
	}
	case TYPE_UHUGEINT: {
		number n = {0};
		memcpy(&n.m, (const char *)c->data + 16 * i, sizeof n.m);
		return n;
	}
	case TYPE_FLOAT:
		return (number){true, false, ((const float *)c->data)[i], 0};
	}
	return (number){true, false, ((const double *)c->data)[i], 0};
}

static inline void add_number(lb_sum *s, number n) {
	if (n.is_double)
		lb_add(s, n.x);
	else
		lb_add_integer(s, n.negative, n.m);
}

// add_mixed adds the product of a double and an integer, whose zero is +0.
static void add_mixed(lb_sum *s, double x, number n) {
	if (!lb_is_finite(x) || x == 0 || n.m == 0) {
		lb_add_product(s, x, n.m == 0 ? 0 : n.negative ? -1 : 1);
		return;
	}
	int e;
	uint64_t m = lb_significand(x, &e);
	unsigned __int128 lo = (unsigned __int128)(uint64_t)n.m * m;
	unsigned __int128 hi = (unsigned __int128)(uint64_t)(n.m >> 64) * m + (uint64_t)(lo >> 64);
	uint64_t p[3] = {(uint64_t)lo, (uint64_t)hi, (uint64_t)(hi >> 64)};
	s->all++;
	lb_add_wide(s, (x < 0) != n.negative, p, e - LB_UNIT);
}

static inline void add_product(lb_sum *s, number x, number y) {
	if (x.is_double && y.is_double)
		lb_add_product(s, x.x, y.x);
	else if (x.is_double)
		add_mixed(s, x.x, y);
	else if (y.is_double)
		add_mixed(s, y.x, x);
	else
		lb_add_integers(s, x.negative != y.negative, x.m, y.m);
}

static enum lb_kind kind_of(handle info) {
	return (enum lb_kind)(intptr_t)db.aggregate_function_get_extra_info(info);
}

static idx_t state_size(handle info) {
	return kind_of(info) >= LB_VAR_SAMP ? sizeof(lb_state) : sizeof(lb_sum);
}

static void state_init(handle info, handle state) { memset(state, 0, state_size(info)); }

// are_one reports whether all states are the same.
static bool are_one(handle *states, idx_t n) {
	uintptr_t differs = 0;
	for (idx_t i = 0; i < n; i++)
		differs |= (uintptr_t)states[i] ^ (uintptr_t)states[0];
	return !differs;
}

// minBlock is the number of doubles of one state that Go's kernels add faster
// than a loop, with the call of Go.
enum { minBlock = 256 };

// add_doubles adds a column of doubles, each to its state.
static void add_doubles(const double *x, const uint64_t *validity, handle *states, idx_t n) {
	if (!validity && n >= minBlock && are_one(states, n)) {
		lb_sum *s = states[0];
		s->seen = true;
		lbAddBlock(s, (double *)x, n);
		return;
	}
	for (idx_t i = 0; i < n; i++) {
		if (!lb_is_valid(validity, i))
			continue;
		lb_sum *s = states[i];
		s->seen = true;
		lb_add(s, x[i]);
	}
}

// add_products adds the products of two columns of doubles.
static void add_products(const column *x, const column *y, handle *states, idx_t n) {
	const double *a = x->data, *b = y->data;
	if (!x->validity && !y->validity && n >= minBlock && are_one(states, n)) {
		lb_sum *s = states[0];
		s->seen = true;
		lbAddProducts(s, (double *)a, (double *)b, n);
		return;
	}
	for (idx_t i = 0; i < n; i++) {
		if (!lb_is_valid(x->validity, i) || !lb_is_valid(y->validity, i))
			continue;
		lb_sum *s = states[i];
		s->seen = true;
		lb_add_product(s, a[i], b[i]);
	}
}

// add_row adds row i to a state.
static inline void add_row(enum lb_kind kind, lb_state *s, const column *x, const column *y,
                           idx_t i) {
	number v = number_at(x, i);
	s->sum.seen = true;
	s->sum.scale = x->scale;
	switch (kind) {
	case LB_DOT:
		s->sum.scale = x->scale + y->scale;
		add_product(&s->sum, v, number_at(y, i));
		break;
	case LB_NORM:
		add_product(&s->sum, v, v);
		break;
	case LB_VAR_SAMP:
	case LB_VAR_POP:
	case LB_STDDEV:
		add_product(&s->squares, v, v);
		add_number(&s->sum, v);
		break;
	default:
		add_number(&s->sum, v);
	}
}

static const char *const not_numbers =
	"exact aggregates take numbers: FLOAT, DOUBLE, DECIMAL and integers; cast the column";
static const char *const no_scale =
	"a state has no digits after the point: exact_state takes a DECIMAL as CAST(x AS DOUBLE), "
	"which rounds each number, or as integers of units";

static void update(handle info, handle chunk, handle *states) {
	enum lb_kind kind = kind_of(info);
	idx_t n = db.data_chunk_get_size(chunk);
	column x = column_of(chunk, 0), y = {0};
	if (kind == LB_DOT)
		y = column_of(chunk, 1);
	if (x.type == TYPE_SQLNULL || y.type == TYPE_SQLNULL)
		return;
	if (kind == LB_MERGE || (kind == LB_DIGEST && x.type == TYPE_BLOB)) {
		char *error = lbMerge((void *)x.data, (uint64_t *)x.validity, states, n);
		if (error)
			db.aggregate_function_set_error(info, error);
		free(error);
		return;
	}
	if (!is_number(x.type) || (kind == LB_DOT && !is_number(y.type))) {
		db.aggregate_function_set_error(info, not_numbers);
		return;
	}
	if (kind == LB_STATE && x.scale) {
		db.aggregate_function_set_error(info, no_scale);
		return;
	}
	bool plain = kind == LB_SUM || kind == LB_AVG || kind == LB_DIGEST || kind == LB_STATE;
	if (plain && x.type == TYPE_DOUBLE) {
		add_doubles(x.data, x.validity, states, n);
		return;
	}
	if (x.type == TYPE_DOUBLE && (kind == LB_NORM || (kind == LB_DOT && y.type == TYPE_DOUBLE))) {
		add_products(&x, kind == LB_NORM ? &x : &y, states, n);
		return;
	}
	if (kind >= LB_VAR_SAMP && x.type == TYPE_DOUBLE && !x.validity && n >= minBlock &&
	    are_one(states, n)) {
		lb_state *s = states[0];
		s->sum.seen = true;
		lbAddBlock(&s->sum, (double *)x.data, n);
		lbAddProducts(&s->squares, (double *)x.data, (double *)x.data, n);
		return;
	}
	for (idx_t i = 0; i < n; i++)
		if (lb_is_valid(x.validity, i) && lb_is_valid(y.validity, i))
			add_row(kind, states[i], &x, &y, i);
}

static void combine(handle info, handle *source, handle *target, idx_t n) {
	bool two = kind_of(info) >= LB_VAR_SAMP;
	for (idx_t i = 0; i < n; i++) {
		lb_state *from = source[i], *to = target[i];
		lb_merge(&to->sum, &from->sum);
		if (two)
			lb_merge(&to->squares, &from->squares);
	}
}

// rounded returns the sum of a state without a long part, to nearest, ties to
// even.
static double rounded(const lb_sum *s) {
	uint64_t m[3];
	bool negative = lb_magnitude(s, m);
	int n = lb_bits(m);
	if (!n)
		return s->all && s->all == s->neg_zero ? -0.0 : 0.0;
	lb_shift(m, 192 - n);
	int e = s->pos + LB_UNIT + n - 1; // of the leading bit
	int drop = 11 + (e < -1022 ? -1022 - e : 0);
	bool sticky = m[0] | m[1];
	uint64_t top = m[2], q, rest;
	if (drop > 64)
		q = 0, rest = 0;
	else if (drop == 64)
		q = 0, rest = top;
	else
		q = top >> drop, rest = top << (64 - drop);
	if (rest > 1ull << 63 || (rest == 1ull << 63 && (sticky || q & 1)))
		q++;
	if (e > 1023)
		q = 0x7ffull << 52;
	else if (e >= -1022)
		q += (uint64_t)(e + 1022) << 52;
	q |= (uint64_t)negative << 63;
	double x;
	memcpy(&x, &q, sizeof x);
	return x;
}

static void finalize(handle info, handle *source, handle result, idx_t n, idx_t offset) {
	enum lb_kind kind = kind_of(info);
	double *out = db.vector_get_data(result);
	for (idx_t i = 0; i < n; i++) {
		if (((lb_sum *)source[i])->failed) {
			db.aggregate_function_set_error(info, "lastbit: out of memory, or an internal error");
			return;
		}
	}
	if (kind == LB_SUM) {
		idx_t done = 0;
		for (; done < n; done++) {
			lb_sum *s = source[done];
			if (s->spill || s->scale)
				break;
			if (s->seen)
				out[offset + done] = rounded(s);
			else
				lb_put_null(result, offset + done);
		}
		source += done, offset += done, n -= done;
		if (!n)
			return;
	}
	char *error = lbFinish(kind, source, result, out, n, offset);
	if (error)
		db.aggregate_function_set_error(info, error);
	free(error);
}

static void destroy_one(handle *states, idx_t n) {
	for (idx_t i = 0; i < n; i++)
		lb_free(states[i]);
}

static void destroy_two(handle *states, idx_t n) {
	for (idx_t i = 0; i < n; i++) {
		lb_free(&((lb_state *)states[i])->sum);
		lb_free(&((lb_state *)states[i])->squares);
	}
}

static void finish_scalar(handle info, handle chunk, handle result) {
	handle vector = db.data_chunk_get_vector(chunk, 0);
	char *error = lbFinishStates(db.vector_get_data(vector), db.vector_get_validity(vector), result,
	                             db.vector_get_data(result), db.data_chunk_get_size(chunk));
	if (error)
		db.scalar_function_set_error(info, error);
	free(error);
}

// Functions that Go calls.

void lb_get_vector(const lb_sum *s, int64_t *v) { lb_vector(s, v); }

void lb_put_vector(lb_sum *s, const int64_t *v) { lb_add_vector(s, v); }

void lb_put_null(handle result, idx_t row) {
	db.vector_ensure_validity_writable(result);
	db.vector_get_validity(result)[row / 64] &= ~(1ull << (row % 64));
}

void lb_put_text(handle result, idx_t row, const void *text, idx_t length) {
	db.vector_assign_string_element_len(result, row, text, length);
}

// Registration.

static const struct {
	const char *name;
	enum lb_kind kind;
	int parameters, parameter, result;
} aggregates[] = {
	{"exact_sum", LB_SUM, 1, TYPE_ANY, TYPE_DOUBLE},
	{"exact_avg", LB_AVG, 1, TYPE_ANY, TYPE_DOUBLE},
	{"exact_dot", LB_DOT, 2, TYPE_ANY, TYPE_DOUBLE},
	{"exact_norm", LB_NORM, 1, TYPE_ANY, TYPE_DOUBLE},
	{"exact_digest", LB_DIGEST, 1, TYPE_ANY, TYPE_VARCHAR},
	{"exact_state", LB_STATE, 1, TYPE_ANY, TYPE_BLOB},
	{"exact_merge", LB_MERGE, 1, TYPE_BLOB, TYPE_BLOB},
	{"exact_var_samp", LB_VAR_SAMP, 1, TYPE_ANY, TYPE_DOUBLE},
	{"exact_var_pop", LB_VAR_POP, 1, TYPE_ANY, TYPE_DOUBLE},
	{"exact_stddev", LB_STDDEV, 1, TYPE_ANY, TYPE_DOUBLE},
};

static bool register_aggregate(handle connection, size_t i) {
	handle f = db.create_aggregate_function();
	handle parameter = db.create_logical_type(aggregates[i].parameter);
	handle result = db.create_logical_type(aggregates[i].result);
	db.aggregate_function_set_name(f, aggregates[i].name);
	for (int k = 0; k < aggregates[i].parameters; k++)
		db.aggregate_function_add_parameter(f, parameter);
	db.aggregate_function_set_return_type(f, result);
	db.aggregate_function_set_extra_info(f, (void *)(intptr_t)aggregates[i].kind, NULL);
	db.aggregate_function_set_functions(f, state_size, state_init, update, combine, finalize);
	db.aggregate_function_set_destructor(
		f, aggregates[i].kind >= LB_VAR_SAMP ? destroy_two : destroy_one);
	int failed = db.register_aggregate_function(connection, f);
	db.destroy_logical_type(&parameter);
	db.destroy_logical_type(&result);
	db.destroy_aggregate_function(&f);
	return !failed;
}

static bool register_finish(handle connection) {
	handle f = db.create_scalar_function();
	handle blob = db.create_logical_type(TYPE_BLOB), number = db.create_logical_type(TYPE_DOUBLE);
	db.scalar_function_set_name(f, "exact_finish");
	db.scalar_function_add_parameter(f, blob);
	db.scalar_function_set_return_type(f, number);
	db.scalar_function_set_function(f, finish_scalar);
	int failed = db.register_scalar_function(connection, f);
	db.destroy_logical_type(&blob);
	db.destroy_logical_type(&number);
	db.destroy_scalar_function(&f);
	return !failed;
}

// lastbit_init_c_api is what DuckDB calls when it loads the extension.
bool lastbit_init_c_api(handle info, struct duckdb_extension_access *access) {
	void *const *api = access->get_api(info, LB_API_VERSION);
	if (!api) {
		access->set_error(info, "lastbit needs a DuckDB with the C extension API " LB_API_VERSION
		                        ": DuckDB 1.2.0 or newer");
		return false;
	}
#define TAKE(place, result, name, parameters) db.name = (result(*) parameters)api[place];
	FUNCTIONS(TAKE)
	handle connection;
	if (db.connect(*access->get_database(info), &connection)) {
		access->set_error(info, "lastbit cannot connect to the database");
		return false;
	}
	bool ok = register_finish(connection);
	for (size_t i = 0; ok && i < sizeof aggregates / sizeof *aggregates; i++)
		ok = register_aggregate(connection, i);
	db.disconnect(&connection);
	if (!ok)
		access->set_error(info, "lastbit cannot register its functions");
	return ok;
}
