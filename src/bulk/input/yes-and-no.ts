/** How people and spreadsheet programs write yes and no; Excel translates TRUE. */
const words = {
  true: `true yes 1 wahr ja vrai oui verdadero sí si vero sì verdadeiro sim waar tak prawda
    x y j ✓ ✔ on opt-in subscribed`,
  false: `false no 0 falsch nein faux non falso não nao onwaar nee nie fałsz n - off opt-out unsubscribed`,
} as const;

const meanings: ReadonlyMap<string, boolean> = new Map(
  Object.entries(words).flatMap(([value, ones]) => ones.split(/\s+/).map((word) => [word, value === 'true'])),
);

/** Parses yes or no in several languages, ignoring case; undefined for other words. */
export function parseYesNo(word: string): boolean | undefined {
  return meanings.get(word.normalize('NFC').toLowerCase());
}
