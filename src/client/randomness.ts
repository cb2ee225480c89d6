/** A number from 0 up to but not including 1. */
export type Random = () => number;

export function systemRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
}

/** A version 4 UUID from a random source. */
export function createUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + Math.floor(random() * 4);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
