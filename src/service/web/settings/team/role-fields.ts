import { newApiKey } from '../../../../contract/api-key.ts';
import { isNotAbove, roles, roleTexts } from '../../../../contract/roles.ts';
import type { Stylist } from '../../../../contract/stylist.ts';
import { compareNames } from '../../../../text/search-text.ts';
import { readRecordTexts } from '../../../db/records/records.ts';
import { authorize } from '../../../domain/authorization.ts';
import { toStylistName } from '../../../domain/booking.ts';
import type { Context } from '../../../domain/context.ts';
import { field } from '../../form-fields.ts';

export const teamPath = '/settings/team';

/** The role of a person, and the stylist that they are: an active one, or the present one. */
export async function readRoleFields(context: Context, presentStylistId?: string | null) {
  const stylists = await listStylistNames(context);
  // People grant no more than they have; the domain says so to those who try.
  const offered = roles.filter((role) => isNotAbove(role, context.caller.role));
  return {
    role: field(newApiKey.properties.role, {
      label: 'Role',
      type: 'radio',
      choices: Object.fromEntries(
        offered.map((role) => [role, { label: roleTexts[role].title, hint: roleTexts[role].description }]),
      ),
    }),
    stylist_id: field(newApiKey.properties.stylist_id, {
      label: 'Stylist',
      hint: 'Only for the role stylist: the calendar they see.',
      choices: Object.fromEntries(
        stylists
          .filter(({ id, isActive }) => isActive || id === presentStylistId)
          .map(({ id, name, isActive }) => [id, { label: isActive ? name : `${name} (inactive)` }]),
      ),
      isOptional: true,
    }),
  };
}

/** The stylists of the account by name. */
export async function listStylistNames({ database, caller }: Context) {
  authorize(caller, 'listStylists');
  const records = await readRecordTexts(database.reader, 'stylists', { account_id: caller.account.id });
  return records
    .map((record): Stylist => JSON.parse(record))
    .map((stylist) => ({ id: stylist.id, name: toStylistName(stylist), isActive: stylist.active }))
    .sort((one, other) => compareNames(one.name, other.name));
}

/** The names of the stylists by ID. */
export async function readStylistNamesById(context: Context): Promise<ReadonlyMap<string, string>> {
  return new Map((await listStylistNames(context)).map(({ id, name }) => [id, name]));
}
