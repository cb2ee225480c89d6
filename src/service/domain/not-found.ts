import { SalonError } from '../../contract/errors.ts';
import type { IdentifierKind } from '../../contract/identifiers.ts';

/** What is said of an identifier that the account has no record of, be it another account's or nobody's. */
export function notFound(resource: IdentifierKind, id: string): SalonError {
  const name = resource.replace('_', ' ');
  return new SalonError('not_found', `There is no ${name} ${id} in reach of this credential.`, {
    members: { resource, id },
  });
}
