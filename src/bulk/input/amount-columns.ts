import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { renderDecimal } from '../../contract/numbers.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import type { DetectOptions } from './detect-sheet.ts';
import { parseAmountHeading, toMapFlag } from './map-columns.ts';
import { readSheet } from './read-sheet.ts';

/** A column of prices whose whole numbers may be units of a currency, or its minor units. */
export interface UnclearAmounts {
  readonly heading: string;
  /** The first number, and what it is in units and in minor units: `45`, `45.00 EUR`, `0.45 EUR`. */
  readonly example: string;
  readonly readings: readonly [units: string, minorUnits: string];
}

/** Whose prices they are, and who is asked about those of a sheet. */
export interface AmountReading {
  /** Reads the currency of the salon; called for sheets with prices. */
  readonly readCurrency?: (() => Promise<string | undefined>) | undefined;
  /** Asks whether whole numbers are units; undefined if nobody can be asked. */
  readonly chooseUnits?: ((amounts: UnclearAmounts) => Promise<boolean | undefined>) | undefined;
}

interface AmountOptions extends AmountReading, Pick<DetectOptions, 'mapping' | 'signal'> {
  readonly name: string;
  /** Fields and columns of our own exports. */
  readonly knownFields: readonly string[];
  /** Reads the names of the server's own fields, which exports may have, too. */
  readonly readFieldNames: () => Promise<readonly string[]>;
}

const field = 'price';

/**
 * The currencies of a sheet's decimal amounts, with that of its prices: their heading names it, or one of them has
 * decimals. Whole numbers alone are minor units beside headings that we wrote, and else unclear. Throws `usage`.
 */
export async function readCurrencies(
  path: string,
  form: SheetForm,
  options: AmountOptions,
): Promise<SheetForm['currencies']> {
  const { columns, fields = columns, currencies } = form;
  const heading = columns?.[fields?.indexOf(field) ?? -1];
  const { name, knownFields, readFieldNames, mapping = [], readCurrency, chooseUnits, signal } = options;
  const isSaid = mapping.some(([, target]) => target === field);
  if (columns === null || heading === undefined || isSaid || !knownFields.includes(field)) return currencies;
  const named = currencies?.[field];
  if (named === undefined && (isOurs(columns, knownFields) || isOurs(columns, await readFieldNames())))
    return currencies;
  const own = await readCurrency?.();
  const refuse = (problem: string, hint: string) =>
    new SalonError('usage', `${name}: column "${heading}" ${problem}`, { hint });
  if (named !== undefined) {
    if (own === undefined || own === named) return currencies;
    throw refuse(
      `is in ${named}, but the salon's prices are in ${own}.`,
      `Write the prices in ${own}, or leave the column out: ${toMapFlag(heading)}`,
    );
  }
  let whole: string | undefined;
  let other: string | undefined;
  for await (const { cells } of readSheet(path, form, signal)) {
    const cell = String(cells[field] ?? '').trim();
    if (cell === '' || cell === '\\N' || /^0+$/.test(cell)) continue;
    if (/^\d+$/.test(cell)) whole ??= cell;
    else other ??= cell;
    if (other !== undefined) break;
  }
  const decimals = own === undefined ? undefined : decimalsOf(own);
  const isUnits = other !== undefined || decimals === 0;
  if (own !== undefined && isUnits) return { ...currencies, [field]: own };
  const example = other ?? whole;
  if (example === undefined) return currencies;
  const hint = `Say which: ${toMapFlag(heading, `price_${(own ?? 'eur').toLowerCase()}`)} for amounts such as 45.00, ${toMapFlag(heading, field)} for minor units.`;
  if (own === undefined || decimals === undefined)
    throw refuse(`has ${example}, and the currency of the salon is not known.`, hint);
  const [units, minorUnits] = [`${example}${'0'.repeat(decimals)}`, example].map(
    (digits) => `${renderDecimal(BigInt(digits), decimals)} ${own}`,
  ) as [string, string];
  const chosen = await chooseUnits?.({ heading, example, readings: [units, minorUnits] });
  if (chosen === undefined)
    throw refuse(`has only whole numbers: ${example} may be ${units} or ${minorUnits}.`, hint);
  return chosen ? { ...currencies, [field]: own } : currencies;
}

/** Whether all headings are those of an export; one with IDs is none that people write by chance. */
function isOurs(columns: readonly string[], known: readonly string[]): boolean {
  const isOwn = (heading: string) =>
    known.includes(heading) ||
    known.includes(heading.replace(/_local$/, '')) ||
    parseAmountHeading(heading)?.heading === heading;
  return columns.every(isOwn) && columns.some((heading) => /^(?:id|.+_id)$/.test(heading));
}

/** Why a cell is no price, as a sentence. */
export function explainPrice(cell: string, currency: string | undefined): string {
  const example = renderDecimal(4500, decimalsOf(currency ?? '') ?? 2);
  return currency === undefined
    ? `Must be whole minor units, such as 4500 for ${example}, not "${cell}". Amounts with decimals need the currency in the heading: price_eur.`
    : `Must be an amount in ${currency}, such as ${example}, not "${cell}".`;
}
