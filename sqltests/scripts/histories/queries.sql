-- name: current
SELECT account_id, session_start, session_end, session_state, revision, event_count, amount, ids
  FROM s ORDER BY account_id, session_start

-- name: changes
SELECT dense_rank() OVER (ORDER BY commit), weight, account_id, session_start, session_end, revision, event_count, amount
  FROM s_changes ORDER BY commit, weight, account_id, session_start

-- name: revisions
SELECT account_id, session_start, change, revision, len(supersedes)
  FROM s_revisions ORDER BY published_commit, account_id, session_start

-- name: rejected
SELECT event_id, account_id, event_at, reason FROM s_rejected ORDER BY event_id, account_id, event_at, reason

-- name: duplicates
SELECT duplicates FROM sessiondb.views WHERE view_name = 's'

-- name: differences
SELECT count(*) FROM sessiondb.verify('s')
