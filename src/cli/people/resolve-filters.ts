import type { CommandContext } from '../session/command-context.ts';
import { type ResolveOptions, resolveClient, resolveStylist } from './resolve.ts';

export interface PeopleFlags {
  readonly client?: string;
  readonly stylist?: string;
}

/** The IDs of the people whom `--client` and `--stylist` mean. Throws as `resolveClient` does. */
export async function resolvePeople(
  context: CommandContext<PeopleFlags>,
  options: ResolveOptions = {},
): Promise<{ readonly client_id?: string; readonly stylist_id?: string }> {
  const { client, stylist } = context.flags;
  return {
    ...(client === undefined ? {} : { client_id: (await resolveClient(client, context, options)).id }),
    ...(stylist === undefined ? {} : { stylist_id: (await resolveStylist(stylist, context, options)).id }),
  };
}
