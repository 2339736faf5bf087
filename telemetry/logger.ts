import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/**
 * The log of the API: one JSON object per line. Callers choose what they log; these paths are a second safeguard in
 * case an error or a request object is logged as a whole.
 */
const redacted = [
  'authorization',
  '*.authorization',
  '*.headers',
  'token',
  '*.token',
  'variables',
  '*.variables',
  'body',
  '*.body',
  'error.parameters',
  'error.detail',
  'error.where',
  'error.query',
];

/** @param destination where lines are written (default: standard output) */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { component: 'api' }, redact: { paths: redacted, censor: '[redacted]' } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * The parts of an error that can be logged: class, code, and stack, without properties that carry data. Postgres puts
 * rows into `detail`, and its messages can quote values, so a database error is logged by its code only.
 */
export function loggableError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error ? error.code : undefined;
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: error.name,
    code,
    message: fromDatabase ? undefined : error.message,
    constraint: 'constraint' in error ? error.constraint : undefined,
    frames: frames.slice(0, 12).map((line) => line.trim()),
    cause: error.cause === undefined ? undefined : loggableError(error.cause),
  };
}
