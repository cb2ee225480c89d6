import type { SalonClient } from '../../client/client.ts';
import { notSupported } from '../../client/http/api-requester.ts';
import type { Fields } from '../../client/json-object.ts';
import { type PagedList, readWhole } from '../../client/pagination/paginate.ts';
import type { Tagged } from '../../client/resources/response-record.ts';
import { readOnlyClientFields } from '../../contract/client.ts';
import {
  type ClientMerge,
  type CombinedField,
  combineClients,
  type ReversedMerge,
} from '../../contract/client-merging.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { isUnavailable, SalonError, withContext } from '../../contract/errors.ts';
import { isSameJson } from '../../text/json.ts';
import { assertNotRunning } from '../jobs/job-folder.ts';
import { type MergePlan, type MergeStep, readMergeJob, readMergePlan } from './merge-job.ts';

export interface MergeChoices {
  /** Fields that take the value of the other client. */
  readonly prefer: readonly string[];
  /** Fields that get a given value. */
  readonly set: Fields;
}

/** What a merge will do, for people and to execute. */
export interface PlannedMerge {
  readonly plan: MergePlan;
  readonly fields: readonly CombinedField[];
  /** How many will move; undefined if they are hidden from this key. */
  readonly appointments: number | undefined;
  readonly payments: number | undefined;
}

/**
 * Plans a merge, which the server checks. Throws `usage` for unknown fields, `not_supported` where the server cannot
 * merge, and the error of one that would refuse this merge. Changes nothing.
 */
export async function planMerge(
  client: SalonClient,
  { into, from, choices }: { into: Tagged<object>; from: Tagged<object>; choices: MergeChoices },
): Promise<PlannedMerge> {
  const dryRun = await client.dryRun();
  if (dryRun === undefined) throw notSupported(endpoints.mergeClients);
  const [kept, other] = [into.record as Fields, from.record as Fields];
  const fields = decide(combineClients(kept, other, readOnlyClientFields), choices);
  const change = Object.fromEntries(
    fields.filter((one) => !isSameJson(one.kept, one.result)).map(({ field, result }) => [field, result]),
  );
  const [id, client_id] = [String(kept['id']), String(other['id'])];
  const plan: MergePlan = {
    ...{ method: 'merge', into: kept, from: other },
    fields: Object.fromEntries(fields.map(({ field, result }) => [field, result])),
    tags: { into: into.etag ?? null, from: from.etag ?? null },
    steps: [{ noun: 'clients', row: 1, line: 1, act: 'update', id, change, before: kept }],
  };
  const [appointments, payments] = await Promise.all([
    countRows(client.appointments.list({ client_id }), 'appointments'),
    countRows(client.payments.list({ client_id }), 'payments'),
    sendMerge(dryRun.clients, plan),
  ]);
  return { plan, fields, appointments, payments };
}

function decide(combined: readonly CombinedField[], { prefer, set }: MergeChoices): CombinedField[] {
  const names = combined.map(({ field }) => field);
  const unknown = [...prefer, ...Object.keys(set)].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new SalonError('usage', `Neither client has a field "${unknown}".`, {
      hint: `Fields: ${names.join(', ')}.`,
    });
  }
  const twice = prefer.find((name) => Object.hasOwn(set, name));
  if (twice !== undefined) throw new SalonError('usage', `--prefer and --set both decide "${twice}".`);
  return combined.map((one) => {
    if (Object.hasOwn(set, one.field)) return { ...one, result: set[one.field], rule: 'chosen' };
    return prefer.includes(one.field) ? { ...one, result: one.other, rule: 'chosen' } : one;
  });
}

/** The fields are sent as they were shown, so that the server combines nothing else. */
export function sendMerge(
  clients: Pick<SalonClient['clients'], 'merge'>,
  { into, from, fields, tags }: MergePlan,
  idempotencyKey?: string,
): Promise<ClientMerge> {
  const merge = { from: String(from['id']), fields, fromIfMatch: tags.from ?? undefined };
  return clients.merge(String(into['id']), merge, { ifMatch: tags.into ?? undefined, idempotencyKey });
}

/** Undefined if the key may not read them. */
async function countRows(list: PagedList<unknown>, noun: string): Promise<number | undefined> {
  let count = 0;
  try {
    for await (const { rows } of readWhole(list, noun)) count += rows.length;
    return count;
  } catch (thrown) {
    if (isUnavailable(thrown)) return undefined;
    throw thrown;
  }
}

/** The undo of a merge. */
export interface PlannedUnmerge {
  /** No steps: there is nothing to undo. */
  readonly plan: MergePlan;
  /** What the server would do. */
  readonly checked: ReversedMerge | undefined;
}

/**
 * Plans the undo of a merge. Throws `conflict` while it is running, `usage` for the undo of a merge, and
 * `merge_not_reversible`. Changes nothing.
 */
export async function planUnmerge(root: string, id: string, client: SalonClient): Promise<PlannedUnmerge> {
  const job = await readMergeJob(root, id);
  await assertNotRunning(root, id);
  const { into, from, undoes } = job.work;
  if (undoes !== null) {
    throw new SalonError('usage', `Job ${id} is the undo of a merge and cannot be undone.`, {
      hint: `Merge them again: salon clients merge ${into} ${from}`,
    });
  }
  const plan = await readMergePlan(root, id);
  const unmerge: MergePlan = { ...plan, method: 'unmerge', tags: { into: null, from: null }, steps: [] };
  const archivedIn = await readArchivedIn(client, from);
  if (archivedIn === undefined) return { plan: unmerge, checked: undefined };
  const dryRun = await client.dryRun();
  const checked = await dryRun?.clients.unmerge(into, from).catch((thrown: unknown) => {
    if (!(thrown instanceof SalonError) || thrown.members['merged_into'] === undefined) throw thrown;
    throw withContext(thrown, { hint: 'Undo that later merge first. List merges: salon jobs list' });
  });
  const change = Object.fromEntries(
    Object.keys(plan.steps[0]?.change ?? {}).map((name) => [name, plan.into[name] ?? null]),
  );
  const before = { ...plan.into, ...plan.fields };
  // One request undoes everything; the fields of this step are shown and recorded, but not sent.
  const step: MergeStep = { noun: 'clients', row: 1, line: 1, act: 'update', id: into, change, before };
  return { plan: { ...unmerge, steps: [step] }, checked };
}

/** The client that another one was merged into; undefined if that one exists, null if it is gone altogether. */
export async function readArchivedIn(client: SalonClient, id: string): Promise<string | null | undefined> {
  try {
    await client.clients.get(id, { searchesList: false });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'not_found') throw thrown;
    const into = thrown.members['merged_into'];
    return typeof into === 'string' ? into : null;
  }
}
