import type { ShellLab } from './shell-lab.ts';

const driver = `
source salon.fish
while read -l line
    echo "> $line"
    complete -C "$line" | string replace -r '\\t.*' ''
end
exit 0
`;

/** Completes every line in one fish process. Returns `> line`, then the candidates for its last word. */
export function completeInFish(lab: ShellLab, lines: readonly string[]): Promise<string> {
  return lab.run(['--no-config', lab.write('driver.fish', driver)], `${lines.join('\n')}\n`);
}
