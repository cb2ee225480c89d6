import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { isUnavailable } from './names.ts';

/** The ID of the only stylist whose appointments the API key may read; undefined if it may read all. */
export async function readOwnStylist(client: SalonClient): Promise<string | undefined> {
  try {
    return (await client.me()).stylist_id ?? undefined;
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    return undefined;
  }
}

/** Throws `permission_denied` if the key may read no appointment of these stylists: they would merely look free. */
export async function assertReadable(client: SalonClient, stylistIds: readonly string[]): Promise<void> {
  const own = await readOwnStylist(client);
  if (own === undefined || stylistIds.includes(own)) return;
  throw new SalonError('permission_denied', "This API key can only see its own stylist's calendar.");
}
