/** The levels at which the host logs messages of Temporal's SDK. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { logOfTemporal } from '../../temporal/connection.js';

const levels: number[] = [];
const logger = pino(
  { level: 'debug' },
  { write: (line) => void levels.push((JSON.parse(line) as { level: number }).level) },
);

it('warnings and errors of Temporal keep their level, and long workflow tasks are logged for debugging only', () => {
  logOfTemporal(logger, 'ERROR', 'Failed to poll', undefined);
  logOfTemporal(logger, 'WARN', 'Activity heartbeat failed', undefined);
  logOfTemporal(logger, 'WARN', '[TMPRL1104] 01a2:34:1 Workflow task duration exceeded 5 seconds.', undefined);
  expect(levels).toEqual([50, 40, 20]);
});
