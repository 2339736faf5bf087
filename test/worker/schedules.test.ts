import type { Client } from '@temporalio/client';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../telemetry/logger.js';
import { startScheduleLoop } from '../../worker/schedules/schedules.js';

it('keeping schedules outlives a store that is away, says so, and stops when told', async () => {
  const away = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'nobody' });
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  // Nothing is sent, so Temporal is never asked.
  const loop = startScheduleLoop({ store: away, client: {} as Client, taskQueue: 'none', logger });
  await vi.waitFor(() => expect(lines.join()).toContain('comparison of start timers with Temporal failed; retrying'), {
    timeout: 20_000,
  });
  await loop.stop();
  await away.end();
});
