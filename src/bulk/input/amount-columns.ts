import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { renderDecimal } from '../../text/numbers.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import type { DetectOptions } from './detect-sheet.ts';
import { parseAmountHeading, toMapFlag } from './map-columns.ts';
import { readSheet } from './read-sheet.ts';

/** Whose prices a sheet has, and who is asked about them. */
export interface AmountReading {
  /** Reads the currency of the salon; called for sheets with prices. */
  readonly readCurrency?: (() => Promise<string | undefined>) | undefined;
  /** Asks which reading of a number is meant; undefined if nobody can be asked. */
  readonly chooseReading?:
    | ((question: string, readings: readonly string[]) => Promise<string | undefined>)
    | undefined;
}

type AmountOptions = AmountReading &
  Required<Pick<DetectOptions, 'name' | 'knownFields' | 'readFieldNames'>> &
  Pick<DetectOptions, 'mapping' | 'signal'>;

/**
 * The currencies of a sheet's decimal amounts, with that of its prices: their heading names it, or one of them has
 * decimals. Whole numbers alone are minor units beside headings that we wrote, and else unclear. Throws `usage`.
 */
export async function readCurrencies(path: string, form: SheetForm, options: AmountOptions) {
  const { columns, fields = columns, currencies } = form;
  const { name, knownFields = [], readFieldNames, mapping = [], readCurrency, chooseReading } = options;
  const heading = columns?.[fields?.indexOf('price') ?? -1];
  if (columns === null || heading === undefined || !knownFields.includes('price')) return currencies;
  const named = currencies?.['price'];
  const isSaid = named === undefined && mapping.some(([, target]) => target === 'price');
  const isOwn = async () => isOurs(columns, knownFields) || isOurs(columns, (await readFieldNames?.()) ?? []);
  if (isSaid || (named === undefined && (await isOwn()))) return currencies;
  const own = await readCurrency?.();
  const refuse = (problem: string, hint: string) =>
    new SalonError('usage', `${name}: column "${heading}" ${problem}`, { hint });
  if (named !== undefined && own !== undefined && named !== own) {
    const problem = `is in ${named}, but the salon's prices are in ${own}.`;
    throw refuse(problem, `Write the prices in ${own}, or leave the column out: ${toMapFlag(heading)}`);
  }
  if (named !== undefined) return currencies;
  const decimals = decimalsOf(own ?? '');
  const inUnits = { ...currencies, price: own ?? '' };
  let example: string | undefined;
  for await (const { cells } of readSheet(path, form, options.signal)) {
    const cell = String(cells['price'] ?? '').trim();
    if (/^(?:0*|\\N)$/.test(cell)) continue;
    if (decimals === 0 || (decimals !== undefined && !/^\d+$/.test(cell))) return inUnits;
    example ??= cell;
  }
  if (example === undefined) return currencies;
  const [units, minor] = [`price_${(own ?? 'eur').toLowerCase()}`, 'price'].map((target) =>
    toMapFlag(heading, target),
  );
  const hint = `Say which: ${units} for amounts such as 45.00, ${minor} for minor units.`;
  if (decimals === undefined) throw refuse(`has ${example}, but the salon's currency is not known.`, hint);
  const readings = [example + '0'.repeat(decimals), example].map(
    (digits) => `${renderDecimal(BigInt(digits), decimals)} ${own}`,
  );
  const chosen = await chooseReading?.(`What is ${example} in "${heading}"?`, readings);
  if (chosen === undefined)
    throw refuse(`has only whole numbers: ${example} may be ${readings.join(' or ')}.`, hint);
  return chosen === readings[0] ? inUnits : currencies;
}

/** Whether all headings are those of an export; one with IDs is none that people write by chance. */
function isOurs(columns: readonly string[], known: readonly string[]): boolean {
  const isOwn = (heading: string) =>
    [heading, heading.replace(/_local$/, '')].some((one) => known.includes(one)) ||
    parseAmountHeading(heading)?.heading === heading;
  return columns.every(isOwn) && columns.some((heading) => /^(?:id|.+_id)$/.test(heading));
}

/** Why a cell is no price, as a sentence. */
export function explainPrice(cell: string, currency: string | undefined): string {
  const example = renderDecimal(4500, decimalsOf(currency ?? '') ?? 2);
  if (currency !== undefined) return `Must be an amount in ${currency}, such as ${example}, not "${cell}".`;
  return `Must be whole minor units, such as 4500 for ${example}, not "${cell}". For decimals, head the column with the currency, such as price_eur.`;
}
