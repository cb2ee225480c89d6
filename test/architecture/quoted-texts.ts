import { splitText } from './split-text.ts';

interface QuotedText {
  readonly line: number;
  /** What stands in quotes; `…` for each value that a template puts in. */
  readonly text: string;
}

/** The texts in quotes of a TypeScript file, without comments and regular expressions. */
export function readQuotedTexts(text: string): readonly QuotedText[] {
  const { code } = splitText(text);
  const texts: QuotedText[] = [];
  readCode(0);
  return texts;

  /** Reads up to the end of the file, or to the brace that ends a value in a template. Returns where that is. */
  function readCode(from: number): number {
    let depth = 0;
    let at = from;
    for (; at < code.length; at++) {
      const character = code.charAt(at);
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      if (depth < 0) break;
      if (character === "'" || character === '"') {
        const end = code.indexOf(character, at + 1);
        add(at, [text.slice(at + 1, end)]);
        at = end;
      }
      if (character === '`') at = readTemplate(at);
    }
    return at;
  }

  function readTemplate(from: number): number {
    const parts: string[] = [];
    let start = from + 1;
    let at = start;
    for (; code.charAt(at) !== '`'; at++) {
      if (!code.startsWith('${', at)) continue;
      parts.push(text.slice(start, at));
      at = readCode(at + 2);
      start = at + 1;
    }
    add(from, [...parts, text.slice(start, at)]);
    return at;
  }

  function add(at: number, parts: readonly string[]): void {
    const line = code.slice(0, at).split('\n').length;
    texts.push({ line, text: parts.join('…').replaceAll(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one)) });
  }
}
