import { readVariable } from '../../settings.ts';
import { settingTable } from '../flags/settings.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isEmbedded } from '../session/embedded.ts';
import { savedSettings } from '../session/profile.ts';
import { listSettings } from '../session/resolve-settings.ts';
import { findKeyVariables, requireBaseUrl, requireCredential, type Session } from '../session/session.ts';
import { checkEmbeddedDatabase, checkFolders, checkVersions } from './check-machine.ts';
import { attempt, type Check, passed, skipped, warned } from './check-result.ts';

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
  yield checkSettings(session, io);
  const baseUrl = session.settings.baseUrl?.value;
  if (baseUrl === undefined) return;
  const isReachable = yield* isEmbedded(baseUrl)
    ? checkEmbedded(baseUrl, context)
    : checkRemote(baseUrl, session, context);
  const { settings, passedOver } = session;
  const key = await attempt('key', async () => {
    requireCredential({ settings, passedOver });
    return passed('key', 'There is one');
  });
  if (key.status === 'problem') yield key;
  if (key.status === 'problem' || !isReachable) yield skipped('service', 'Not checked');
  else {
    const { checkService } = await import('./check-service.ts');
    yield* checkService(session, context);
  }
}

/** Returns whether the service can be asked. */
async function* checkEmbedded(baseUrl: string, { io }: CommandContext): AsyncGenerator<Check, boolean> {
  yield skipped('network', 'Not checked: the service runs in this process');
  const database = await attempt('database', () => checkEmbeddedDatabase(baseUrl, io));
  yield database;
  return database.status !== 'problem';
}

/** Returns whether the service can be asked. */
async function* checkRemote(
  baseUrl: string,
  session: Session,
  { io }: CommandContext,
): AsyncGenerator<Check, boolean> {
  const [{ parseBaseUrl }, { checkNetwork }] = await Promise.all([
    import('../../client/http/request-path.ts'),
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
  for await (const check of checkNetwork({ session, origin, io })) {
    isReachable &&= check.status !== 'problem';
    yield check;
  }
  return isReachable;
}

/** The profile in use, and where the base URL comes from. */
function checkProfile(session: Session, { flags, io }: CommandContext): Check {
  const { profileName, settings } = session;
  const value = requireBaseUrl(session);
  const { source = 'default', variable: named } = settings.baseUrl ?? {};
  const { variable } = settingTable.profile;
  const fromVariable = readVariable(settingTable.profile, io.env) && variable;
  const why = flags.profile ? '--profile' : (fromVariable ?? 'the current one');
  const profile = profileName === undefined ? 'none' : `${profileName} (${why})`;
  const message = `${profile}; base URL ${value} from ${named ?? `the ${source}`}`;
  return passed('profile', message, { profile: profileName ?? null, base_url: value, base_url_from: source });
}

/** Where each setting comes from that is not the default. */
function checkSettings({ settings, profile }: Session, io: CommandContext['io']): Check {
  const { source, variable } = settings.credential ?? {};
  const key = { name: 'key', source: source ?? 'default', variable };
  const plain = listSettings(settings).filter(({ name }) => name !== 'base_url');
  const parts = Object.keys(profile?.dialect ?? {});
  const dialect = parts.map((part) => ({ name: `dialect.${part}`, source: 'profile', variable: undefined }));
  const all = [key, ...plain, ...dialect].filter((setting) => setting.source !== 'default');
  const text = all.map((setting) => `${setting.name} (${setting.variable ?? setting.source})`).join(', ');
  const details = Object.fromEntries(all.map((setting) => [setting.name, setting.source]));
  const wrong = savedSettings.flatMap(({ name }) => settings[name]?.unusable?.error ?? []);
  if (wrong.length > 0) {
    const hint = wrong.map((error) => error.hint).join(' ');
    return warned('settings', wrong.map(({ message }) => message).join(' '), { hint, details });
  }
  if (source !== 'environment' || !(profile?.credential ?? profile?.oauth)) {
    return passed('settings', text === '' ? 'All are defaults' : text, details);
  }
  const hint = `${variable} wins over the stored sign-in. To use that, unset ${findKeyVariables(io).join(' and ')}.`;
  return warned('settings', text, { hint, details });
}
