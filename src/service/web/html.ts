import { escapeMarkup } from '../../text/quote.ts';

/** HTML that is safe to send: everything inserted into it was escaped. Only the functions of this file create it. */
export class Html {
  readonly #text: string;

  constructor(strings: readonly string[], contents: readonly HtmlContent[]) {
    this.#text = strings
      .map((string, index) => (index === 0 ? string : `${toText(contents[index - 1])}${string}`))
      .join('');
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template may contain. Lists are joined; null, undefined and false render nothing. */
export type HtmlContent = Html | string | number | null | undefined | false | readonly HtmlContent[];

/** A template of HTML: escapes every inserted text, in content and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...contents: HtmlContent[]): Html {
  return new Html(strings, contents);
}

/** A boolean or optional attribute: nothing for false, null and undefined. */
export function attribute(name: string, value: string | number | boolean | null | undefined): Html {
  if (value === false || value === null || value === undefined) return html``;
  // The name is written in the code, never taken from a request.
  return value === true ? new Html([` ${name}`], []) : new Html([` ${name}="`, '"'], [value]);
}

function toText(content: HtmlContent): string {
  if (content instanceof Html) return content.toString();
  if (content === null || content === undefined || content === false) return '';
  if (Array.isArray(content)) return content.map(toText).join('');
  return escapeMarkup(String(content));
}
