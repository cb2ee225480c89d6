import type { Io } from './io.ts';

/** How far long work has come, told on standard error. */
export interface Progress {
  update(done: number, total: number | undefined): void;
  stop(): void;
}

/** Work shorter than this shows nothing. */
const patienceMs = 300;

/** Shows a spinner with count, total, rate and time left where a person watches; nothing anywhere else. */
export function startProgress(io: Io, options: { readonly noun: string; readonly shown: boolean }): Progress {
  if (!options.shown || !io.terminal.messages) return { update() {}, stop() {} };
  const startedAt = io.now().getTime();
  let spinner: { text: string; stop(): unknown } | undefined;
  let text = `Reading ${options.noun}…`;
  let stopped = false;
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora');
    if (!stopped)
      spinner = ora({ text, stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
  }, patienceMs);
  return {
    update(done, total) {
      text = renderProgress({ done, total, noun: options.noun, elapsedMs: io.now().getTime() - startedAt });
      if (spinner) spinner.text = text;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
}

export interface ProgressState {
  readonly done: number;
  readonly total: number | undefined;
  readonly noun: string;
  readonly elapsedMs: number;
}

/** "12,000 of 100,000 clients · 4,200/s · 21 s left". */
export function renderProgress({ done, total, noun, elapsedMs }: ProgressState): string {
  const perSecond = elapsedMs > 0 ? done / (elapsedMs / 1000) : 0;
  const parts = [
    total === undefined ? `${count(done)} ${noun}` : `${count(done)} of ${count(total)} ${noun}`,
  ];
  if (perSecond >= 1) parts.push(`${count(Math.round(perSecond))}/s`);
  if (total !== undefined && perSecond > 0)
    parts.push(`${renderSeconds(Math.max(0, total - done) / perSecond)} left`);
  return parts.join(' · ');
}

function renderSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 90 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
