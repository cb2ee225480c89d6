import { extname, resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { escapeMarkup } from '../../text/quote.ts';
import type { PrintFlags } from '../flags/options.ts';
import type { CommandContext } from '../session/command-context.ts';
import { writeOutputFile } from './output-file.ts';

/** The file of `--output` if it is a page; `--format` overrides its extension. Throws `usage` for a choice of columns. */
export async function findPageFile(
  { flags, session }: CommandContext<PrintFlags>,
  extensions: readonly string[] = ['.html'],
): Promise<string | undefined> {
  const { output = '', columns } = flags;
  const isChosen = (await session()).settings.format?.source === 'flag';
  if (isChosen || !extensions.includes(extname(output).toLowerCase())) return undefined;
  if (columns === undefined) return output;
  throw new SalonError('usage', `--columns does not apply to ${output}.`, {
    hint: 'Name the file .csv or .xlsx to choose columns.',
  });
}

export async function writePage(file: string, html: string, { io }: CommandContext): Promise<void> {
  await writeOutputFile(resolve(io.cwd, file), html);
}

interface ListSection {
  readonly title: string;
  readonly details: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of a page with a table. */
export function renderListSection({ title, details, heads, rows }: ListSection): string {
  const toCells = (cells: readonly string[]) =>
    cells.map((cell) => `<td><bdi>${escapeHtml(cell)}</bdi></td>`).join('');
  return `<section class="list">
<header><h1><bdi>${escapeHtml(title)}</bdi></h1><p>${escapeHtml(details)}</p></header>
<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>
${rows.map((cells) => `<tr>${toCells(cells)}</tr>`).join('\n')}
</tbody></table>
</section>`;
}

interface PrintedPage {
  readonly title: string;
  readonly orientation: 'portrait' | 'landscape';
  /** As HTML, each on pages of its own. */
  readonly sections: readonly string[];
  readonly style: string;
}

/** A document for A4 paper. It loads nothing. */
export function renderPage({ title, orientation, sections, style }: PrintedPage): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
@page { size: A4 ${orientation}; margin: 10mm; }
${pageStyle}${style}</style>
</head>
<body class="${orientation}">
${sections.join('\n')}
</body>
</html>
`;
}

/** Text for an element or a quoted attribute; control and invisible characters become visible marks. */
export function escapeHtml(text: string): string {
  return escapeMarkup(cleanText(text));
}

/** Colours are printed even where a browser leaves backgrounds out; borders always are. */
const pageStyle = `* { box-sizing: border-box; }
body { margin: 0; font: 8pt/1.25 system-ui, "Liberation Sans", Arial, sans-serif; color: #111;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
section { break-after: page; display: flex; flex-direction: column; }
section:last-child { break-after: auto; }
header { display: flex; align-items: baseline; gap: 5mm; margin-bottom: 2mm; }
h1 { font-size: 14pt; margin: 0; white-space: nowrap; }
header p { margin: 0; color: #555; }
.list { font-size: 10pt; }
.list header { display: block; border-bottom: .4mm solid #333; padding-bottom: 2mm; }
.list h1 { font-size: 18pt; white-space: normal; overflow-wrap: anywhere; }
.list h2 { font-size: 12pt; margin: 5mm 0 1mm; break-after: avoid; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: 1.6mm 2mm 1.6mm 0; vertical-align: top; border-bottom: .15mm solid #bbb; }
th { font-size: 8pt; color: #555; }
thead { display: table-header-group; }
tr { break-inside: avoid; background: none; }
td:nth-child(1) { white-space: nowrap; font-weight: bold; font-variant-numeric: tabular-nums; }
@media screen {
  body { background: #ddd; padding: 5mm; }
  section { background: #fff; margin: 0 auto 5mm; padding: 10mm; width: 297mm; }
  .portrait section { width: 210mm; min-height: 297mm; }
}
`;
