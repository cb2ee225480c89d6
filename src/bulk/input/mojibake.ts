const decoder = new TextDecoder('windows-1252');
/** Bytes that Windows-1252 has no letters for: programs drop them, keep them, or LibreOffice makes its own of them. */
const lostBytes = /[\u0081\u008D\u008F\u0090\u009D\uF180-\uF19F\uFFFD]/g;

/** Whether a cell shows the letters of a program that has read the UTF-8 of a text as Windows-1252: `ZoÃ«` for `Zoë`. */
export function isMojibakeOf(text: string, cell: string): boolean {
  if (!/[\u00C2-\u00F4]/.test(cell) || cell === text) return false;
  return toComparable(decoder.decode(Buffer.from(text))) === toComparable(cell);
}

function toComparable(text: string): string {
  return text.replace(lostBytes, '').replaceAll('\u00A0', ' ').trim();
}
