/** Makes untrusted text safe to show in a sentence: one line, no invisible characters, limited length. */
export function quote(text: string, maxLength = 300): string {
  const flat = text
    .slice(0, maxLength * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...flat];
  return characters.length <= maxLength ? flat : `${characters.slice(0, maxLength).join('')}…`;
}

/** The name of a server or proxy as the start of a sentence. */
export function toSubject(name: string): string {
  return name.replace(/^the /, 'The ');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute of HTML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Words with a capital at their start. */
export function toSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
