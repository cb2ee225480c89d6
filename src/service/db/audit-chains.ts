import type { Lock } from './engine.ts';

/** The chain of entries that concern no account. */
export const serviceChain = 'service';

export function toChainLock(chain: string): Lock {
  return chain === serviceChain ? serviceChain : { accountId: chain };
}
