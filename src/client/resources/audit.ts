import { type AuditEntry, type AuditQuery, auditEndpoints as endpoints } from '../../contract/audit.ts';
import type { ApiContext } from '../pagination/page-requests.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { createList, type ListOptions } from './list.ts';

type AuditListQuery = Omit<AuditQuery, 'page' | 'after'>;

/** Who did what, as the service recorded it. */
export interface AuditLog {
  /** Lists entries, oldest first unless sorted. Throws `not_supported` where the server has no audit log. */
  list(query?: AuditListQuery, options?: ListOptions): PagedList<AuditEntry>;
}

export function createAuditLog(context: ApiContext): AuditLog {
  return { list: createList<AuditEntry>({ plural: 'entries', list: endpoints.listAuditLog }, context) };
}
