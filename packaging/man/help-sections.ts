/** What is below one heading of a help page, or between two without one. */
export interface HelpSection {
  readonly heading: string;
  readonly content: readonly HelpContent[];
}

/** A paragraph, or what a term such as a flag means. */
interface HelpContent {
  readonly term?: string;
  /** Each is a line of its own, whatever the width. */
  readonly lines: readonly string[];
}

const headingLine = /^([A-Z][^:]*):$/;
/** A numbered step, or a term and two spaces or more. */
const itemLine = /^ +(?:(\d+\.) |(\S.*?) {2,})(\S.*)$/;

/** Reads the text of a help page, which is laid out for a terminal. */
export function readHelpSections(text: string): HelpSection[] {
  const sections: { heading: string; content: HelpContent[] }[] = [];
  for (const block of text.trim().split(/\n{2,}/)) {
    const lines = block.split('\n');
    const [, heading] = headingLine.exec(lines[0] ?? '') ?? [];
    if (heading !== undefined) sections.push({ heading, content: [] });
    else if (!block.startsWith(' ')) sections.push({ heading: '', content: [] });
    sections.at(-1)?.content.push(...readContent(heading === undefined ? lines : lines.slice(1)));
  }
  return sections;
}

function readContent(lines: readonly string[]): HelpContent[] {
  const found: { term?: string; lines: string[]; indent: number }[] = [];
  let before = '';
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    const last = found.at(-1);
    const item = itemLine.exec(line);
    if (last !== undefined && isContinued(last, indent, item !== null)) {
      if (isWrapped(before, line)) last.lines.push(`${last.lines.pop()} ${line.trim()}`);
      else last.lines.push(line.trim());
    } else if (item === null) found.push({ lines: [line.trim()], indent });
    else found.push({ term: item[1] ?? item[2] ?? '', lines: [item[3] ?? ''], indent });
    before = line;
  }
  return found.map(({ indent: _, ...content }) => content);
}

function isContinued(last: { term?: string; indent: number }, indent: number, isItem: boolean): boolean {
  return last.term === undefined ? !isItem && indent === last.indent : indent > last.indent;
}

/** Texts are wrapped at about 80 columns, so a line ends earlier only on purpose. An example is a line of its own. */
function isWrapped(before: string, line: string): boolean {
  const [word = ''] = line.trim().split(' ');
  return !['#', '$'].includes(word) && `${before} ${word}`.length > 78;
}
