import { deleteOneTimeLink, type OneTimeLinkRow } from '../db/one-time-links.ts';
import type { PersonContext } from './identity.ts';
import type { Mail } from './mail.ts';

/** A link for a person: shown once, or mailed. */
export interface IssuedLink {
  /** Null when only the mailbox has it. */
  readonly link: string | null;
  readonly expiresAt: string;
  readonly isMailed: boolean;
  /** Why it was not mailed, although there is a mail server. Only the operator, who has the link, gets this far. */
  readonly mailProblem: string | null;
}

/** Whether a link goes to the mailbox alone: with a mail server, only the operator also sees it. */
export function isOnlyMailed({ identity, caller }: PersonContext): boolean {
  return identity.mailer !== null && caller.credential.kind !== 'operator';
}

/** Mails a link, if there is a mail server. A link that reaches nobody is deleted. Throws `service_unavailable`. */
export async function issueLink(
  { database, identity }: PersonContext,
  { row, link, mail }: { row: OneTimeLinkRow; link: string; mail: Mail },
): Promise<IssuedLink> {
  const issued = {
    link: row.is_mailed === 1 ? null : link,
    expiresAt: new Date(row.expires_ms).toISOString(),
  };
  if (identity.mailer === null) return { ...issued, isMailed: false, mailProblem: null };
  try {
    await identity.mailer.send(mail);
    return { ...issued, isMailed: true, mailProblem: null };
  } catch (error) {
    if (issued.link !== null && error instanceof Error) {
      return { ...issued, isMailed: false, mailProblem: error.message };
    }
    await database.transaction('service', (tx) => deleteOneTimeLink(tx, row.hash));
    throw error;
  }
}
