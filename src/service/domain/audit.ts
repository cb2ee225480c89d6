import { hash } from 'node:crypto';
import type { ActorType } from '../../contract/audit.ts';
import {
  type AuditEntryRow,
  type AuditTarget,
  type ChainEnd,
  deleteValuesOf,
  insertEntry,
  insertValues,
  readChainEnd,
  type SaltedValues,
  serviceChain,
} from '../db/audit/entries.ts';
import type { LogEnds } from '../db/deliveries/events.ts';
import type { Writer } from '../db/engine.ts';
import type { Caller, Context, Environment, RequestSource, ServiceUser } from './context.ts';
import { createId, isPersonal } from './records.ts';

/** Who acts. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string | null;
  readonly name: string | null;
  /** The app or session that a person uses. */
  readonly via?: {
    readonly type: 'app' | 'session';
    readonly id: string;
    readonly name: string | null;
  };
}

/** What was done, such as `client.updated`; the part before the point is the resource. */
type AuditAction = `${string}.${string}`;

/** An act on a record. None of its values may be a secret. */
export interface AuditedAction {
  readonly action: AuditAction;
  /** The ID of the record; null where there is none. */
  readonly id: string | null;
  /** The record before; missing for a new one. */
  readonly former?: object | undefined;
  /** The record after; missing for a deleted one. */
  readonly object?: object | undefined;
  /** What else there is to know. Without personal data: it cannot be erased. */
  readonly details?: object | undefined;
}

/** An act without an authenticated caller, such as a sign-in. */
export interface SecurityEvent extends AuditedAction {
  /** Null for what concerns no account, such as a sign-in with an unknown address. */
  readonly accountId: string | null;
  readonly actor: Actor;
}

const operator: Actor = { type: 'operator', id: null, name: null };
export const anonymous: Actor = { type: 'anonymous', id: null, name: null };

export const noSource: RequestSource = { requestId: null, address: null };

/** Records an act of the caller, in the transaction of the act. The log's end may have been read already. */
export function recordAudit(
  tx: Writer,
  { environment, caller, source }: Pick<Context, 'environment' | 'caller' | 'source'>,
  act: AuditedAction,
  ends?: Pick<LogEnds, 'entry'>,
): Promise<ChainEnd> {
  const event = { accountId: caller.account.id, actor: toActor(caller), ...act };
  return recordSecurityEvent(tx, { environment, source }, event, ends);
}

/** Records what has no caller, in the transaction of the act. */
export async function recordSecurityEvent(
  tx: Writer,
  { environment, source }: Pick<Context, 'environment' | 'source'>,
  { accountId, actor, action, id, former, object, details }: SecurityEvent,
  ends?: Pick<LogEnds, 'entry'>,
): Promise<ChainEnd> {
  const chain = accountId ?? serviceChain;
  const resource = action.slice(0, action.indexOf('.'));
  const { plain, personal } = splitChanges(resource, former, object);
  const changes = JSON.stringify({ ...plain, details });
  if (chain !== serviceChain) await tx.lockAccount(chain);
  const end = ends === undefined ? await readChainEnd(tx, chain) : ends.entry;
  const values = personal === undefined ? undefined : toValues(personal, environment);
  const entry = {
    account_id: chain,
    seq: (end?.seq ?? 0) + 1,
    id: createId('audit_entry', environment),
    at_ms: environment.now().getTime(),
    action,
    resource,
    record_id: id,
    ...toClients(resource, { id, former, object }),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    via_type: actor.via?.type ?? null,
    via_id: actor.via?.id ?? null,
    via_name: actor.via?.name ?? null,
    address: source.address,
    request_id: source.requestId,
    changes: changes === '{}' ? null : changes,
    values_digest: values === undefined ? null : toValuesDigest(values),
  };
  const hash = toEntryHash(end?.hash ?? firstHash, entry);
  const bytes = Buffer.byteLength(entry.changes ?? '') + Buffer.byteLength(personal ?? '');
  const stored_bytes = (end?.stored_bytes ?? 0) + bytes;
  await insertEntry(tx, { ...entry, hash }, stored_bytes);
  if (values !== undefined) await insertValues(tx, entry, values);
  return { seq: entry.seq, hash, stored_bytes };
}

function createRecorder(actor: Actor) {
  return (tx: Writer, environment: Environment, event: Omit<SecurityEvent, 'actor'>): Promise<ChainEnd> =>
    recordSecurityEvent(tx, { environment, source: noSource }, { actor, ...event });
}

/** Records an act of the operator, on the machine of the service. */
export const recordByOperator = createRecorder(operator);

