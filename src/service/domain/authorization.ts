import { scopeOf } from '../../contract/endpoint.ts';
import { endpoints, type Operation } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Access, type Action, leastRoleFor, rights } from '../../contract/roles.ts';
import type { Caller } from './context.ts';

/**
 * How far a caller's right to an operation reaches. Throws `permission_denied` where the role has none, and
 * `insufficient_scope` where the credential was narrowed to less.
 */
export function authorize(caller: Caller, operation: Operation): Exclude<Access, 'none'> {
  const { action } = endpoints[operation];
  const scope = scopeOf(endpoints[operation]);
  const reach = action === null ? 'all' : rights[action][caller.role];
  if (reach === 'none') {
    throw permissionDenied(caller, action ?? 'appointments.read');
  }
  if (scope !== null && !caller.scopes.includes(scope)) {
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

export function permissionDenied(caller: Caller, action: Action): SalonError {
  const role = leastRoleFor(action);
  return new SalonError('permission_denied', `The role ${caller.role} may not do this; ${role} may.`, {
    members: { required_role: role },
  });
}
