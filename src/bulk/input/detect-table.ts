import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import { type CsvRow, isBlank } from '../sheet/csv-parser.ts';
import { headRows, type SheetForm, type TableFormat } from '../sheet/sheet-form.ts';
import { headingHint, readColumns } from './detect-text.ts';
import { type CountHeadings, findHeadings } from './find-headings.ts';

type TableForm = SheetForm & { readonly format: TableFormat };

interface TableChoice {
  /** The worksheet or table that is named. */
  readonly worksheet?: string | undefined;
  readonly countKnown: CountHeadings;
  readonly signal?: AbortSignal | undefined;
}

/** A worksheet or table that may be chosen. */
interface Candidate {
  readonly name: string;
  readonly isHidden?: boolean;
  readonly countsFrom1904?: boolean;
  /** Its first rows with values. */
  readHead(): Promise<readonly CsvRow[]>;
}

/** Worksheets beyond them are read only if they are named. */
const maxCompared = 20;

/**
 * Finds the worksheet or table, and its columns: the one whose headings are known best and that is not hidden, unless one is
 * named. Throws `usage` if there is none.
 */
export async function detectTable(
  path: string,
  name: string,
  form: TableForm,
  { worksheet: wanted, countKnown, signal }: TableChoice,
): Promise<SheetForm> {
  const source = { name, signal };
  const all =
    form.format === 'xlsx' ? await listWorksheets(path, source) : await listTables(path, form, source);
  const kind = form.format === 'html' ? 'table' : 'worksheet';
  const visible = all.filter(({ isHidden }) => isHidden !== true);
  const named =
    all.find((one) => one.name === wanted) ??
    all.find((one) => one.name.toLowerCase() === wanted?.toLowerCase());
  const shown = (visible.length > 0 ? visible : all).slice(0, maxCompared);
  let best: { table: Candidate; heading: ReturnType<typeof findHeadings> } | undefined;
  for (const table of wanted === undefined ? shown : named === undefined ? [] : [named]) {
    const heading = findHeadings(await table.readHead(), countKnown);
    if (best === undefined || (heading?.known ?? -1) > (best.heading?.known ?? -1)) best = { table, heading };
  }
  if (best === undefined) {
    const names = all.map((one) => one.name);
    const which = wanted === undefined ? '.' : ` "${wanted}".${didYouMean(wanted, names)}`;
    throw new SalonError('usage', `${name} has no ${kind}${which}`, {
      hint: `${kind === 'table' ? 'Tables' : 'Worksheets'}: ${names.join(', ') || 'none'}`,
    });
  }
  const { table, heading } = best;
  if (heading === undefined) {
    const message = `${kind === 'table' ? 'Table' : 'Worksheet'} "${table.name}" of ${name} has no heading in its first 1,000 rows.`;
    throw new SalonError('usage', message, { hint: headingHint });
  }
  const others = visible.filter((one) => one !== table).map((one) => one.name);
  return {
    ...form,
    ...{ columns: readColumns(heading.row, name), ...heading.place },
    worksheet: { name: table.name, count: all.length, ...(others.length > 0 ? { others } : {}) },
    ...(table.countsFrom1904 ? { countsFrom1904: true } : {}),
  };
}

interface Source {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
}

async function listWorksheets(path: string, source: Source): Promise<readonly Candidate[]> {
  const { readWorksheets, readFirstRows } = await import('../sheet/xlsx-reader.ts');
  return (await readWorksheets(path, source.name)).map((one) => ({
    ...one,
    async readHead() {
      const rows: CsvRow[] = [];
      for await (const row of readFirstRows(path, { ...source, worksheet: one.name })) {
        if (!row.cells.every(isBlank) && rows.push(row) === headRows) break;
      }
      return rows;
    },
  }));
}

/** Characters that are kept of the first rows of all tables. */
const maxKept = 67_108_864;
const maxTables = 1_000;

async function listTables(
  path: string,
  { format, encoding }: TableForm,
  { name, signal }: Source,
): Promise<readonly Candidate[]> {
  if (format === 'xlsx') return [];
  const { readMarkup } = await import('../sheet/read-markup.ts');
  const heads = new Map<string, CsvRow[]>();
  const hidden = new Set<string>();
  let kept = 0;
  const onHidden = (table: string) => hidden.add(table);
  for await (const row of readMarkup(path, { form: { format, encoding }, name, signal, onHidden })) {
    const rows = heads.get(row.table) ?? [];
    if (rows.length === 0) heads.set(row.table, rows);
    if (heads.size > maxTables) {
      throw new SalonError('usage', `${name} has more than 1,000 tables.`, {
        hint: 'Save the list alone, in one table.',
      });
    }
    if (rows.length >= headRows || row.cells.every(isBlank) || kept > maxKept) continue;
    rows.push(row);
    kept += row.cells.reduce((sum, cell) => sum + cell.length + 16, 0);
  }
  return [...heads].map(([table, rows]) => ({
    ...{ name: table, isHidden: hidden.has(table) },
    readHead: async () => rows,
  }));
}
