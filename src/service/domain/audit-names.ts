import { type IdentifierKind, kindOfId } from '../../contract/identifiers.ts';
import { decimalsOf, renderDecimal } from '../../contract/numbers.ts';
import { type NamedKind, readArchives, readNames, readRecordTexts } from '../db/audit/pages.ts';
import type { Reader } from '../db/engine.ts';
import type { CollectionName } from '../db/record-rows.ts';

/** An entry of which the records are to be named. */
interface Mentions {
  readonly record_id: string | null;
  readonly client_id: string | null;
  readonly before: object | null;
  readonly after: object | null;
  readonly details: object | null;
}

/** Names of records by ID. */
export type RecordNames = ReadonlyMap<string, string>;

const collections: Partial<Record<IdentifierKind, CollectionName>> = {
  client: 'clients',
  appointment: 'appointments',
  stylist: 'stylists',
  payment: 'payments',
  webhook: 'webhooks',
};

const others: readonly NamedKind[] = ['user', 'api_key', 'oauth_client', 'invitation', 'account', 'grant'];

/** The IDs that an entry mentions. */
export function findMentioned({ record_id, client_id, before, after, details }: Mentions): string[] {
  const values = [before, after, details].flatMap((fields) => Object.values(fields ?? {}));
  return [record_id, client_id, ...values].filter(
    (one): one is string => typeof one === 'string' && kindOfId(one) !== undefined,
  );
}

/** The names that records of an account have now, with one query for each kind. Those that no longer exist have none. */
export async function readRecordNames(
  reader: Reader,
  accountId: string,
  ids: Iterable<string>,
): Promise<RecordNames> {
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
  const collection = kind === undefined ? undefined : collections[kind];
  if (collection === undefined) return [];
  const texts = await readRecordTexts(reader, collection, request);
  const records: Row[] = texts.map((text) => JSON.parse(text));
  if (kind === 'client' && records.length < request.ids.length) {
    records.push(...(await readArchives(reader, request)).map((text) => JSON.parse(text).from));
  }
  return records.map((record) => ({ id: String(record['id']), name: toRecordName(record) }));
}

type Row = Readonly<Record<string, unknown>>;

/** What people call a record: its name, service, amount or address. Empty if it has none. */
export function toRecordName(record: Row): string {
  const text = (key: string) => (typeof record[key] === 'string' ? record[key].trim() : '');
  const decimals = decimalsOf(text('currency'));
  if (typeof record['amount'] === 'number' && decimals !== undefined) {
    return `${renderDecimal(record['amount'], decimals)} ${text('currency')}`;
  }
  const person = text('display_name') || [text('first_name'), text('last_name')].filter(Boolean).join(' ');
  return person || text('service') || text('description') || text('url') || text('email') || text('phone');
}
