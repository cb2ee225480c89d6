import type { Results } from './operations.ts';
import type { Outcome } from './outcome.ts';

const marks: Readonly<Record<Outcome['result'], string>> = {
  works: 'yes',
  said: 'warns',
  refused: 'refused',
  wrong: 'WRONG',
};

/** The results of all servers as a Markdown table. */
export function renderTable(results: ReadonlyMap<string, Results>): string {
  const names = Object.keys([...results.values()][0] ?? {});
  const rows = [...results].map(([server, outcomes]) => [
    server,
    ...names.map((name) => marks[outcomes[name]?.result ?? 'wrong']),
  ]);
  const cells = [['Server', ...names], ...rows];
  const widths = ['Server', ...names].map((_name, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const [header = '', ...body] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const line = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [header, line, ...body].join('\n');
}

/** The text of a guide with a table between its marks; throws if the marks are missing. */
export function replaceTable(guide: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name}: from test/other-servers -->`, `<!-- end of ${name} -->`];
  const [before, rest] = guide.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`The guide has no marks for ${name}.`);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}
