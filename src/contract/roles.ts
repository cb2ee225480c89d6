/** Who a credential acts as. Source: the contract's role table; the document names roles but shows none. */
export const roles = ['owner', 'manager', 'receptionist', 'stylist', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** What an OAuth token or an API key may be narrowed to. The effective right is the role's AND the scope's. */
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
] as const;

export type Scope = (typeof scopes)[number];

/** How far a right reaches: every record, the stylist's own calendar, or nothing. */
export type Access = 'all' | 'own' | 'none';

/** What each role may do, by action, in the order of `roles`. */
export const rights = {
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
} as const satisfies Record<string, Record<Role, Access>>;

export type Action = keyof typeof rights;

/** The least of the roles that may do this: what a refusal names as `required_role`. */
export function leastRoleFor(action: Action): Role {
  const byReach = [...roles].reverse();
  return byReach.find((role) => rights[action][role] === 'all') ?? 'owner';
}
