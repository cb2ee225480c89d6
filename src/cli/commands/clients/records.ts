import { SalonError, withContext } from '../../../contract/errors.ts';
import type { Handler } from '../../action-runner.ts';
import { editFromSheet } from '../../edit/edit-sheet.ts';
import type { EditFlags } from '../../flags/edit-flags.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import type { PrintFlags, WriteFlags } from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import { readLayout, readStyle } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { createRecord } from '../write-record.ts';

interface Flags extends WriteFlags, EditFlags {
  readonly preferredStylist?: string;
}

export const createClients: Handler<Flags> = async (context) => {
  const edited = await editFromSheet({ noun: 'clients', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const given = await readFields(context.flags, context.io);
  const [{ nameOfClient, toText }, { resolvePreferredStylist }, { chooseExisting }] = await Promise.all([
    import('../../people/names.ts'),
    import('../../people/resolve-filters.ts'),
    import('../../people/same-person.ts'),
  ]);
  const fields: FieldValues = {
    ...(await askForName(given, context)),
    ...(await resolvePreferredStylist(context)),
  };
  const { phone, email } = fields;
  await chooseExisting({ name: nameOfClient(fields), phone: toText(phone), email: toText(email) }, context);
  return createRecord(context, 'clients', fields);
};

/** Prompts if no field was given. Throws `usage` if input is not interactive. */
async function askForName(fields: FieldValues, { prompts }: CommandContext<Flags>): Promise<FieldValues> {
  if (Object.keys(fields).length > 0) return fields;
  if (!prompts.isInteractive) {
    throw new SalonError('usage', 'A new client needs a name, an email address or a phone number.', {
      hint: 'Set one, e.g. --set first_name=Ana, or use --data.',
    });
  }
  return prompts.inTurn(async () => ({
    first_name: await prompts.text('First name'),
    last_name: await prompts.text('Last name'),
    phone: await prompts.text('Phone number'),
  }));
}

export const showClient: Handler<PrintFlags & { history?: boolean; noHistory?: boolean }> = async (
  context,
  words,
) => {
  const { flags, io, messages } = context;
  const layout = await readLayout(context);
  const isTable = layout === 'table';
  if (flags.history && (layout === 'csv' || layout === 'tsv')) {
    throw new SalonError('usage', 'CSV and tab-separated output cannot contain the history.', {
      hint: 'Use --json or -f ndjson with --history.',
    });
  }
  const { resolveClient } = await import('../../people/resolve.ts');
  const { id } = await resolveClient(words.join(' '), context);
  const client = await context.client();
  const record = await client.clients.get(id);
  const result = { show: 'record', record, columns: nouns.clients.columns } as const;
  const isUsual = isTable && flags.columns === undefined && !flags.noHistory;
  if (!(flags.history ?? isUsual)) return result;
  const { readHistory, renderHistory, toHistoryMember } = await import('../../history/client-history.ts');
  try {
    const wanted = { explain: messages.verbose, withChanges: flags.history === true };
    const history = await readHistory(client, id, wanted);
    if (!isTable) return { ...result, record: { ...record, history: toHistoryMember(history) } };
    const style = { ...(await readStyle(context)), nowMs: io.now().getTime() };
    return { ...result, footer: renderHistory(history, { ...style, clientId: id }) };
  } catch (error) {
    if (!isTable || !(error instanceof SalonError) || error.code === 'interrupted') throw error;
    const message = `Could not read the history. ${error.message}`;
    if (flags.history) throw withContext(error, { message });
    // The record is still shown.
    messages.warn(message);
    return result;
  }
};

export const showCard: Handler<PrintFlags> = async (context, words) => {
  const [{ resolveClient }, { findPageFile, writePage }, cards] = await Promise.all([
    import('../../people/resolve.ts'),
    import('../../output/printed-page.ts'),
    import('../../history/client-card.ts'),
  ]);
  const [file, layout] = [await findPageFile(context), await readLayout(context)];
  if (layout === 'csv' || layout === 'xlsx') {
    throw new SalonError('usage', `A card does not fit a sheet (${layout}).`, {
      hint: 'Name the file .html or .json.',
    });
  }
  const { id } = await resolveClient(words.join(' '), context);
  const card = await cards.readCard(id, context);
  if (file !== undefined) {
    await writePage(file, await cards.renderCardPage(card, context), context);
    return { show: 'nothing', message: [`Card written to ${file}`, ...card.not_included].join('\n') };
  }
  if (layout === 'json' || layout === 'ndjson') return { show: 'record', record: { ...card } };
  return { show: 'pagedText', text: await cards.renderCardText(card, context) };
};
