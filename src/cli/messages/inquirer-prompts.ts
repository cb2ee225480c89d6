import { setTimeout } from 'node:timers/promises';
import inquirer from 'inquirer';
import { cleanText } from '../../text/clean-text.ts';
import type { Io } from '../io.ts';
import { createCancelError, wentBack } from './errors.ts';
import {
  emptyAnswer,
  explainTyped,
  type QuestionPrompts,
  renderChoice,
  type SearchQuestion,
  type TextQuestion,
} from './plain-prompts.ts';

/** Prompts for a screen, with choices to move through. */
export function createInquirerPrompts(
  io: Pick<Io, 'stdin' | 'stderr' | 'signal'>,
  hasBack: boolean,
): QuestionPrompts {
  const ask = async <Answer>(question: object): Promise<Answer> => {
    const [back, end] = [new AbortController(), new AbortController()];
    // Ctrl-D pauses the input, which inquirer does not notice. An answer does too; it is handled first.
    const onPause = () => setImmediate(() => end.abort());
    const onKey = (_text: unknown, key?: { readonly name?: string }) => {
      if (key?.name === 'escape') back.abort();
    };
    io.stdin.on('keypress', onKey).once('pause', onPause);
    const prompt = inquirer.createPromptModule({
      input: io.stdin as NodeJS.ReadStream,
      output: io.stderr,
      signal: AbortSignal.any([io.signal, back.signal, end.signal]),
    });
    try {
      return ((await prompt([{ ...question, name: 'answer' }] as never)) as { answer: Answer }).answer;
    } catch (cause) {
      const ends = ['ExitPromptError', 'AbortPromptError', 'AbortError'];
      if (!(cause instanceof Error) || !ends.includes(cause.name)) throw cause;
      throw createCancelError(back.signal.aborted ? wentBack : cause);
    } finally {
      io.stdin.off('keypress', onKey).off('pause', onPause);
    }
  };
  const keysHelp = `↑↓ to move, ⏎ to choose, Esc to ${hasBack ? 'go back' : 'cancel'}`;
  const toCheck =
    ({ validate, isOptional = false }: Pick<TextQuestion, 'validate' | 'isOptional'>) =>
    (answer: string) => {
      if (answer.trim() === '') return isOptional || emptyAnswer;
      return validate?.(answer.trim()) ?? true;
    };
  return {
    confirm: (question) => ask<boolean>({ type: 'confirm', message: question, default: false }),
    async text(question, { suggestion, ...check } = {}) {
      const input = { type: 'input', message: question, validate: toCheck(check) };
      return (await ask<string>({ ...input, ...(suggestion ? { default: suggestion } : {}) })).trim();
    },
    secret: (question, check = {}) =>
      ask<string>({ type: 'password', message: question, mask: '•', validate: toCheck(check) }),
    choose: (question, choices) =>
      ask<string>({
        ...{ type: 'select', message: question, choices, pageSize: choices.length },
        theme: { style: { keysHelpTip: () => keysHelp } },
      }),
    async search<Value>(question: string, { find, isRemote = false }: SearchQuestion<Value>) {
      const explain = (error: unknown) => [new inquirer.Separator(explainTyped(error))];
      const search = createSearch(find, isRemote ? typingPauseMs : 0);
      const source: typeof search = (...typed) => search(...typed).catch(explain);
      // Inquirer would preselect a value of undefined, as the default that was not given.
      const { chosen } = await ask<{ readonly chosen: Value }>({
        type: 'search',
        message: question,
        source,
        pageSize: 12,
        theme: { style: { keysHelpTip: () => `Type to search, ${keysHelp}` } },
      });
      return chosen;
    },
  };
}

/** A search starts after this long without typing. */
const typingPauseMs = 150;

/** Searches once typing pauses, and each text once. Without a pause, Enter right after the last letter counts. */
function createSearch<Value>(find: SearchQuestion<Value>['find'], pauseMs: number) {
  const labels = new Map<string, string>();
  const known = new Map<string, Promise<readonly object[]>>();
  const search = async (typed: string, signal: AbortSignal) => {
    const found = await find(typed, signal);
    return found.map((choice) => {
      const name = renderChoice(choice);
      // Tab types the whole line of a choice.
      labels.set(name, choice.label);
      return { value: { chosen: choice.value }, name, short: cleanText(choice.label) };
    });
  };
  return async (term = '', { signal }: { readonly signal: AbortSignal }) => {
    const typed = labels.get(term) ?? term.trim();
    if (pauseMs > 0 && typed !== '' && !known.has(typed)) await setTimeout(pauseMs, undefined, { signal });
    const found = known.get(typed) ?? search(typed, signal);
    known.set(typed, found);
    found.catch(() => known.delete(typed));
    return found;
  };
}
