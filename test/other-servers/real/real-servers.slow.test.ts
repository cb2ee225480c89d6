import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provenPresets } from '../../../src/client/dialect/presets.ts';
import { isLong } from '../../support/speed.ts';
import { type FactsOf, findOtherFacts } from '../facts.ts';
import { type Results, runOperations } from '../operations.ts';
import { renderTable, replaceTable } from '../results-table.ts';
import { connectReal, dialectFile, type RealKind, type RunningSoftware } from './real-kind.ts';
import { realOperations } from './real-operations.ts';
import { recognise } from './recognise.ts';
import { makeRecords } from './records.ts';
import { allSoftware } from './software.ts';

const guidePath = join(import.meta.dirname, '../../../docs/other-servers.md');
const results = new Map<string, Results>();

/** Nothing of it is a dependency: each is installed into a temporary folder, so only the long tests run it. */
describe.runIf(isLong)('software of others, which only npm run test:long installs', () => {
  describe.each(allSoftware)('$title', ({ kinds, start }) => {
    let running: RunningSoftware;

    beforeAll(async () => {
      running = await start();
    });
    afterAll(() => running?.[Symbol.asyncDispose]());

    const run = async (kind: RealKind) => {
      const found =
        results.get(kind.name) ??
        (await runOperations(
          connectReal(() => running, kind),
          realOperations,
        ));
      results.set(kind.name, found);
      return found;
    };

    it.each(kinds.filter(({ facts }) => facts !== undefined))('is as its stub: $name', async (kind) => {
      await running.put(makeRecords(60));
      const baseUrl = running.origin + (kind.path ?? '');
      expect(await findOtherFacts(baseUrl, kind.facts as FactsOf)).toEqual([]);
    });

    it.each(kinds)('is recognised rightly, or refused: $name', async (kind) => {
      expect(await recognise(running, kind)).toEqual([]);
    });

    it.each(kinds)('is never wrong in silence: $name', async (kind) => {
      const wrong = Object.entries(await run(kind)).flatMap(([name, outcome]) =>
        outcome.result === 'wrong' ? [`${name}: ${outcome.reason}`] : [],
      );
      expect(wrong).toEqual([]);
    });

    it.runIf(process.env['SALON_WRITE_DOCS'] === undefined).each(kinds)(
      'has its row in docs/other-servers.md: $name',
      async (kind) => {
        const [, , row = ''] = renderTable(new Map([[kind.name, await run(kind)]])).split('\n');
        const shown = readFileSync(guidePath, 'utf8').split('\n').map(readCells);
        expect(shown.find(([name]) => name === kind.name)).toEqual(readCells(row));
      },
    );
  });

  it.runIf(process.env['SALON_WRITE_DOCS'])('writes the table', () => {
    const guide = readFileSync(guidePath, 'utf8');
    writeFileSync(guidePath, replaceTable(guide, 'real', renderTable(results)));
  });
});

it('runs what the help and the guide call seen', () => {
  const kinds = allSoftware.flatMap((software) => software.kinds);
  const extended = kinds.map((kind) => JSON.parse(readFileSync(dialectFile(kind), 'utf8')).extends);
  expect(new Set(extended.filter((name) => name !== undefined))).toEqual(new Set(provenPresets));
  const guide = readFileSync(guidePath, 'utf8').replaceAll('\n', ' ');
  expect(guide).toContain(`Only \`${provenPresets.join('`, `')}\` has run against the software itself`);
});

function readCells(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
