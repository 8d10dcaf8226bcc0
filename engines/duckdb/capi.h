// The part of DuckDB's C extension API, version v1.2.0, that this extension
// calls. DuckDB passes a table of function pointers to an extension; a stable
// version only ever grows at its end. TestSlots holds the places of these
// functions against the names that a DuckDB gives them.

#ifndef LASTBIT_CAPI_H
#define LASTBIT_CAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LB_API_VERSION "v1.2.0"

typedef uint64_t idx_t;
typedef void *handle; // of DuckDB's own types

// A string of 16 bytes: up to 12 bytes beside the length, else a prefix of 4
// and a pointer.
typedef struct {
	uint32_t length;
	char prefix[4];
	const char *pointer;
} duckdb_text;

struct duckdb_extension_access {
	void (*set_error)(handle info, const char *error);
	handle *(*get_database)(handle info);
	const void *(*get_api)(handle info, const char *version);
};

typedef idx_t (*size_function)(handle info);
typedef void (*init_function)(handle info, handle state);
typedef void (*update_function)(handle info, handle chunk, handle *states);
typedef void (*combine_function)(handle info, handle *source, handle *target, idx_t count);
typedef void (*finalize_function)(handle info, handle *source, handle result, idx_t count,
                                  idx_t offset);
typedef void (*destroy_function)(handle *states, idx_t count);
typedef void (*scalar_function)(handle info, handle chunk, handle result);

// FUNCTIONS lists place, result, name without duckdb_, parameters.
#define FUNCTIONS(F) \
	F(3, int, connect, (handle database, handle *out)) \
	F(6, void, disconnect, (handle * connection)) \
	F(156, handle, create_logical_type, (int type)) \
	F(166, int, get_type_id, (handle type)) \
	F(168, uint8_t, decimal_scale, (handle type)) \
	F(169, int, decimal_internal_type, (handle type)) \
	F(184, void, destroy_logical_type, (handle * type)) \
	F(190, handle, data_chunk_get_vector, (handle chunk, idx_t column)) \
	F(191, idx_t, data_chunk_get_size, (handle chunk)) \
	F(193, handle, vector_get_column_type, (handle vector)) \
	F(194, void *, vector_get_data, (handle vector)) \
	F(195, uint64_t *, vector_get_validity, (handle vector)) \
	F(196, void, vector_ensure_validity_writable, (handle vector)) \
	F(198, void, vector_assign_string_element_len, \
	  (handle vector, idx_t index, const char *text, idx_t length)) \
	F(209, handle, create_scalar_function, (void)) \
	F(210, void, destroy_scalar_function, (handle * function)) \
	F(211, void, scalar_function_set_name, (handle function, const char *name)) \
	F(215, void, scalar_function_add_parameter, (handle function, handle type)) \
	F(216, void, scalar_function_set_return_type, (handle function, handle type)) \
	F(218, void, scalar_function_set_function, (handle function, scalar_function body)) \
	F(219, int, register_scalar_function, (handle connection, handle function)) \
	F(221, void, scalar_function_set_error, (handle info, const char *error)) \
	F(226, handle, create_aggregate_function, (void)) \
	F(227, void, destroy_aggregate_function, (handle * function)) \
	F(228, void, aggregate_function_set_name, (handle function, const char *name)) \
	F(229, void, aggregate_function_add_parameter, (handle function, handle type)) \
	F(230, void, aggregate_function_set_return_type, (handle function, handle type)) \
	F(231, void, aggregate_function_set_functions, \
	  (handle function, size_function size, init_function init, update_function update, \
	   combine_function combine, finalize_function finalize)) \
	F(232, void, aggregate_function_set_destructor, (handle function, destroy_function destroy)) \
	F(233, int, register_aggregate_function, (handle connection, handle function)) \
	F(235, void, aggregate_function_set_extra_info, \
	  (handle function, void *extra, void (*destroy)(void *))) \
	F(236, void *, aggregate_function_get_extra_info, (handle info)) \
	F(237, void, aggregate_function_set_error, (handle info, const char *error))

// db has the functions of FUNCTIONS, from the table that DuckDB passed.
#define MEMBER(place, result, name, parameters) result(*name) parameters;
extern struct duckdb_functions { FUNCTIONS(MEMBER) } db;

// Types of columns.
enum {
	TYPE_BOOLEAN = 1,
	TYPE_TINYINT = 2,
	TYPE_SMALLINT = 3,
	TYPE_INTEGER = 4,
	TYPE_BIGINT = 5,
	TYPE_UTINYINT = 6,
	TYPE_USMALLINT = 7,
	TYPE_UINTEGER = 8,
	TYPE_UBIGINT = 9,
	TYPE_FLOAT = 10,
	TYPE_DOUBLE = 11,
	TYPE_HUGEINT = 16,
	TYPE_VARCHAR = 17,
	TYPE_BLOB = 18,
	TYPE_DECIMAL = 19,
	TYPE_UHUGEINT = 32,
	TYPE_ANY = 34,
	TYPE_SQLNULL = 36,
};

// lb_is_valid reports whether a row is not NULL. No mask means that none is.
static inline bool lb_is_valid(const uint64_t *validity, idx_t i) {
	return !validity || (validity[i / 64] >> (i % 64) & 1);
}

#endif
