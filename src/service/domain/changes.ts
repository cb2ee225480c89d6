import { hash } from 'node:crypto';
import { type Change, type ChangeKind, changeKinds } from '../../contract/changes.ts';
import type { Operation, QueryOf, ResponseOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { type EntryWithRecord, readChainEnds, readEntriesWithRecords } from '../db/audit/changes.ts';
import { type ChainHead, readChainEnd, readCheckpoint } from '../db/audit/entries.ts';
import { collections } from '../db/record-rows.ts';
import { firstHash } from './audit.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { recordNames } from './records.ts';
import { getSalon } from './salon-settings.ts';
import { invalidParameter } from './validation.ts';
import { toShownEntry } from './waitlist.ts';

/** What reads a record of each kind, and needs a right. */
const readers: Readonly<Record<ChangeKind, Operation>> = {
  client: 'getClient',
  appointment: 'getAppointment',
  payment: 'getPayment',
  stylist: 'getStylist',
  service: 'getService',
  blocked_time: 'getBlockedTime',
  waitlist_entry: 'getWaitlistEntry',
  salon: 'getSalon',
};

/** Acts that add records without an entry for each. */
const unlogged: readonly string[] = ['account.seeded', 'account.loaded'];

/**
 * The records that have changed since a position, in the order of their first change, each as it is now. Entries of an
 * account are committed in their order and have no gaps, so none is left out. Throws `invalid_parameter`,
 * `position_expired`, and `insufficient_scope` where one of the kinds may not be read.
 */
export async function readChanges(
  context: Context,
  { after, wait, kinds: names, per_page: perPage = pageSizes.default }: QueryOf<'listChanges'>,
): Promise<ResponseOf<'listChanges'>> {
  const { database, caller } = context;
  authorize(caller, 'listChanges');
  if (wait !== undefined && after === undefined) {
    throw invalidParameter('wait', 'wait needs after.', 'required');
  }
  const from = after === undefined ? undefined : parsePosition(after);
  const kinds = names === undefined ? (from?.kinds ?? changeKinds) : parseKinds(names);
  if (from !== undefined && toMask(kinds) !== toMask(from.kinds)) {
    throw invalidParameter('kinds', `kinds must be those of the position: ${from.kinds.join(',')}.`);
  }
  for (const kind of kinds) authorize(caller, readers[kind]);
  const accountId = caller.account.id;
  const render = (head: ChainHead) => renderPosition(kinds, head.seq, toDigest(accountId, head));
  if (from === undefined) {
    const end = await readChainEnd(database.reader, accountId);
    return { data: [], position: render(end ?? beginning), has_more: false };
  }
  const found = await readEntriesWithRecords(database.reader, {
    // With the entry at the position, and one behind the page.
    ...{ accountId, seq: from.seq, limit: perPage + 2 },
    collections: collections.flatMap((name) =>
      kinds.some((kind) => kind === recordNames[name]) ? [[recordNames[name], name]] : [],
    ),
  });
  const [first, ...others] = found;
  const isThere = first?.seq === from.seq;
  const start = isThere
    ? first
    : from.seq === 0
      ? beginning
      : await readCheckpoint(database.reader, accountId);
  const entries = (isThere ? others : found).slice(0, perPage);
  const isWhole = start?.seq === from.seq && (entries[0]?.seq ?? from.seq + 1) === from.seq + 1;
  if (!isWhole || toDigest(accountId, start) !== from.digest) throw expired();
  if (entries.some(({ action }) => unlogged.includes(action))) throw expired();
  const last = entries.at(-1) ?? start;
  return {
    data: await toChanges(context, kinds, entries),
    position: render(last),
    has_more: (found.at(-1)?.seq ?? 0) > last.seq,
  };
}

/** Where the log of an account ended. */
export interface LogEnd {
  readonly accountId: string;
  readonly seq: number;
}

/** Those whose log ends elsewhere now. */
export async function filterMoved<Item extends LogEnd>(
  { reader }: Context['database'],
  items: readonly Item[],
): Promise<Item[]> {
  const ends = await readChainEnds(reader, [...new Set(items.map(({ accountId }) => accountId))]);
  return items.filter(({ accountId, seq }) => (ends.get(accountId) ?? 0) !== seq);
}

const beginning: ChainHead = { seq: 0, hash: firstHash };

async function toChanges(
  context: Context,
  kinds: readonly ChangeKind[],
  entries: readonly EntryWithRecord[],
): Promise<Change[]> {
  const changes = new Map<string, Change>();
  const nowMs = context.environment.now().getTime();
  for (const { resource, record_id: id, record } of entries) {
    const kind = kinds.find((one) => one === resource);
    if (kind === undefined || id === null || changes.has(id)) continue;
    const stored = kind === 'salon' ? await getSalon(context) : record && JSON.parse(record);
    const shown = kind === 'waitlist_entry' && stored ? toShownEntry(stored, nowMs) : stored;
    changes.set(id, {
      resource: kind,
      id,
      ...(shown ? { deleted: false, record: shown } : { deleted: true }),
    });
  }
  return [...changes.values()];
}

function expired(): SalonError {
  const detail = 'The position is of another log, or the log does not have all changes since.';
  return new SalonError('position_expired', detail);
}

function parseKinds(text: string): ChangeKind[] {
  const names = text.split(',');
  const unknown = names.find((name) => !changeKinds.some((kind) => kind === name));
  if (unknown === undefined) return changeKinds.filter((kind) => names.includes(kind));
  throw invalidParameter('kinds', `kinds "${unknown}" is not one of ${changeKinds.join(', ')}.`);
}

/** Differs by account, and by everything that the log has up to an entry. */
function toDigest(accountId: string, head: ChainHead): string {
  return hash('sha256', JSON.stringify([accountId, head.seq, head.hash]), 'base64url').slice(0, 22);
}

function toMask(kinds: readonly ChangeKind[]): number {
  return kinds.reduce((mask, kind) => mask | (1 << changeKinds.indexOf(kind)), 0);
}

function renderPosition(kinds: readonly ChangeKind[], seq: number, digest: string): string {
  return Buffer.from(JSON.stringify([toMask(kinds), seq, digest])).toString('base64url');
}

/** Throws `invalid_parameter` for a text that no response can have had. */
export function parsePosition(text: string) {
  try {
    const [mask, seq, digest]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof mask === 'number' && Number.isSafeInteger(seq) && typeof digest === 'string') {
      const position = {
        kinds: changeKinds.filter((_kind, at) => mask & (1 << at)),
        seq: Number(seq),
        digest,
      };
      if (renderPosition(position.kinds, position.seq, digest) === text) return position;
    }
  } catch {
    // It is no list in JSON.
  }
  throw invalidParameter('after', 'after is not a position of this list.');
}
