import { type BodyOf, endpoints } from '../../contract/endpoints.ts';
import type { Access } from '../../contract/roles.ts';
import type { Writer } from '../db/engine.ts';
import { type NewRow, recordNames } from '../db/record-rows.ts';
import { deleteRecord, insertRecord } from '../db/records/records.ts';
import { eraseAuditValues, recordAudit } from './audit.ts';
import { eraseResults } from './client-erasure.ts';
import type { Caller, Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import {
  assertIfMatch,
  createStoredRecord,
  findPersonal,
  findRecordSubject,
  type IfMatch,
  isUnchanged,
  type RecordTypes,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { transact, transactOn } from './write-record.ts';

/** Resources whose changes have no event, and their lists. */
interface Lists {
  BlockedTime: 'blocked_times';
  Service: 'services';
  WaitlistEntry: 'waitlist_entries';
}

type RecordOf<Name extends keyof Lists> = RecordTypes[Lists[Name]];

/** What is special about the writes of a resource. */
export interface ResourceRules<Name extends keyof Lists, Answer> {
  readonly name: Name;
  readonly collection: Lists[Name];
  /** Throws `permission_denied` unless a caller may write such a record. */
  assertMayWrite?(caller: Caller, access: Access, record: Fields<Name>): void;
  /** Checks what a schema cannot. Returns the fields as they are stored. Throws `validation_failed`. */
  validate<Wanted extends Fields<Name>>(
    tx: Writer,
    context: Context,
    change: { readonly wanted: Wanted; readonly former?: RecordOf<Name> },
  ): Promise<Wanted>;
  /** The record as readers get it, with the tag that `If-Match` names. */
  show?(record: RecordOf<Name>, context: Context): RecordOf<Name>;
  /** The response to a write, and what belongs to its transaction. Without a change, both records are the same. */
  respond(
    tx: Writer,
    context: Context,
    change: { readonly object: RecordOf<Name>; readonly former?: RecordOf<Name> },
  ): Promise<Answer>;
}

/** The fields that callers set. */
type Fields<Name extends keyof Lists> = Omit<RecordOf<Name>, 'id' | 'created_at' | 'updated_at'>;

/**
 * The functions that add, change and delete records of a resource. They throw `permission_denied`, `validation_failed`
 * and, for an existing record, `not_found` and `precondition_failed`.
 */
export function createWrites<Name extends keyof Lists, Answer>(rules: ResourceRules<Name, Answer>) {
  const { name, collection, show = (record: RecordOf<Name>) => record } = rules;
  const kind = recordNames[collection];
  return { add, change, remove };

  async function add(context: Context, body: BodyOf<`create${Name}`>): Promise<Answer> {
    const { environment, caller } = context;
    const wanted = toNewFields(name, { ...(body as object) }) as Fields<Name>;
    return transact(context, `create${name}`, async (tx, access) => {
      rules.assertMayWrite?.(caller, access, wanted);
      const fields = await rules.validate(tx, context, { wanted });
      const object = createStoredRecord(kind, fields, environment) as RecordOf<Name>;
      const row = toStoredRow(caller.account.id, collection, object) as unknown as NewRow<Lists[Name]>;
      await insertRecord(tx, collection, row);
      await recordChangeWithoutEvent(tx, context, { action: `${kind}.created`, id: object.id, object });
      return rules.respond(tx, context, { object });
    });
  }

  /** Changes the given fields. Nothing is written when all keep their value. */
  async function change(
    context: Context,
    id: string,
    { change: body, ifMatch }: RecordUpdate<BodyOf<`update${Name}`>>,
  ): Promise<Answer> {
    const { caller } = context;
    return transactOn(context, `update${name}`, { collection, id }, async (tx, former, { access }) => {
      assertIfMatch(show(former, context), ifMatch);
      const { id: _id, created_at, updated_at, ...given } = { ...(body as Partial<RecordOf<Name>>) };
      const wanted = { ...former, ...given };
      for (const one of [former, wanted]) rules.assertMayWrite?.(caller, access, one);
      const merged = await rules.validate(tx, context, { wanted, former });
      if (isUnchanged(former, merged)) return rules.respond(tx, context, { object: former, former });
      const object = await replaceRecord(tx, context, { collection, former, object: merged });
      await recordChangeWithoutEvent(tx, context, { action: `${kind}.updated`, id, former, object });
      return rules.respond(tx, context, { object, former });
    });
  }

  /** Deletes a record. Its personal texts are erased from the audit log and saved results, too. */
  async function remove(context: Context, id: string, { ifMatch }: IfMatch = {}): Promise<undefined> {
    const { environment, caller } = context;
    const accountId = caller.account.id;
    await transactOn(context, `delete${name}`, { collection, id }, async (tx, former, { seq, access }) => {
      assertIfMatch(show(former, context), ifMatch);
      rules.assertMayWrite?.(caller, access, former);
      await deleteRecord(tx, { accountId, collection }, seq);
      const kept = { ...former, ...findPersonal(kind, former) };
      await recordAudit(tx, context, { action: `${kind}.deleted`, id, former: kept });
      const clientId = findRecordSubject(former);
      if (clientId === null) return;
      await eraseAuditValues(tx, environment, { accountId, subject: { kind: 'record', id } });
      await eraseResults(tx, { accountId, clientId, records: new Set([id]) });
    });
  }
}

/** The fields of a new record in the order of the schema, with its defaults. */
function toNewFields(name: keyof Lists, body: Readonly<Record<string, unknown>>): object {
  const properties = Object.entries<{ readonly default?: unknown; readonly type: unknown }>(
    endpoints[`create${name}`].body.properties,
  );
  return Object.fromEntries(
    properties.map(([field, { default: preset = null }]) => [field, body[field] ?? preset]),
  );
}
