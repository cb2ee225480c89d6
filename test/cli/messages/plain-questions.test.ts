import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPlainQuestions } from '../../../src/cli/messages/plain-questions.ts';

/** Somebody at a terminal, who has typed this. */
function createPerson(typed: string, controller = new AbortController()) {
  const rawModes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => rawModes.push(isRaw) });
  stdin.write(typed);
  let asked = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      asked += chunk;
      done();
    },
  });
  const questions = createPlainQuestions({ stdin, stderr, signal: controller.signal });
  return { questions, stdin, rawModes, asked: () => asked };
}

describe('plain questions', () => {
  it.each([
    ['y\n', true],
    ['YES\r\n', true],
    ['n\n', false],
    ['\n', false],
    ['perhaps\ny\n', true],
  ])('take %j as %s', async (typed, answer) => {
    expect(await createPerson(typed).questions.confirm('Change 3 clients?')).toBe(answer);
  });

  it('are one line of text without control characters, asked again where the answer is none', async () => {
    const { questions, asked } = createPerson('maybe\nn\n');
    await questions.confirm('Change 3 clients?');
    const question = 'Change 3 clients? Type y for yes or n for no, then Enter: ';
    expect(asked()).toBe(question + question);
  });

  it('are answered by what was typed ahead, one line each', async () => {
    const { questions } = createPerson('Ana\n \n+351 912\ny\n');
    expect(await questions.text('First name')).toBe('Ana');
    expect(await questions.text('Phone number')).toBe('+351 912');
    expect(await questions.confirm('Right?')).toBe(true);
  });

  it('hide a secret, which can be corrected, and show typing again after it', async () => {
    const { questions, rawModes, asked } = createPerson('slk_sex\u007fcret\r');
    expect(await questions.secret('Key')).toBe('slk_secret');
    expect(rawModes).toEqual([true, false]);
    expect(asked()).not.toContain('slk');
  });

  it.each([
    ['Ctrl-C', 'abc\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('end at %s while a secret is typed', async (_key, typed) => {
    const { questions, rawModes } = createPerson(typed);
    await expect(questions.secret('Key')).rejects.toMatchObject({ code: 'interrupted' });
    expect(rawModes).toEqual([true, false]);
  });

  it('end with the input, which is not a yes', async () => {
    const { questions, stdin } = createPerson('y');
    stdin.end();
    await expect(questions.confirm('Change 3 clients?')).rejects.toMatchObject({ code: 'interrupted' });
    await expect(questions.confirm('Change 3 clients?')).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('end when the command is interrupted', async () => {
    const controller = new AbortController();
    const answer = createPerson('', controller).questions.text('First name');
    controller.abort('SIGINT');
    await expect(answer).rejects.toMatchObject({ code: 'interrupted' });
  });
});
