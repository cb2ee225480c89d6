import { isJsonNumber } from '../text/json.ts';

/** The prefix of each kind of ID. The rest is a lower-case ULID. */
export const identifierPrefixes = {
  appointment: 'apt_',
  client: 'cli_',
  stylist: 'sty_',
  payment: 'pay_',
  webhook: 'whk_',
  event: 'evt_',
  delivery: 'dlv_',
  api_key: 'key_',
  account: 'acc_',
  user: 'usr_',
  session: 'ses_',
  invitation: 'inv_',
  oauth_client: 'app_',
  grant: 'grt_',
  audit_entry: 'aud_',
  blocked_time: 'blk_',
  service: 'svc_',
  waitlist_entry: 'wtl_',
} as const;

export type IdentifierKind = keyof typeof identifierPrefixes;

/** The JSON Schema of an ID in a response. */
export function idSchema<Kind extends IdentifierKind>(kind: Kind) {
  const prefix = identifierPrefixes[kind];
  return { type: 'string', pattern: `^${prefix}[0-9a-hjkmnp-tv-z]{26}$` } as const;
}

const ulid = /^[0-9a-hjkmnp-tv-z]{26}$/;

const kinds = Object.entries(identifierPrefixes) as [IdentifierKind, string][];

/** What an ID of the contract identifies; undefined for any other text. */
export function kindOfId(text: string): IdentifierKind | undefined {
  return kinds.find(([, prefix]) => text.startsWith(prefix) && ulid.test(text.slice(prefix.length)))?.[0];
}

/** An ID in JSON as text: some servers number their records. Undefined for anything else. */
export function toIdText(id: unknown): string | undefined {
  if (typeof id === 'string') return id;
  return isJsonNumber(id) ? String(id) : undefined;
}

const safeInPath = /^(?! )(?!\.{1,2}$)[^\p{C}\p{Zl}\p{Zp}/\\?#%]{1,200}(?<! )$/u;

/**
 * Whether a text can be an ID in a request path, percent-encoded. Other servers choose their own IDs, so the check is
 * permissive; it excludes what would change the path, such as `..` and a slash, and what is invisible.
 */
export function isIdentifier(text: string): boolean {
  return safeInPath.test(text);
}
