import ora from 'ora';
import type { Io } from '../io.ts';
import type { StatusDisplay } from './status-display.ts';

/** A line that turns and changes in its place. */
export function openDisplay(io: Pick<Io, 'stderr'>, text: string): StatusDisplay {
  const spinner = ora({ text, stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
  return {
    show(next) {
      spinner.text = next;
    },
    stop: () => void spinner.stop(),
  };
}
