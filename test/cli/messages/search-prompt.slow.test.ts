import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { isBack } from '../../../src/cli/messages/errors.ts';
import type { SearchChoice } from '../../../src/cli/messages/plain-prompts.ts';
import { createPrompts, type Prompts } from '../../../src/cli/messages/prompts.ts';
import { silentStatusLine } from '../../../src/cli/messages/status-line.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const people = ['Ana Costa', 'Ana Nunes', 'Bo Coen'];

type Steps = readonly (readonly [shown: string, typed: string])[];

/** Answers a search at a terminal. */
async function answer(steps: Steps) {
  const searches: string[] = [];
  const find = async (typed: string): Promise<readonly SearchChoice<string | undefined>[]> => {
    searches.push(typed);
    if (typed === '3/4') throw new SalonError('usage', 'That may be two days.');
    const found = people.filter((name) => name.toLowerCase().includes(typed));
    return [
      ...found.map((name) => ({ value: name, label: name, hint: '+351 912' })),
      { value: undefined, label: 'Nobody' },
    ];
  };
  return { chosen: await openTerminal(steps).search('Who?', { find, isRemote: true }), searches };
}

/** Prompts at a terminal where each text is typed once the one before it is on the screen. */
function openTerminal(steps: Steps) {
  const stdin = new PassThrough();
  const left = [...steps];
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
  // As the terminal of a process, it stays open after a question.
  stderr.end = () => stderr;
  const discardTyped = async () => {};
  const io = {
    stdin,
    stderr,
    env: {},
    terminal: {},
    discardTyped,
    signal: new AbortController().signal,
  } as unknown as Io;
  return createPrompts(io, { isAllowed: true, isPlain: async () => false, status: silentStatusLine });
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

const [esc, stop, end] = ['\x1b', '\x03', '\x04'];

it.each<[string, string, (prompts: Prompts) => Promise<unknown>]>([
  [
    'search',
    'Esc to cancel',
    (prompts) => prompts.search('Who?', { find: async () => [{ value: 1, label: 'One' }] }),
  ],
  ['menu', 'Esc to cancel', (prompts) => prompts.choose('Which?', ['a', 'b'])],
  ['text', 'Name', (prompts) => prompts.text('Name')],
  ['secret', 'Key', (prompts) => prompts.secret('Key')],
  ['confirmation', 'Sure?', (prompts) => prompts.confirm('Sure?')],
])('goes back from a %s at Esc, and ends at Ctrl-C and Ctrl-D', async (_kind, shown, ask) => {
  for (const [key, isBackWanted] of [
    [esc, true],
    [stop, false],
    [end, false],
  ] as const) {
    const error = await ask(openTerminal([[shown, key]])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'interrupted', message: 'Cancelled. Nothing was changed.' });
    expect(isBack(error)).toBe(isBackWanted);
  }
});

it('asks the question before again at Esc', async () => {
  const prompts = openTerminal([
    ['Esc to cancel', '\r'],
    ['Esc to go back', '\r'],
    ['Name', esc],
    ['Esc to go back', esc],
    ['Esc to cancel', '\x1b[B'],
    ['❯ b', '\r'],
    ['Esc to go back', '\r'],
    ['Name', 'Ana\r'],
    ['Sure?', esc],
    ['Name', 'Bo\r'],
    ['Sure?', 'y\r'],
  ]);
  const ask = async () => [
    await prompts.choose('One', ['a', 'b']),
    await prompts.choose('Two', ['c', 'd']),
    await prompts.text('Name'),
  ];
  const answered = prompts.inTurn(ask, async (asked) => [...asked, await prompts.confirm('Sure?')]);
  expect(await answered).toEqual(['b', 'c', 'Bo', true]);
});
