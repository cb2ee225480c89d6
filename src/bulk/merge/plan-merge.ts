import type { SalonClient } from '../../client/client.ts';
import { type Fields, findClientId, findMemberName, isFields } from '../../client/json-object.ts';
import { readWhole } from '../../client/pagination/paginate.ts';
import type { Tagged } from '../../client/resources/response-record.ts';
import { readOnlyClientFields } from '../../contract/client.ts';
import { type ClientMerge, type CombinedField, combineClients } from '../../contract/client-merging.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { isSameJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import type { MergePlan, MergeStep } from './merge-job.ts';

export interface MergeChoices {
  /** Fields that take the value of the other client. */
  readonly prefer: readonly string[];
  /** Fields that get a given value. */
  readonly set: Fields;
  readonly deletesAnyway: boolean;
}

/** What a merge will do, for people and to execute. */
export interface PlannedMerge {
  readonly plan: MergePlan;
  readonly fields: readonly CombinedField[];
  readonly appointments: readonly Fields[];
  /** Whether there may be others, which the server does not show. */
  readonly hidesAppointments: boolean;
  /** `none`: the server has no payments; `hidden`: it does not show them to this key. */
  readonly payments: number | 'none' | 'hidden';
  /** What the server cannot move, in words. */
  readonly unmovable: readonly string[];
}

/**
 * Plans a merge: one request if the server has the endpoint, which then checks it, or else changes of single records.
 * Throws `usage` for unknown fields, and the error of a server that would refuse the merge. Changes nothing.
 */
