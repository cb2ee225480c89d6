import { abbreviateKey } from '../../../contract/mask-secrets.ts';
import { renderSpokenTime } from '../../messages/spoken-time.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { Identity } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { Session } from '../../session/session.ts';
import { isApiKey } from '../../session/settings.ts';

/** What is signed in, where it is stored, and until when it is valid. */
interface CredentialFacts {
  readonly method: 'api_key' | 'oauth';
  readonly storedIn: 'file' | 'keyring' | 'environment';
  readonly expiresAt: string | undefined;
  /** For people. */
  readonly text: string;
}

/** Asks the service, so that the credential is known to be accepted. */
export async function readStatus(context: CommandContext): Promise<CommandResult> {
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
}

async function readFacts(
  { io, profiles }: CommandContext,
  { settings, profileName }: Session,
  identity: Identity | undefined,
): Promise<CredentialFacts | undefined> {
  const { credential, timeZone } = settings;
  if (credential === undefined) return undefined;
  const show = (iso: string) => renderSpokenTime(iso, { timeZone: timeZone.value, now: io.now() });
  const { value, source, variable } = credential;
  if (isApiKey(value)) {
    const expiresAt = identity?.keyExpiresAt;
    const storedIn = source === 'profile' ? 'file' : 'environment';
    const where =
      source === 'profile'
        ? 'stored in the profile file'
        : `from ${variable}, which wins over a stored sign-in`;
    const until = expiresAt === undefined ? '' : `, valid until ${show(expiresAt)}`;
    return {
      method: 'api_key',
      storedIn,
      expiresAt,
      text: `API key ${abbreviateKey(value.key)}, ${where}${until}.`,
    };
  }
  // The command may just have renewed them.
  const grant = (await profiles()).find(profileName ?? '')?.oauth ?? value;
  const [{ readTokens }, { nameKeyring, openKeyring }] = await Promise.all([
    import('../../session/token-storage.ts'),
    import('../../oauth/keyring.ts'),
  ]);
  const tokens = await readTokens(grant, openKeyring(io.platform));
  const expiresAt = tokens?.expires_at;
  const { storage: storedIn } = grant;
  const where = storedIn === 'keyring' ? nameKeyring(io.platform) : 'profile file';
  const renewal = tokens?.refresh_token === undefined ? '' : ' and renewed automatically';
  const until =
    expiresAt === undefined ? '' : ` The access token is valid until ${show(expiresAt)}${renewal}.`;
  const text = `Signed in at ${grant.issuer} as the app ${grant.client_id}, stored in the ${where}.${until}`;
  return { method: 'oauth', storedIn, expiresAt, text };
}
