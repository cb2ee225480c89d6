import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellLab } from './shell-lab.ts';

/** The shell that completes: every match goes through compadd, which writes it down with what is around it. */
const inner = `
setopt extended_glob
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  if [[ " \${@[1,(i)(-|--)]} " == *' -'[a-zA-Z]#[OAD]' '* ]]; then builtin compadd "$@"; return; fi
  local suffix='' hit
  local -a hits
  if ((\${@[(i)-S]} < $#)); then suffix=\${@[\${@[(i)-S]}+1]}; fi
  builtin compadd -A hits "$@"
  for hit in $hits; do print -r -- "$IPREFIX$hit$suffix" >> found; done
  builtin compadd "$@"
}
typed() { print -r -- "> $BUFFER" >> found; zle list-choices; }
zle -N typed
bindkey '^Xc' typed
PS1='ready> '
`;

/** The shell around it gives it a terminal to type at. */
const outer = `
zmodload zsh/zpty
: > found
zpty inside zsh -f -i
zpty -w inside 'source ./inner.zsh'
zpty -r inside answer '*ready> *'
while IFS= read -r line; do
  zpty -w -n inside "$line"$'\\C-xc\\C-u'
done
zpty -w inside exit
while zpty -r inside answer; do :; done
exit 0
`;

/** Types every line into a zsh. Returns `> line`, then the candidates for its last word. */
export async function completeInZsh(lab: ShellLab, lines: readonly string[]): Promise<string> {
  lab.write('inner.zsh', inner);
  await lab.run(['-f', lab.write('outer.zsh', outer)], `${lines.join('\n')}\n`);
  return readFileSync(join(lab.folder, 'found'), 'utf8');
}
