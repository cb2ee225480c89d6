import { SalonError } from '../../contract/errors.ts';
import { openLocalState } from '../../local-state/local-state.ts';
import { dataFolder } from '../folders.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toStateName } from '../session/server-state.ts';
import { toServiceOrigin } from '../session/session.ts';

type CopyContext = Pick<CommandContext, 'io' | 'session'>;

/** Keeps where the copy of this salon is, for queries that name no file. */
export async function rememberCopy(path: string, context: CopyContext): Promise<void> {
  using state = await openLocalState(dataFolder(context.io));
  state.write(await toKey(context), path);
}

/** The copy of this salon that was synced last. Throws `usage` if there is none. */
export async function findLastCopy(context: CopyContext): Promise<string> {
  using state = await openLocalState(dataFolder(context.io));
  const path = state.read(await toKey(context));
  if (typeof path === 'string') return path;
  throw new SalonError('usage', 'There is no copy of this salon on this machine.', {
    hint: 'Make one with "salon sync copy.db", or name the file in front of the query.',
  });
}

async function toKey({ session }: CopyContext): Promise<string> {
  const current = await session();
  return `copy/${toStateName(`${toServiceOrigin(current)}\n${current.profileName ?? ''}`)}`;
}
