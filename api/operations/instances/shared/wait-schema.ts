import { z } from 'zod';
import { execution, heldBy, jobListener, pageOf, timestamp } from '../../../contract/schemas.js';

export const wait = z
  .strictObject({
    kind: z
      .enum([
        'begin',
        'job',
        'userTask',
        'timer',
        'message',
        'signal',
        'condition',
        'call',
        'decision',
        'join',
        'adHoc',
        'incident',
      ])
      .describe('begin: the instance or the node has not begun, because of a pause or because other work comes first'),
    nodeID: z.string().optional(),
    nodeName: z.string().optional(),
    scopeID: z.string().optional(),
    since: timestamp,
    overTarget: z.boolean().describe('Whether the node takes longer than its target'),
    executionKey: z.string().optional().describe('Of a job or user task'),
    taskType: z.string().optional(),
    listener: jobListener.optional().describe('Of a job: the listener of the node that it is the job of'),
    retries: z.int().optional(),
    availableAt: timestamp.optional().describe('When a job worker can lease the job'),
    lockedBy: z.string().optional(),
    heldBy: heldBy
      .optional()
      .describe(
        'Of a job: the limit of its task type that holds it back now. Of an instance that has not begun: its process has no free place',
      ),
    execution: execution.optional().describe('Of a job: where connectors run its work on Temporal'),
    lockExpiresAt: timestamp.optional(),
    assignee: z.string().optional(),
    dueDate: timestamp.optional().describe('Of a user task'),
    timerID: z.string().optional().describe('One tick of a timer. A change and a migration keep it'),
    dueAt: timestamp.optional().describe('Of a timer; a pause does not change it'),
    repeats: z.int().optional().describe('Remaining ticks of a timer; absent if it fires once or without end'),
    name: z.string().optional().describe('Of a message or signal'),
    correlationKeys: z.unknown().optional().describe('Absent above 4 KiB'),
    keptUnmatched: z.int().optional().describe('Kept messages of the name that do not match, at most 100 counted'),
    expression: z.string().optional().describe('Of a condition, at most 1,000 characters'),
    workflowID: z.string().optional().describe('The called instance'),
    missingFlows: z.array(z.string()).optional().describe('Sequence flows that a joining gateway waits for'),
    incidentID: z.string().optional(),
    errorType: z.string().optional(),
  })
  .meta({ id: 'BpmnInstanceWait' });

export const waitPage = pageOf('BpmnInstanceWaitPaginatedResponse', wait);
