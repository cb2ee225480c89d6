import type { Role } from '../../../contract/roles.ts';
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

/** What has sent requests, and what there is to know about it. */
export interface CountedUseRow extends Pick<RequestCount, 'requests'> {
  readonly id: string;
  readonly last_ms: number | null;
  /** Null for what is no API key. */
  readonly key_name: string | null;
  readonly prefix: string | null;
  readonly role: Role | null;
  /** The grant that it is, or that created the key. */
  readonly grant_id: string | null;
  readonly app_name: string | null;
  readonly person: string | null;
}

/** What has sent requests in an hour, and all keys that are active now (RFC 3339); most requests first. */
export function readUses(reader: Reader, { accountId, start }: RateWindow, now: string) {
  const text = `
    with used as (select * from request_counts where account_id = ? and window_start = ?),
    shown as (select credential_id as id from used union select id from api_keys
      where account_id = ? and revoked_at is null and (expires_at is null or expires_at > ?))
    select shown.id, coalesce(used.requests, 0) as requests, coalesce(used.last_ms, k.last_used_ms) as last_ms,
      k.name as key_name, k.prefix, coalesce(k.role, m.role, c.role) as role, g.id as grant_id, c.name as app_name,
      coalesce(nullif(u.name, ''), u.email) as person
    from shown
    left join used on used.credential_id = shown.id
    left join api_keys as k on k.id = shown.id
    left join oauth_grants as g on g.id in (shown.id, k.created_with)
    left join oauth_clients as c on c.id in (shown.id, k.created_with, g.client_id)
    left join users as u on u.id = coalesce(g.user_id, k.created_by)
    left join memberships as m on m.account_id = g.account_id and m.user_id = g.user_id and m.ended_at is null
    order by requests desc, coalesce(k.name, c.name, u.name), shown.id`;
  return reader.run<CountedUseRow>(text, [accountId, start, accountId, now]);
}
