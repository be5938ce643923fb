package planner

import "strings"

// settingDefaults are the parameters that there are, with their values in a
// new session. A parameter with a dot in its name need not be among them.
func settingDefaults() map[string]string {
	defaults := map[string]string{
		"application_name": "", "array_nulls": "on", "backslash_quote": "safe_encoding", "block_size": "8192", "bytea_output": "hex",
		"check_function_bodies": "on", "client_encoding": "UTF8", "client_min_messages": "notice", "datestyle": "ISO, MDY",
		"default_table_access_method": "heap", "default_tablespace": "", "default_text_search_config": "pg_catalog.english",
		"default_transaction_deferrable": "off", "default_transaction_isolation": "read committed", "default_transaction_read_only": "off",
		"extra_float_digits": "1", "hot_standby": "on", "idle_in_transaction_session_timeout": "0", "idle_session_timeout": "0",
		"in_hot_standby": "off", "integer_datetimes": "on", "intervalstyle": "postgres", "is_superuser": "on", "lc_collate": "C.UTF-8",
		"lc_ctype": "C.UTF-8", "lc_messages": "C.UTF-8", "lc_monetary": "C.UTF-8", "lc_numeric": "C.UTF-8", "lc_time": "C.UTF-8",
		"lock_timeout": "0", "max_connections": "100", "max_identifier_length": "63", "max_index_keys": "32",
		"password_encryption": "scram-sha-256", "quote_all_identifiers": "off", "role": "none", "row_security": "on",
		"search_path": `"$user", public`, "server_encoding": "UTF8", "server_version": ServerVersion, "server_version_num": "150014",
		"session_authorization": "", "session_replication_role": "origin", "ssl": "off", "standard_conforming_strings": "on",
		"statement_timeout": "0", "synchronize_seqscans": "on", "synchronous_commit": "on", "temp_tablespaces": "", "timezone": defaultZone,
		"transaction_deferrable": "off", "transaction_isolation": "read committed", "transaction_read_only": "off",
		"transform_null_equals": "off", "wal_level": "replica", "xmloption": "content",
	}
	for line := range strings.FieldsSeq(tuning) {
		name, value, _ := strings.Cut(line, "=")
		defaults[name] = value
	}
	return defaults
}

// defaultZone is the time zone of a new session.
const defaultZone = "UTC"

// tuning are the settings that clients change to make PostgreSQL faster or
// more talkative. They mean nothing here and are kept.
const tuning = `
backend_flush_after=0 client_connection_check_interval=0 commit_siblings=5 constraint_exclusion=partition cpu_index_tuple_cost=0.005
cpu_operator_cost=0.0025 cpu_tuple_cost=0.01 cursor_tuple_fraction=0.1 debug_pretty_print=on debug_print_parse=off debug_print_plan=off
debug_print_rewritten=off default_statistics_target=100 default_toast_compression=pglz effective_cache_size=4GB effective_io_concurrency=1
enable_async_append=on enable_bitmapscan=on enable_gathermerge=on enable_hashagg=on enable_hashjoin=on enable_incremental_sort=on
enable_indexonlyscan=on enable_indexscan=on enable_material=on enable_memoize=on enable_mergejoin=on enable_nestloop=on
enable_parallel_append=on enable_parallel_hash=on enable_partition_pruning=on enable_partitionwise_aggregate=off
enable_partitionwise_join=off enable_seqscan=on enable_sort=on enable_tidscan=on escape_string_warning=on exit_on_error=off
force_parallel_mode=off from_collapse_limit=8 geqo=on geqo_effort=5 geqo_generations=0 geqo_pool_size=0 geqo_seed=0 geqo_selection_bias=2
geqo_threshold=12 gin_fuzzy_search_limit=0 gin_pending_list_limit=4MB hash_mem_multiplier=2 jit=off jit_above_cost=100000
jit_expressions=on jit_inline_above_cost=500000 jit_optimize_above_cost=500000 jit_tuple_deforming=on join_collapse_limit=8
log_parameter_max_length_on_error=0 logical_decoding_work_mem=64MB maintenance_io_concurrency=10 maintenance_work_mem=64MB
max_parallel_maintenance_workers=2 max_parallel_workers=8 max_parallel_workers_per_gather=2 min_parallel_index_scan_size=512kB
min_parallel_table_scan_size=8MB parallel_leader_participation=on parallel_setup_cost=1000 parallel_tuple_cost=0.1 plan_cache_mode=auto
random_page_cost=4 recursive_worktable_factor=10 seq_page_cost=1 stats_fetch_consistency=cache tcp_keepalives_count=0 tcp_keepalives_idle=0
tcp_keepalives_interval=0 tcp_user_timeout=0 temp_buffers=8MB trace_notify=off trace_sort=off vacuum_cost_delay=0 vacuum_cost_limit=200
vacuum_cost_page_dirty=20 vacuum_cost_page_hit=1 vacuum_cost_page_miss=2 vacuum_failsafe_age=1600000000 vacuum_freeze_min_age=50000000
vacuum_freeze_table_age=150000000 vacuum_multixact_failsafe_age=1600000000 vacuum_multixact_freeze_min_age=5000000
vacuum_multixact_freeze_table_age=150000000 work_mem=4MB
`
