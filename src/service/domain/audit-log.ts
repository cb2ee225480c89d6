import type { AuditEntry } from '../../contract/audit.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import type { AuditEntryWithValues, AuditTarget } from '../db/audit/entries.ts';
import { type AuditFilters, readAuditPage } from '../db/audit/pages.ts';
import type { Reader } from '../db/engine.ts';
import { findMentioned, readRecordNames } from './audit-names.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { cutPage, type PageOfRecords, parsePaging, toDataJson } from './list-page.ts';
import { assertStorableQuery, assertValidQuery, parseRangeBound } from './validation.ts';

/** One page of the account's audit log, oldest first unless sorted. Throws `invalid_parameter`. */
export async function listAuditLog(context: Context, query: QueryOf<'listAuditLog'>): Promise<PageOfRecords> {
  const { entries, ...page } = await readAuditEntries(context, query);
  return { ...page, count: entries.length, dataJson: toDataJson(entries) };
}

/** A page of the audit log as records. */
export interface AuditLogPage extends Pick<PageOfRecords, 'page' | 'perPage' | 'total' | 'next'> {
  readonly entries: readonly AuditEntry[];
}

/** Reads entries of the audit log. Throws `permission_denied`, `insufficient_scope` and `invalid_parameter`. */
export async function readAuditEntries(
  { database, caller }: Pick<Context, 'database' | 'caller'>,
  query: QueryOf<'listAuditLog'>,
): Promise<AuditLogPage> {
  authorize(caller, 'listAuditLog');
  assertStorableQuery(query);
  const accountId = caller.account.id;
  const paging = parsePaging([accountId, 'audit-log'], query);
  const found = await readAuditPage(database.scan(accountId), {
    ...{ accountId, from: paging.from, filters: toFilters(query) },
    isDescending: query.sort === '-created_at',
    limit: paging.perPage + 1,
  });
  const { shown, ...page } = cutPage(paging, found, ({ seq }) => ({ value: seq, seq }));
  return { ...page, entries: await addNames(database.reader, accountId, shown.map(toAuditEntry)) };
}

async function addNames(
  reader: Reader,
  accountId: string,
  entries: readonly AuditEntry[],
): Promise<AuditEntry[]> {
  const mentioned = entries.map(findMentioned);
  const people = entries.flatMap(({ actor }) =>
    actor.type === 'user' && actor.id !== null ? [actor.id] : [],
  );
  const names = await readRecordNames(reader, accountId, [...mentioned.flat(), ...people]);
  return entries.map((entry, index) => {
    const { actor } = entry;
    const name = actor.type === 'user' ? (names.get(actor.id ?? '') ?? null) : actor.name;
    const own = (mentioned[index] ?? []).flatMap((id) => {
      const found = names.get(id);
      return found === undefined ? [] : [[id, found] as const];
    });
    return { ...entry, actor: { ...actor, name }, names: Object.fromEntries(own) };
  });
}

const actionPattern = /^[a-z_]+\.(?:[a-z_]+|\*)$/;

function toFilters({ actor, record, client, action, from, to }: QueryOf<'listAuditLog'>): AuditFilters {
  const violations: Violation[] = [];
  const parse = (name: 'from' | 'to', text: string | undefined) => {
    const ms = text === undefined ? undefined : parseRangeBound(text, name === 'from' ? 'begin' : 'end');
    if (text !== undefined && ms === undefined) {
      const detail = `${name} must be an RFC 3339 time with a time zone, or a date.`;
      violations.push({ parameter: name, code: 'invalid_format', detail });
    }
    return ms;
  };
  const targets: AuditTarget[] = [];
  if (actor !== undefined) targets.push({ kind: 'actor', id: actor });
  if (record !== undefined) targets.push({ kind: 'record', id: record });
  if (client !== undefined) targets.push({ kind: 'client', id: client });
  const filters = {
    ...{ targets, fromMs: parse('from', from), toMs: parse('to', to) },
    actions: action?.split(',').map((one) => {
      if (!actionPattern.test(one)) {
        const detail = `action "${one}" is not an action, such as client.updated or client.*.`;
        violations.push({ parameter: 'action', code: 'invalid_format', detail });
      }
      const family = one.endsWith('.*') ? one.slice(0, -2) : undefined;
      return family === undefined ? { equals: one } : { resource: family };
    }),
  };
  assertValidQuery(violations);
  return filters;
}

/** An entry as the API shows it, without names. */
function toAuditEntry(row: AuditEntryWithValues): AuditEntry {
  const plain = JSON.parse(row.changes ?? '{}');
  const personal = JSON.parse(row.body ?? '{}');
  const join = (name: 'before' | 'after') =>
    plain[name] === undefined && personal[name] === undefined ? null : { ...plain[name], ...personal[name] };
  return {
    id: row.id,
    seq: row.seq,
    created_at: new Date(row.at_ms).toISOString(),
    action: row.action,
    resource: row.resource,
    record_id: row.record_id,
    client_id: row.client_id,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    via:
      row.via_type === null || row.via_id === null
        ? null
        : { type: row.via_type, id: row.via_id, name: row.via_name },
    address: row.address,
    request_id: row.request_id,
    before: join('before'),
    after: join('after'),
    details: plain.details ?? null,
    names: {},
    erased: row.values_digest !== null && (row.body ?? null) === null,
    hash: row.hash,
  };
}
