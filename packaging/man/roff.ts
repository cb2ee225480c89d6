const special: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
};

/** Text as roff reads it: printed as it is, whatever the language of the terminal. */
export function toRoff(text: string): string {
  const escaped = text.replaceAll(/[\\\-'`^~"]/g, (character) => special[character] ?? character);
  return escaped
    .replaceAll(/[^\x20-\x7e\n]/gu, (character) => `\\[u${toHex(character)}]`)
    .replaceAll(/^\./gm, '\\&.');
}

function toHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** Text in lines of at most 80 characters, which man fills again. */
export function toRoffLines(text: string): string {
  const lines = [''];
  for (const word of toRoff(text).split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= 80) lines[lines.length - 1] = line;
    else lines.push(word.replace(/^\./, '\\&.'));
  }
  return lines.join('\n');
}

/** A term in bold, with the values that a reader replaces in italics, as in `-o, --output <file>`. */
export function toTerm(text: string): string {
  return text
    .split(/(<[^>]*>|\[[^\]]*\]|, )/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part === ', ') return part;
      return `\\f${/^[<[]/.test(part) ? 'I' : 'B'}${toRoff(part)}\\fR`;
    })
    .join('');
}
