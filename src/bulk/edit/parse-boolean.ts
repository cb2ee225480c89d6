/** How people and spreadsheet programs write yes and no: Excel puts TRUE into the language of the machine. */
const words = {
  yes: [
    'true',
    'yes',
    '1',
    'wahr',
    'ja',
    'vrai',
    'oui',
    'verdadero',
    'sí',
    'si',
    'vero',
    'sì',
    'verdadeiro',
    'sim',
    'waar',
  ],
  no: ['false', 'no', '0', 'falsch', 'nein', 'faux', 'non', 'falso', 'não', 'onwaar', 'nee'],
} as const;

const meanings: ReadonlyMap<string, boolean> = new Map([
  ...words.yes.map((word) => [word, true] as const),
  ...words.no.map((word) => [word, false] as const),
]);

/** Whether a word says yes or no, in any case of its letters; undefined where it says neither. */
export function parseBoolean(word: string): boolean | undefined {
  return meanings.get(word.normalize('NFC').toLowerCase());
}
