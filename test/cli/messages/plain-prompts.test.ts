import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isBack } from '../../../src/cli/messages/errors.ts';
import { createPlainPrompts, type QuestionPrompts } from '../../../src/cli/messages/plain-prompts.ts';

/** A terminal with text already typed. */
function createTerminal(typed: string, controller = new AbortController()) {
  const rawModes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => rawModes.push(isRaw) });
  stdin.write(typed);
  let shown = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      shown += chunk;
      done();
    },
  });
  const prompts = createPlainPrompts({ stdin, stderr, signal: controller.signal });
  return { prompts, stdin, rawModes, shown: () => shown };
}

describe('a plain prompt', () => {
  it.each([
    ['y\n', true],
    ['YES\r\n', true],
    ['n\n', false],
    ['\n', false],
    ['perhaps\ny\n', true],
  ])('reads %j as %s', async (typed, answer) => {
    expect(await createTerminal(typed).prompts.confirm('Change 3 clients?')).toBe(answer);
  });

  it('writes one line without control characters, and repeats it after an unclear answer', async () => {
    const { prompts, shown } = createTerminal('maybe\nn\n');
    await prompts.confirm('Change 3 clients?');
    const question = 'Change 3 clients? Type y for yes or n for no, then Enter: ';
    expect(shown()).toBe(question + question);
  });

  it.each<[string, string, (prompts: QuestionPrompts) => Promise<unknown>]>([
    ['0 in a menu', '0\n', (prompts) => prompts.choose('Which?', ['a', 'b'])],
    ['0 in a search', '0\n', (prompts) => prompts.search('Who?', { find: async () => [] })],
    ['Esc in a menu', '\u001b\n', (prompts) => prompts.choose('Which?', ['a', 'b'])],
    ['Esc in a text', 'An\u001b\n', (prompts) => prompts.text('Name')],
    ['Esc in a secret', '\u001b\r', (prompts) => prompts.secret('Key')],
    ['Esc in a confirmation', '\u001b\n', (prompts) => prompts.confirm('Sure?')],
  ])('goes back at %s', async (_what, typed, ask) => {
    const { prompts, shown } = createTerminal(typed);
    const error = await ask(prompts).catch((thrown: unknown) => thrown);
    expect(isBack(error)).toBe(true);
    if (typed.startsWith('0')) expect(shown()).toContain('0: Cancel\n');
  });

  it('takes 0 for a text where there is no menu', async () => {
    expect(await createTerminal('0\n').prompts.text('Name')).toBe('0');
  });

  it('reads lines that were typed ahead', async () => {
    const { prompts } = createTerminal('Ana\n \n+351 912\ny\n');
    expect(await prompts.text('First name')).toBe('Ana');
    expect(await prompts.text('Phone number')).toBe('+351 912');
    expect(await prompts.confirm('Right?')).toBe(true);
  });

  it('hides a secret, allows corrections, and shows typing again afterwards', async () => {
    const { prompts, rawModes, shown } = createTerminal('slk_sex\u007fcret\r');
    expect(await prompts.secret('Key')).toBe('slk_secret');
    expect(rawModes).toEqual([true, false]);
    expect(shown()).not.toContain('slk');
  });

  it('searches for the text typed until a number chooses one', async () => {
    const { prompts, shown } = createTerminal('zoe\nco\n7\n2\n');
    const people = ['Ana Costa', 'Bo Coen'];
    const find = async (typed: string) =>
      people
        .filter((name) => name.toLowerCase().includes(typed) && typed !== '')
        .map((name) => ({ value: name.toUpperCase(), label: name, hint: '+351 912' }));
    expect(await prompts.search('Client?', { find })).toBe('BO COEN');
    expect(shown()).toContain('Nothing matches "zoe".\n');
    expect(shown()).toContain('1: Ana Costa, +351 912\n2: Bo Coen, +351 912\n');
  });

  it.each([
    ['Ctrl-C', 'abc\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('is cancelled by %s in a secret', async (_key, typed) => {
    const { prompts, rawModes } = createTerminal(typed);
    await expect(prompts.secret('Key')).rejects.toMatchObject({ code: 'interrupted' });
    expect(rawModes).toEqual([true, false]);
  });

  it('is cancelled at the end of input', async () => {
    const { prompts, stdin } = createTerminal('y');
    stdin.end();
    await expect(prompts.confirm('Change 3 clients?')).rejects.toMatchObject({ code: 'interrupted' });
    await expect(prompts.confirm('Change 3 clients?')).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('is cancelled when the command is interrupted', async () => {
    const controller = new AbortController();
    const answer = createTerminal('', controller).prompts.text('First name');
    controller.abort('SIGINT');
    await expect(answer).rejects.toMatchObject({ code: 'interrupted' });
  });
});
