import type { Operation } from '../../contract/endpoints.ts';
import type { Access } from '../../contract/roles.ts';
import type { Writer } from '../db/engine.ts';
import type { CollectionName } from '../db/record-rows.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { findStoredRecord, type RecordTypes, type WantedRecord } from './records.ts';

type WriteContext = Pick<Context, 'database' | 'caller'>;

/**
 * Runs a write of the caller in a transaction that locks the account. The body gets how far the caller's right reaches.
 * Throws `permission_denied` and `insufficient_scope`.
 */
export async function transact<Result>(
  { database, caller }: WriteContext,
  operation: Operation,
  body: (tx: Writer, access: Access) => Promise<Result>,
): Promise<Result> {
  const access = authorize(caller, operation);
  return database.transaction({ accountId: caller.account.id }, (tx) => body(tx, access));
}

/** The same for a write of one record; `seq` is its position in creation order. Throws `not_found` and `precondition_failed`, too. */
export function transactOn<Name extends CollectionName, Result>(
  context: WriteContext,
  operation: Operation,
  wanted: Omit<WantedRecord<Name>, 'access'>,
  body: (tx: Writer, former: RecordTypes[Name], found: { seq: number; access: Access }) => Promise<Result>,
): Promise<Result> {
  return transact(context, operation, async (tx, access) => {
    const { record, seq } = await findStoredRecord(tx, context.caller, { ...wanted, access });
    return body(tx, record, { seq, access });
  });
}
