import { SalonError } from '../../contract/errors.ts';

/** What is said of an identifier that the account has no record of, be it another account's or nobody's. */
export function notFound(resource: 'client' | 'appointment' | 'account' | 'api_key', id: string): SalonError {
  const name = resource.replace('_', ' ');
  return new SalonError('not_found', `There is no ${name} ${id} in reach of this credential.`, {
    members: { resource, id },
  });
}
