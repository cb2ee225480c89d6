import { SalonError } from '../../contract/errors.ts';

/** Streams under way, so that those who read slowly do not hold all snapshots of the database. */
export interface StreamSlots {
  /** Takes a slot for an account. Returns what frees it, which may be called twice. Throws `service_unavailable`. */
  take(accountId: string): () => void;
}

const maxPerAccount = 2;
const maxInProcess = 12;
const retryAfterMs = 1000;

export function createStreamSlots(): StreamSlots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(accountId) {
      const own = taken.get(accountId) ?? 0;
      if (own >= maxPerAccount) {
        throw unavailable(
          `This account is already reading ${maxPerAccount} lists in one response, the maximum.`,
        );
      }
      if (all >= maxInProcess) throw unavailable('Too many lists are being read in one response.');
      taken.set(accountId, own + 1);
      all += 1;
      let isTaken = true;
      return () => {
        if (isTaken) release(accountId);
        isTaken = false;
      };
    },
  };

  function release(accountId: string): void {
    all -= 1;
    const left = (taken.get(accountId) ?? 1) - 1;
    if (left === 0) taken.delete(accountId);
    else taken.set(accountId, left);
  }
}

function unavailable(message: string): SalonError {
  return new SalonError('service_unavailable', message, { retryAfterMs });
}
