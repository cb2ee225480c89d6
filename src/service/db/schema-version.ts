import { SalonError } from '../../contract/errors.ts';

/**
 * The number of the oldest migration whose programs can work on the schema of this one. Raise it with a change that they
 * cannot work with, at the earliest one release after the change that they have to know.
 */
export const minimumVersion = '025';

/** Where a database keeps the highest `minimumVersion` of all programs that have migrated it. */
export const minimumSetting = 'minimum_version';

/** Throws `usage` if a database has been changed so far by a newer program that this one cannot work with it. */
export function assertSupported(
  name: string,
  {
    known,
    done,
    minimum,
  }: { known: readonly string[]; done: readonly string[]; minimum: string | undefined },
): void {
  const isTooNew =
    minimum === undefined
      ? done.some((migration) => !known.includes(migration))
      : minimum > toVersion(known.at(-1) ?? '');
  if (!isTooNew) return;
  throw new SalonError('usage', `${name} was written by a newer version of salon.`, {
    hint: 'Update salon and try again.',
  });
}

/** The number that a migration's name begins with. */
function toVersion(migration: string): string {
  return migration.slice(0, 3);
}
