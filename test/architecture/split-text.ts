/** A text twice, each time as long as it was: what is left out became spaces, so that places and lines stay. */
export interface SplitText {
  /** Without comments and without what stands in quotes; the quotes themselves stay. */
  readonly code: string;
  readonly comments: string;
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
/** Text that neither opens nor ends anything. */
const plain = /[^/'"`{}]+/y;
const quoted = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
/** A slash divides after a value and opens a regular expression anywhere else. */
const expectsValue = /(?:^|[(,=:[!&|?{;+*<>~^-]|\b(?:return|typeof|case|of|in|await))\s*$/;

/** Every rule reads every file. */
const splits = new Map<string, SplitText>();

/** Tells code from comments and quoted text, as far as a formatted TypeScript file needs it. */
export function splitText(text: string): SplitText {
  const known = splits.get(text);
  if (known !== undefined) return known;
  let code = '';
  let comments = '';
  let at = 0;
  /** Whether each open brace is one of a template, so that its end leads back into the quoted text. */
  const braces: boolean[] = [];
  while (at < text.length) {
    take(match(plain));
    if (at === text.length) break;
    const remark = match(comment);
    if (remark !== '') {
      take('', remark);
      continue;
    }
    const hidden = match(quoted) || (expectsValue.test(code.slice(-40)) && match(pattern));
    if (hidden) {
      take(hidden.charAt(0) + blank(hidden.slice(1, -1)) + hidden.slice(-1));
      continue;
    }
    const character = text.charAt(at);
    take(character);
    if (character === '{') braces.push(false);
    if (character === '`' || (character === '}' && braces.pop() === true)) takeTemplateText();
  }
  const split = { code, comments };
  splits.set(text, split);
  return split;

  function takeTemplateText(): void {
    take(blank(match(templateText)));
    const opensValue = text.startsWith('${', at);
    if (opensValue) braces.push(true);
    take(text.slice(at, at + (opensValue ? 2 : 1)));
  }

  function match(expression: RegExp): string {
    expression.lastIndex = at;
    return expression.exec(text)?.[0] ?? '';
  }

  function take(asCode: string, asComment = ''): void {
    code += asCode + blank(asComment);
    comments += asComment + blank(asCode);
    at += asCode.length + asComment.length;
  }
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
