import type { Violation } from '../../../contract/errors.ts';

/** What is wrong with a body that names a stylist who stands so with the account; nothing for an active one. */
export function toStylistViolations(
  pointer: string,
  standing: 'active' | 'inactive' | undefined,
): Violation[] {
  if (standing === undefined) {
    return [{ pointer, code: 'not_found', detail: `${pointer} names no stylist of this account.` }];
  }
  return standing === 'inactive'
    ? [{ pointer, code: 'inactive', detail: `${pointer} names a stylist who is not active.` }]
    : [];
}
