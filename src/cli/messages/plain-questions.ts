import { type Io, write } from '../io.ts';
import type { Questions } from './questions.ts';
import { readAnswer } from './read-answer.ts';

/** Questions a screen reader reads out once: a line is asked and a line is answered, with Enter. */
export function createPlainQuestions(io: Pick<Io, 'stdin' | 'stderr' | 'signal'>): Questions {
  return {
    async confirm(question) {
      for (;;) {
        const answer = (await ask(`${question} Type y for yes or n for no, then Enter: `)).toLowerCase();
        if (['y', 'yes'].includes(answer)) return true;
        if (['n', 'no', ''].includes(answer)) return false;
      }
    },
    text: (question) => askUntilAnswered(`${question}: `, { isSecret: false }),
    secret: (question) =>
      askUntilAnswered(`${question}, which is not shown while you type: `, { isSecret: true }),
  };

  async function askUntilAnswered(prompt: string, style: { readonly isSecret: boolean }): Promise<string> {
    for (;;) {
      const answer = await ask(prompt, style);
      if (answer !== '') return answer;
      await write(io.stderr, 'Please type something, or press Ctrl-C to stop.\n');
    }
  }

  async function ask(prompt: string, style = { isSecret: false }): Promise<string> {
    await write(io.stderr, prompt);
    const answer = await readAnswer(io, style);
    if (style.isSecret) await write(io.stderr, '\n');
    return answer.trim();
  }
}
