import type { Call } from '../../call.ts';
import { isEmbedded } from '../../session/embedded.ts';

/** Says of an embedded salon that nobody sends what is on its way once the command is over. */
export async function noteSending({ session, talk }: Call): Promise<void> {
  const { baseUrl } = (await session()).settings;
  if (baseUrl === undefined || !isEmbedded(baseUrl.value)) return;
  talk.say(
    'This salon runs inside salon, and sends only while a command does: keep salon webhooks listen open.',
  );
}
