/** Plain JavaScript, because `prepare.mjs` needs it before anything is compiled. */

const quietMilliseconds = 2_000;
const repeatMilliseconds = 10_000;

/**
 * Reports that work takes time: nothing in the first two seconds, then the sentence, then the elapsed time.
 *
 * @template T
 * @param {string} sentence what is being done, with the expected duration if known
 * @param {() => Promise<T>} work
 * @param {() => string} [detail] called for each line; the progress so far
 * @returns {Promise<T>}
 */
export async function withProgress(sentence, work, detail = () => '') {
  const startedAt = Date.now();
  const tell = () => {
    const reached = detail();
    process.stderr.write(
      `${sentence} ... ${Math.round((Date.now() - startedAt) / 1_000)} s${reached && `, ${reached}`}\n`,
    );
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
