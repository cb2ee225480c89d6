import { describe, expect, it } from 'vitest';
import { splitVisit } from '../../../src/cli/booking/visit-words.ts';

/** As a shell splits a line. */
const toWords = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
const isKnown = async (name: string) => name === 'Smith and Sons';

/** `0 Ana for Cut | 1+30 for Blow-dry`: the step, the pause before it in minutes, and the words of each part. */
async function split(line: string): Promise<string> {
  const { parts } = await splitVisit(toWords(line), isKnown);
  const render = ({ step, pauseMs, words }: (typeof parts)[number]) =>
    `${step}${pauseMs === 0 ? '' : `+${pauseMs / 60_000}`} ${words.join(' ')}`;
  return parts.map(render).join(' | ');
}

describe('the words of several appointments', () => {
  it.each([
    ['Ana Costa with Mia for Cut fri 15:00', '0 Ana Costa with Mia for Cut fri 15:00'],
    ['Ana for Cut and style now', '0 Ana for Cut and style now'],
    ['Smith and Sons for Cut', '0 Smith and Sons for Cut'],
    ['"Kim and Lee" and Ana for Cut', '0 Kim and Lee for Cut | 0 Ana'],
    ['Ana Costa and Ben Okafor for Cut and style now', '0 Ana Costa for Cut and style now | 0 Ben Okafor'],
    ['Ana and Ben and Eva', '0 Ana | 0 Ben | 0 Eva'],
    ['Ana then Ben for Cut with Mia sat', '0 Ana for Cut with Mia sat | 1 Ben'],
    ['Ana then in 15m Ben for Cut', '0 Ana for Cut | 1+15 Ben'],
    [
      'Ana then Leo then Eva for Cut with Mia and Theo sat 10:00',
      '0 Ana with Mia for Cut | 1 Leo with Theo sat 10:00 | 2 Eva with Mia',
    ],
    ['Ana and Ben with Mia and Theo and Rhys for Cut', '0 Ana with Mia and Theo and Rhys for Cut | 0 Ben'],
    [
      'Ana Costa: Balayage with Mia, then Blow-dry with Theo, sat 10:00',
      '0 Ana Costa for Balayage with Mia | 1 for Blow-dry with Theo sat 10:00',
    ],
    ['Ana: Balayage, then in 30m Blow-dry, sat', '0 Ana for Balayage | 1+30 for Blow-dry sat'],
    ['Ana: Balayage then in 1h 30m Blow-dry', '0 Ana for Balayage | 1+90 for Blow-dry'],
    ['Ana: Balayage then in half an hour Blow-dry', '0 Ana for Balayage | 1+30 for Blow-dry'],
    [
      'Ana Costa: Cut with Mia, then Leo Costa: Cut with Theo, then Eva Costa: Cut with Mia',
      '0 Ana Costa for Cut with Mia | 1 Leo Costa for Cut with Theo | 2 Eva Costa for Cut with Mia',
    ],
    [
      'Ana: Cut and style and Ben Okafor: Beard trim, now',
      '0 Ana for Cut and style | 0 Ben Okafor for Beard trim now',
    ],
    ['Ana and Ben: Cut, then Blow-dry', '0 Ana for Cut | 0 Ben for Cut | 1 for Blow-dry'],
    [
      'Ana for Balayage with Mia then Blow-dry with Theo',
      '0 Ana for Balayage with Mia | 1 for Blow-dry with Theo',
    ],
    ['sat 10:00 Ana: Cut then Blow-dry', '0 sat 10:00 Ana for Cut | 1 for Blow-dry'],
    ['', '0 '],
  ])('%j', async (line, parts) => {
    expect(await split(line)).toBe(parts);
  });

  it.each(['24h', '25h', '1 day'])('refuse a pause of %s', async (pause) => {
    await expect(split(`Ana: Cut, then in ${pause} Blow-dry`)).rejects.toThrow(
      `A pause is shorter than a day, not "${pause}".`,
    );
  });

  it.each([
    'Ana then for Cut',
    'Ana and for Cut',
    'and Ben for Cut',
    'Ana then then Ben for Cut',
    'Ana then',
  ])('refuse a name that is missing: %s', async (line) => {
    await expect(split(line)).rejects.toThrow('A name is missing before or after "and" or "then".');
  });
});
