import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createXlsxWriter } from '../src/bulk/sheet/xlsx-writer.ts';
import { toPart, zip } from '../test/support/zip.ts';

// Time and memory of detecting and validating a million cells as tables of other programs, compared with a CSV of the same
// rows, in turn. Prints medians of the ratios.
const headings = ['id', 'first_name', 'last_name', 'email', 'phone', 'notes', 'tags'];
const rowCount = Math.ceil(Number(process.env['CELLS'] ?? 1_000_000) / headings.length);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const child = fileURLToPath(new URL('check-sheet.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'salon-bench-'));

interface Figures {
  readonly rows: number;
  readonly problemCount: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMb: number;
}

type Cells = readonly string[];

const toXml = (rows: readonly Cells[], row: string, toCell: (text: string) => string) =>
  rows.map((cells) => `<${row}>${cells.map(toCell).join('')}</${row}>\n`).join('');

const formats: Readonly<Record<string, (rows: readonly Cells[]) => string | Buffer | Promise<Buffer>>> = {
  csv: (rows) => rows.map((cells) => `${cells.join(',')}\r\n`).join(''),
  html: (rows) => `<table>${toXml(rows, 'tr', (text) => `<td>${text}</td>`)}</table>`,
  xml: (rows) =>
    `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>${toXml(rows, 'Row', (text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`)}</Table></Worksheet></Workbook>`,
  ods(rows) {
    const table = toXml(
      rows,
      'table:table-row',
      (text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
    );
    const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="a">${table}</table:table></office:spreadsheet></office:body></office:document-content>`;
    const mimetype = 'application/vnd.oasis.opendocument.spreadsheet';
    const first = { ...toPart('mimetype', mimetype), data: Buffer.from(mimetype) };
    return zip([first, toPart('content.xml', content)]);
  },
  async xlsx(rows) {
    const [columns = [], ...others] = rows;
    const writer = createXlsxWriter(
      'a',
      columns.map((heading) => ({ heading, format: 'text' })),
    );
    return Buffer.concat([await writer.rows(others), await writer.end()]);
  },
};

try {
  const rows = [headings, ...Array.from({ length: rowCount }, (_, index) => toCells(index))];
  for (const [format, render] of Object.entries(formats))
    writeFileSync(join(folder, format), await render(rows));
  const all: Record<string, Figures>[] = [];
  for (let round = 0; round < rounds; round += 1)
    all.push(Object.fromEntries(Object.keys(formats).map((format) => [format, measure(format)])));
  console.log(`${rowCount} rows, ${rounds} rounds; ratios to the CSV`);
  for (const format of Object.keys(formats)) {
    const [cpu, wall, peak] = (['cpuSeconds', 'wallSeconds', 'peakMb'] as const).map((figure) => {
      const own = median(all.map((round) => round[format]?.[figure] ?? 0));
      const ratio = median(
        all.map((round) => (round[format]?.[figure] ?? 0) / (round['csv']?.[figure] ?? 1)),
      );
      return `${own.toFixed(1)} (×${ratio.toFixed(2)})`;
    });
    console.log(`${format.padEnd(5)} ${cpu} s of processor, ${wall} s, ${peak} MB at most`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function toCells(index: number): Cells {
  const id = `cli_${String((index * 7_919) % rowCount).padStart(26, '0')}`;
  return [
    id,
    `Ana ${index % 997}`,
    'Müller',
    `ana${index}@example.com`,
    '+44 20 7946 0018',
    'one two',
    'vip;new',
  ];
}

function measure(format: string): Figures {
  const startMs = performance.now();
  const printed = execFileSync(process.execPath, [child, join(folder, format)], { encoding: 'utf8' });
  const figures: Figures = { ...JSON.parse(printed), wallSeconds: (performance.now() - startMs) / 1000 };
  if (figures.rows === rowCount && figures.problemCount === 0) return figures;
  throw new Error(`The validation failed: ${JSON.stringify(figures)}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
