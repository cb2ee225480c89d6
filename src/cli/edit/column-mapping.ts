import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import { type ColumnTarget, leftOut, type UnknownColumn } from '../../bulk/input/map-columns.ts';
import { SalonError } from '../../contract/errors.ts';
import { openLocalState } from '../../local-state/local-state.ts';
import { didYouMean } from '../../text/closest.ts';
import { countOf } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import { dataFolder } from '../folders.ts';
import { nouns } from '../nouns/nouns.ts';
import { toFieldWords } from '../output/field-words.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Characters shown of a heading or value. */
const maxShownLength = 40;

/**
 * What the columns of a sheet have: from `--map`, or remembered by the name of `--mapping`, and from answers. `save`
 * remembers them by that name once the sheet is read. Throws `usage` for a `--map` without `=`, and for an unknown name.
 */
export async function readColumnMapping(
  { flags, io, prompts, messages }: CommandContext<EditFlags>,
  noun: EditOperation['noun'],
) {
  const { map = [], mapping: name, ignoreColumns = false } = flags;
  const isSaved = map.length === 0 && name !== undefined;
  const mapping = isSaved ? await readSaved(name, dataFolder(io)) : map.map(parseTarget);
  const answers: ColumnTarget[] = [];
  return {
    mapping,
    async chooseFields(columns: readonly UnknownColumn[]): Promise<readonly ColumnTarget[]> {
      if (ignoreColumns) return leaveOut(columns);
      if (prompts.isInteractive) answers.push(...(await askForFields(columns, choicesOf[noun], prompts)));
      return answers;
    },
    chooseReading: async (question: string, readings: readonly string[]) =>
      prompts.isInteractive ? prompts.choose(question, readings) : undefined,
    async save(): Promise<void> {
      if (name === undefined || map.length + answers.length === 0) return;
      using state = await openLocalState(dataFolder(io));
      state.write(`${stateKey}${name}`, [...mapping, ...answers]);
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
      hint: 'Write the heading and the field: --map "heading=field".',
    });
  }
  const target = text.slice(at + 1).trim();
  return [heading, target === '' ? leftOut : target.replace(/\s+/g, ' ')];
}

async function readSaved(name: string, folder: string): Promise<readonly ColumnTarget[]> {
  using state = await openLocalState(folder);
  const saved = state.read(`${stateKey}${name}`);
  if (Array.isArray(saved)) return saved as readonly ColumnTarget[];
  const names = state.keys(stateKey).map((key) => key.slice(stateKey.length));
  throw new SalonError('usage', `No mapping "${name}" is saved.${didYouMean(name, names)}`, {
    hint: `Saved: ${names.join(', ') || 'none'}. To save one, add --map "heading=field".`,
  });
}

const toChoice = (field: string) => [toFieldWords(field), field] as const;

/** What a column may have, by how people call it. */
const choicesOf: Readonly<Record<EditOperation['noun'], ReadonlyMap<string, string>>> = {
  clients: new Map([
    ['Leave it out', leftOut],
    ['First and last name', 'first_name last_name'],
    ['Last and first name', 'last_name first_name'],
    ...nouns.clients.fields.map(toChoice),
  ]),
  appointments: new Map([['Leave it out', leftOut], ...nouns.appointments.fields.map(toChoice)]),
};

async function askForFields(
  columns: readonly UnknownColumn[],
  choices: ReadonlyMap<string, string>,
  prompts: CommandContext['prompts'],
): Promise<readonly ColumnTarget[]> {
  const show = (text: string) => `"${quote(text, maxShownLength)}"`;
  if (columns.length > 1) {
    const headings = columns.map(({ heading }) => show(heading)).join(', ');
    const question = `${countOf(columns.length, 'columns')} are not recognised: ${headings}. Leave them all out?`;
    if (await prompts.confirm(question)) return leaveOut(columns);
  }
  const answers: ColumnTarget[] = [];
  for (const { heading, example, likely } of columns) {
    const question = `What is in ${show(heading)}, e.g. ${show(example)}?`;
    const labels = new Set([...(likely === undefined ? [] : [toFieldWords(likely)]), ...choices.keys()]);
    answers.push([heading, choices.get(await prompts.choose(question, [...labels])) ?? leftOut]);
  }
  return answers;
}

function leaveOut(columns: readonly UnknownColumn[]): readonly ColumnTarget[] {
  return columns.map(({ heading }) => [heading, leftOut]);
}
