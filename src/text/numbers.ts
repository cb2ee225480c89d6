/** `1234567` as `1,234,567`. Intl would load 9 MiB of locale data for it. */
export function renderCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 client`, `2 clients`, `1 delivery`. */
export function countOf(count: number, plural: string): string {
  return `${renderCount(count)} ${count === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`;
}

/** Minor units with their decimals: `4500` and 2 as `45.00`. Undefined for a number that is not exact. */
export function renderDecimal(minorUnits: number | bigint, decimals: number): string | undefined {
  if (typeof minorUnits === 'number' && !Number.isSafeInteger(minorUnits)) return undefined;
  const digits = String(minorUnits)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minorUnits < 0 ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}
