import { isNotAbove, type Role, roles, roleTexts } from '../../../../contract/roles.ts';
import { choiceField, type FieldErrors, selectField } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { StylistName } from '../stylist-names.ts';

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
      label: roleTexts[role].title,
      hint: roleTexts[role].description,
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