/** Records automatic work of the service, such as deleting old entries. */
export const recordByService = createRecorder({ type: 'service', id: null, name: null });

/** Who the caller of an operation is. */
export function toActor({ credential }: Pick<Caller, 'credential'>): Actor {
  switch (credential.kind) {
    case 'api_key':
      return { type: 'api_key', id: credential.id, name: credential.name };
    case 'token': {
      const { app, user } = credential;
      return user === null ? { type: 'app', ...app } : { ...toUserActor(user), via: { type: 'app', ...app } };
    }
    case 'session':
      return { ...toUserActor(credential.user), via: { type: 'session', id: credential.id, name: null } };
    case 'operator':
      return operator;
  }
}

/** Without the name, which must be possible to erase: the log is read with the name that the person has then. */
export function toUserActor({ id }: Pick<ServiceUser, 'id'>): Actor {
  return { type: 'user', id, name: null };
}

/**
 * Erases the values about a client, person or invitation, all of them or those since a time. The entries stay, and one
 * more says how many lost their values, which is what tells erased values from removed ones.
 */
export async function eraseAuditValues(
  tx: Writer,
  environment: Environment,
  values: { accountId: string; subject: AuditTarget; sinceMs?: number | undefined },
): Promise<void> {
  const { accountId, subject, sinceMs = 0 } = values;
  const count = await deleteValuesOf(tx, { accountId, subject, sinceMs });
  if (count === 0) return;
  const details = { entries: count, since: new Date(sinceMs).toISOString() };
  const act = { action: 'audit_values.erased', id: subject.id, details } as const;
  await recordByService(tx, environment, { accountId, ...act });
}

/** What the entry has already, and what is looked up when the log is read. */
const unrecorded = ['id', 'created_by_name', 'created_keys'];

/** The values that differ, those with personal data apart. */
function splitChanges(resource: string, former: object | undefined, object: object | undefined) {
  const before = former && new Map(Object.entries(former));
  const after = object && new Map(Object.entries(object));
  const select = (from: Map<string, unknown> | undefined, other: Map<string, unknown> | undefined) => {
    const plain: [string, unknown][] = [];
    const personal: [string, unknown][] = [];
    for (const [field, value] of from ?? []) {
      if (unrecorded.includes(field) || (other !== undefined && isSame(value, other.get(field)))) continue;
      (isPersonal(resource, field) && value !== null ? personal : plain).push([field, value]);
    }
    return { plain, personal };
  };
  const [gone, come] = [select(before, after), select(after, before)];
  const name = (removed: [string, unknown][], added: [string, unknown][]) => ({
    before: before && Object.fromEntries(removed),
    after: after && Object.fromEntries(added),
  });
  const hasPersonal = gone.personal.length + come.personal.length > 0;
  return {
    plain: name(gone.plain, come.plain),
    personal: hasPersonal ? JSON.stringify(name(gone.personal, come.personal)) : undefined,
  };
}

function isSame(value: unknown, other: unknown): boolean {
  return value === other || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(other));
}

/** The clients that a record belongs to and belonged to before. */
function toClients(resource: string, { id, former, object }: Omit<AuditedAction, 'action'>) {
  if (resource === 'client') return { client_id: id, former_client_id: null };
  const current = readClientId(object ?? former);
  const before = readClientId(former);
  return { client_id: current, former_client_id: before === current ? null : before };
}

function readClientId(record: object | undefined): string | null {
  return record !== undefined && 'client_id' in record && typeof record.client_id === 'string'
    ? record.client_id
    : null;
}

const saltBytes = 16;

function toValues(body: string, environment: Environment): SaltedValues {
  return { salt: Buffer.from(environment.random(saltBytes)).toString('base64url'), body };
}

/** The hash before the first entry of every chain. */
export const firstHash = '';

/** The hash of an entry: SHA-256 of the former entry's hash and of every column, in base64url. */
export function toEntryHash(formerHash: string, entry: Omit<AuditEntryRow, 'hash'>): string {
  const covered = [
    formerHash,
    ...[entry.account_id, entry.seq, entry.id, entry.at_ms, entry.action, entry.resource, entry.record_id],
    ...[entry.client_id, entry.former_client_id, entry.actor_type, entry.actor_id, entry.actor_name],
    ...[entry.via_type, entry.via_id, entry.via_name, entry.address, entry.request_id],
    ...[entry.changes, entry.values_digest],
  ];
  return hash('sha256', JSON.stringify(covered), 'base64url');
}

/** The digest that an entry has of its values. With an erased salt, it says nothing about them. */
export function toValuesDigest({ salt, body }: SaltedValues): string {
  return hash('sha256', `${salt}.${body}`, 'base64url');
}
