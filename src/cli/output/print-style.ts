import type { PrintFlags } from '../flags/options.ts';
import type { CommandContext } from '../session/command-context.ts';
import { chooseLayout, type Layout, wantsColor } from './format.ts';

/** The layout that flags, profile, file name and terminal ask for. */
export async function readLayout({ flags, io, session }: CommandContext<PrintFlags>): Promise<Layout> {
  const { format } = (await session()).settings;
  const asked = format?.source === 'flag' || flags.output === undefined ? format?.value : undefined;
  return chooseLayout({
    asked,
    output: flags.output,
    excel: flags.excel === true,
    terminal: io.terminal.output,
  });
}

/** How printers print, whatever the layout. */
export async function readStyle({ flags, io, session }: CommandContext<PrintFlags>) {
  const { timeZone, plain } = (await session()).settings;
  const color = wantsColor(io, flags.color);
  return { io, excel: flags.excel === true, color, plain: plain.value, timeZone: timeZone.value };
}