export async function planMerge(
  client: SalonClient,
  { into, from, choices }: { into: Tagged<object>; from: Tagged<object>; choices: MergeChoices },
): Promise<PlannedMerge> {
  const [kept, other] = [into.record as Fields, from.record as Fields];
  const { readOnlyFields, map } = client.dialect();
  const combined = combineClients(kept, other, [...readOnlyClientFields, ...readOnlyFields]).filter(
    ({ field }) => !field.startsWith('_') && !field.includes('@odata.'),
  );
  const prefer = map ? choices.prefer.map(map.toContract) : choices.prefer;
  const set = map?.adopt(choices.set) ?? choices.set;
  const fields = decide(combined, { ...choices, prefer, set });
  const results = Object.fromEntries(fields.map(({ field, result }) => [field, result]));
  const change = Object.fromEntries(
    fields.filter((one) => !isSameJson(one.kept, one.result)).map(({ field, result }) => [field, result]),
  );
  const head = {
    ...{ into: kept, from: other, fields: results, deletesAnyway: choices.deletesAnyway },
    tags: { into: into.etag ?? null, from: from.etag ?? null },
  };
  const fromId = String(other['id']);
  const [appointments, payments] = await Promise.all([
    readAppointmentsOf(client, fromId),
    countPayments(client, fromId),
  ]);
  const hidesAppointments = appointments === undefined;
  const moving = { appointments: appointments ?? [], hidesAppointments, payments };
  if (await checkMergeOnServer(client, head)) {
    const plan: MergePlan = { ...head, method: 'merge', steps: [toFieldsStep(kept, change)] };
    return { plan, fields, ...moving, unmovable: [] };
  }
  const movable = moving.appointments.filter((row) => findClientField(row) !== undefined);
  const steps = toUpdates(kept, change, movable);
  const fixed = moving.appointments.length - movable.length;
  const unmovable = [
    ...(hidesAppointments ? ['appointments, which this server does not list by client'] : []),
    ...(fixed === 0 ? [] : [`${countOf(fixed, 'appointments')}, which show their client in another form`]),
    ...(payments === 'hidden' ? ['payments, which this API key may not see'] : []),
    ...(typeof payments === 'number' && payments > 0 ? [countOf(payments, 'payments')] : []),
  ];
  const isDeleted = unmovable.length === 0 || choices.deletesAnyway;
  const plan: MergePlan = {
    ...{ ...head, method: 'updates' },
    steps: isDeleted ? [...steps, toDeletion(other, steps.length + 1)] : steps,
  };
  return { plan, fields, ...moving, appointments: movable, unmovable };
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

type MergeRequest = Pick<MergePlan, 'into' | 'from' | 'fields' | 'tags'>;

/** Sends the merge as a dry run. Returns false if the server cannot merge; throws the error if it would refuse to. */
async function checkMergeOnServer(client: SalonClient, request: MergeRequest): Promise<boolean> {
  const dryRun = await client.dryRun();
  if (dryRun === undefined) return false;
  try {
    await sendMerge(dryRun.clients, request);
    return true;
  } catch (thrown) {
    if (thrown instanceof SalonError && isUnknownWrite(thrown)) return false;
    throw thrown;
  }
}

/** The fields are sent as they were shown, so that the server combines nothing else. */
export function sendMerge(
  clients: SalonClient['clients'],
  { into, from, fields, tags }: MergeRequest,
  idempotencyKey?: string,
): Promise<ClientMerge> {
  const merge = { from: String(from['id']), fields, fromIfMatch: tags.from ?? undefined };
  return clients.merge(String(into['id']), merge, { ifMatch: tags.into ?? undefined, idempotencyKey });
}

/** An earlier version of the service may have dry runs but no merges: it rejects `/writes/0`, the merge, as invalid. */
function isUnknownWrite({ code, violations }: SalonError): boolean {
  return code === 'not_supported' || violations.some(({ pointer }) => pointer === '/writes/0');
}

function toFieldsStep(into: Fields, change: Fields): MergeStep {
  const id = String(into['id']);
  return { noun: 'clients', row: 1, line: 1, act: 'update', id, change, before: into };
}

function toUpdates(into: Fields, change: Fields, appointments: readonly Fields[]): MergeStep[] {
  const fields = Object.keys(change).length === 0 ? [] : [toFieldsStep(into, change)];
  const moves = appointments.map((before, index): MergeStep => {
    const row = fields.length + index + 1;
    const moved = { [findClientField(before) ?? 'client_id']: into['id'] };
    const id = String(before['id']);
    return { noun: 'appointments', row, line: row, act: 'update', id, change: moved, before };
  });
  return [...fields, ...moves];
}

/** The field with the ID of an appointment's client; undefined if it is no single field. */
function findClientField(appointment: Fields): string | undefined {
  const name = findMemberName(appointment, 'client_id');
  return name === undefined || isFields(appointment[name]) ? undefined : name;
}

function toDeletion(from: Fields, row: number): MergeStep {
  return { noun: 'clients', row, line: row, act: 'delete', id: String(from['id']), before: from };
}

/** Every appointment of a client; undefined if the server does not list them all, or does not show whose they are. */
export async function readAppointmentsOf(
  client: SalonClient,
  clientId: string,
): Promise<readonly Fields[] | undefined> {
  const found: Fields[] = [];
  try {
    const list = client.appointments.list({ client_id: clientId });
    for await (const { rows } of readWhole(list, 'appointments')) found.push(...rows.filter(isFields));
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
  const isUnclear = found.some((row) => findClientId(row) === undefined);
  return isUnclear ? undefined : found.filter((row) => findClientId(row) === clientId);
}

async function countPayments(client: SalonClient, clientId: string): Promise<PlannedMerge['payments']> {
  let count = 0;
  try {
    for await (const { rows } of readWhole(client.payments.list({ client_id: clientId }), 'payments')) {
      // One that does not show its client may be theirs.
      const ids = rows.map(findClientId);
      count += ids.filter((id) => id === clientId || id === undefined).length;
    }
    return count;
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    return ['not_supported', 'not_found'].includes(thrown.code) ? 'none' : 'hidden';
  }
}

function isMissing(thrown: unknown): thrown is SalonError {
  return isUnavailable(thrown) || (thrown instanceof SalonError && thrown.code === 'not_found');
}
