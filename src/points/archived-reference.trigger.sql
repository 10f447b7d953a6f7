-- The stored hash of the reference of an archived ledger entry. It must never change: stored hashes depend on it.
CREATE OR REPLACE FUNCTION reference_hash(environment "Environment", event_type text, reference text) RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT encode(substr(sha256(convert_to(environment::text || ' ' || length(event_type) || ' ' || event_type || reference,
    'UTF8')), 1, 16), 'hex')::uuid
$$;
