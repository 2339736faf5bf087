/** Which recorded input answers what the candidate asks for. */
import type { Model } from '@perdure/engine/model/model.js';
import { Counterparts } from './counterparts.js';
import type { Past } from './past.js';
import { listenerKey, type Stop, type Trouble } from '../trail.js';

export class Answers {
  readonly #past: Past;
  readonly #candidate: Model;
  readonly #stops: Counterparts<Stop>;
  readonly #troubles: Counterparts<Trouble>;
  /** Recorded work with an answer, by type of job: first that of nodes that the candidate no longer has. */
  #byType: Map<string, Stop[]> | undefined;

  constructor(past: Past, candidate: Model) {
    this.#past = past;
    this.#candidate = candidate;
    this.#stops = new Counterparts(past.trail.stops.values(), labelOf);
    this.#troubles = new Counterparts(past.trail.troubles.values(), () => 'incident');
  }

  /** The recorded counterpart; undefined if the candidate asks for something new. */
  counterpartOf(stop: Stop): Stop | undefined {
    return this.#stops.take(stop) ?? this.#ofSameType(stop);
  }

  counterpartOfTrouble(trouble: Trouble): Trouble | undefined {
    return this.#troubles.take(trouble);
  }

  /** A node that the recorded version does not have takes the results of its type, in their order. */
  #ofSameType({ node, taskType, listener }: Stop): Stop | undefined {
    if (taskType === undefined || listener !== undefined || this.#past.recording.model.find(node)) return undefined;
    this.#byType ??= this.#collectByType();
    return this.#byType.get(taskType)?.shift();
  }

  #collectByType(): Map<string, Stop[]> {
    const byType = new Map<string, Stop[]>();
    const answered = [...this.#past.trail.stops.values()].filter((stop) => this.#past.answersTo(stop).length > 0);
    const isGone = ({ node }: Stop) => this.#candidate.find(node) === undefined;
    for (const stop of [...answered.filter(isGone), ...answered.filter((each) => !isGone(each))]) {
      if (stop.taskType === undefined || stop.listener !== undefined) continue;
      const ofType = byType.get(stop.taskType);
      if (ofType) ofType.push(stop);
      else byType.set(stop.taskType, [stop]);
    }
    return byType;
  }
}

/** Only alike questions have the same answer. */
function labelOf({ kind, processID, event, ...stop }: Stop): string {
  if (stop.listener !== undefined) return `${kind} ${listenerKey(stop)}`;
  if (event) return `${event.type} ${event.name} ${JSON.stringify(event.correlation)}`;
  return processID === undefined ? kind : `${kind} ${processID}`;
}

/** Whether the candidate waits as long as the recorded run did, or until the same moment. */
export function isSameTimer(stop: Stop, recorded: Stop): boolean {
  return stop.due === recorded.due || stop.due! - stop.at === recorded.due! - recorded.at;
}
