const quietMilliseconds = 2_000;
const repeatMilliseconds = 10_000;

/**
 * Tells people that something takes its time: nothing in the first two seconds, then the sentence, then how long
 * it has been going on.
 *
 * @param sentence what is being done, and how long it is expected to take when that is known
 * @param detail asked for at each line; what has been reached so far
 */
export async function withProgress<T>(sentence: string, work: () => Promise<T>, detail: () => string = () => ''): Promise<T> {
  const startedAt = Date.now();
  const tell = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    process.stderr.write(`${sentence} ... ${seconds} s${detail() && `, ${detail()}`}\n`);
  };
  let repeat: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    tell();
    repeat = setInterval(tell, repeatMilliseconds);
  }, quietMilliseconds);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}
