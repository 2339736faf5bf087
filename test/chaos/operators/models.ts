/** Models for operators: processes that cannot continue without one. */
import {
  catchEvent,
  endEvent,
  extensions,
  on,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';

/** Divides by a variable, then waits for a part: an instance that starts with `divisor` 0 has an incident. */
export const repair = processModel(
  'repair',
  [
    startEvent('begin'),
    scriptTask('divide', '=100 / divisor', 'share'),
    catchEvent('part', on.message('partArrived')),
    endEvent('end'),
  ],
  ['r1: begin -> divide', 'r2: divide -> part', 'r3: part -> end'],
  root.message('partArrived', '=repairID'),
);

/** The same with a stamp after it, to be migrated to. */
export const stampedRepair = processModel(
  'repair',
  [
    startEvent('begin'),
    scriptTask('divide', '=100 / divisor', 'share'),
    catchEvent('part', on.message('partArrived')),
    scriptTask('stamp', '=2', 'stamp'),
    endEvent('end'),
  ],
  ['r1: begin -> divide', 'r2: divide -> part', 'r3: part -> stamp', 'r4: stamp -> end'],
  root.message('partArrived', '=repairID'),
);

const calling = (id: string, process: string) =>
  processModel(
    id,
    [
      startEvent('begin'),
      `<bpmn:callActivity id="call">${extensions(`<zeebe:calledElement processId="${process}"/>`)}</bpmn:callActivity>`,
      endEvent('end'),
    ],
    ['c1: begin -> call', 'c2: call -> end'],
  );

/** Two levels of calls down to a job without a worker, the lowest first. */
export const abandoned: readonly string[] = [
  processModel(
    'abandoned-work',
    [startEvent('begin'), serviceTask('unworked'), endEvent('end')],
    ['a1: begin -> unworked', 'a2: unworked -> end'],
  ),
  calling('abandoned-call', 'abandoned-work'),
  calling('abandoned', 'abandoned-call'),
];

/** Its result cannot be stored. */
export const poison = processModel(
  'poison',
  [startEvent('begin'), scriptTask('spoil', String.raw`="a\u0000b"`, 'spoilt'), endEvent('end')],
  ['p1: begin -> spoil', 'p2: spoil -> end'],
);
