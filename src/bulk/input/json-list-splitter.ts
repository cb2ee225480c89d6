import { longestRow } from '../sheet/sheet-form.ts';

/** Splits the list in a JSON document into its elements, piece by piece, without reading them. */
export interface JsonListSplitter {
  write(piece: string): JsonElement[];
  /** Why the document is not whole, once all of it was written; undefined where it is. */
  end(): { readonly line: number; readonly reason: string } | undefined;
  /** The member that holds the list; null where the document is the list, undefined while none was found. */
  readonly member: string | null | undefined;
}

export interface JsonElement {
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

const moreBehind = 'There is more behind the list.';
const betweenStrings = /["[\]{},]/g;
const insideString = /["\\]/g;

/**
 * The document is a list, or an object with one member that is a list of objects. Brackets are counted, strings
 * respected; whether an element is JSON, its reader finds out.
 */
export function createJsonListSplitter(): JsonListSplitter {
  let text = '';
  let scanned = 0;
  let isInString = false;
  let depth = 0;
  let before = '';
  let lastString = { start: 0, end: 0 };
  /** Depth inside the list; 0 before it is found. */
  let listDepth = 0;
  let elementStart: number | undefined;
  let member: string | null | undefined;
  let failure: { line: number; reason: string } | undefined;
  let [line, counted] = [1, 0];

  return {
    write(piece) {
      if (failure !== undefined) return [];
      text += piece;
      const elements: JsonElement[] = [];
      scan(elements);
      const keep = elementStart ?? lastString.start;
      if (scanned - keep > longestRow) fail('A row does not end, or is longer than a request may be.');
      else dropUpTo(keep);
      return elements;
    },
    end() {
      if (failure === undefined && (depth > 0 || elementStart !== undefined)) {
        fail('The file ends before its list does.');
      }
      if (failure === undefined && text.slice(lastString.start).trim() !== '') fail(moreBehind);
      return failure;
    },
    get member() {
      return member;
    },
  };

  function scan(elements: JsonElement[]): void {
    while (failure === undefined) {
      const marks = isInString ? insideString : betweenStrings;
      marks.lastIndex = scanned;
      const found = marks.exec(text);
      if (found === null) {
        scanned = text.length;
        return;
      }
      const mark = found[0];
      if (mark === '\\') {
        if (found.index + 1 === text.length) {
          scanned = found.index;
          return;
        }
        scanned = found.index + 2;
        continue;
      }
      scanned = found.index + 1;
      if (mark === '"') takeQuote(found.index);
      else takeMark(mark, { at: found.index, elements });
    }
  }

  function takeQuote(at: number): void {
    isInString = !isInString;
    if (elementStart !== undefined) return;
    lastString = isInString ? { start: at, end: at } : { ...lastString, end: at };
  }

  function takeMark(mark: string, { at, elements }: { at: number; elements: JsonElement[] }): void {
    if (depth === 0 && before !== '') fail(moreBehind);
    else if (mark === '[' && depth === 0) open(null, at + 1);
    else if (mark === '{' && depth === 2 && before === '[' && member === undefined) open(readName(), at);
    else if (mark === '{' && depth === 2 && before === '[' && elementStart === undefined) {
      fail(`There is a second list, ${readName()}.`);
    } else if ((mark === ',' || mark === ']') && depth === listDepth && elementStart !== undefined) {
      takeElement(mark, { at, elements });
    }
    if (mark === '[' || mark === '{') depth += 1;
    if (mark === ']' || mark === '}') depth -= 1;
    if (depth === 0) lastString = { start: at + 1, end: at + 1 };
    before = mark;
  }

  function open(name: string | null, start: number): void {
    member = name;
    listDepth = name === null ? 1 : 2;
    elementStart = start;
  }

  function takeElement(mark: string, { at, elements }: { at: number; elements: JsonElement[] }): void {
    const raw = text.slice(elementStart, at);
    const element = raw.trim();
    const isEmptyList = mark === ']' && before === '[' && element === '';
    if (!isEmptyList) {
      countLines((elementStart ?? 0) + raw.length - raw.trimStart().length);
      elements.push({ line, text: element });
    }
    elementStart = mark === ',' ? at + 1 : undefined;
    lastString = { start: at, end: at };
  }

  function readName(): string {
    const quoted = text.slice(lastString.start, lastString.end + 1);
    try {
      return String(JSON.parse(quoted));
    } catch {
      return quoted;
    }
  }

  function fail(reason: string): void {
    countLines(scanned);
    failure = { line, reason };
  }

  function countLines(upTo: number): void {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < upTo; at = text.indexOf('\n', at + 1))
      line += 1;
    counted = Math.max(counted, upTo);
  }

  function dropUpTo(place: number): void {
    countLines(place);
    text = text.slice(place);
    scanned -= place;
    counted -= place;
    lastString = { start: Math.max(0, lastString.start - place), end: Math.max(0, lastString.end - place) };
    if (elementStart !== undefined) elementStart -= place;
  }
}
