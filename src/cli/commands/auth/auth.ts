import type { Command } from 'commander';
import { presetNames, provenPresets } from '../../../client/dialect/presets.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { abbreviateKey } from '../../../text/mask-secrets.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { settingTable } from '../../flags/settings.ts';
import { renderShortTime } from '../../messages/short-times.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { Identity } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isApiKey } from '../../session/resolve-settings.ts';
import { requireProfile, type Session } from '../../session/session.ts';
import type { Login, LoginFlags } from '../../sign-in/login.ts';

export function registerAuth(auth: Command, runner: ActionRunner): void {
  const unproven = presetNames.filter((name) => !provenPresets.includes(name)).join(', ');
  const dialects = `${provenPresets.join(', ')}; by its documentation, never seen: ${unproven}; or a JSON file`;
  runner.define(auth.command('login'), {
    description: 'Sign in with your browser or an API key',
    flags: {
      device: { flag: '--device', help: 'Sign in with a code, in any browser' },
      withKey: { flag: '--with-key', help: 'Sign in with an API key' },
      keyFile: { flag: '--key-file <file>', help: 'Read the API key from a file; - for stdin' },
      set: {
        type: 'list',
        flag: '--set <setting=value>',
        help: 'A setting, as in "profiles set"; repeatable',
        complete: 'settings',
      },
      noVerify: { flag: '--no-verify', help: 'Save the key without a request', isAdvanced: true },
      clientId: {
        flag: '--client-id <id>',
        help: 'Client ID registered on another server',
        isAdvanced: true,
      },
      issuer: {
        flag: '--issuer <url>',
        help: 'Authorization server, if it is not the salon',
        isAdvanced: true,
      },
      scope: { flag: '--scope <scopes>', help: 'Scopes to request (default: all that your role allows)' },
      callbackPort: {
        flag: '--callback-port <port>',
        help: 'Local port for the redirect (default: any)',
        isAdvanced: true,
      },
    },
    settings: [
      { ...settingTable.keyring, isAdvanced: true },
      { ...settingTable.dialect, help: `How the server differs: ${dialects}` },
    ],
    notes: 'Create an API key in your account settings:\nIntegrations → API Keys → Generate New Key.',
    examples: {
      'salon auth login --base-url https://api.example-salon.com': 'Sign in with your browser',
      'salon auth login --base-url https://… --device': 'Sign in with a code, e.g. over SSH',
      'pass salon-key | salon auth login --base-url https://… -p shop':
        'Read the API key from a password manager',
    },
    changes: 'this machine',
    undo: 'salon auth logout',
    handler: async () => showLogin,
  });
  runner.define(auth.command('logout'), {
    description: 'Sign out, or remove the API key',
    examples: {
      'salon auth logout': 'Sign out here and on the server',
      'salon auth logout -p shop': 'Sign out of another profile',
      'salon profiles remove shop': 'Sign out and remove its settings, too',
    },
    changes: 'this machine',
    handler: async () => logout,
  });
  runner.define(auth.command('status'), {
    description: 'Show who is signed in, where it is stored, until when',
    examples: {
      'salon auth status': 'Check that the sign-in is accepted',
      'salon auth status || salon auth login': 'Sign in if needed',
      'salon auth status -p shop --json': 'Check another profile in a script',
    },
    handler: async () => readStatus,
  });
}

const showLogin: Handler<LoginFlags> = async (context) => {
  const { login } = await import('../../sign-in/login.ts');
  const signedIn = await login(context);
  const { name, baseUrl, account, person, grant, overriddenBy } = signedIn;
  return {
    show: 'record',
    record: {
      profile: name,
      base_url: baseUrl,
      account: account?.name ?? null,
      role: account?.role ?? null,
      person: person ?? null,
      stored_in: grant?.storage ?? 'file',
      overridden_by: [...overriddenBy],
    },
    message: `${describe(signedIn, context)}. ${
      overriddenBy.length === 0
        ? `Now using profile ${name}.`
        : `Saved as profile ${name}. To use it, add -p ${name}, or unset ${overriddenBy.join(' and ')}.`
    }`,
  };
};

function describe({ baseUrl, account, person }: Login, { flags }: CommandContext<LoginFlags>): string {
  if (flags.noVerify) return `Saved an unverified API key for ${baseUrl}`;
  const identity = account ? `${account.name} (${account.plan}) as ${account.role}` : baseUrl;
  return `Signed in to ${identity}${person === undefined ? '' : `, ${person}`}`;
}

