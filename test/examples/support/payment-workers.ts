/** The workers of examples/temporal-payments: what makes each, and what runs it. */
import { execFile, execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { compiledScript, repositoryRoot } from '../../../dev/repository.js';

const run = promisify(execFile);
export const paymentsExample = 'examples/temporal-payments';

/** A program and its arguments. */
export type Command = readonly [program: string, ...given: string[]];

export interface PaymentWorker {
  readonly language: string;
  readonly taskQueue: string;
  /** Commands that fail where its toolchain is missing. */
  readonly needs: readonly Command[];
  /** @returns the command that runs it */
  build(): Promise<Command>;
}

export const paymentWorkers: readonly PaymentWorker[] = [
  {
    language: 'typescript',
    taskQueue: 'payments-typescript',
    needs: [],
    build: async () => [process.execPath, compiledScript(`${paymentsExample}/typescript/worker.js`)],
  },
  {
    language: 'go',
    taskQueue: 'payments-go',
    needs: [['go', 'version']],
    async build() {
      const file = compiledScript('payments-go');
      await run('go', ['build', '-o', file, '.'], { cwd: source('go') });
      return [file];
    },
  },
  {
    language: 'java',
    taskQueue: 'payments-java',
    needs: [
      ['javac', '--version'],
      ['mvn', '--version'],
    ],
    async build() {
      const folder = compiledScript('payments-java');
      await run('mvn', ['--quiet', '--batch-mode', 'package', `-Dtarget=${folder}`], { cwd: source('java') });
      const classes = [join(folder, 'classes'), join(folder, 'libraries', '*')].join(delimiter);
      return ['java', '-cp', classes, 'payments.Main'];
    },
  },
  {
    language: 'python',
    taskQueue: 'payments-python',
    needs: [['python3', '-m', 'venv', '--help']],
    async build() {
      const folder = compiledScript('payments-python');
      const python = join(folder, 'bin', 'python');
      await run('python3', ['-m', 'venv', folder]);
      await run(python, ['-m', 'pip', 'install', '--quiet', '-r', join(source('python'), 'requirements.txt')]);
      return [python, join(source('python'), 'worker.py')];
    },
  },
];

function source(language: string): string {
  return join(repositoryRoot, paymentsExample, language);
}

/**
 * Those in the languages that are asked for, as far as their toolchains are there. Says which are skipped, and why.
 *
 * @param asked `typescript`, names separated by commas, or `all`
 */
export function chosenWorkers(asked: string): PaymentWorker[] {
  const names = asked.split(',');
  const wanted = paymentWorkers.filter(({ language }) => asked === 'all' || names.includes(language));
  return wanted.filter(({ language, needs }) => {
    const missing = needs.find((command) => !runs(command));
    if (missing) process.stdout.write(`Skipped ${language}: \`${missing.join(' ')}\` does not run here\n`);
    return missing === undefined;
  });
}

function runs([program, ...given]: Command): boolean {
  try {
    execFileSync(program, given, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
