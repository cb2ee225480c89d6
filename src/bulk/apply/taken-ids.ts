import type { EditEntry } from '../edit/edit-entry.ts';
import { readJournal } from '../jobs/journal.ts';

/**
 * Tells whether a record was made by another row of the job; one of which that was not known is the caller's from
 * then on. The journal is read anew each time: few rows are ever in doubt, and a million identifiers take room.
 */
export function createTakenIds(journalPath: string): (id: string) => Promise<boolean> {
  const given = new Set<string>();
  return async (id) => {
    if (given.has(id)) return true;
    given.add(id);
    let isTaken = false;
    await readJournal<EditEntry>(journalPath, (entry) => {
      isTaken ||= entry.type === 'outcome' && entry.id === id;
    });
    return isTaken;
  };
}
