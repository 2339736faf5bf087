/**
 * What a step asks the host to do beyond recording its facts. Rows (jobs, tasks, children, subscriptions) follow
 * from facts and are written by the park; an effect is work whose answer the instance needs before it can go on.
 */
import type { ChildBinding } from './facts.js';
import type { Variables } from './json.js';

export type Effect = { kind: 'EVALUATE_DECISION'; wait: number; decisionID: string; binding: ChildBinding; variables: Variables };
