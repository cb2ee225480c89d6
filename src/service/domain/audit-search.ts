import type { Client } from '../../contract/client.ts';
import { type IdentifierKind, kindOfId } from '../../contract/identifiers.ts';
import { foldText, toNameKey, toSearchTerms, toWords } from '../../contract/search-text.ts';
import { readActors, readOtherRecords } from '../db/audit/pages.ts';
import { readRecordNames, toRecordName } from './audit-names.ts';
import { authorize } from './authorization.ts';
import { listClients } from './clients.ts';
import type { Context } from './context.ts';

/** Somebody or something that entries can be found by. */
export interface AuditMatch {
  readonly id: string;
  readonly name: string;
  readonly kind: IdentifierKind | undefined;
  /** What tells equal names apart: an email address or phone number. */
  readonly detail?: string | undefined;
}

/** At most this many are offered; who looks for one of more types more. */
const maxMatches = 10;
const maxTyped = 200;

/**
 * The people, API keys and apps, and for `record` the clients, stylists and webhooks, too, that a typed name, email
 * address, phone number or ID means. Only those with exactly this name or address, if there are any.
 */
export async function findAuditMatches(
  context: Context,
  typed: string,
  role: 'actor' | 'record',
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
  if (role === 'record') {
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
  const found = [...(role === 'record' ? await findClients(context, typed) : []), ...fitting];
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
