/** Runs a command line in this process, and keeps what it writes. */
import { run } from '../../../packages/cli/run.js';

export interface Said {
  code: number;
  out: string[];
  errors: string[];
}

export async function runWith(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder = '/',
  signal = new AbortController().signal,
): Promise<Said> {
  const [out, errors]: [string[], string[]] = [[], []];
  const code = await run(words, {
    environment,
    folder,
    write: (line) => void out.push(line),
    complain: (line) => void errors.push(line),
    signal,
  });
  return { code, out, errors };
}
