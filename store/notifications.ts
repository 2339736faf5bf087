/** Everything that a process can wait for, over one listening connection. */
import { Listener, type OnConnectionChange } from './connections/listener.js';
import type { PooledDatabase } from './connections/pooled-database.js';
import { eventReads } from './events/event-reads.js';
import { outboxWaits } from './instances/waits/outbox.js';
import { outcomeWaits } from './instances/waits/outcome.js';
import { resultWaits } from './instances/waits/result.js';
import { matchWaits } from './messages/match-waits.js';
import { taskHearing } from './work/connectors/hear-tasks.js';
import { jobPolls } from './work/job-polls.js';
import { PollDemand } from './work/poll-demand.js';

export class Notifications extends Listener {
  /** Task types that job workers poll for. */
  readonly demand = new PollDemand();
  readonly awaitOutcome = outcomeWaits(this);
  readonly awaitResult = resultWaits(this);
  readonly awaitMatch = matchWaits(this);
  readonly waitForOutbox = outboxWaits(this);
  readonly hearTasks = taskHearing(this);
  readonly pollJobs: ReturnType<typeof jobPolls>;
  readonly readEvents: ReturnType<typeof eventReads>;

  private constructor(database: PooledDatabase, databaseUrl: string, onConnectionChange: OnConnectionChange) {
    super(database, databaseUrl, onConnectionChange);
    this.pollJobs = jobPolls(this, database, this.demand);
    this.readEvents = eventReads(this, database);
  }

  /** Starts listening. @param database announces what this process waits for; what else it announces is heard directly */
  static async open(
    database: PooledDatabase,
    databaseUrl: string,
    onConnectionChange: OnConnectionChange = () => undefined,
  ): Promise<Notifications> {
    const notifications = new Notifications(database, databaseUrl, onConnectionChange);
    await notifications.listen();
    return notifications;
  }
}
