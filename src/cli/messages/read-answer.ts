import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import type { Io } from '../io.ts';
import { endOfInput } from './questions.ts';

/**
 * A line that somebody types: edited and shown by the terminal itself, or, where it is secret, neither. Rejects with
 * `interrupted` at Ctrl-C and at the end of input.
 */
export function readAnswer(
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
  { isSecret }: { readonly isSecret: boolean },
): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const listening = new DisposableStack();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed = '';
  const end = () => reject(endOfInput());
  if (stdin.readableEnded || signal.aborted) end();
  if (isSecret) listening.use(hideTyping(stdin));
  stdin.on('data', take).on('end', end).resume();
  signal.addEventListener('abort', end);
  listening.defer(() => {
    stdin.off('data', take).off('end', end).pause();
    signal.removeEventListener('abort', end);
  });
  return promise.finally(() => listening.dispose());

  function take(piece: Buffer): void {
    const characters = [...decoder.write(piece)];
    for (const [index, character] of characters.entries()) {
      if (keys.enter.has(character)) {
        finish(characters.slice(index + 1).join(''));
        return;
      }
      if (keys.stop.has(character)) end();
      typed = keys.erase.has(character) ? [...typed].slice(0, -1).join('') : typed + character;
    }
  }

  /** What was typed ahead answers the next question. */
  function finish(ahead: string): void {
    stdin.off('data', take).pause();
    const rest = ahead.replace(/^\n/, '');
    if (rest !== '') stdin.unshift(Buffer.from(rest));
    resolve(typed);
  }
}

/** What a terminal sends that does not edit lines itself. */
const keys = {
  enter: new Set(['\r', '\n']),
  stop: new Set(['\u0003', '\u0004']),
  erase: new Set(['\b', '\u007f']),
} as const;

function hideTyping(stdin: Readable): Disposable {
  const terminal = stdin as Readable & Partial<Pick<ReadStream, 'setRawMode'>>;
  terminal.setRawMode?.(true);
  return { [Symbol.dispose]: () => void terminal.setRawMode?.(false) };
}
