import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openFolder } from './start-server.ts';

// Reading and validating contacts of vCard, and events of iCalendar, compared with a CSV of the same: whole processes, in
// turn.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const size = Number(values.rows);
const child = fileURLToPath(new URL('check-sheet.ts', import.meta.url));
using folder = openFolder();

interface Figures {
  readonly rows: number;
  readonly problemCount: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMb: number;
}

/** Rows as a CSV, and the same in the other format. */
const formats = {
  clients: {
    start: ['first_name,last_name,email,phone,birthday,notes,tags\r\n', ''],
    end: '',
    toRow(index: number) {
      const [email, phone] = [`ana${index}@post.example`, `+4915112${String(index).padStart(6, '0')}`];
      return [
        `Ana,"Müller, geb. Roth",${email},${phone},1985-05-15,"one\nand two; three",vip;new\r\n`,
        `BEGIN:VCARD\r\nVERSION:3.0\r\nN:Müller\\, geb. Roth;Ana;;;\r\nFN:Ana Müller\\, geb. Roth\r\nTEL;type=CELL;type=VOICE:${phone}\r\nEMAIL;type=INTERNET;type=pref:${email}\r\nBDAY:1985-05-15\r\nNOTE:one\\nand two\\; three\r\nCATEGORIES:vip,new\r\nUID:${index}\r\nREV:20260101T000000Z\r\nEND:VCARD\r\n`,
      ];
    },
  },
  appointments: {
    start: [
      'client_id,stylist_id,service,start_time,duration,notes\r\n',
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Mia\r\n',
    ],
    end: 'END:VCALENDAR\r\n',
    toRow(index: number) {
      const startMs = Date.UTC(2026, 0, 1) + index * 1_800_000;
      const [start = '', end = ''] = [startMs, startMs + 1_800_000].map((ms) =>
        new Date(ms).toISOString().replace('.000', ''),
      );
      const [from, to] = [start, end].map((text) => text.replace(/[-:]/g, ''));
      const name = `Ana Roth ${index % 500}`;
      return [
        `${name},Mia,Cut,${start},30,"mornings, no perfume"\r\n`,
        `BEGIN:VEVENT\r\nUID:${index}@post.example\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:${from}\r\nDTEND:${to}\r\nSUMMARY:${name} - Cut\r\nDESCRIPTION:mornings\\, no perfume\r\nSTATUS:CONFIRMED\r\nSEQUENCE:0\r\nEND:VEVENT\r\n`,
      ];
    },
  },
} as const;

for (const noun of ['clients', 'appointments'] as const) {
  const paths = [join(folder.path, `${noun}.csv`), join(folder.path, `${noun}.other`)] as const;
  for (const [index, path] of paths.entries()) await write(path, noun, index);
  const figures: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [index, path] of paths.entries()) figures[index]?.push(measure(path, noun));
  const [csv, other] = figures;
  const [name, format] = noun === 'clients' ? ['contacts', 'vCard'] : ['events', 'iCalendar'];
  console.log(`${values.rows} ${name}, ${values.rounds} rounds in turn, medians: CSV, ${format}, ratio`);
  for (const [what, unit] of [
    ['cpuSeconds', 's of CPU'],
    ['wallSeconds', 's'],
    ['peakMb', 'MB at most'],
  ] as const) {
    const [one, two] = [csv, other].map((runs) => toMedian(runs.map((run) => run[what])));
    const digits = what === 'peakMb' ? 0 : 2;
    const shown = [one, two].map((figure) => (figure ?? 0).toFixed(digits).padStart(8)).join('');
    console.log(`${shown} ${unit.padEnd(12)} ${((two ?? 0) / (one ?? 1)).toFixed(2)}`);
  }
}

async function write(path: string, noun: keyof typeof formats, index: number): Promise<void> {
  const { start, end, toRow } = formats[noun];
  const texts = function* () {
    yield start[index] ?? '';
    for (let row = 0; row < size; row += 1) yield toRow(row)[index] ?? '';
    if (index === 1) yield end;
  };
  await pipeline(Readable.from(texts()), createWriteStream(path));
}

function measure(path: string, noun: string): Figures {
  const figures: Figures = JSON.parse(
    execFileSync(process.execPath, [child, path, noun], { encoding: 'utf8' }),
  );
  if (figures.rows === size && figures.problemCount === 0) return figures;
  throw new Error(`The validation failed: ${JSON.stringify(figures)}`);
}

function toMedian(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
