import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foldText } from '../src/text/search-text.ts';
import { type Load, measureRate, toGet } from './load.ts';
import { renderRates } from './render-rates.ts';
import { openFolder, startServer } from './start-server.ts';

// Searches of many clients, each for somebody else, compared with the first page of their list.
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);

interface Named {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
}

using folder = openFolder();
using server = startServer('salon-service.ts', [join(folder.path, 'salon.db'), '1000', values.clients]);
const [{ port, key }] = (await once(server.process, 'message')) as [{ port: number; key: string }];
const people = await readPeople();
let next = 0;

const search = (name: string, toText: (person: Named) => string) => ({
  name,
  beside: 0,
  port,
  toRequest: () => {
    const person = people[next++ % people.length];
    if (person === undefined) throw new Error('The salon has no clients.');
    return toGet(`/api/v1/clients?per_page=50&q=${encodeURIComponent(toText(person))}`, key);
  },
});
const loads: readonly (Load & { readonly name: string; readonly beside: number })[] = [
  { name: 'first page', beside: 0, port, toRequest: () => toGet('/api/v1/clients?per_page=50', key) },
  search('first and last name', ({ first_name, last_name }) => foldText(`${last_name} ${first_name}`)),
  search(
    'parts of both names',
    ({ first_name, last_name }) => `${last_name.slice(0, 4)} ${first_name.slice(0, 3)}`,
  ),
  search('last four digits', ({ phone }) => phone.slice(-4)),
  search('phone number', ({ phone }) => phone),
  search('nobody', () => `nobody${next}`),
  search('everybody', () => `example ${'.com'.slice(next % 4)}`),
  search('two letters', ({ last_name }) => last_name.slice(0, 2)),
];

const rates: number[][] = loads.map(() => []);
for (let round = -1; round < rounds; round++) {
  for (const [index, load] of loads.entries()) {
    const rate = await measureRate(load, Number(values.seconds) * 1000);
    if (round >= 0) rates[index]?.push(rate);
  }
}
console.log(`${values.clients} clients, ${rounds} rounds in turn, 16 connections; requests per second`);
console.log(renderRates(loads.map((load, index) => ({ ...load, rates: rates[index] ?? [] }))));

function isWhole(person: { [Field in keyof Named]: string | null }): person is Named {
  return person.first_name !== null && person.last_name !== null && person.phone !== null;
}

/** Clients from pages all over the list, with names and phone numbers. */
async function readPeople(): Promise<readonly Named[]> {
  const pages = Math.floor(Number(values.clients) / 200);
  const read: Named[] = [];
  for (let page = 1; page <= pages; page += Math.ceil(pages / 20)) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/clients?per_page=200&page=${page}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: { [Field in keyof Named]: string | null }[] };
    read.push(...data.filter(isWhole));
  }
  return read;
}
