import { describe, expect, it } from 'vitest';
import { inOrder } from '../../console/features/modeler/files/folder-file.js';
import { MAX_EDITORS, OpenFiles } from '../../console/features/modeler/files/open-files.js';

function opened(resourceID: string, isUnsaved: boolean) {
  return { resourceID, name: resourceID, kind: 'BPMN', text: '', isUnsaved, isDraft: true, finish: () => {} } as const;
}

describe('the files that the modeler has open', () => {
  it('keep their editors in the order of opening, and the one that was shown least recently ends first', () => {
    const files = new OpenFiles();
    const ids = Array.from({ length: MAX_EDITORS }, (_, index) => `file ${index}`);
    for (const id of ids) files.show(id);
    files.show(ids[0]!);
    expect(files.state().editors).toEqual(ids);
    expect(files.editorsWith('another')).toEqual([ids[0], ...ids.slice(2), 'another']);
    files.show('another');
    expect(files.state().editors).toEqual([ids[0], ...ids.slice(2), 'another']);
    files.show(ids[1]!);
    expect(files.state().editors).toEqual([ids[0], ...ids.slice(3), 'another', ids[1]]);
  });

  it('stay known without an editor while they have unsaved edits, and until they are closed', () => {
    const files = new OpenFiles();
    files.report(opened('edited', true));
    files.report(opened('saved', false));
    files.leave('edited');
    files.leave('saved');
    expect([...files.state().files.keys()]).toEqual(['edited']);
    files.close('edited');
    expect(files.state().files.size).toBe(0);
  });

  it('are listed by their names, without regard to case', () => {
    const files = ['b', 'A', 'c'].map((id) => opened(id, false));
    expect(inOrder(files).map(({ name }) => name)).toEqual(['A', 'b', 'c']);
  });
});
