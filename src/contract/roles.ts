/** The roles of people and API keys. Source: the contract's role table; the published document names roles without defining them. */
export const roles = ['owner', 'manager', 'receptionist', 'stylist', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** The scopes of an API key or OAuth token. A request needs both the role's right and the scope. */
export const scopes = [
  'appointments:read',
  'appointments:write',
  'clients:read',
  'clients:write',
  'stylists:read',
  'stylists:write',
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'audit:read',
] as const;

export type Scope = (typeof scopes)[number];

/** How far a right reaches: every record, the stylist's own calendar, or nothing. */
export type Access = 'all' | 'own' | 'none';

/** What each role may access, by action. */
export const accessByRole = {
  'appointments.read': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'own', viewer: 'all' },
  'appointments.write': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'own', viewer: 'none' },
  'clients.read': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'all', viewer: 'all' },
  'clients.write': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'all', viewer: 'none' },
  'clients.delete': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'stylists.read': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'all', viewer: 'all' },
  'stylists.write': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'payments.read': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'own', viewer: 'all' },
  'payments.write': { owner: 'all', manager: 'all', receptionist: 'all', stylist: 'own', viewer: 'none' },
  'payments.refund': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'webhooks.read': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'webhooks.write': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'api_keys.read': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'api_keys.write': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'audit.read': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'team.read': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'team.write': { owner: 'all', manager: 'all', receptionist: 'none', stylist: 'none', viewer: 'none' },
  'oauth_clients.read': {
    owner: 'all',
    manager: 'none',
    receptionist: 'none',
    stylist: 'none',
    viewer: 'none',
  },
  'oauth_clients.write': {
    owner: 'all',
    manager: 'none',
    receptionist: 'none',
    stylist: 'none',
    viewer: 'none',
  },
} as const satisfies Record<string, Record<Role, Access>>;

export type Action = keyof typeof accessByRole;

/** Whether a role grants no more than another: nobody can grant more than their own role. */
export function isNotAbove(role: Role, own: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(own);
}

/** The lowest role with full access, which a `permission_denied` problem names as `required_role`. */
export function requiredRoleFor(action: Action): Role {
  const lowestFirst = [...roles].reverse();
  return lowestFirst.find((role) => accessByRole[action][role] === 'all') ?? 'owner';
}

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
