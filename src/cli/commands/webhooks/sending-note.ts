import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded } from '../../session/embedded.ts';

/** Says of an embedded salon that nobody sends what is on its way once the command is over. */
export async function noteSending({ session, messages }: CommandContext): Promise<void> {
  const { baseUrl } = (await session()).settings;
  if (baseUrl === undefined || !isEmbedded(baseUrl.value)) return;
  messages.info(
    'This salon runs inside salon, and sends only while a command does: keep salon webhooks listen open.',
  );
}
