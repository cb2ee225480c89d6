import type { ShellLab } from './shell-lab.ts';

const driver = `
source salon.bash
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
while IFS= read -r COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}
  _salon
  echo "> $COMP_LINE"
  if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; fi
done
`;

/** Calls bash's completion function for every line in one process. Returns `> line`, then the candidates. */
export async function completeInBash(lab: ShellLab, lines: readonly string[]): Promise<string> {
  const output = await lab.run(['--norc', lab.write('driver.bash', driver)], `${lines.join('\n')}\n`);
  return output.split('\n').map(toWholeWord()).join('\n');
}

/** Puts back what readline leaves alone of the word: all up to a last break, unless a quote is open. */
function toWholeWord(): (row: string) => string {
  let kept = '';
  return (row) => {
    if (!row.startsWith('> ')) return row === '' ? row : kept + row;
    const word = row.split(' ').at(-1) ?? '';
    kept = /^"/.test(word) ? '' : (/^.*[=:]/.exec(word)?.[0] ?? '');
    return row;
  };
}
