const decoders = ['windows-1252', 'windows-1250'].map((encoding) => new TextDecoder(encoding));
/** Bytes that they have no letters for: programs drop them, keep them, or LibreOffice makes its own of them. */
const lostBytes = /[\u0081\u008D\u008F\u0090\u009D\uF180-\uF19F\uFFFD]/g;

/** Whether a cell shows the letters of a program that has read the UTF-8 of a text as Windows-1252 or 1250: `ZoÃ«` for `Zoë`. */
export function isMojibakeOf(text: string, cell: string): boolean {
  if (!/[\u00C2-\u0171]/.test(cell) || cell === text) return false;
  const shown = toComparable(cell);
  return decoders.some((decoder) => toComparable(decoder.decode(Buffer.from(text))) === shown);
}

function toComparable(text: string): string {
  return text.replace(lostBytes, '').replaceAll('\u00A0', ' ').trim();
}
