import { SalonError } from '../../contract/errors.ts';
import type { Lock, Writer } from '../db/engine.ts';
import {
  type IdempotencyRecord,
  readIdempotencyRecord,
  saveIdempotencyRecord,
} from '../db/records/idempotency.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import type { Context } from './context.ts';
import { idempotencyKeySeconds } from './limits.ts';
import { findRecordSubject, notFound } from './records.ts';

/** A request with an idempotency key. */
interface IdempotentRequest {
  readonly key: string;
  /** Identifies what the request asks for. */
  readonly digest: string;
  /** Whether the result has a secret, so that it is encrypted. */
  readonly isSecret?: boolean;
}

const retentionMs = idempotencyKeySeconds * 1_000;

/**
 * Creates what runs a request once per key and account in 24 hours, in all processes; a repeat gets the saved result.
 * The result is saved in the act's own transaction, so the act must run exactly one and return its result. Errors are
 * not saved. Throws `idempotency_key_in_use`, `idempotency_key_reused`, and `not_found` when the record was erased.
 */
export function createIdempotency() {
  const running = new Set<string>();
  return async <Result>(
    context: Context,
    request: IdempotentRequest,
    act: (context: Context) => Promise<Result>,
  ) => {
    const name = `${context.caller.account.id} ${request.key}`;
    if (running.has(name)) {
      throw new SalonError('idempotency_key_in_use', 'A request with this idempotency key is still running.');
    }
    running.add(name);
    try {
      return await runOnce(context, request, act);
    } finally {
      running.delete(name);
    }
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;

async function runOnce<Result>(
  context: Context,
  { key, digest, isSecret = false }: IdempotentRequest,
  act: (context: Context) => Promise<Result>,
) {
  const { database, environment, secrets, caller } = context;
  const accountId = caller.account.id;
  const purpose = toPurpose(sealedColumns.idempotencyAnswer, key);
  /** Whether the result is the saved one of an earlier request. */
  let isReplay = false;
  const transaction = <Made>(lock: Lock, make: (tx: Writer) => Promise<Made>): Promise<Made> =>
    database.transaction(lock, async (tx) => {
      // The results belong to the account, even if the action locks something else.
      await tx.lockAccount(accountId);
      const nowMs = environment.now().getTime();
      const saved = await readIdempotencyRecord(tx, { accountId, key, sinceMs: nowMs - retentionMs });
      isReplay = saved !== undefined;
      if (saved !== undefined) {
        const answer = readResult(saved, digest);
        return JSON.parse(isSecret ? secrets.open(answer, purpose) : answer);
      }
      const made = await make(tx);
      const ids = { record_id: toRecordId(made), client_id: findRecordSubject(made) };
      const record = { account_id: accountId, key, request: digest, ...ids };
      const answer = JSON.stringify(made);
      const result = { answer: isSecret ? secrets.seal(answer, purpose) : answer, kept_ms: nowMs };
      await saveIdempotencyRecord(tx, { ...record, ...result });
      return made;
    });
  const result = await act({ ...context, database: { ...database, transaction } });
  return { result, isReplay };
}

function readResult({ request, answer, record_id }: IdempotencyRecord, digest: string): string {
  if (request !== digest) {
    throw new SalonError('idempotency_key_reused', 'This idempotency key was used for a different request.');
  }
  if (answer === null) {
    // Only results about clients are erased as a whole.
    throw notFound('client', String(record_id));
  }
  return answer;
}

function toRecordId(made: unknown): string | null {
  return typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : null;
}
