import type { Collections } from '../../client/resources/collections.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Has the server check what a dry run would send. Throws what the write would, also on a read-only profile. A server
 * that cannot check gets nothing: it might execute the write. Returns a sentence for people.
 */
export async function checkDryRun(
  { client, session }: CommandContext,
  write: (client: Collections) => Promise<unknown>,
): Promise<string> {
  // Help of writing commands does not need it.
  const { assertWritable } = await import('./confirmation.ts');
  assertWritable(await session());
  const dryRun = await (await client()).dryRun();
  if (dryRun === undefined) return `Dry run: nothing was sent. ${uncheckedRules}`;
  await write(dryRun);
  return 'Dry run: the server would accept this. Nothing was changed.';
}

/** What a dry run on other servers leaves open. */
export const uncheckedRules =
  'Not checked: rules that only the server knows, such as free times and active stylists.';
