/** The words of a command line, with quotes and backslashes as a shell reads them; undefined if a quote is left open. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    const isEscape =
      character === '\\' && (quote === '' ? next !== '' : quote === '"' && '"\\$'.includes(next));
    if (isEscape && next !== '') {
      word = (word ?? '') + next;
      index++;
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' ? character === '"' || character === "'" : character === quote) {
      quote = quote === '' ? character : '';
      word ??= '';
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}
