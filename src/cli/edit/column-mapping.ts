import type { ColumnTarget, UnknownColumn } from '../../bulk/input/map-columns.ts';
import { quote } from '../../client/http/quote.ts';
import { newClient } from '../../contract/client.ts';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import { openLocalState } from '../../local-state/local-state.ts';
import { toFieldWords } from '../output/field-words.ts';
import type { CommandContext } from '../session/command-context.ts';
import { dataFolder } from '../session/folders.ts';
import type { EditFlags } from './edit-options.ts';

/** Characters shown of a heading or value. */
const maxShownLength = 40;

/** What the columns of a sheet have, as flags, a remembered mapping and answers say. */
export interface ColumnAnswers {
  /** From `--map`, or remembered by the name of `--mapping`. */
  readonly mapping: readonly ColumnTarget[];
  readonly chooseFields:
    | ((columns: readonly UnknownColumn[]) => Promise<readonly ColumnTarget[]>)
    | undefined;
  /** Remembers flags and answers by the name of `--mapping`. Call it once the sheet is read. */
  save(): Promise<void>;
}

/** Reads `--map` and `--mapping`. Throws `usage` for one without `=`, and for an unknown name. */
export async function readColumnMapping({
  flags,
  io,
  prompts,
  messages,
}: CommandContext<EditFlags>): Promise<ColumnAnswers> {
  const { map = [], mapping: name } = flags;
  const given = map.map(parseTarget);
  const mapping = given.length === 0 && name !== undefined ? await readSaved(name, dataFolder(io)) : given;
  const answers: ColumnTarget[] = [];
  return {
    mapping,
    chooseFields: prompts.isInteractive
      ? async (columns) => {
          answers.push(...(await askForFields(columns, prompts)));
          return answers;
        }
      : undefined,
    async save() {
      const all = [...mapping, ...answers];
      if (name === undefined || given.length + answers.length === 0) return;
      using state = await openLocalState(dataFolder(io));
      state.write(`${stateKey}${name}`, all);
      messages.info(`Mapping ${name} saved: --mapping ${name} uses it again.`);
    },
  };
}

const stateKey = 'sheet-mapping/';

/** `Geb.=birthday`; nothing after the sign leaves the column out. A heading may contain the sign itself. */
function parseTarget(text: string): ColumnTarget {
  const at = text.lastIndexOf('=');
  const heading = text.slice(0, at).trim();
  if (at === -1 || heading === '') {
    throw new SalonError('usage', `--map "${text}" has no ${at === -1 ? '=' : 'heading'}.`, {
      hint: 'Write the heading and the field, e.g. --map "Geb.=birthday".',
    });
  }
  const target = text
    .slice(at + 1)
    .trim()
    .split(/\s+/)
    .join(' ');
  return [heading, target === '' ? '-' : target];
}

async function readSaved(name: string, folder: string): Promise<readonly ColumnTarget[]> {
  using state = await openLocalState(folder);
  const saved = state.read(`${stateKey}${name}`);
  if (Array.isArray(saved)) return saved as readonly ColumnTarget[];
  const names = state.keys(stateKey).map((key) => key.slice(stateKey.length));
  const near = closest(name, names);
  throw new SalonError(
    'usage',
    `No mapping "${name}" is saved.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    {
      hint:
        names.length === 0
          ? `Save one: --map "Geb.=birthday" --mapping ${name}`
          : `Saved: ${names.join(', ')}. To save another, add --map.`,
    },
  );
}

type Prompts = CommandContext['prompts'];

const leaveOut = 'Leave it out';
/** What a column may have, by how people call it. */
const choices: ReadonlyMap<string, string> = new Map([
  [leaveOut, '-'],
  ['First and last name', 'first_name last_name'],
  ['Last and first name', 'last_name first_name'],
  ...Object.keys(newClient.properties).map((field) => [toFieldWords(field), field] as const),
]);
async function askForFields(
  columns: readonly UnknownColumn[],
  prompts: Prompts,
): Promise<readonly ColumnTarget[]> {
  const headings = columns.map(({ heading }) => `"${quote(heading, maxShownLength)}"`).join(', ');
  if (columns.length > 1) {
    const question = `${countOf(columns.length, 'columns')} are not recognised: ${headings}. Leave them all out?`;
    if (await prompts.confirm(question)) return columns.map(({ heading }) => [heading, '-']);
  }
  const answers: ColumnTarget[] = [];
  for (const { heading, example } of columns) {
    const question = `What is in "${quote(heading, maxShownLength)}", e.g. "${quote(example, maxShownLength)}"?`;
    answers.push([heading, choices.get(await prompts.choose(question, [...choices.keys()])) ?? '-']);
  }
  return answers;
}
