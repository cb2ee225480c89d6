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
