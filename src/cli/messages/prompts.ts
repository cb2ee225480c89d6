import type { Io } from '../io.ts';
import { cleanText } from '../output/clean-text.ts';
import { isOn } from '../session/settings.ts';
import type { Questions } from './questions.ts';

/** Questions to the person at the terminal. */
export interface Prompts extends Questions {
  /** Whether there is anybody to ask: standard input and error are terminals, and nobody said --no-input. */
  readonly possible: boolean;
}

export interface PromptOptions {
  readonly mayAsk: boolean;
  /** Whether a screen reader reads the questions. */
  readonly isPlain: () => Promise<boolean>;
}

/** Questions go to standard error, so that standard output stays data. The end of input is an interruption, not a yes. */
export function createPrompts(io: Io, { mayAsk, isPlain }: PromptOptions): Prompts {
  const forbidden = !mayAsk || isOn(io.env['SALON_NO_INPUT']);
  const open = async () =>
    (await isPlain())
      ? (await import('./plain-questions.ts')).createPlainQuestions(io)
      : (await import('./drawn-questions.ts')).createDrawnQuestions(io);
  return {
    possible: io.terminal.input && io.terminal.messages && !forbidden,
    confirm: async (question) => (await open()).confirm(cleanText(question)),
    text: async (question) => (await open()).text(cleanText(question)),
    secret: async (question) => (await open()).secret(cleanText(question)),
  };
}
