import type { KeyUse } from '../../../contract/api-key.ts';
import type { Reader, Writer } from '../engine.ts';
import type { RateWindow } from './accounts.ts';

/** How many requests of an hour were sent with an API key, a grant or the secret of an OAuth client. */
export interface RequestCount {
  account_id: string;
  window_start: number;
  credential_id: string;
  requests: number;
  /** When the last one was counted, in Unix milliseconds. */
  last_ms: number;
}

/** Adds to the counts that all processes share. */
export async function saveCounts(tx: Writer, counts: readonly RequestCount[]): Promise<void> {
  const text = `insert into request_counts (account_id, window_start, credential_id, requests, last_ms)
    values (?, ?, ?, ?, ?) on conflict (account_id, window_start, credential_id)
    do update set requests = request_counts.requests + excluded.requests, last_ms = excluded.last_ms`;
  const toValues = (count: RequestCount) =>
    [count.account_id, count.window_start, count.credential_id, count.requests, count.last_ms] as const;
  // In one order, so that processes do not wait for each other.
  for (const values of counts.map(toValues).sort()) await tx.run(text, values);
}

/** `last_ms` is null for a key that was never used. */
type CountedUse = Omit<KeyUse, 'last_used_at'> & { readonly last_ms: number | null };

/**
 * What has sent requests in an hour, and all keys that are active now (RFC 3339); most requests first. A built-in app has
 * no row, so its name is given.
 */
export function readUses(
  reader: Reader,
  { accountId, start }: RateWindow,
  { now, builtInApp }: { readonly now: string; readonly builtInApp: string },
) {
  const text = `
    with used as (select * from request_counts where account_id = ? and window_start = ?),
    shown as (select credential_id as id from used union select id from api_keys
      where account_id = ? and revoked_at is null and (expires_at is null or expires_at > ?)),
    known as (select shown.id, k.name as key_name, k.prefix, coalesce(k.role, m.role, c.role) as role,
        coalesce(c.name, case when g.id is not null then ? end) as app, c.name as app_name, k.last_used_ms,
        coalesce(nullif(u.name, ''), u.email) as person
      from shown
      left join api_keys as k on k.id = shown.id
      left join oauth_grants as g on g.id in (shown.id, k.created_with)
      left join oauth_clients as c on c.id in (shown.id, k.created_with, g.client_id)
      left join users as u on u.id = coalesce(g.user_id, k.created_by)
      left join memberships as m on m.account_id = g.account_id and m.user_id = g.user_id and m.ended_at is null)
    select known.id, case when key_name is not null then 'api_key' when app_name is not null then 'app'
        when app is not null then 'sign_in' else 'removed' end as kind,
      coalesce(key_name, app_name, person) as name, prefix, role, app, person,
      coalesce(used.last_ms, last_used_ms) as last_ms, coalesce(used.requests, 0) as requests
    from known left join used on used.credential_id = known.id
    order by requests desc, name, known.id`;
  return reader.run<CountedUse>(text, [accountId, start, accountId, now, builtInApp]);
}
