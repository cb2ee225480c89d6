import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Administration } from '../../../service/administration.ts';
import { parsePublicUrl } from '../../../service/config.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export interface OriginFlags {
  readonly publicUrl: string;
}

type LinkRecord = Awaited<ReturnType<Administration['resetPerson']>>;

export function addOriginOption(command: Command): Command {
  return command.option('--public-url <url>', 'Public address of the service', 'http://localhost:8080');
}

/** The origin that links begin with. Throws `usage`. */
export function parseOrigin({ publicUrl }: OriginFlags): string {
  const origin = parsePublicUrl(publicUrl, '--public-url');
  if (origin === undefined)
    throw new SalonError('usage', '--public-url is empty.', {
      hint: 'Use an address such as https://salon.example.',
    });
  return origin;
}

/** Prints a link that is shown only once. */
export function showLink(context: CommandContext, link: LinkRecord): CommandResult {
  announceLink(context, link);
  return { show: 'record', record: { ...link } };
}

export function announceLink({ messages }: Pick<CommandContext, 'messages'>, link: LinkRecord): void {
  if (link.mail_problem !== null) messages.warn(`${link.mail_problem} Send the link yourself.`);
  messages.info(
    link.mailed
      ? `Emailed the link to ${link.email}.`
      : `Send the link to ${link.email}: it is not shown again.`,
  );
}
