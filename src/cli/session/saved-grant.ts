import { SalonError } from '../../contract/errors.ts';
import type { Keyring } from '../oauth/keyring.ts';
import type { Tokens } from '../oauth/tokens.ts';

/** A sign-in with OAuth, as a profile keeps it. Its tokens are in the keyring, or in the profile. */
export interface SavedGrant {
  /** Names it in the keyring and in locks; changes with every sign-in. */
  readonly id: string;
  /** The only origin that its access tokens are sent to. */
  readonly origin: string;
  /** The server that renews and ends it. */
  readonly issuer: string;
  readonly client_id: string;
  readonly storage: 'keyring' | 'file';
  /** With the storage `file`. */
  readonly tokens?: Tokens;
}

/** A sign-in and its tokens, wherever they are kept. */
export interface GrantWithTokens {
  readonly grant: SavedGrant;
  readonly tokens: Tokens;
}

/** Undefined where the keyring does not have them any more. Throws `output_failed` where it cannot be used. */
export async function readTokens(grant: SavedGrant, keyring: Keyring): Promise<Tokens | undefined> {
  if (grant.storage === 'file') return grant.tokens;
  const text = await keyring.read(toKeyringName(grant));
  return text === undefined ? undefined : parseTokens(text);
}

/**
 * The grant with its tokens in the keyring, or in the profile if the keyring cannot be used. Calls `explain` with the
 * reason.
 */
export async function storeTokens(
  { tokens: _former, ...grant }: SavedGrant,
  tokens: Tokens,
  { keyring, explain }: { readonly keyring: Keyring; readonly explain: (reason: string) => void },
): Promise<SavedGrant> {
  if (grant.storage === 'file') return { ...grant, tokens };
  try {
    await keyring.write(toKeyringName(grant), JSON.stringify(tokens));
    return grant;
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    explain(error.message);
    return { ...grant, storage: 'file', tokens };
  }
}

/** Throws `output_failed` where the keyring cannot be used. */
export async function removeTokens(grant: SavedGrant, keyring: Keyring): Promise<void> {
  if (grant.storage === 'keyring') await keyring.remove(toKeyringName(grant));
}

/** What a person sees in the keyring's own program. */
function toKeyringName({ origin, id }: SavedGrant): string {
  return `${origin} (${id})`;
}

function parseTokens(text: string): Tokens | undefined {
  try {
    const tokens: Tokens = JSON.parse(text);
    return typeof tokens.access_token === 'string' ? tokens : undefined;
  } catch {
    return undefined;
  }
}