/** Asks the service, so that the credential is known to be accepted. */
const readStatus: Handler = async (context) => {
  const { readIdentity } = await import('../../session/account.ts');
  const session = await context.session();
  const identity = await readIdentity(await context.client());
  const { account, person, scopes = [] } = identity ?? {};
  const facts = await readFacts(context, session, identity);
  const who = account
    ? `${account.name} (${account.plan}) as ${account.role}${person === undefined ? '' : `, ${person}`}`
    : 'a server that does not name the account';
  return {
    show: 'record',
    record: {
      profile: session.profileName ?? null,
      signed_in: true,
      account: account?.name ?? null,
      role: account?.role ?? null,
      person: person ?? null,
      method: facts?.method ?? null,
      stored_in: facts?.storedIn ?? null,
      expires_at: facts?.expiresAt ?? null,
      scopes: [...scopes],
    },
    message: [`Signed in to ${who}.`, ...(facts ? [facts.text] : [])].join('\n'),
  };
};

/** What is signed in, where it is stored, and until when it is valid; `text` is for people. */
async function readFacts(
  { io, profiles }: CommandContext,
  { settings, profileName }: Session,
  identity: Identity | undefined,
) {
  const { credential, timeZone } = settings;
  if (credential === undefined) return undefined;
  const show = (iso: string) => renderShortTime(iso, { timeZone: timeZone.value, now: io.now() });
  const { value, source, variable } = credential;
  if (isApiKey(value)) {
    const expiresAt = identity?.keyExpiresAt;
    const isSaved = source === 'profile';
    const where = isSaved
      ? 'stored in the profile file'
      : `from ${variable}, which wins over a stored sign-in`;
    const until = expiresAt === undefined ? '' : `, valid until ${show(expiresAt)}`;
    const text = `API key ${abbreviateKey(value.key)}, ${where}${until}.`;
    return { method: 'api_key', storedIn: isSaved ? 'file' : 'environment', expiresAt, text };
  }
  // The command may just have renewed them.
  const grant = (await profiles()).find(profileName ?? '')?.oauth ?? value;
  const [{ readTokens }, { nameKeyring }] = await Promise.all([
    import('../../session/grant.ts'),
    import('../../oauth/keyring.ts'),
  ]);
  const tokens = await readTokens(grant, io);
  const expiresAt = tokens?.expires_at;
  const { storage: storedIn } = grant;
  const where = storedIn === 'keyring' ? nameKeyring(io.platform) : 'profile file';
  const renewal = tokens?.refresh_token === undefined ? '' : ' and renewed automatically';
  const until =
    expiresAt === undefined ? '' : ` The access token is valid until ${show(expiresAt)}${renewal}.`;
  const text = `Signed in at ${grant.issuer} as the app ${grant.client_id}, stored in the ${where}.${until}`;
  return { method: 'oauth', storedIn, expiresAt, text };
}

/** Removes the API key of a profile, or ends its sign-in here and at the server. */
export async function logout(context: CommandContext): Promise<CommandResult> {
  const store = await context.profiles();
  const { profileName, settings } = await context.session();
  if (profileName === undefined) {
    throw new SalonError('usage', 'No profile is in use.', { hint: 'Choose one with --profile.' });
  }
  const { oauth: grant } = requireProfile(store, profileName);
  const { variable } = settings.credential ?? {};
  const still = variable === undefined ? '' : ` ${variable} is still set, and commands use its key.`;
  const end = grant && (await endGrantOfProfile(context, profileName));
  const removed = await store.change((profiles) => {
    const { credential, oauth, ...kept } = requireProfile(profiles, profileName);
    // A sign-in that another process has just saved is not this one.
    const isOther = oauth !== undefined && oauth.id !== grant?.id;
    profiles.save(profileName, isOther ? { ...kept, oauth } : kept);
    return credential;
  });
  if (end === undefined) {
    const message =
      removed === undefined
        ? `Profile ${profileName} has no API key and no sign-in.`
        : `Removed the API key of profile ${profileName}.`;
    return { show: 'nothing', message: `${message}${still}` };
  }
  const { failure, isRevoked } = end;
  if (failure !== undefined) {
    throw withContext(failure, {
      message: `Signed out on this machine, but ${grant?.issuer} did not confirm it: ${failure.message}`,
      hint: 'Disconnect the command line in your account settings, under Connected apps.',
    });
  }
  const where = isRevoked
    ? ''
    : ` ${grant?.issuer} does not support revocation; the sign-in expires there when unused.`;
  return { show: 'nothing', message: `Signed out of profile ${profileName}.${where}${still}` };
}

/** Undefined where the profile has no sign-in. */
export async function endGrantOfProfile(context: CommandContext, profileName: string) {
  const session = await context.session(profileName);
  const grant = session.profile?.oauth;
  if (grant === undefined) return undefined;
  const { endGrant } = await import('../../session/grant.ts');
  return endGrant({ grant, session, io: context.io, messages: context.messages });
}
