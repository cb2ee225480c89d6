import { readFileSync } from 'node:fs';

// What a script does that shows what a sheet would change: reads the whole list, eight pages at once, and compares each
// row of the sheet with its record.
const [, , origin = '', key = '', sheet = ''] = process.argv;
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

async function readPage(page: number): Promise<{ data: Row[]; pagination: { total: number } }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/v1/clients?per_page=200&page=${page}`, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as { data: Row[]; pagination: { total: number } };
}

const first = await readPage(1);
const records = new Map(first.data.map((row) => [row.id, row]));
const pages = Array.from({ length: Math.ceil(first.pagination.total / 200) - 1 }, (_, index) => index + 2);
async function readPages(): Promise<void> {
  for (let page = pages.shift(); page !== undefined; page = pages.shift())
    for (const row of (await readPage(page)).data) records.set(row.id, row);
}
await Promise.all(Array.from({ length: 8 }, readPages));

let changes = 0;
for (const line of readFileSync(sheet, 'utf8').split('\n').filter(Boolean)) {
  const row = JSON.parse(line) as Row;
  const record = records.get(row.id);
  if (record === undefined) throw new Error(`There is no client ${row.id}.`);
  const changed = Object.keys(row).filter(
    (name) => JSON.stringify(row[name]) !== JSON.stringify(record[name]),
  );
  if (changed.length > 0) changes += 1;
}
console.log(JSON.stringify({ changes }));
