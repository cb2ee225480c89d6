import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { compareExporters, type Exporter, toProgram } from './export-run.ts';
import { openFolder, startServer } from './start-server.ts';

// A whole list to CSV over loopback: salon and a hand-written exporter, whole processes in turn. First at once, one
// request at a time by hand; then with 20 ms for each response, eight requests at once. `--rows 1000000` shows what a long
// list takes. Add other tools with 'name=command', where {base} is the URL of the API's prefix and {file} the output file.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
});
const cases = [
  { delayMs: 0, sideBySide: 1, flags: '' },
  { delayMs: 20, sideBySide: 8, flags: ' --concurrency 8' },
];

console.log(`Node ${process.versions.node}, ${values.rows} appointments, 200 per page`);
console.log(`${values.rounds} rounds in turn, medians of whole processes`);
for (const { delayMs, sideBySide, flags } of cases) {
  using folder = openFolder();
  using server = startServer('export-page-server.ts', [values.rows, String(delayMs)]);
  const [port] = (await once(server.process, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/api/v1`;
  const byHand = toProgram('export-by-hand.js', base, sideBySide);
  const salon = toProgram('../bin/salon.js', `appointments list -q -f csv${flags}`);
  const exporters: readonly Exporter[] = [
    { name: 'by hand', toCommand: (file) => `${byHand} > ${file}` },
    { name: 'salon', toCommand: (file) => `${salon} > ${file}` },
    { name: 'salon --output', toCommand: (file) => `${salon} --output ${file}` },
    ...positionals.map((text) => parseExporter(text, base)),
  ];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder.path,
    SALON_BASE_URL: origin,
    SALON_API_KEY: `slk_${'0'.repeat(36)}`,
  };
  console.log(`\n${delayMs} ms per response, by hand ${sideBySide} at once`);
  console.log(await compareExporters(exporters, { rounds: Number(values.rounds), folder: folder.path, env }));
}

function parseExporter(text: string, base: string): Exporter {
  const [, name, command] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || command === undefined) throw new Error(`"${text}" is not 'name=command'.`);
  const toCommand = (file: string) => command.replaceAll('{base}', base).replaceAll('{file}', file);
  return { name, toCommand, mayDiffer: true };
}
