import type { AuditEntry } from '../../contract/audit.ts';
import type { Client } from '../../contract/client.ts';
import { decimalsOf } from '../../contract/currencies.ts';
import type { QueryOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { type IdentifierKind, kindOfId } from '../../contract/identifiers.ts';
import { renderDecimal } from '../../text/numbers.ts';
import { foldText, toNameKey, toSearchTerms, toWords } from '../../text/search-text.ts';
import type { AuditEntryWithValues, AuditTarget } from '../db/audit/entries.ts';
import {
  type AuditFilters,
  type NamedKind,
  readActors,
  readArchives,
  readAuditPage,
  readNames,
  readOtherRecords,
  readTextsByIds,
} from '../db/audit/entry-pages.ts';
import type { Reader } from '../db/engine.ts';
import { collections, recordNames } from '../db/record-rows.ts';
import { authorize } from './authorization.ts';
import { listClients } from './clients.ts';
import type { Context } from './context.ts';
import { cutPage, type PageOfRecords, parsePaging, toDataJson } from './list-page.ts';
import { assertStorableQuery, assertValidQuery, parseBound } from './validation.ts';

/** One page of the account's audit log, oldest first unless sorted. Throws `invalid_parameter`. */
export async function listAuditLog(context: Context, query: QueryOf<'listAuditLog'>): Promise<PageOfRecords> {
  const { entries, ...page } = await readAuditEntries(context, query);
  return { ...page, count: entries.length, dataJson: toDataJson(entries) };
}

/** Reads entries of the audit log. Throws `permission_denied`, `insufficient_scope` and `invalid_parameter`. */
export async function readAuditEntries(
  { database, caller }: Pick<Context, 'database' | 'caller'>,
  query: QueryOf<'listAuditLog'>,
) {
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

async function addNames(reader: Reader, accountId: string, entries: readonly AuditEntry[]) {
  const mentioned = entries.map(findMentioned);
  const people = entries.flatMap(({ actor }) => (actor.type === 'user' ? (actor.id ?? []) : []));
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
  const fromMs = parseBound('from', from, violations);
  const toMs = parseBound('to', to, violations);
  const targets: AuditTarget[] = [];
  if (actor !== undefined) targets.push({ kind: 'actor', id: actor });
  if (record !== undefined) targets.push({ kind: 'record', id: record });
  if (client !== undefined) targets.push({ kind: 'client', id: client });
  const actions = action?.split(',').map((one) => {
    if (!actionPattern.test(one)) {
      const detail = `action "${one}" is not an action, such as client.updated or client.*.`;
      violations.push({ parameter: 'action', code: 'invalid_format', detail });
    }
    return one.endsWith('.*') ? { resource: one.slice(0, -2) } : { equals: one };
  });
  assertValidQuery(violations);
  return { targets, fromMs, toMs, actions };
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

/** Somebody or something that entries can be found by. */
export interface AuditMatch {
  readonly id: string;
  readonly name: string;
  readonly kind: IdentifierKind | undefined;
  /** What tells equal names apart: an email address or phone number. */
  readonly detail?: string | undefined;
}

/** At most this many are offered; for one that is not among them, people type more. */
const maxMatches = 10;
const maxTyped = 200;

/**
 * The people, API keys and apps, and for `record` the clients, stylists and webhooks, too, that a typed name, email
 * address, phone number or ID means. Only those with exactly this name or address, if there are any.
 */
export async function findAuditMatches(
  context: Context,
  typed: string,
  part: 'actor' | 'record',
): Promise<AuditMatch[]> {
  const { database, caller } = context;
  authorize(caller, 'listAuditLog');
  const accountId = caller.account.id;
  const kind = kindOfId(typed);
  if (kind !== undefined) {
    const name = (await readRecordNames(database.reader, accountId, [typed])).get(typed);
    return [{ id: typed, name: name ?? typed, kind }];
  }
  if (foldText(typed) === '' || typed.length > maxTyped) return [];
  const candidates = (await readActors(database.reader, accountId)).map(({ id, name, email }) =>
    toMatch(id, name || email || id, email),
  );
  if (part === 'record') {
    for (const text of await readOtherRecords(database.reader, accountId)) {
      const record = JSON.parse(text);
      candidates.push(toMatch(record.id, toRecordName(record) || record.id, record.url ?? record.email));
    }
  }
  const terms = toSearchTerms(typed);
  const fitting = candidates.filter(({ name, detail }) => {
    const text = ` ${toWords(name).join(' ')} ${foldText(detail ?? '')}`;
    // The start of a word is enough, not its middle.
    return terms.every((spellings) => spellings.some((one) => text.includes(` ${one}`)));
  });
  const found = [...(part === 'record' ? await findClients(context, typed) : []), ...fitting];
  const exact = found.filter((match) => isExact(match, typed));
  return (exact.length > 0 ? exact : found).slice(0, maxMatches);
}

async function findClients(context: Context, typed: string): Promise<AuditMatch[]> {
  const { dataJson } = await listClients(context, { q: typed, per_page: maxMatches });
  const clients: Client[] = JSON.parse(dataJson.toString());
  return clients.map((client) =>
    toMatch(client.id, toRecordName({ ...client }) || client.id, client.email ?? client.phone),
  );
}

function toMatch(id: string, name: string, detail: string | null | undefined): AuditMatch {
  return { id, name, kind: kindOfId(id), detail: detail === name ? undefined : (detail ?? undefined) };
}

function isExact({ name, detail }: AuditMatch, typed: string): boolean {
  return (
    toNameKey(name) === toNameKey(typed) || (detail !== undefined && foldText(detail) === foldText(typed))
  );
}

const others: readonly NamedKind[] = ['user', 'api_key', 'oauth_client', 'invitation', 'account', 'grant'];

/** The IDs that an entry mentions. */
function findMentioned({ record_id, client_id, before, after, details }: AuditEntry): string[] {
  const values = [before, after, details].flatMap((fields) => Object.values(fields ?? {}));
  return [record_id, client_id, ...values].filter(
    (one): one is string => typeof one === 'string' && kindOfId(one) !== undefined,
  );
}

/**
 * The names by ID that records of an account have now, with one query for each kind. Those that no longer exist have
 * none.
 */
export async function readRecordNames(reader: Reader, accountId: string, ids: Iterable<string>) {
  const names = new Map<string, string>();
  for (const [kind, found] of Map.groupBy(new Set(ids), kindOfId)) {
    for (const { id, name } of await readNamesOf(reader, kind, { accountId, ids: found })) {
      if (name) names.set(id, name);
    }
  }
  return names;
}

async function readNamesOf(
  reader: Reader,
  kind: IdentifierKind | undefined,
  request: { accountId: string; ids: readonly string[] },
): Promise<readonly { id: string; name: string | null }[]> {
  const other = others.find((one) => one === kind);
  if (other !== undefined) return readNames(reader, other, request);
  const collection = collections.find((one) => recordNames[one] === kind);
  if (collection === undefined) return [];
  const texts = await readTextsByIds(reader, collection, request);
  const records: Row[] = texts.map((text) => JSON.parse(text));
  if (kind === 'client' && records.length < request.ids.length) {
    records.push(...(await readArchives(reader, request)).map((text) => JSON.parse(text).from));
  }
  return records.map((record) => ({ id: String(record['id']), name: toRecordName(record) }));
}

type Row = Readonly<Record<string, unknown>>;

/** What people call a record: its name, service, amount or address. Empty if it has none. */
function toRecordName(record: Row): string {
  const text = (key: string) => (typeof record[key] === 'string' ? record[key].trim() : '');
  const decimals = decimalsOf(text('currency'));
  if (typeof record['amount'] === 'number' && decimals !== undefined) {
    return `${renderDecimal(record['amount'], decimals)} ${text('currency')}`;
  }
  const person = text('display_name') || [text('first_name'), text('last_name')].filter(Boolean).join(' ');
  return person || text('service') || text('description') || text('url') || text('email') || text('phone');
}
