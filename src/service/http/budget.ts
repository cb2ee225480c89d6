/** Limits what owners hold of something, such as bytes in memory: each of them, and all together. */
export interface Budget {
  /** Takes an amount, unless it is too much. */
  take(owner: string, amount: number): boolean;
  /** Takes an amount that is held already. */
  add(owner: string, amount: number): void;
  give(owner: string, amount: number): void;
  isUsedUp(owner: string): boolean;
}

export function createBudget({
  maxPerOwner,
  maxTotal,
}: {
  readonly maxPerOwner: number;
  readonly maxTotal: number;
}): Budget {
  const taken = new Map<string, number>();
  let total = 0;

  function add(owner: string, amount: number): void {
    const now = (taken.get(owner) ?? 0) + amount;
    if (now === 0) taken.delete(owner);
    else taken.set(owner, now);
    total += amount;
  }

  return {
    take: (owner, amount) => {
      if (total + amount > maxTotal || (taken.get(owner) ?? 0) + amount > maxPerOwner) return false;
      add(owner, amount);
      return true;
    },
    add,
    give: (owner, amount) => add(owner, -amount),
    isUsedUp: (owner) => total >= maxTotal || (taken.get(owner) ?? 0) >= maxPerOwner,
  };
}
