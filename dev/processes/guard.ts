/**
 * Runs one external program and ends it when the parent is gone, even if the parent was killed: the channel to the
 * parent closes then. External programs do not do this themselves, and only Linux could enforce it.
 *
 * Argument: the `Program` as JSON.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { processIdentity } from '../process-identity.mjs';
import { commandNotFound, type Program } from './program.js';

const program = JSON.parse(process.argv[2] ?? '') as Program;
const child = spawn(program.command, program.arguments, {
  cwd: program.workingDirectory ?? '/',
  stdio: ['ignore', 'inherit', 'inherit'],
  ...program.account,
});

child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit('code' in error && error.code === 'ENOENT' ? commandNotFound : 1);
});
child.on('exit', (code) => process.exit(code ?? 1));
if (child.pid !== undefined && program.pidFile !== undefined)
  writeFileSync(program.pidFile, processIdentity(child.pid) ?? '');

// Ctrl-C in a terminal and a shutdown reach every process; only the parent decides in which order they stop.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('SIGTERM', stop);
process.on('disconnect', stop);
process.on('message', (message) => message === 'kill' && child.kill('SIGKILL'));
if (!process.connected) stop();

function stop(): void {
  child.kill(program.stopSignal);
  setTimeout(() => child.kill('SIGKILL'), program.stopWithinMilliseconds);
}
