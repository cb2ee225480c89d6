import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import type { Examples } from '../flags/command-definition.ts';
import { printFlags } from '../flags/options.ts';
import { type Noun, type NounName, nouns } from '../nouns/nouns.ts';

/** What a reference finds. */
type FoundNoun = {
  [Name in NounName]: (typeof nouns)[Name] extends { find: unknown; reference: unknown } ? Name : never;
}[NounName];

/** Defines the command that shows one record. */
export function defineGet(parent: Command, runner: ActionRunner, noun: FoundNoun, examples: Examples): void {
  const { one, reference, find, columns }: Noun & Required<Pick<Noun, 'find' | 'reference'>> = nouns[noun];
  runner.define(parent.command('get'), {
    description: `Show one ${one}`,
    args: { [`<${one}...>`]: reference },
    flags: printFlags,
    examples,
    handler: async () => async (context, words: readonly string[]) => {
      const { id, record } = await find(words.join(' '), context);
      const client = await context.client();
      return { show: 'record', record: { ...(record ?? (await client[noun].get(id))) }, columns };
    },
  });
}
