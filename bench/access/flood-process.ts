/** Sends requests at a steady rate from its own process, so that sending them costs the caller that is measured nothing. */
import { Agent, request } from 'node:http';

export interface FloodOrder {
  url: string;
  /** Sent in turn, over and over. */
  tokens: string[];
  perSecond: number;
  seconds: number;
}

export interface FloodReport {
  sent: number;
  statuses: Record<string, number>;
}

/** One request a tick at the rates that are measured: bursts would be another attack. */
const tickMilliseconds = 1;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

process.once('message', (order: FloodOrder) => void flood(order).then((report) => process.send?.(report)));
process.on('disconnect', () => process.exit(0));

async function flood({ url, tokens, perSecond, seconds }: FloodOrder): Promise<FloodReport> {
  const report: FloodReport = { sent: 0, statuses: {} };
  const answers: Promise<void>[] = [];
  const startedAt = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt;
      if (elapsed >= seconds * 1000) {
        clearInterval(timer);
        return resolve();
      }
      for (; report.sent < (elapsed / 1000) * perSecond; report.sent += 1) {
        answers.push(
          send(url, tokens[report.sent % tokens.length] as string).then((status) => {
            report.statuses[status] = (report.statuses[status] ?? 0) + 1;
          }),
        );
      }
    }, tickMilliseconds);
  });
  await Promise.all(answers);
  return report;
}

function send(url: string, token: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    });
    sent.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? 'error'));
    sent.end();
  });
}
