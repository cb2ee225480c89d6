import type { ChangePage } from '../../client/resources/changes.ts';
import { SalonError } from '../../contract/errors.ts';

/** Why the feed of changes cannot be used. */
export interface NoFeed {
  /** Goes on after a colon. */
  readonly reason: string;
  readonly error: SalonError;
}

/** A page of the feed of changes, or why the feed cannot be used, which only a request tells. */
export async function askFeed(asking: Promise<ChangePage>): Promise<ChangePage | NoFeed> {
  try {
    return await asking;
  } catch (error) {
    const reason = error instanceof SalonError ? toReason(error) : undefined;
    if (reason === undefined) throw error;
    return { reason, error: error as SalonError };
  }
}

function toReason({ code, members }: SalonError): string | undefined {
  switch (code) {
    case 'not_supported':
    case 'not_found':
      return 'the server has no feed of changes';
    case 'insufficient_scope':
      return `the key may not read the feed of changes (${members['scope'] ?? 'changes:read'})`;
    case 'permission_denied':
      return 'the key may not read the feed of changes';
    case 'position_expired':
      return 'the server no longer has all changes since the last time';
    default:
      return undefined;
  }
}
