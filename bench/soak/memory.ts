/** The memory of the host's processes, by the metrics that each serves about itself. */

/** One that has just collected garbage shows what it really keeps, so the least of several looks counts. */
const BETWEEN_LOOKS_MS = 5_000;

export interface ProcessMemory {
  rssBytes: number;
  /** The least of the minute. */
  heapBytes: number;
  /** Epoch seconds; another one than before means that it died and was started again. */
  startedAt: number;
}

export interface Watched {
  name: string;
  /** URL of its metrics. */
  metrics: string;
}

export class MemoryWatch {
  readonly #looking: NodeJS.Timeout;
  #least = new Map<string, number>();

  constructor(private readonly processes: readonly Watched[]) {
    this.#looking = setInterval(() => void this.#look().catch(() => undefined), BETWEEN_LOOKS_MS);
  }

  /**
   * Current usage, and the smallest heap since the last call.
   * @throws when one of them does not answer
   */
  async take(): Promise<Record<string, ProcessMemory>> {
    const found = await this.#look();
    this.#least = new Map();
    return found;
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  async #look(): Promise<Record<string, ProcessMemory>> {
    const found = await Promise.all(
      this.processes.map(async ({ name, metrics }) => {
        const values = await readMetrics(metrics);
        const heapBytes = Math.min(
          values('nodejs_heap_size_used_bytes'),
          this.#least.get(name) ?? Number.POSITIVE_INFINITY,
        );
        this.#least.set(name, heapBytes);
        return [
          name,
          {
            rssBytes: values('process_resident_memory_bytes'),
            heapBytes,
            startedAt: values('process_start_time_seconds'),
          },
        ] as const;
      }),
    );
    return Object.fromEntries(found);
  }
}

/** @returns the largest value of a metric over its labels; NaN for one that is not served */
export async function readMetrics(url: string): Promise<(name: string) => number> {
  const lines = (await (await fetch(url)).text()).split('\n');
  return (name) => {
    const values = lines
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
    return values.length === 0 ? Number.NaN : Math.max(...values);
  };
}
