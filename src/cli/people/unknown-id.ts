import { SalonError } from '../../contract/errors.ts';

/** How servers answer a text that is not the ID of a record. */
const refusals: readonly unknown[] = [400, 404, 405, 410, 422];

/** The result of reading a record; undefined if the server has none with that ID. */
export async function ifKnown<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    const isUnknown =
      thrown instanceof SalonError && (thrown.code === 'not_supported' || refusals.includes(thrown.status));
    if (isUnknown) return undefined;
    throw thrown;
  }
}
