/** `part` of `whole` in percent with one decimal, rounded half away from zero; null where the whole is zero. */
export function toPercent(part: bigint, whole: bigint): number | null {
  if (whole === 0n) return null;
  const size = whole < 0n ? -whole : whole;
  const isNegative = part < 0n;
  const tenths = ((isNegative ? -part : part) * 2000n + size) / (2n * size);
  return Number(isNegative ? -tenths : tenths) / 10;
}

/** By how much a figure changed, in percent of the one before; null where that was zero. */
export function toChangePercent(now: bigint, before: bigint): number | null {
  return toPercent(now - before, before);
}
