import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import type { SearchChoice } from '../../../src/cli/messages/plain-prompts.ts';
import { createPrompts } from '../../../src/cli/messages/prompts.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const people = ['Ana Costa', 'Ana Nunes', 'Bo Coen'];

/** Answers a search at a terminal: types each text once the one before it is on the screen. */
async function answer(steps: readonly (readonly [shown: string, typed: string])[]) {
  const stdin = new PassThrough();
  const left = [...steps];
  const searches: string[] = [];
  let screen = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      screen += stripVTControlCharacters(String(chunk));
      const [step] = left;
      if (step !== undefined && screen.includes(step[0])) {
        left.shift();
        screen = '';
        // A person types after the screen is drawn, not while.
        setImmediate(() => stdin.write(step[1]));
      }
      done();
    },
  });
  const io = { stdin, stderr, env: {}, terminal: {}, signal: new AbortController().signal } as unknown as Io;
  const prompts = createPrompts(io, { isAllowed: true, isPlain: async () => false });
  const find = async (typed: string): Promise<readonly SearchChoice<string | undefined>[]> => {
    searches.push(typed);
    if (typed === '3/4') throw new SalonError('usage', 'That may be two days.');
    const found = people.filter((name) => name.toLowerCase().includes(typed));
    return [
      ...found.map((name) => ({ value: name, label: name, hint: '+351 912' })),
      { value: undefined, label: 'Nobody' },
    ];
  };
  return { chosen: await prompts.search('Who?', { find, isRemote: true }), searches };
}

it('offers people before anything is typed, the first one chosen', async () => {
  expect(await answer([['❯ Ana Costa, +351 912', '\r']])).toEqual({ chosen: 'Ana Costa', searches: [''] });
});

it('searches for what is typed, once typing pauses', async () => {
  const steps = [
    ['Bo Coen', 'coe'],
    ['❯ Bo Coen', '\r'],
  ] as const;
  expect(await answer(steps)).toEqual({ chosen: 'Bo Coen', searches: ['', 'coe'] });
});

it('returns a choice without a value', async () => {
  const steps = [
    ['❯ Ana Costa', 'xyz'],
    ['❯ Nobody', '\r'],
  ] as const;
  expect(await answer(steps)).toMatchObject({ chosen: undefined });
});

it('says what is wrong with a text and goes on', async () => {
  const steps = [
    ['❯ Ana Costa', '3/4'],
    ['That may be two days.', '\x7f\x7f\x7f'],
    ['❯ Ana Costa', '\r'],
  ] as const;
  expect(await answer(steps)).toMatchObject({ chosen: 'Ana Costa' });
});
