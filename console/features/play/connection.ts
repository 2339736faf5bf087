/** A web worker that plays, with the questions that it has not answered yet. */
import { Stopped, type Answered, type Asked, type Connection, type Question } from './protocol.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function connect(): Connection {
  const worker = new Worker(new URL('./play-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const asked = waiting.get(data.number);
    waiting.delete(data.number);
    if ('problem' in data) asked?.reject(new Error(data.problem));
    else asked?.resolve(data.value);
  });
  worker.addEventListener('error', (event) => {
    failAll(new Error(`The interpreter failed: ${event.message || 'its script could not be loaded'}`));
  });
  return {
    ask(kind, content, shownID) {
      last += 1;
      const asked: Asked = { number: last, question: { kind, shownID, ...content } as Question };
      return new Promise((resolve, reject) => {
        waiting.set(asked.number, { resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage(asked);
      });
    },
    close() {
      worker.terminate();
      failAll(new Stopped('The play was stopped'));
    },
  };
}
