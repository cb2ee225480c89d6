import { hash } from 'node:crypto';
import { type ChangeKind, changedKinds } from '../../contract/changes.ts';
import type { QueryOf, ResponseOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { type EntryWithRecord, readEntriesWithRecords } from '../db/audit/changes.ts';
import { type ChainHead, readChainEnd, readCheckpoint } from '../db/audit/entries.ts';
import { collections, recordNames } from '../db/record-rows.ts';
import { firstHash } from './audit.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { getSalon } from './salon-settings.ts';
import { invalidParameter } from './validation.ts';
import { toShownEntry } from './waitlist.ts';

/** Acts that add records without an entry for each. */
const unlogged: readonly string[] = ['account.seeded', 'account.loaded'];

/** A page whose changes are JSON already, and are not parsed again. */
export interface ChangesAsJson extends Omit<ResponseOf<'listChanges'>, 'data'> {
  readonly data: readonly string[];
}

const beginning: ChainHead = { seq: 0, hash: firstHash };

/**
 * The records that have changed since a position, in the order of their first change, each as it is now. Entries of an
 * account are committed in their order and have no gaps, so none is left out. Throws `invalid_parameter`,
 * `position_expired`, and `insufficient_scope` where one of the kinds may not be read.
 */
export async function readChanges(
  context: Context,
  { after, wait, kinds: names, per_page: perPage = pageSizes.default }: QueryOf<'listChanges'>,
): Promise<ChangesAsJson> {
  const { caller, database } = context;
  const { reader } = database;
  authorize(caller, 'listChanges');
  const kinds = parseKinds(names);
  for (const kind of kinds) authorize(caller, changedKinds[kind]);
  const accountId = caller.account.id;
  const toPosition = (head: ChainHead) => renderPosition(head, [accountId, ...kinds]);
  if (after === undefined) {
    if (wait !== undefined) throw invalidParameter('wait', 'wait needs after.', 'required');
    const end = await readChainEnd(reader, accountId);
    return { data: [], position: toPosition(end ?? beginning), has_more: false };
  }
  const seq = parseSeq(after);
  const found = await readEntriesWithRecords(reader, {
    // With the entry at the position, and one behind the page.
    ...{ accountId, seq, limit: perPage + 2 },
    collections: collections.flatMap((name) =>
      kinds.some((kind) => kind === recordNames[name]) ? [[recordNames[name], name]] : [],
    ),
  });
  const isThere = found[0]?.seq === seq;
  // Where the log begins, if older entries were deleted.
  const start = isThere ? found[0] : ((await readCheckpoint(reader, accountId)) ?? beginning);
  const behind = isThere ? found.slice(1) : found;
  const entries = behind.slice(0, perPage);
  const isUnlogged = entries.some(({ action }) => unlogged.includes(action));
  if (start === undefined || toPosition(start) !== after || isUnlogged) {
    const detail = 'The position is of another log or other kinds, or not all changes since are in the log.';
    throw new SalonError('position_expired', detail);
  }
  return {
    data: await toChanges(context, kinds, entries),
    position: toPosition(entries.at(-1) ?? start),
    has_more: behind.length > entries.length,
  };
}

async function toChanges(
  context: Context,
  kinds: readonly ChangeKind[],
  entries: readonly EntryWithRecord[],
): Promise<string[]> {
  const changes = new Map<string, string>();
  const nowMs = context.environment.now().getTime();
  for (const { resource, record_id: id, record } of entries) {
    const kind = kinds.find((one) => one === resource);
    if (kind === undefined || id === null || changes.has(id)) continue;
    let shown = record;
    if (kind === 'salon') shown = JSON.stringify(await getSalon(context));
    if (kind === 'waitlist_entry' && record) shown = JSON.stringify(toShownEntry(JSON.parse(record), nowMs));
    const named = `{"resource":"${kind}","id":"${id}","deleted":`;
    changes.set(id, shown ? `${named}false,"record":${shown}}` : `${named}true}`);
  }
  return [...changes.values()];
}

function parseKinds(text: string | undefined): ChangeKind[] {
  const all = Object.keys(changedKinds) as ChangeKind[];
  const names = text?.split(',') ?? all;
  const unknown = names.find((name) => !all.some((kind) => kind === name));
  if (unknown === undefined) return all.filter((kind) => names.includes(kind));
  throw invalidParameter('kinds', `kinds "${unknown}" is not one of ${all.join(', ')}.`);
}

/** Differs by account and kinds, and by everything that the log has up to an entry. */
function renderPosition({ seq, hash: entryHash }: ChainHead, list: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify([seq, entryHash, list]), 'base64url').slice(0, 22);
  return Buffer.from(`${seq}.${digest}`).toString('base64url');
}

/** Throws `invalid_parameter` for a text that no response can have had. */
function parseSeq(position: string): number {
  const seq = /^(\d{1,15})\.[\w-]{22}$/.exec(Buffer.from(position, 'base64url').toString())?.[1];
  if (seq !== undefined) return Number(seq);
  throw invalidParameter('after', 'after is not a position of this list.');
}
