import type { Stylist } from '../../../contract/stylist.ts';
import { readStylistRecords } from '../../db/records/stylists.ts';
import { authorize } from '../../domain/authorization.ts';
import { toStylistName } from '../../domain/conflicts.ts';
import type { Context } from '../../domain/context.ts';

export interface StylistName {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
}

/** The stylists of the account by name. */
export async function listStylistNames({ database, caller }: Context): Promise<StylistName[]> {
  authorize(caller, 'listStylists');
  const records = await readStylistRecords(database.reader, caller.account.id);
  return records
    .map((record): Stylist => JSON.parse(record))
    .map((stylist) => ({ id: stylist.id, name: toStylistName(stylist), isActive: stylist.active }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
