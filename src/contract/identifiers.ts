/** Every kind of record and the prefix of its identifiers; the rest is a ULID in lower case. */
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
} as const;

export type IdentifierKind = keyof typeof identifierPrefixes;

/** JSON Schema of an identifier of ours, for the contract's bodies and answers. */
export function identifierSchema<Kind extends IdentifierKind>(kind: Kind) {
  const prefix = identifierPrefixes[kind];
  return { type: 'string', pattern: `^${prefix}[0-9a-hjkmnp-tv-z]{26}$` } as const;
}

const acceptable = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Whether a text may stand in a request path as an identifier. Servers that speak another dialect choose
 * their own identifiers, so the shape is wide; what could change the path (`.`, `..`, a slash) stays out.
 */
export function isIdentifier(text: string): boolean {
  return acceptable.test(text);
}
