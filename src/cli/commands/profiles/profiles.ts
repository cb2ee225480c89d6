import type { Command } from 'commander';
import { readVariable, toSettingName } from '../../../settings.ts';
import { abbreviateKey } from '../../../text/mask-secrets.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { printFlags, yesFlag } from '../../flags/options.ts';
import { settingTable } from '../../flags/settings.ts';
import { findDataFolder } from '../../folders.ts';
import { columnSet } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded } from '../../session/embedded.ts';
import { settableNames } from '../../session/profile.ts';
import { isApiKey, listSettings, type Settings, type Source } from '../../session/resolve-settings.ts';
import { requireProfile, type Session } from '../../session/session.ts';
import { endGrantOfProfile } from '../auth/auth.ts';

export function registerProfiles(profiles: Command, runner: ActionRunner): void {
  const current = { help: 'profile (default: the current one)', complete: 'profiles' } as const;
  runner.define(profiles.command('list'), {
    description: 'List profiles',
    flags: printFlags,
    examples: { 'salon profiles list': 'List profiles; the current one is marked' },
    handler: async () => listProfiles,
  });
  runner.define(profiles.command('show'), {
    description: 'Show settings and where each comes from',
    args: { '[profile]': current },
    flags: {
      dialect: {
        flag: '--dialect',
        help: 'Print how the server differs, as a file for SALON_DIALECT',
      },
      ...printFlags,
    },
    examples: {
      'SALON_BASE_URL=https://… salon profiles show': 'Check the effect of environment variables',
      'salon profiles show crm --dialect > dialect.json': 'For CI: SALON_DIALECT=dialect.json',
    },
    handler: async () => showProfile,
  });
  runner.define(profiles.command('detect'), {
    description: 'Find out how a server of another kind pages its lists, and save it',
    args: { '[profile]': current },
    examples: { 'salon profiles detect crm': 'Send GET requests only, at most 12 a list' },
    changes: 'this machine',
    handler: async () => detectProfile,
  });
  runner.define(profiles.command('use'), {
    description: 'Set the current profile',
    args: { '<profile>': { complete: 'profiles' } },
    examples: { 'salon profiles use shop': 'Use it unless --profile is given' },
    changes: 'this machine',
    handler: async () => useProfile,
  });
  runner.define(profiles.command('set'), {
    description: 'Change a setting of a profile',
    args: {
      '<profile>': { help: 'profile', complete: 'profiles' },
      // read-only is accepted, too.
      '<setting>': { suggested: settableNames },
      '<value>': '',
    },
    examples: {
      'salon profiles set shop time_zone Europe/Berlin': "Show times in the salon's time zone",
      'salon profiles set shop protected true': 'Require --confirm for every write',
      'salon profiles set shop dialect django': 'Adapt to another kind of server',
      'salon profiles set shop timeout default': 'Remove a setting',
    },
    changes: 'this machine',
    handler: async () => setProfile,
  });
  runner.define(profiles.command('remove'), {
    description: 'Remove a profile and its API key',
    args: { '<profile>': { complete: 'profiles' } },
    flags: yesFlag,
    examples: { 'salon profiles remove shop --yes': 'Remove it without confirmation' },
    changes: 'this machine',
    handler: async () => removeProfile,
  });
}

const listColumns = columnSet({
  current: 'boolean',
  name: 'text',
  base_url: 'text',
  account: 'text',
  role: 'text',
  signed_in: 'boolean',
  protected: 'boolean',
  read_only: 'boolean',
});

const listProfiles: Handler = async (context) => {
  const store = await context.profiles();
  const current = store.currentName();
  const rows = Object.entries(store.all()).map(([name, profile]) => ({
    current: name === current,
    name,
    base_url: profile.base_url,
    account: profile.account?.name ?? null,
    role: profile.account?.role ?? null,
    signed_in: (profile.credential ?? profile.oauth) !== undefined,
    protected: profile.protected ?? false,
    read_only: profile.read_only ?? false,
  }));
  return { show: 'records', noun: 'profiles', columns: listColumns, pages: onePage(rows) };
};

