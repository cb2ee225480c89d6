import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { type Io, write } from '../io.ts';
import { createCancelError, wentBack } from './errors.ts';

/** Each method rejects with `interrupted` at Esc, at Ctrl-C and at the end of input. */
export interface QuestionPrompts {
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: TextQuestion): Promise<string>;
  /** Reads a text without showing it. */
  secret(question: string, options?: Pick<TextQuestion, 'validate'>): Promise<string>;
  choose(question: string, choices: readonly string[]): Promise<string>;
  /** Offers what matches the text typed so far. */
  search<Value>(question: string, options: SearchQuestion<Value>): Promise<Value>;
}

export interface SearchQuestion<Value> {
  /** What to offer for a text; for an empty one, before anything is typed. */
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly SearchChoice<Value>[]>;
  /** Whether a search sends requests: it then waits until typing pauses. */
  readonly isRemote?: boolean;
}

export interface SearchChoice<Value> {
  readonly value: Value;
  readonly label: string;
  /** What tells apart choices with the same label. */
  readonly hint?: string | undefined;
}

export interface TextQuestion {
  /** The answer to an empty line. */
  readonly suggestion?: string | undefined;
  /** Whether an empty line is an answer, too. */
  readonly isOptional?: boolean;
  /** Returns what is wrong with an answer; the question is then asked again. */
  readonly validate?: (answer: string) => string | undefined;
}

interface LineStyle {
  readonly isSecret?: boolean;
  /** Whether 0 is a way back. */
  readonly hasBack?: boolean;
}

export const emptyAnswer = 'Type something, or press Ctrl-C to cancel.';

/** What Esc types in a line, which Enter then ends. */
const escapeKey = '\u001b';

/** Prompts for a screen reader: one line per question, answered with Enter. */
export function createPlainPrompts(
  io: Pick<Io, 'stdin' | 'stderr' | 'signal'>,
  canGoBack = false,
): QuestionPrompts {
  return {
    async confirm(question) {
      for (;;) {
        const answer = (await ask(`${question} Type y for yes or n for no, then Enter: `)).toLowerCase();
        if (['y', 'yes'].includes(answer)) return true;
        if (['n', 'no', ''].includes(answer)) return false;
      }
    },
    text(question, options = {}) {
      const { suggestion = '' } = options;
      const shown = suggestion === '' ? '' : ` (Enter for ${suggestion})`;
      return askUntilValid(`${question}${shown}: `, options);
    },
    secret: (question, options) =>
      askUntilValid(`${question} (hidden while you type): `, { ...options, isSecret: true }),
    async choose(question, choices) {
      await list(choices);
      const validate = (answer: string) =>
        choices[Number(answer) - 1] === undefined ? `Type a number from 1 to ${choices.length}.` : undefined;
      const prompt = `${question} Type its number, then Enter: `;
      const answer = await askUntilValid(prompt, { hasBack: true, validate });
      return choices[Number(answer) - 1] ?? '';
    },
    async search(question, { find }) {
      let found = await find('', io.signal);
      for (;;) {
        await list(found.map(renderChoice));
        const how = found.length === 0 ? 'Type to search' : 'Type a number, or text to search';
        const typed = await ask(`${question} ${how}, then Enter: `, { hasBack: true });
        const chosen = /^\d{1,3}$/.test(typed) ? found[Number(typed) - 1] : undefined;
        if (chosen !== undefined) return chosen.value;
        const next = await find(typed, io.signal).catch(explainTyped);
        if (typeof next === 'string') await write(io.stderr, `${next}\n`);
        else if (next.length > 0) found = next;
        else await write(io.stderr, `Nothing matches "${cleanText(typed)}".\n`);
      }
    },
  };

  async function list(choices: readonly string[]): Promise<void> {
    const lines = choices.map((choice, index) => `${index + 1}: ${choice}\n`);
    await write(io.stderr, `${lines.join('')}0: ${canGoBack ? 'Back' : 'Cancel'}\n`);
  }

  async function askUntilValid(prompt: string, options: TextQuestion & LineStyle): Promise<string> {
    const { suggestion = '', isOptional = false, validate } = options;
    for (;;) {
      const answer = (await ask(prompt, options)) || suggestion;
      if (answer === '' && isOptional) return answer;
      const problem = answer === '' ? emptyAnswer : validate?.(answer);
      if (problem === undefined) return answer;
      await write(io.stderr, `${problem}\n`);
    }
  }

  async function ask(prompt: string, { isSecret = false, hasBack }: LineStyle = {}): Promise<string> {
    await write(io.stderr, prompt);
    const answer = (await readLine(io, { isSecret })).trim();
    if (isSecret) await write(io.stderr, '\n');
    if (answer.endsWith(escapeKey) || (hasBack === true && answer === '0')) throw createCancelError(wentBack);
    return answer;
  }
}

/** What is wrong with a text that was typed, such as a day that does not exist. Throws any other error. */
export function explainTyped(error: unknown): string {
  if (!(error instanceof SalonError) || error.code !== 'usage') throw error;
  return cleanText(error.message);
}

/** A choice on one line. */
export function renderChoice({ label, hint = '' }: SearchChoice<unknown>): string {
  return cleanText(hint === '' ? label : `${label}, ${hint}`);
}

/**
 * Reads a typed line. The terminal edits and shows it, unless it is secret. Rejects with `interrupted` at Ctrl-C and at
 * the end of input.
 */
function readLine(
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
  { isSecret }: { readonly isSecret: boolean },
): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const cleanup = new DisposableStack();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed = '';
  const cancel = () => reject(createCancelError());
  if (stdin.readableEnded || signal.aborted) cancel();
  const terminal = stdin as Readable & Partial<Pick<ReadStream, 'setRawMode'>>;
  if (isSecret) terminal.setRawMode?.(true);
  if (isSecret) cleanup.defer(() => terminal.setRawMode?.(false));
  stdin.on('data', onData).on('end', cancel).resume();
  signal.addEventListener('abort', cancel);
  cleanup.defer(() => {
    stdin.off('data', onData).off('end', cancel).pause();
    signal.removeEventListener('abort', cancel);
  });
  return promise.finally(() => cleanup.dispose());

  function onData(chunk: Buffer): void {
    const characters = [...decoder.write(chunk)];
    for (const [index, character] of characters.entries()) {
      if (keys.enter.has(character)) {
        const rest = characters.slice(index + 1).join('');
        finish(character === '\r' ? rest.replace(/^\n/, '') : rest);
        return;
      }
      if (keys.stop.has(character)) cancel();
      typed = keys.erase.has(character) ? [...typed].slice(0, -1).join('') : typed + character;
    }
  }

  /** Text typed after Enter is left for the next question. */
  function finish(rest: string): void {
    stdin.off('data', onData).pause();
    if (rest !== '') stdin.unshift(Buffer.from(rest));
    resolve(typed);
  }
}

/** Keys that a terminal in raw mode passes on. */
const keys = {
  enter: new Set(['\r', '\n']),
  stop: new Set(['\u0003', '\u0004']),
  erase: new Set(['\b', '\u007f']),
} as const;
