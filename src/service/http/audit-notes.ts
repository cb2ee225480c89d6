import type { FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, kindOfId } from '../../contract/identifiers.ts';
import { createExportLog, recordRefusedCaller } from '../domain/audit-access.ts';
import type { Context } from '../domain/context.ts';
import type { PageOfRecords } from '../domain/list-page.ts';
import type { ListBatch } from '../domain/list-stream.ts';

/** The operation of a route and what it runs with. */
interface RunningOperation {
  readonly request: FastifyRequest;
  readonly context: Context;
  readonly operation: string;
  /** The ID in the path; empty if there is none. */
  readonly id: string;
}

const refusals: readonly string[] = ['permission_denied', 'insufficient_scope'];

/** Records that a caller may not do something. A failure to record it is logged: the request stays refused. */
export async function noteRefusal(
  { request, context, operation, id }: RunningOperation,
  error: unknown,
): Promise<void> {
  if (!(error instanceof SalonError) || !refusals.includes(error.code)) return;
  const refusal = { operation, code: error.code, id: kindOfId(id) && id };
  await recordRefusedCaller(context, refusal).catch((thrown: unknown) => {
    request.log.error({ err: thrown }, 'refusal not recorded');
  });
}

const paging: readonly string[] = ['page', 'per_page', 'after', 'sort'];

/** Creates what records a page that is about to be sent if it is part of an export. Throws what writing the entry throws. */
export function createExportNotes() {
  const log = createExportLog();
  return async (
    { request, context, path }: { request: FastifyRequest; context: Context; path: string },
    page: Pick<PageOfRecords | ListBatch, 'count' | 'next'>,
  ): Promise<void> => {
    const { count, next } = page;
    if (count === undefined) return;
    const filters = Object.keys(request.query as object).filter((name) => !paging.includes(name));
    // A whole list has one address and many parts.
    const { originalUrl } = request;
    const url = 'lines' in page ? `${originalUrl} ${next}` : originalUrl;
    const resource = path === '/changes' ? 'change' : toRecordKind(path);
    const sent = { resource, url, count, isLast: next === null, filters };
    await log(context, sent);
  };
}

export type ExportNotes = ReturnType<typeof createExportNotes>;

const resources: Readonly<Record<string, IdentifierKind>> = {
  appointments: 'appointment',
  'blocked-times': 'blocked_time',
  clients: 'client',
  services: 'service',
  stylists: 'stylist',
  payments: 'payment',
  webhooks: 'webhook',
  deliveries: 'delivery',
  'audit-log': 'audit_entry',
  'api-keys': 'api_key',
  'oauth-clients': 'oauth_client',
  waitlist: 'waitlist_entry',
};

/** The kind of record at a path of the API. */
export function toRecordKind(path: string): IdentifierKind {
  return resources[path.split('/')[1] ?? ''] ?? 'appointment';
}
