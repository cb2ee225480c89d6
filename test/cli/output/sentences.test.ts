import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { openDisplay } from '../../../src/cli/messages/sentences.ts';

function openSample(text: string) {
  let written = '';
  let nowMs = 0;
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const display = openDisplay({ stderr, now: () => new Date(nowMs) }, text);
  return {
    display,
    pass: (ms: number) => {
      nowMs += ms;
    },
    lines: () => written.split('\n').slice(0, -1),
  };
}

it('long work is told in sentences, five seconds apart, and what it came to', () => {
  const { display, pass, lines } = openSample('Sending clients…');
  for (let second = 1; second <= 11; second += 1) {
    pass(1_000);
    display.show(`${second} of 12 clients`);
  }
  display.stop('12 of 12 clients');
  expect(lines()).toEqual(['Sending clients…', '5 of 12 clients.', '10 of 12 clients.', '12 of 12 clients.']);
});

it('what was told last is not told again at the end, and the end of a wait is not told', () => {
  const done = openSample('5 of 5 clients');
  done.display.stop('5 of 5 clients');
  const waited = openSample('waiting for the limit, 40 s left');
  waited.display.stop(undefined);
  expect([...done.lines(), ...waited.lines()]).toEqual([
    '5 of 5 clients.',
    'Waiting for the limit, 40 s left.',
  ]);
});
