/** Requests of one account through one door, and what is known of each when answers get lost. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Answer {
  status: number;
  /** JSON; undefined without any. */
  body: any;
}

/** A response after `attempts` attempts that may have had an effect although none got a response. */
export interface LateAnswer extends Answer {
  lost: number;
}

export type Headers = Readonly<Record<string, string>>;

const BEFORE_ANOTHER_ATTEMPT_MS = 250;
/** Longer than anything is frozen or stalled. */
const PATIENCE_MS = 60_000;

export class Caller {
  constructor(
    private readonly door: string,
    private readonly accessToken: () => Promise<string>,
  ) {}

  /** One attempt that reached the host. @returns undefined if its outcome is unknown */
  async attempt(method: string, path: string, json?: object, headers: Headers = {}): Promise<Answer | undefined> {
    for (;;) {
      const token = await this.accessToken().catch(() => undefined);
      const answer =
        token === undefined
          ? 'refused'
          : await this.#exchange(method, path, { Authorization: `Bearer ${token}`, ...headers }, json);
      if (answer !== 'refused') return answer;
      await pause(BEFORE_ANOTHER_ATTEMPT_MS);
    }
  }

  /** Sends it until it is answered. */
  async send(method: string, path: string, json?: object, headers: Headers = {}): Promise<LateAnswer> {
    for (let lost = 0; ; lost += 1) {
      const answer = await this.attempt(method, path, json, headers);
      if (answer) return { ...answer, lost };
      await pause(BEFORE_ANOTHER_ATTEMPT_MS);
    }
  }

  /** `refused`: for the token or the rate, or because it did not come whole in time; nothing was done. */
  async #exchange(
    method: string,
    path: string,
    headers: Headers,
    json?: object,
  ): Promise<Answer | 'refused' | undefined> {
    try {
      const content = json && {
        body: JSON.stringify(json),
        headers: { ...headers, 'Content-Type': 'application/json' },
      };
      const response = await fetch(`${this.door}${path}`, {
        method,
        headers,
        ...content,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      if ([401, 408, 429].includes(response.status)) return 'refused';
      return response.status >= 500
        ? undefined
        : { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return undefined;
    }
  }
}
