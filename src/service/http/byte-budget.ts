/** Limits the bytes that requests hold in memory, for each account and for all together. */
export interface ByteBudget {
  /** Takes bytes, unless they are too many. */
  take(owner: string, bytes: number): boolean;
  /** Takes bytes that are in memory already. */
  add(owner: string, bytes: number): void;
  give(owner: string, bytes: number): void;
  isUsedUp(owner: string): boolean;
}

export function createByteBudget({
  maxPerOwner,
  maxTotal,
}: {
  readonly maxPerOwner: number;
  readonly maxTotal: number;
}): ByteBudget {
  const taken = new Map<string, number>();
  let total = 0;

  function add(owner: string, bytes: number): void {
    const now = (taken.get(owner) ?? 0) + bytes;
    if (now === 0) taken.delete(owner);
    else taken.set(owner, now);
    total += bytes;
  }

  return {
    take: (owner, bytes) => {
      if (total + bytes > maxTotal || (taken.get(owner) ?? 0) + bytes > maxPerOwner) return false;
      add(owner, bytes);
      return true;
    },
    add,
    give: (owner, bytes) => add(owner, -bytes),
    isUsedUp: (owner) => total >= maxTotal || (taken.get(owner) ?? 0) >= maxPerOwner,
  };
}
