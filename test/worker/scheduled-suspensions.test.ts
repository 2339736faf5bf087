import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../telemetry/logger.js';
import { startScheduledSuspensions } from '../../worker/schedules/scheduled-suspensions.js';

it('applying scheduled suspensions outlives a store that is away, says so, and stops when told', async () => {
  const away = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'nobody' });
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  const loop = startScheduledSuspensions({ store: away, logger });
  await vi.waitFor(() => expect(lines.join()).toContain('scheduled suspensions could not be read; retrying'), {
    timeout: 20_000,
  });
  await loop.stop();
  await away.end();
});
