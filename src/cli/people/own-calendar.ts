import type { SalonClient } from '../../client/client.ts';
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
