import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Watched } from '../../api/operations/statistics/shared/watched.js';

const freshness = { maxMs: 10_000, readEveryMs: 8_000, watchedMs: 30_000 };

describe('a watched value', () => {
  /** Each read takes this long. */
  let tookMs: number;
  let requested: number;
  let background: number;
  let watched: Watched<string>;

  const after = (value: string) => new Promise<string>((resolve) => setTimeout(() => resolve(value), tookMs));
  const ask = () => watched.get(() => after(`requested ${(requested += 1)}`));
  /** Advances the time until a request has its value. */
  async function have(): Promise<string> {
    const asked = ask();
    await vi.advanceTimersByTimeAsync(tookMs);
    return asked;
  }

  beforeEach(() => {
    vi.useFakeTimers();
    tookMs = 500;
    requested = background = 0;
    watched = new Watched(() => after(`background ${(background += 1)}`), freshness);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is read once for all who ask at the same time', async () => {
    const asked = [ask(), ask(), ask()];
    await vi.advanceTimersByTimeAsync(tookMs);
    expect(await Promise.all(asked)).toEqual(['requested 1', 'requested 1', 'requested 1']);
  });

  it('is in memory for clients that ask every 10 seconds', async () => {
    expect(await have()).toBe('requested 1');
    for (let count = 1; count <= 20; count += 1) {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await ask()).toMatch(/^background/);
    }
    expect(requested).toBe(1);
  });

  it('is read no more half a minute after the last request, and then for the next one', async () => {
    await have();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(background).toBe(3);
    expect(await have()).toBe('requested 2');
  });

  it('is never older than the limit, also if reads take long', async () => {
    tookMs = 9_000;
    await have();
    // The pause after the read is as long as the read.
    await vi.advanceTimersByTimeAsync(2_000);
    expect(background).toBe(0);
    expect(await have()).toBe('requested 2');
  });

  it('is read again by the next request after a failure', async () => {
    await expect(watched.get(() => Promise.reject(new Error('no Postgres')))).rejects.toThrow('no Postgres');
    expect(await have()).toBe('requested 1');
  });

  it('stays in memory until the limit when a read in the background fails', async () => {
    watched = new Watched(() => Promise.reject(new Error('no Postgres')), freshness);
    await have();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await ask()).toBe('requested 1');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await have()).toBe('requested 2');
  });
});
