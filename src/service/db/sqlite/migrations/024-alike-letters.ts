import { alikeLetters } from '../../../../contract/search-text.ts';
import { toMigration } from './statements.ts';

const { from, to } = alikeLetters;
const replaced = [...from].reduce(
  (text, letter, index) => `replace(${text}, '${letter}', '${to[index] ?? ''}')`,
  'search',
);

/** Search texts from before Arabic and Persian letters that look alike were one. */
export const alikeLettersMigration = toMigration(
  `update clients set search = ${replaced} where search glob '*[${from}]*'`,
);
