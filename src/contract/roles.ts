/**
 * The roles of people and API keys, highest first: no one can grant a higher one than their own. The summary follows the
 * title of an API key's role, the description is for a person who gets it. Source: the contract's role table; the
 * published document names roles without defining them.
 */
export const roleTexts = {
  owner: {
    title: 'Owner',
    summary: 'everything, including OAuth clients',
    description: 'Everything, including OAuth clients and other owners.',
  },
  manager: {
    title: 'Manager',
    summary: 'everything except OAuth clients',
    description: 'Everything in the salon, including API keys, webhooks and the team, but not owners.',
  },
  receptionist: {
    title: 'Receptionist',
    summary: 'appointments, clients and payments',
    description: 'Clients, payments and the appointments of all stylists; no refunds, no deletions.',
  },
  stylist: {
    title: 'Stylist',
    summary: 'the calendar of one stylist',
    description: 'Clients, and their own appointments and payments; no refunds, no deletions.',
  },
  viewer: {
    title: 'Viewer',
    summary: 'read only',
    description: 'Sees clients, appointments, payments and stylists, but changes nothing.',
  },
} as const;

export type Role = keyof typeof roleTexts;

export const roles = namesOf(roleTexts);

/** Whether a role grants no more than another. */
export function isNotAbove(role: Role, own: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(own);
}

/** What the scopes of an API key or OAuth token allow. A request needs both the role's right and the scope. */
export const scopeTexts = {
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
  'changes:read': 'Follow changes of the records it may see',
} as const;

export type Scope = keyof typeof scopeTexts;

export const scopes = namesOf(scopeTexts);

/** How far a right reaches: every record, the stylist's own calendar, or nothing. */
export type Access = 'all' | 'own' | 'none';

type AccessByRole = Readonly<Record<Role, Access>>;

const everybody: AccessByRole = {
  owner: 'all',
  manager: 'all',
  receptionist: 'all',
  stylist: 'all',
  viewer: 'all',
};
const everybodyInOwnCalendar: AccessByRole = { ...everybody, stylist: 'own' };
const staff: AccessByRole = { ...everybody, viewer: 'none' };
const staffInOwnCalendar: AccessByRole = { ...staff, stylist: 'own' };
const managers: AccessByRole = { ...staff, receptionist: 'none', stylist: 'none' };
const owners: AccessByRole = { ...managers, manager: 'none' };

/** What each role may access, by action. */
export const accessByRole = {
  'appointments.read': everybodyInOwnCalendar,
  'appointments.write': staffInOwnCalendar,
  'clients.read': everybody,
  'clients.write': staff,
  'clients.delete': managers,
  'stylists.read': everybody,
  'stylists.write': managers,
  'payments.read': everybodyInOwnCalendar,
  'payments.write': staffInOwnCalendar,
  'payments.refund': managers,
  'webhooks.read': managers,
  'webhooks.write': managers,
  'api_keys.read': managers,
  'api_keys.write': managers,
  'audit.read': managers,
  'changes.read': managers,
  'team.read': managers,
  'team.write': managers,
  'oauth_clients.read': owners,
  'oauth_clients.write': owners,
} as const;

export type Action = keyof typeof accessByRole;

/** How far a scope reaches with a role: a scope never gives more than the role. */
export function accessWith(role: Role, scope: Scope): Access {
  const [noun, verb] = scope.split(':');
  const action = Object.entries(accessByRole).find(([name]) => name === `${noun}.${verb}`);
  return action?.[1][role] ?? 'none';
}

/** The scopes that allow something with a role, such as those that read for a viewer. */
export function scopesWith(role: Role, granted: readonly Scope[]): Scope[] {
  return granted.filter((scope) => accessWith(role, scope) !== 'none');
}

/** The names in a table. typebox reads an enum from a tuple only; one element of all names has the same meaning. */
function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>) {
  return Object.keys(table) as unknown as readonly [Name];
}
