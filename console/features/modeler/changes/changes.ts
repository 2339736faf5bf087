/** Differences between two BPMN files, element by element. */
import { ChangeHandler, diff } from 'bpmn-js-differ';
import { BpmnModdle } from 'bpmn-moddle';
import { readableText } from '@perdure/xml/readable-text.js';

export type ChangeKind = 'added' | 'removed' | 'changed' | 'moved';

export interface Change {
  kind: ChangeKind;
  id: string;
  /** Its name; undefined if it has none. */
  name: string | undefined;
  /** The type in BPMN: `userTask`. */
  type: string;
  /** The members that differ, of a changed element. */
  members: readonly string[];
}

/** Also messages, errors, and others that no diagram shows. */
class AllElements extends ChangeHandler {
  override _isTracked(element: Parameters<ChangeHandler['_isTracked']>[0]) {
    const tracked = super._isTracked(element);
    if (tracked) return tracked;
    return element.$instanceOf('bpmn:RootElement') ? { element, property: '' } : undefined;
  }
}

type ModelElement = Parameters<ChangeHandler['_isTracked']>[0];

/** @throws Error if one of them is not BPMN */
export async function compareFiles(before: string, after: string): Promise<Change[]> {
  const [one, other] = await Promise.all(
    [before, after].map(async (xml) => new BpmnModdle().fromXML(readableText(xml))),
  );
  const { _added, _removed, _changed, _layoutChanged } = diff(one!.rootElement, other!.rootElement, new AllElements());
  const changes = [
    ...Object.values(_added).map((element) => changeOf('added', element)),
    ...Object.values(_removed).map((element) => changeOf('removed', element)),
    ...Object.values(_changed).map(({ model, attrs }) => changeOf('changed', model, Object.keys(attrs))),
  ];
  const seen = new Set(changes.map(({ id }) => id));
  // Of an element that is new or changed, everything may have moved.
  const moved = Object.values(_layoutChanged).filter(({ id }) => id !== undefined && !seen.has(id));
  return [...changes, ...moved.map((element) => changeOf('moved', element))];
}

function changeOf(kind: ChangeKind, { id = '', name, $type }: ModelElement, members: string[] = []): Change {
  const local = $type.slice($type.indexOf(':') + 1);
  return {
    kind,
    id,
    name: name?.trim() || undefined,
    type: local.charAt(0).toLowerCase() + local.slice(1),
    members: members.map((member) => member.replace(/^bpmn:/, '')),
  };
}
