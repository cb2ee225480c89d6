import { isNotAbove, type Role, roles } from '../../../../contract/roles.ts';
import { choiceField, type FieldErrors, selectField } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { StylistName } from '../stylist-names.ts';

/** What each role may do, in a line. */
const descriptions: Readonly<Record<Role, string>> = {
  owner: 'Everything, including OAuth clients and other owners.',
  manager: 'Everything in the salon, including API keys, webhooks and the team, but not owners.',
  receptionist: 'Clients, payments and the appointments of all stylists; no refunds, no deletions.',
  stylist: 'Clients, and their own appointments and payments; no refunds, no deletions.',
  viewer: 'Sees clients, appointments, payments and stylists, but changes nothing.',
};

export interface RoleChoice {
  readonly role: string;
  readonly stylistId: string;
}

export interface RoleFields {
  /** The role of the person who chooses: nobody gives more than they have. */
  readonly own: Role;
  readonly chosen: RoleChoice;
  readonly stylists: readonly StylistName[];
  readonly errors?: FieldErrors | undefined;
}

/** The role of a person, and the stylist that they are. */
export function renderRoleFields({ own, chosen, stylists, errors }: RoleFields): Html {
  const choices = roles
    .filter((role) => isNotAbove(role, own))
    .map((role) => ({
      value: role,
      label: `${role.slice(0, 1).toUpperCase()}${role.slice(1)}`,
      hint: descriptions[role],
      isChosen: role === chosen.role,
    }));
  const options = stylists
    .filter(({ id, isActive }) => isActive || id === chosen.stylistId)
    .map(({ id, name, isActive }) => ({ value: id, label: isActive ? name : `${name} (inactive)` }));
  return html`${choiceField({ label: 'Role', name: 'role', choices, errors })}
${selectField({
  label: 'Stylist',
  name: 'stylist_id',
  hint: 'Only for the role stylist: the calendar they see.',
  options: [{ value: '', label: 'None' }, ...options],
  value: chosen.stylistId,
  errors,
  isOptional: true,
})}`;
}

export function readRoleChoice(sent: URLSearchParams): RoleChoice {
  return { role: sent.get('role') ?? '', stylistId: sent.get('stylist_id') ?? '' };
}

/** The role of a form; undefined for none and for another word. */
export function parseRole(text: string): Role | undefined {
  return roles.find((role) => role === text);
}
