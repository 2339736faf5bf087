/** Plain JavaScript, because `prepare.mjs` needs it before anything is compiled. */

const quietMilliseconds = 2_000;
const repeatMilliseconds = 10_000;

/**
 * Tells people that something takes its time: nothing in the first two seconds, then the sentence, then how long
 * it has been going on.
 *
 * @template T
 * @param {string} sentence what is being done, and how long it is expected to take when that is known
 * @param {() => Promise<T>} work
 * @param {() => string} [detail] asked for at each line; what has been reached so far
 * @returns {Promise<T>}
 */
export async function withProgress(sentence, work, detail = () => '') {
  const startedAt = Date.now();
  const tell = () => {
    const reached = detail();
    process.stderr.write(`${sentence} ... ${Math.round((Date.now() - startedAt) / 1_000)} s${reached && `, ${reached}`}\n`);
  };
  /** @type {NodeJS.Timeout | undefined} */
  let repeat;
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
