import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

// Time and memory of reading and validating a small and a large sheet: memory must not grow with the rows. A small heap
// limit keeps Node from using more than it needs. JSON is left out: it is read as a whole.
const sizes = [10_000, 1_000_000];
const child = fileURLToPath(new URL('check-sheet.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'salon-bench-'));

interface Figures {
  readonly rows: number;
  readonly problemCount: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

try {
  for (const format of ['csv', 'ndjson'] as const) {
    const figures: Figures[] = [];
    for (const size of sizes) figures.push(await measure(format, size));
    console.log(figures.map((one) => render(format, one)).join('\n'));
    const [few, many] = figures;
    console.log(`  memory, many rows to few: ${((many?.peakMb ?? 0) / (few?.peakMb ?? 1)).toFixed(2)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(format: Format, size: number): Promise<Figures> {
  const path = join(folder, `${size}.${format}`);
  await pipeline(Readable.from(writeRows(format, size)), createWriteStream(path));
  const args = ['--max-old-space-size=40', '--max-semi-space-size=2', child, path];
  const figures: Figures = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  if (figures.rows === size && figures.problemCount === 0) return figures;
  throw new Error(`The validation failed: ${JSON.stringify(figures)}`);
}

function render(format: Format, { rows, cpuSeconds, peakMb }: Figures): string {
  return `${format.padEnd(6)} ${String(rows).padStart(9)} rows  ${cpuSeconds.toFixed(1)} s of processor  ${peakMb} MB at most`;
}

type Format = 'csv' | 'ndjson';

function* writeRows(format: Format, size: number): Generator<string> {
  if (format === 'csv') yield 'id,first_name,last_name,email,phone,notes,tags\r\n';
  for (let index = 0; index < size; index += 1) {
    const id = `cli_${String((index * 7_919) % size).padStart(26, '0')}`;
    const [email, phone] = [`ana${index}@example.com`, '+44 20 7946 0018'];
    yield format === 'csv'
      ? `${id},Ana,"Müller, Dr.",${email},${phone},"one\nand ""two""",vip;new\r\n`
      : `${JSON.stringify({ id, first_name: 'Ana', last_name: 'Müller', email, phone, tags: ['vip'] })}\n`;
  }
}
