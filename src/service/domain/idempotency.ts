import { SalonError } from '../../contract/errors.ts';
import { idempotencyKeySeconds } from '../../contract/limits.ts';
import type { Writer } from '../db/engine.ts';
import { type IdempotencyRecord, readIdempotencyRecord, saveIdempotencyRecord } from '../db/idempotency.ts';
import type { Context } from './context.ts';
import { notFound } from './records.ts';

/** A request that may come more than once. */
export interface IdempotentRequest {
  /** What the caller calls it. */
  readonly key: string;
  /** What it asks for, as a digest. */
  readonly digest: string;
}

export interface IdempotentResult<Result> {
  readonly result: Result;
  /** Whether nothing was done now, because it was done before. */
  readonly isReplay: boolean;
}

export type Idempotency = <Result>(
  context: Context,
  repeatable: IdempotentRequest,
  act: (context: Context) => Promise<Result>,
) => Promise<IdempotentResult<Result>>;

const keptForMs = idempotencyKeySeconds * 1_000;

/**
 * Makes what carries out each request of an account once in 24 hours, however often it comes and to how many
 * processes; a repeat is answered as the first was. The answer is kept in the act's own transaction, so that no
 * kill comes between the two; hence the act must have exactly one, and answer what that one answers. A refusal is
 * not kept: nothing was done, so the next try is as good as the first.
 * Throws `idempotency_key_in_use`, `idempotency_key_reused`, and `not_found` once what was made has been erased.
 */
export function createIdempotency(): Idempotency {
  const underWay = new Set<string>();
  return async (context, repeatable, act) => {
    const name = `${context.caller.account.id} ${repeatable.key}`;
    if (underWay.has(name)) {
      throw new SalonError('idempotency_key_in_use', 'The request with this key is still being carried out.');
    }
    underWay.add(name);
    try {
      return await answerOnce(context, repeatable, act);
    } finally {
      underWay.delete(name);
    }
  };
}

async function answerOnce<Result>(
  context: Context,
  { key, digest: request }: IdempotentRequest,
  act: (context: Context) => Promise<Result>,
): Promise<IdempotentResult<Result>> {
  const { database, environment, caller } = context;
  const accountId = caller.account.id;
  let isReplay = false;
  const transaction = <Made>(make: (tx: Writer) => Promise<Made>): Promise<Made> =>
    database.transaction(async (tx) => {
      const nowMs = environment.now().getTime();
      const kept = await readIdempotencyRecord(tx, { accountId, key, sinceMs: nowMs - keptForMs });
      if (kept !== undefined) {
        isReplay = true;
        return JSON.parse(toAnswer(kept, request));
      }
      const made = await make(tx);
      const answer = { answer: JSON.stringify(made), record_id: toRecordId(made), kept_ms: nowMs };
      await saveIdempotencyRecord(tx, { account_id: accountId, key, request, ...answer }, nowMs - keptForMs);
      return made;
    });
  const result = await act({ ...context, database: { ...database, transaction } });
  return { result, isReplay };
}

function toAnswer({ request, answer, record_id }: IdempotencyRecord, asked: string): string {
  if (request !== asked) {
    throw new SalonError('idempotency_key_reused', 'This key was sent with another request before.');
  }
  if (answer === null) {
    // Clients alone are ever erased.
    throw notFound('client', String(record_id));
  }
  return answer;
}

function toRecordId(made: unknown): string | null {
  return typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : null;
}