const useProfile: Handler<object, [name: string]> = async (context, name) => {
  const store = await context.profiles();
  await store.change((profiles) => {
    requireProfile(profiles, name);
    profiles.use(name);
  });
  return { show: 'nothing', message: `Now using profile ${name}.` };
};

const removeProfile: Handler<object, [name: string]> = async (context, name) => {
  const store = await context.profiles();
  requireProfile(store, name);
  await context.confirmLocal(`Remove profile ${name} and its API key?`);
  const end = await endGrantOfProfile(context, name);
  await store.change((profiles) => profiles.remove(name));
  if (end?.failure) context.messages.warn(`Could not sign out on the server: ${end.failure.message}`);
  return { show: 'nothing', message: `Removed profile ${name}.` };
};

const setProfile: Handler<object, [name: string, setting: string, value: string]> = async (
  context,
  name,
  setting,
  value,
) => {
  const { parseSetting } = await import('../../session/change-setting.ts');
  const store = await context.profiles();
  const change = await parseSetting(setting, value, context.io);
  await store.change((profiles) => profiles.save(name, change.apply(requireProfile(profiles, name))));
  return { show: 'nothing', message: `Profile ${name}: ${change.setting} is ${change.shown}.` };
};

const settingColumns = columnSet({ setting: 'text', value: 'text', from: 'text' });

const detectProfile: Handler<object, [name: string | undefined]> = async (context, name) =>
  (await import('./detect.ts')).detectDialect(context, name);

const showProfile: Handler<{ readonly dialect?: boolean }, [name: string | undefined]> = async (
  context,
  name,
) => {
  const session = await context.session(name);
  if (context.flags.dialect === true)
    return { show: 'text', text: await (await import('./detect.ts')).renderDialect(session, context) };
  const { profileName, settings } = session;
  const rows = [
    { setting: 'profile', value: profileName ?? null, from: findProfileSource(context, name) },
    ...listSettings(settings).map(({ name: setting, value, source }) => ({ setting, value, from: source })),
    ...toCredentialRows(settings.credential),
    ...(await readDialectRows(session, context)),
  ];
  return { show: 'records', noun: 'settings', columns: settingColumns, pages: onePage(rows) };
};

function toCredentialRows(credential: Settings['credential']) {
  const noKey = { setting: 'key', value: null, from: 'default' as const };
  if (credential === undefined) return [noKey];
  const { value, source: from } = credential;
  if (isApiKey(value)) return [{ setting: 'key', value: abbreviateKey(value.key), from }];
  const signIn = `OAuth at ${value.issuer} as ${value.client_id}, stored in the ${value.storage}`;
  return [noKey, { setting: 'sign_in', value: signIn, from }];
}

function findProfileSource({ flags, io }: CommandContext, name: string | undefined): Source {
  if (name !== undefined || flags.profile !== undefined) return 'flag';
  return readVariable(settingTable.profile, io.env) === undefined ? 'default' : 'environment';
}

/** How the server differs: what is configured, and what commands have detected. The rest is the contract. */
async function readDialectRows({ profile, settings, env }: Session, { io }: CommandContext) {
  const baseUrl = settings.baseUrl?.value;
  if (baseUrl === undefined || isEmbedded(baseUrl)) return [];
  const [{ readConfiguredDialect }, { readDetectedDialect }] = await Promise.all([
    import('../../session/change-setting.ts'),
    import('../../session/server-state.ts'),
  ]);
  const { name, members, sources } = await readConfiguredDialect(io, env, profile?.dialect);
  const detected = await readDetectedDialect({ folder: findDataFolder(io), baseUrl, configured: members });
  const rows = Object.entries({ ...detected, ...members }).map(([part, value]) => ({
    setting: `dialect.${toSettingName(part)}`,
    value: part === 'headers' ? '…' : JSON.stringify(value),
    from: sources[part as keyof typeof sources] ?? 'detected',
  }));
  return name === undefined ? rows : [{ setting: 'dialect', value: name.value, from: name.source }, ...rows];
}
