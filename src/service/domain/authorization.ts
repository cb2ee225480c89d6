import { scopeOf } from '../../contract/endpoint.ts';
import { endpoints, type Operation } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import {
  type Access,
  type Action,
  accessByRole,
  scopes as allScopes,
  type Role,
  roles,
} from '../../contract/roles.ts';
import type { Caller } from './context.ts';

/** Every request needs one, some twice. */
const scopeByOperation = new Map(
  Object.entries(endpoints).map(([name, endpoint]) => [name, scopeOf(endpoint)]),
);

/** Which records a caller may use in an operation. Throws `permission_denied` and `insufficient_scope`. */
export function authorize(caller: Caller, operation: Operation): Exclude<Access, 'none'> {
  const { action } = endpoints[operation];
  const scope = scopeByOperation.get(operation) ?? null;
  const access = action === null ? 'all' : accessByRole[action][caller.role];
  if (access === 'none') throw permissionDenied(caller, action ?? 'appointments.read');
  if (action !== null && scope === null) assertUnrestricted(caller);
  if (scope !== null && !caller.scopes.includes(scope)) {
    const kind = caller.credential.kind === 'token' ? 'access token' : 'API key';
    throw new SalonError('insufficient_scope', `This needs an ${kind} with the scope ${scope}.`, {
      members: { scope },
    });
  }
  return access;
}

/** Checks the right to do what has no endpoint, such as managing the team. Throws `permission_denied`. */
export function authorizeAction(caller: Caller, action: Action): void {
  if (accessByRole[action][caller.role] === 'none') throw permissionDenied(caller, action);
  assertUnrestricted(caller);
}

/** What has no scope is not for apps, nor for keys that scopes or addresses restrict. */
function assertUnrestricted({ credential, scopes }: Caller): void {
  const isLimited = credential.kind === 'api_key' && credential.hasAddresses === true;
  if (credential.kind !== 'token' && scopes.length === allScopes.length && !isLimited) return;
  const detail = 'This needs a person, or an API key without restricted scopes or addresses.';
  throw new SalonError('permission_denied', detail);
}

/** Whether a caller may use an operation at all. */
export function mayUse(caller: Caller, operation: Operation): boolean {
  try {
    authorize(caller, operation);
    return true;
  } catch (error) {
    if (error instanceof SalonError) return false;
    throw error;
  }
}

export function permissionDenied(caller: Caller, action: Action): SalonError {
  const role = requiredRoleFor(action);
  const detail = `This needs the role ${role}. ${toHolder(caller)} the role ${caller.role}.`;
  return new SalonError('permission_denied', detail, { members: { required_role: role } });
}

/** Throws `permission_denied` for a caller who is limited to the calendar of another stylist. */
export function assertOwn(caller: Caller, access: Access, stylistId: string | null): void {
  if (access === 'own' && stylistId !== caller.stylistId)
    throw permissionDenied(caller, 'appointments.write');
}

function toHolder({ credential }: Caller): string {
  switch (credential.kind) {
    case 'api_key':
      return 'The API key has';
    case 'token':
      return credential.user === null ? `${credential.app.name} has` : `${credential.user.name} has`;
    case 'session':
      return 'You have';
    case 'operator':
      return 'The operator has';
  }
}

/** The lowest role with full access, which a `permission_denied` problem names as `required_role`. */
function requiredRoleFor(action: Action): Role {
  const lowestFirst = [...roles].reverse();
  return lowestFirst.find((role) => accessByRole[action][role] === 'all') ?? 'owner';
}
