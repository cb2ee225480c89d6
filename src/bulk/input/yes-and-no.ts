/** How people and programs write yes and no; Excel translates TRUE. */
const words = {
  true: `true yes 1 wahr ja vrai oui verdadero sí si vero sì verdadeiro sim waar tak prawda
    x y j t s o ✓ ✔ on opt-in opted-in optin subscribed`,
  false: `false no 0 falsch nein faux non falso não nao onwaar nee nie fałsz n f - off
    opt-out opted-out optout unsubscribed not-subscribed`,
} as const;

const meanings: ReadonlyMap<string, boolean> = new Map(
  Object.entries(words).flatMap(([value, ones]) => ones.split(/\s+/).map((word) => [word, value === 'true'])),
);

/** A consent that was asked for and not given. */
const pending =
  /^(?:pending(?: .*)?|unconfirmed|ausstehend|unbestätigt|en attente|pendiente|in attesa|pendente|in afwachting|oczekując[ey]|oczekuje)$/;

/** Yes or no in several languages, also with the day from which on it holds; undefined for other words. */
export function parseYesNo(text: string): boolean | undefined {
  const word = text.normalize('NFC').toLowerCase();
  const bare = word.replace(/(?<=\p{L})\s*[-–(,:]\s*\d[\d./-]{5,}\)?$/u, '');
  return meanings.get(bare) ?? meanings.get(bare.replace(/[\s_]+/g, '-'));
}

/** Notes cells whose consent is not given yet: by field, the last one and how many. */
export function createPendingNotes() {
  const notes = new Map<string, { readonly cell: string; readonly count: number }>();
  return {
    /** Whether a cell is such a one. */
    note(cell: string, field: string): boolean {
      if (!pending.test(cell.normalize('NFC').toLowerCase())) return false;
      notes.set(field, { cell, count: (notes.get(field)?.count ?? 0) + 1 });
      return true;
    },
    pending: (): ReadonlyMap<string, { readonly cell: string; readonly count: number }> => new Map(notes),
  };
}
