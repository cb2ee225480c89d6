/** Resolves with `late` if something takes longer. Does not stop it, nor keep the process alive for it. Rejects as it does. */
export async function inTime<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  late: Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs).unref();
  });
  try {
    return await Promise.race([timeout, work]);
  } finally {
    clearTimeout(timer);
  }
}
