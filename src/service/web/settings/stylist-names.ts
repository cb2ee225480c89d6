import type { Stylist } from '../../../contract/stylist.ts';
import type { Context } from '../../domain/context.ts';
import { listStylists } from '../../domain/stylists.ts';

/** A stylist as pages name them. */
export interface NamedStylist {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
}

/** All stylists of the account, by name. */
export async function readStylistNames(context: Context): Promise<readonly NamedStylist[]> {
  const stylists: Stylist[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listStylists(context, { per_page: 200, ...(after === undefined ? {} : { after }) });
    stylists.push(...JSON.parse(page.dataJson.toString()));
    after = page.next;
  }
  return stylists
    .map((stylist) => ({ id: stylist.id, name: toName(stylist), active: stylist.active }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function toName({ id, display_name, first_name, last_name }: Stylist): string {
  return display_name || [first_name, last_name].filter(Boolean).join(' ') || id;
}
