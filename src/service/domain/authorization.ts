import { endpoints, type Operation } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Action, leastRoleFor, type Reach, rights } from '../../contract/roles.ts';
import type { Principal } from './context.ts';

/**
 * How far a principal's right to an operation reaches. Throws `permission_denied` where the role has none, and
 * `insufficient_scope` where the credential was narrowed to less.
 */
export function assertMay(principal: Principal, operation: Operation): Exclude<Reach, 'none'> {
  const { action, scope } = endpoints[operation];
  const reach = action === null ? 'all' : rights[action][principal.role];
  if (reach === 'none') {
    throw permissionDenied(principal, action ?? 'appointments.read');
  }
  if (scope !== null && !principal.scopes.includes(scope)) {
    throw new SalonError(
      'insufficient_scope',
      `This needs the scope ${scope}, which the key does not have.`,
      {
        members: { scope },
      },
    );
  }
  return reach;
}

export function permissionDenied(principal: Principal, action: Action): SalonError {
  const role = leastRoleFor(action);
  return new SalonError('permission_denied', `The role ${principal.role} may not do this; ${role} may.`, {
    members: { required_role: role },
  });
}
