/**
 * Runs one program that is not ours and ends it when our own process is gone, even if that was killed: the channel
 * to the parent closes then. The program has no such habit of its own, and Linux alone could give it one.
 *
 * Argument: the `Program` as JSON.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { processIdentity } from '../process-identity.mjs';
import { commandNotFound, type Program } from './program.js';

const program = JSON.parse(process.argv[2] ?? '') as Program;
const child = spawn(program.command, program.arguments, { cwd: program.workingDirectory ?? '/', stdio: ['ignore', 'inherit', 'inherit'], ...program.account });

child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit('code' in error && error.code === 'ENOENT' ? commandNotFound : 1);
});
child.on('exit', (code) => process.exit(code ?? 1));
if (child.pid !== undefined && program.pidFile !== undefined) writeFileSync(program.pidFile, processIdentity(child.pid) ?? '');

// A terminal's Ctrl-C and a shutdown reach every process; the parent alone says in which order things end.
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
