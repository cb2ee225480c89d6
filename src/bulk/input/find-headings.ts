import { foldText } from '../../text/search-text.ts';
import { type CsvRow, isBlank } from '../sheet/csv-parser.ts';
import { foldHeading, recogniseHeading } from './column-words.ts';
import { type MappingOptions, matchHeadings } from './map-columns.ts';

/** How many cells of a row are headings that say what their columns have. */
export type CountHeadings = (cells: readonly string[]) => number;

/** Counts headings that are known or mapped. */
export function createHeadingCounter(
  known: readonly string[],
  { mapping = [], recognises }: MappingOptions,
): CountHeadings {
  const mapped = new Set(mapping.map(([heading]) => foldHeading(heading)));
  return (cells) => {
    const { fields = cells } = matchHeadings(cells, known);
    const isHeading = (cell: string, index: number) =>
      known.includes(fields[index] ?? cell) ||
      mapped.has(foldHeading(cell)) ||
      (recognises !== undefined && recogniseHeading(cell, recognises) !== undefined);
    return cells.filter((cell, index) => cell !== '' && isHeading(cell, index)).length;
  };
}

/**
 * The row of the headings among the first rows of a table that are not blank. It is the first one, unless that is a title:
 * then a later row has more headings that are known.
 */
export function findHeadings(rows: readonly CsvRow[], countKnown: CountHeadings) {
  const [first] = rows;
  if (first === undefined) return undefined;
  const widthOf = ({ cells }: CsvRow) => cells.filter((cell) => !isBlank(cell)).length;
  let [index, known] = [0, countKnown(first.cells)];
  const hasKnown = known > 0;
  const enough = Math.min(2, Math.max(...rows.map(widthOf)));
  for (let at = 1; known < enough && at < rows.length; at += 1) {
    const row = rows[at] ?? first;
    const count = hasKnown && widthOf(row) <= widthOf(first) ? 0 : countKnown(row.cells);
    if (count > known && count >= enough) [index, known] = [at, count];
  }
  const row = rows[index] ?? first;
  const title = index === 0 ? undefined : first.cells.find((cell) => !isBlank(cell))?.trim();
  return { index, row, known, place: { headingLine: row.line, ...(title === undefined ? {} : { title }) } };
}

/** A row that is no record: headings again, or the line of a page or a total. */
export interface AsideRow {
  readonly line: number;
  /** Its first text. */
  readonly text: string;
}

/** How a row of totals begins in the eight languages. */
const totals = new Set(
  `total totals subtotal sum count summe gesamt gesamtsumme gesamtanzahl insgesamt anzahl zwischensumme somme nombre suma
  totale somma soma totaal subtotaal aantal razem ogolem lacznie liczba totaux totales totali totais recuento`.split(
    /\s+/,
  ),
);
const page =
  /^(?:seite|page|pagina|página|pág|pag|strona|blad|bladzijde)\.?:?\s*\d+(?:\s*(?:von|of|sur|de|di|van|z|\/|-)\s*\d+)?$/iu;
/** What programs write below a list: `Printed 28.11.2026`. */
const printed =
  /^(?:printed|generated|exported|created|gedruckt|erstellt|exportiert|imprimé|généré|exporté|impreso|generado|stampato|generato|impresso|gerado|afgedrukt|gemaakt|wydrukowano|wygenerowano)\b.*\d{1,4}[./-]\d/iu;
/** The first text of a row that is no record; undefined for others. */
export function findAside(cells: readonly string[], columns: readonly string[]): string | undefined {
  const start = cells.findIndex((cell) => !isBlank(cell));
  const text = cells[start]?.trim() ?? '';
  // Quick for most rows.
  const isHeading = isSameText(text, columns[start]);
  const word = readTotal(text) ?? '';
  if (!isHeading && !totals.has(word) && !page.test(text) && !printed.test(text)) return undefined;
  const others = cells.slice(start + 1).flatMap((cell) => (isBlank(cell) ? [] : [cell.trim()]));
  if (isHeading) {
    const isRepeated = cells.every((cell, index) => isBlank(cell) || isSameText(cell, columns[index]));
    return isRepeated && (others.length > 0 || columns.length === 1) ? text : undefined;
  }
  // A total has nothing else but numbers.
  const isWhole = totals.has(word)
    ? others.every((cell) => /^\d{1,6}(?:[.,]\d+)*\D{0,4}$/.test(cell))
    : others.length === 0;
  return isWhole ? text : undefined;
}

/** The first word of a text such as `Gesamt: 2`. */
function readTotal(text: string): string | undefined {
  const [, word] = /^(\p{L}+)(?:(?: \p{L}+)*(?: ?: ?| )[\d.,]*)?$/u.exec(text) ?? [];
  return word === undefined ? undefined : foldText(word);
}

function isSameText(cell: string, column: string | undefined): boolean {
  return column !== undefined && cell.trim().toLowerCase() === column.toLowerCase();
}
