import type { Plan } from '../../bulk/plan/plan-file.ts';
import { readPreview } from '../../bulk/plan/plan-preview.ts';
import { countOf } from '../../text/numbers.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import type { CommandContext } from '../session/command-context.ts';

const maxShown = 10;

/** Shows the rows of an import that are not certain, and asks whether to take them as likely. */
export async function confirmLikely(plan: Plan, { messages, prompts, flags }: CommandContext<EditFlags>) {
  if (!prompts.isInteractive || flags.yes === true || flags.dryRun === true) return false;
  const { refusals } = await readPreview(plan, { most: maxShown });
  const unsure = refusals.filter(({ code }) => code === 'unsure');
  for (const { line, reason } of unsure) messages.warn(`line ${line}: ${reason}`);
  const { unsure: count = 0 } = plan.counts;
  const question =
    plan.head.edit.noun === 'clients'
      ? 'Take each for that client, or for somebody new where the birthday differs?'
      : 'Book again what was cancelled?';
  return prompts.confirm(`${countOf(count, 'rows')} not certain. ${question}`);
}
