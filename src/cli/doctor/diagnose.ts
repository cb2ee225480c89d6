import type { CommandContext } from '../session/command-context.ts';
import { isEmbedded } from '../session/embedded.ts';
import type { Session } from '../session/session.ts';
import { attempt, type Check, passed, skipped } from './check.ts';
import { checkFolders, checkVersions } from './check-machine.ts';
import { checkKeyIsSet, checkProfile, checkSettings } from './check-settings.ts';

/** Checks everything between this machine and the service, in this order. What a problem makes pointless is skipped. */
export async function* diagnose(context: CommandContext): AsyncGenerator<Check> {
  const { io } = context;
  yield await checkVersions(io);
  yield* await checkFolders(io);
  let session: Session | undefined;
  const profile = await attempt('profile', async () => {
    session = await context.session();
    return checkProfile(session, context);
  });
  yield profile;
  if (session === undefined) return;
  yield checkSettings(session);
  const baseUrl = session.settings.baseUrl?.value;
  if (baseUrl === undefined) return;
  const isReachable = yield* isEmbedded(baseUrl)
    ? checkEmbedded(baseUrl, context)
    : checkRemote(baseUrl, session, context);
  const missingKey = checkKeyIsSet(session);
  if (missingKey !== undefined) yield missingKey;
  if (missingKey !== undefined || !isReachable) yield skipped('service', 'Not checked');
  else {
    const { checkService } = await import('./check-service.ts');
    yield* checkService({ session, io, messages: context.messages });
  }
}

/** Returns whether the service can be asked. */
async function* checkEmbedded(baseUrl: string, { io }: CommandContext): AsyncGenerator<Check, boolean> {
  const { checkDatabase } = await import('./check-database.ts');
  yield skipped('network', 'Not checked: the service runs in this process');
  const database = await attempt('database', () => checkDatabase(baseUrl, io));
  yield database;
  return database.status !== 'problem';
}

/** Returns whether the service can be asked. */
async function* checkRemote(
  baseUrl: string,
  session: Session,
  { io, messages }: CommandContext,
): AsyncGenerator<Check, boolean> {
  const [{ parseBaseUrl }, { checkNetwork }] = await Promise.all([
    import('../../client/http/base-url.ts'),
    import('./check-network.ts'),
  ]);
  let origin = '';
  const parsed = await attempt('network', async () => {
    ({ origin } = parseBaseUrl(baseUrl));
    return passed('network', origin);
  });
  if (parsed.status === 'problem') {
    yield parsed;
    return false;
  }
  let isReachable = true;
  for await (const check of checkNetwork({ session, origin, io, messages })) {
    isReachable &&= check.status !== 'problem';
    yield check;
  }
  return isReachable;
}
