import type { FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { anonymous } from '../domain/audit.ts';
import { recordRefusal, recordRefusedCaller } from '../domain/audit-refusals.ts';
import { PageError } from './error-page.ts';
import type { Visit } from './visit.ts';

const maxPath = 100;

/** Records a page or form that was refused to somebody. A log that cannot be written changes nothing for them. */
export async function recordRefusedVisit(
  visit: Visit,
  error: unknown,
  request: FastifyRequest,
): Promise<void> {
  const code = toRefusal(error);
  if (code === undefined) return;
  const { context, session, path } = visit;
  const { url } = request.routeOptions;
  // A link's path contains its token.
  const place = url?.includes(':token') ? url : path.slice(0, maxPath);
  const refusal = { operation: `${request.method} ${place}`, code };
  try {
    await (session === undefined
      ? recordRefusal(context.database, context, { accountId: null, actor: anonymous, ...refusal })
      : recordRefusedCaller({ ...context, caller: session.caller }, refusal));
  } catch (thrown) {
    request.log.error({ err: thrown }, 'refusal not recorded');
  }
}

function toRefusal(error: unknown): string | undefined {
  if (error instanceof PageError) return error.refusal;
  return error instanceof SalonError && error.status === 403 ? error.code : undefined;
}
