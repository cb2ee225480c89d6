/** A command line of a guide, with the line it stands on. */
export interface GuideExample {
  readonly line: number;
  readonly command: string;
}

/** Reads the commands in the `sh` blocks of a Markdown text, without their trailing comments. */
export function readGuideExamples(markdown: string): readonly GuideExample[] {
  const examples: GuideExample[] = [];
  let inShell = false;
  let continued = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    if (text.startsWith('```')) {
      inShell = text === '```sh';
      continue;
    }
    if (!inShell || text.trim() === '') continue;
    const whole = continued + text.trim();
    continued = '';
    if (whole.endsWith('\\')) {
      continued = whole.slice(0, -1);
      continue;
    }
    const command = whole.replace(/ +# .*$/, '').trim();
    if (command !== '') examples.push({ line: index + 1, command });
  }
  return examples;
}

/** Whether a command needs a shell: a pipe, a redirection, a variable, or a program other than salon. */
export function needsShell(command: string): boolean {
  return !command.startsWith('salon ') || /(?<!['"][^'"]*)[|<>$]/.test(command);
}
