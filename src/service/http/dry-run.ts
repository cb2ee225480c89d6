import type { FastifyRequest } from 'fastify';
import { type DryRunResult, maxDryRunWrites, type PlannedWrite } from '../../contract/dry-run.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type BodyOf, endpoints, type Operation, type QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Context } from '../domain/context.ts';
import { compileBody } from '../domain/schema-violations.ts';
import { invalidField } from '../domain/validation.ts';
import { handlers, type OperationRequest } from './handlers.ts';
import { toProblemResponse, toProblemSource } from './problems.ts';
import { compileQuery, noFields, type QuerySchema } from './query-string.ts';
import { parseIfMatch } from './responses.ts';

type Write = Exclude<Operation, 'checkWrites'>;

/** Registering a webhook looks up its address, which may take seconds. */
const slowPath = /^\/webhooks/;
/** Their events are many, and each counts towards the storage quota of the next one. */
const merges: readonly Write[] = ['mergeClients', 'unmergeClients'];

/**
 * Runs each write in a transaction that is rolled back: every rule is checked where it is written. Without events
 * and audit entries, the check of 10,000 updates takes two thirds of the CPU time.
 */
export function createDryRunner() {
  const validators = new Map<Operation, ReturnType<typeof compileValidators>>();
  return async (request: FastifyRequest, context: Context, writes: readonly PlannedWrite[]) => {
    const results: DryRunResult[] = [];
    const source = toProblemSource(request);
    const toProblem = (error: SalonError) => toProblemResponse(error, source).problem;
    for (const [index, write] of writes.entries()) {
      try {
        if (writes.length > 1 && slowPath.test(write.path)) throw invalidWrite(index, 'must be the only one');
        const { operation, id, query } = findWrite(write, index);
        const known = validators.get(operation) ?? compileValidators(endpoints[operation]);
        validators.set(operation, known);
        const operationRequest = {
          id,
          query: unwrap(known.query({ text: query })) as QueryOf<Write>,
          body: unwrap(known.body(write.body ?? null)) as BodyOf<Write>,
          ifMatch: parseIfMatch(write.if_match),
          toProblem,
        };
        // The schemas of the operation have validated the request.
        const handle = handlers[operation] as (
          request: OperationRequest<Write>,
        ) => Promise<object | undefined>;
        const checking = { ...context, skipsLogs: !merges.includes(operation) };
        const record = await rollBack(checking, (inside) => handle({ ...operationRequest, context: inside }));
        const { success, secret }: Endpoint = endpoints[operation];
        results.push({ status: success.status, record: withoutSecret(record, secret), problem: null });
      } catch (error) {
        if (!(error instanceof SalonError)) throw error;
        const { status, problem } = toProblemResponse(error, source);
        results.push({ status, record: null, problem });
      }
    }
    return { results };
  };
}

const idPlace = ':id';

function findWrite(write: PlannedWrite, index: number) {
  const [path = '', query = ''] = write.path.split('?', 2);
  const segments = path.split('/');
  for (const operation of Object.keys(endpoints) as Operation[]) {
    const { method, path: pattern }: Endpoint = endpoints[operation];
    const places = pattern.split('/');
    if (operation === 'checkWrites' || method !== write.method || places.length !== segments.length) continue;
    const isFitting = (place: string, at: number) =>
      place === segments[at] || (place === idPlace && segments[at] !== '');
    if (places.every(isFitting)) return { operation, id: segments[places.indexOf(idPlace)] ?? '', query };
  }
  throw invalidWrite(index, `is no write of this API: ${write.method} ${path}`);
}

function invalidWrite(index: number, problem: string): SalonError {
  return invalidField(`/writes/${index}`, `/writes/${index} ${problem}.`, 'not_found');
}

function compileValidators(endpoint: Endpoint) {
  const { method, query = noFields, body = method === 'POST' ? noFields : undefined } = endpoint;
  const { isBodyOptional = body === noFields } = endpoint;
  const validate = body === undefined ? (value: unknown) => ({ value }) : compileBody(body);
  return {
    query: compileQuery(query as QuerySchema),
    body: (value: unknown) => validate(value === null && isBodyOptional ? {} : value),
  };
}

function unwrap<Value>(result: { value: Value } | { error: SalonError }): Value {
  if ('error' in result) throw result.error;
  return result.value;
}

/** A dry run creates no secret that could be used. */
function withoutSecret(record: object | undefined, secret: string | undefined): object | null {
  if (record === undefined || secret === undefined) return record ?? null;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== secret));
}

/** Creating an error for each write would take as long as a statement. */
const rolledBack = new Error('rolled back');

/** Runs an operation, which runs exactly one transaction, and undoes that. */
function rollBack<Result>(context: Context, act: (inside: Context) => Promise<Result>): Promise<Result> {
  const transaction: Context['database']['transaction'] = async (lock, body) => {
    let made: { readonly result: Awaited<ReturnType<typeof body>> } | undefined;
    try {
      await context.database.transaction(lock, async (tx) => {
        made = { result: await body(tx) };
        throw rolledBack;
      });
    } catch (error) {
      if (error !== rolledBack || made === undefined) throw error;
    }
    if (made === undefined) throw rolledBack;
    return made.result;
  };
  const requestPurge = () => {};
  return act({ ...context, database: { ...context.database, transaction, requestPurge } });
}

export const dryRunHeader = { 'salon-dry-run': String(maxDryRunWrites) };
