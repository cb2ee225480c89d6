import type { FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { anonymous } from '../domain/audit.ts';
import { recordRefusal, recordRefusedCaller } from '../domain/audit-refusals.ts';
import type { Caller, Context } from '../domain/context.ts';
import { toClientAddress } from '../identity/client-address.ts';
import { isTooLarge, PageError } from './error-page.ts';
import type { PageServices, Visit } from './visit.ts';

const maxPath = 100;

/** Records a page or form that was refused to somebody. */
export async function recordRefusedVisit(
  { context, session }: Pick<Visit, 'context' | 'session'>,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  const code = toRefusal(error);
  if (code !== undefined) await record(context, { request, code, caller: session?.caller });
}

/** Records a form that was too large to be read. */
export async function recordUnreadForm(
  { context }: PageServices,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  if (!isTooLarge(error)) return;
  const source = { requestId: request.id, address: toClientAddress(request) };
  await record({ ...context, source }, { request, code: 'payload_too_large' });
}

/** Records a cookie whose session has ended, or never was. */
export function recordUnknownSession({ context }: Visit, request: FastifyRequest): Promise<void> {
  return record(context, { request, code: 'session_unknown' });
}

interface RefusedRequest {
  readonly request: FastifyRequest;
  readonly code: string;
  readonly caller?: Caller | undefined;
}

/** A log that cannot be written changes nothing for the person. */
async function record(
  context: Pick<Context, 'database' | 'environment' | 'source'>,
  { request, code, caller }: RefusedRequest,
): Promise<void> {
  const { url } = request.routeOptions;
  // A link's path contains its token.
  const place = url?.includes(':token') ? url : (request.url.split('?', 1)[0] ?? '').slice(0, maxPath);
  const refusal = { operation: `${request.method} ${place}`, code };
  try {
    await (caller === undefined
      ? recordRefusal(context.database, context, { accountId: null, actor: anonymous, ...refusal })
      : recordRefusedCaller({ ...context, caller }, refusal));
  } catch (thrown) {
    request.log.error({ err: thrown }, 'refusal not recorded');
  }
}

function toRefusal(error: unknown): string | undefined {
  if (error instanceof PageError) return error.refusal;
  return error instanceof SalonError && error.status === 403 ? error.code : undefined;
}
