import type { AccountIdentity } from '../../bulk/plan/plan-format.ts';
import type { SalonClient } from '../../client/client.ts';
import { takeFirst } from '../../client/pagination/paginate.ts';
import { SalonError } from '../../contract/errors.ts';
import { schemaFormats } from '../../contract/formats.ts';
import type { CommandContext } from './command-context.ts';
import type { Profile } from './profile.ts';
import { readSalonSetting } from './resolve-settings.ts';
import { toServiceOrigin } from './session.ts';

export type Account = NonNullable<Profile['account']>;

/**
 * Reads the account of the key or sign-in; undefined where the service has no /me, so that the key is tried on the list
 * of clients. Throws when the key is refused.
 */
export async function readIdentity(client: SalonClient) {
  const identity = await readMe(client).catch((error: unknown) => {
    if (!isDialectMismatch(error)) throw error;
  });
  if (identity !== undefined) return identity;
  await takeFirst(client.clients.list({}, { limit: 1 }));
  return undefined;
}

/** Like `readIdentity`. */
export async function readAccount(client: SalonClient): Promise<Account | undefined> {
  return (await readIdentity(client))?.account;
}

/** The account that plans and jobs belong to. A profile may have been given another key since it was made. */
export async function readAccountIdentity({
  client,
  session,
}: Pick<CommandContext, 'client' | 'session'>): Promise<AccountIdentity> {
  const account = await readAccount(await client());
  return { origin: toServiceOrigin(await session()), account: account?.id ?? null };
}

/** What /me says about the one who calls it. */
export async function readMe(client: SalonClient) {
  const { account, role, user, key, scopes } = await client.me();
  const { id, name, plan } = account;
  return {
    account: { id, name, plan, role },
    /** The person who signed in, or undefined for an API key. */
    person: user?.name ? `${user.name} (${user.email})` : user?.email,
    scopes,
    /** When the API key expires; undefined for one that does not, and for a sign-in. */
    keyExpiresAt: key?.expires_at ?? undefined,
  };
}

export type Identity = NonNullable<Awaited<ReturnType<typeof readMe>>>;

/** The currency of prices, as the service has it now; that of the profile on a server without settings. */
export async function readCurrency({ client, session }: CommandContext): Promise<string | undefined> {
  const { settings } = await session();
  try {
    return (await (await client()).salon.get()).currency ?? settings.currency?.value;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'not_supported') return settings.currency?.value;
    throw error;
  }
}

/** ISO 3166 code of the salon's country, of which national phone numbers are. Throws `usage` for what is no country. */
export async function readCountry({ session, salon }: CommandContext): Promise<string | undefined> {
  const { profile } = await session();
  const country = (profile?.salon ?? (await salon()))?.country ?? undefined;
  if (country === undefined || schemaFormats['salon-country']?.matches(country)) return country;
  const message = `The salon's country must be an ISO 3166 code, such as DE; "${country}" is not.`;
  throw new SalonError('usage', message, { hint: 'To correct it: salon settings set country <value>' });
}

/** The same without a request: what is known of the salon. */
export async function readKnownCountry({ session }: CommandContext): Promise<string | undefined> {
  return (await session()).profile?.salon?.country;
}

/** As `readCurrency`. Throws `usage` without one. */
export async function requirePriceCurrency(context: CommandContext): Promise<string> {
  const currency = await readCurrency(context);
  if (currency !== undefined) return readSalonSetting('currency', { currency }) ?? currency;
  throw new SalonError('usage', 'A price needs a currency, and the salon has none.', {
    hint: 'Set it: salon settings set currency EUR',
  });
}

/** Whether an error may come from a wrong path or form, so that another dialect may help. */
export function isDialectMismatch(error: unknown): error is SalonError {
  if (!(error instanceof SalonError) || error.retryable || error.code === 'address_not_allowed') return false;
  if (mismatchCodes.includes(error.code)) return true;
  const { status = 0 } = error;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

const mismatchCodes = [
  'not_supported',
  'unexpected_response',
  'redirect_refused',
  'response_too_large',
  'page_repeated',
];
