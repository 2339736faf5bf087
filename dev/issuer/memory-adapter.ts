import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  expiresAt: number;
}

const sweepMilliseconds = 60_000;

/**
 * Keeps sessions, codes and refresh tokens in memory, which a development issuer may lose. The library's own adapter
 * does the same but logs a warning.
 *
 * @returns the constructor that the library calls once for each kind of stored object
 */
export function createMemoryAdapter(): new (kind: string) => Adapter {
  const entries = new Map<string, Entry>();
  setInterval(() => sweep(entries), sweepMilliseconds).unref();

  return class MemoryAdapter implements Adapter {
    constructor(private readonly kind: string) {}

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      entries.set(this.key(id), { payload, expiresAt: Date.now() + expiresIn * 1_000 });
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      return live(entries.get(this.key(id)));
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return this.findWhere((payload) => payload.uid === uid);
    }

    async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
      return this.findWhere((payload) => payload.userCode === userCode);
    }

    async consume(id: string): Promise<void> {
      const payload = live(entries.get(this.key(id)));
      if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1_000);
    }

    async destroy(id: string): Promise<void> {
      entries.delete(this.key(id));
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
    }

    private findWhere(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
      for (const [key, entry] of entries) {
        if (key.startsWith(this.key('')) && matches(entry.payload)) return live(entry);
      }
      return undefined;
    }

    private key(id: string): string {
      return `${this.kind}:${id}`;
    }
  };
}

function live(entry: Entry | undefined): AdapterPayload | undefined {
  return entry !== undefined && entry.expiresAt > Date.now() ? entry.payload : undefined;
}

function sweep(entries: Map<string, Entry>): void {
  for (const [key, entry] of entries) if (live(entry) === undefined) entries.delete(key);
}
