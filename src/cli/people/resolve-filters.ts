import { SalonError } from '../../contract/errors.ts';
import type { FlagValues } from '../flags/flag.ts';
import type { filterFlags } from '../flags/options.ts';
import { whyRefused } from '../flags/values.ts';
import { checkIfEmpty, type Records } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertReadable } from './names.ts';
import { isOwnId } from './references.ts';
import { type ResolveOptions, resolveClient, resolveStylist } from './resolve.ts';

export interface PeopleFilters {
  readonly client_id?: string;
  readonly stylist_id?: string;
}

/** The IDs of the people whom `--client` and `--stylist` mean. Throws as `resolveClient` does. */
export async function resolvePeople(
  context: CommandContext<FlagValues<typeof filterFlags>>,
  options: ResolveOptions = {},
): Promise<PeopleFilters> {
  const { client, stylist } = context.flags;
  return {
    ...(client === undefined ? {} : { client_id: (await resolveClient(client, context, options)).id }),
    ...(stylist === undefined ? {} : { stylist_id: (await resolveStylist(stylist, context, options)).id }),
  };
}

/** The field that `--preferred-stylist` sets, if it is given. */
export async function resolvePreferredStylist(
  context: CommandContext<{ readonly preferredStylist?: string }>,
): Promise<{ readonly preferred_stylist_id?: string }> {
  const { preferredStylist } = context.flags;
  if (preferredStylist === undefined) return {};
  return { preferred_stylist_id: (await resolveStylist(preferredStylist, context, { isWrite: true })).id };
}

/** The IDs of the stylists whom a repeated `--stylist` means. */
export async function resolveStylists(references: readonly string[] | undefined, context: CommandContext) {
  const ids: string[] = [];
  for (const reference of references ?? []) ids.push((await resolveStylist(reference, context)).id);
  return [...new Set(ids)];
}

/**
 * Reads words such as `Theo tomorrow` or `last week with Theo`: the longest time at either end, which `parseTime` reads,
 * and the stylist whom the others mean. Throws as `resolveStylist` does, and as `parseTime` for words that are neither.
 */
export async function resolveStylistAndTime(
  words: readonly string[],
  { stylist, parseTime }: { readonly stylist?: readonly string[]; parseTime(text: string): unknown },
  context: CommandContext,
): Promise<{ readonly time: string; readonly stylistIds: readonly string[] }> {
  const all = words.join(' ').split(/\s+/).filter(Boolean);
  const cut = (at: number) => [all.slice(0, at).join(' '), all.slice(at).join(' ')];
  const cuts = all.flatMap((_, less) => [cut(all.length - less), cut(less).toReversed()]);
  const isTime = (text: string) => whyRefused(() => parseTime(text)) === undefined;
  const found = cuts.find(([time = '', rest]) => rest !== 'with' && isTime(time));
  const [time = '', rest = ''] = found ?? ['', all.join(' ')];
  const name = rest.replace(/^with /i, '');
  // A name has no digit, and an ID of another server belongs to the flag.
  if (time === '' && /\d/.test(name) && !isOwnId(name, 'stylist')) parseTime(name);
  const named = await resolveStylists(name === '' ? [] : [name], context).catch((thrown: unknown) => {
    if (time === '' && thrown instanceof SalonError && thrown.code === 'not_found') parseTime(name);
    throw thrown;
  });
  return { time, stylistIds: [...new Set([...named, ...(await resolveStylists(stylist, context))])] };
}

/** The lists in which the records of a filter are. */
const lists = {
  client_id: 'clients',
  stylist_id: 'stylists',
  appointment_id: 'appointments',
  payment_id: 'payments',
} as const;

type IdFilters = Readonly<Partial<Record<keyof typeof lists, string | undefined>>>;

/**
 * The same list; if it is empty, throws `not_found` for a record of a filter that does not exist, and
 * `permission_denied` for a stylist whose records the API key may not read.
 */
export function refuseUnknown(records: Records, filters: IdFilters, context: CommandContext): Records {
  const pages = checkIfEmpty(records.pages, async () => {
    const client = await context.client();
    for (const name of Object.keys(lists) as (keyof typeof lists)[]) {
      const id = filters[name];
      if (id !== undefined) await assertExists(client[lists[name]].get(id, { searchesList: false }));
    }
    if (filters.stylist_id !== undefined) await assertReadable(client, [filters.stylist_id]);
  });
  return { ...records, pages };
}

/** Throws `not_found`. A server that cannot tell is believed. */
export async function assertExists(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch (thrown) {
    if (thrown instanceof SalonError && thrown.code === 'not_found') throw thrown;
  }
}
