import type { Reader } from '../db/engine.ts';
import { isReplaced, type OauthTokenRow } from '../db/oauth-tokens.ts';

/** How long a refresh token works after its first use, for a client that was killed before it saved the next one. */
export const graceMs = 60_000;

/**
 * Whether a refresh token must be refused: its successor was used, or its grace has ended. Using it then
 * means that the token was copied.
 */
export async function isRefused(reader: Reader, row: OauthTokenRow, nowMs: number): Promise<boolean> {
  // A clock that was set back must not lengthen the grace.
  if (row.consumed_ms !== null && Math.abs(nowMs - row.consumed_ms) > graceMs) return true;
  return isReplaced(reader, row);
}
