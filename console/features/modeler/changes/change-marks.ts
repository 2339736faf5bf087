/** Changes as marks on one of the two diagrams that they are between. */
import type { FlowLabel, NodeMarks } from '../../diagram/node-marks.js';
import type { Change, ChangeKind } from './changes.js';

const FLOWS: readonly string[] = ['sequenceFlow', 'messageFlow', 'association'];

const looks = {
  added: { text: 'Added', tone: 'better' },
  removed: { text: 'Removed', tone: 'worse' },
  changed: { text: 'Changed', tone: 'plain' },
  moved: { text: 'Moved', tone: 'plain' },
} as const satisfies Record<ChangeKind, object>;

export interface ChangeMarks {
  marks: ReadonlyMap<string, NodeMarks>;
  flowLabels: ReadonlyMap<string, FlowLabel>;
}

/** @param absent the kind of change whose elements this diagram does not have */
export function marksOfChanges(changes: readonly Change[], absent: 'added' | 'removed'): ChangeMarks {
  const marks = new Map<string, NodeMarks>();
  const flowLabels = new Map<string, FlowLabel>();
  for (const { kind, id, type, members } of changes) {
    if (kind === absent) continue;
    const { text, tone } = looks[kind];
    const title = members.length === 0 ? text : `${text}: ${members.join(', ')}`;
    if (FLOWS.includes(type)) flowLabels.set(id, { text, title });
    else marks.set(id, { tokens: 0, incidents: 0, isPaused: false, label: { text, title, tone } });
  }
  return { marks, flowLabels };
}
