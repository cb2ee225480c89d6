/** What a process holds at most of an hour. It asks for more when half is spent, so a hundred writes pay for an hour. */
const maxShare = 0.02;
/** What it holds at most while requests are few, so that crashes use up no large limit. */
const steadySize = 1000;
/** How long half of a lease is to last, where requests are many: every lease costs a write. */
const minLastingMs = 2_000;
const maxLastingMs = 8_000;

/** How many requests a process is to hold, after it has spent half of a lease of another size in a time. */
export function toLeaseSize(limit: number, { size, lastedMs }: { size: number; lastedMs: number }): number {
  const max = Math.max(1, Math.floor(limit * maxShare));
  const wanted = lastedMs < minLastingMs ? size * 2 : lastedMs > maxLastingMs ? size / 2 : size;
  return Math.min(max, Math.max(steadySize, Math.floor(wanted)));
}
