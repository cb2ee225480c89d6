import { type Access, accessByRole, type Role, type Scope } from './roles.ts';

/** What a scope allows, in plain words. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  'appointments:read': 'See appointments',
  'appointments:write': 'Book, change and cancel appointments',
  'clients:read': 'See clients with their contact details and notes',
  'clients:write': 'Add, change, merge and delete clients',
  'stylists:read': 'See stylists and their working hours',
  'stylists:write': 'Add and change stylists',
  'payments:read': 'See payments',
  'payments:write': 'Record and refund payments',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Add, change, test and delete webhooks',
  'api_keys:read': 'See API keys, but not the keys themselves',
  'api_keys:write': 'Create, roll and revoke API keys',
  'audit:read': 'See the audit log',
};

/** The same for a role that may do only part of it. */
export function describeScope(scope: Scope, role: Role): string {
  if (scope === 'clients:write' && accessByRole['clients.delete'][role] === 'none') {
    return 'Add and change clients';
  }
  if (scope === 'payments:write' && accessByRole['payments.refund'][role] === 'none') {
    return 'Record payments';
  }
  return scopeTexts[scope];
}

/** How far a scope reaches with a role: a scope never gives more than the role. */
export function accessWith(role: Role, scope: Scope): Access {
  const [noun, verb] = scope.split(':');
  const action = Object.entries(accessByRole).find(([name]) => name === `${noun}.${verb}`);
  return action?.[1][role] ?? 'none';
}
