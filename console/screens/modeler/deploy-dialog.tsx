/** Deploys the file as it is in the modeler, saved or not, together with others of the folder. */
import { useMemo, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import type { FolderFile } from '../../features/modeler/files/folder-file.js';
import { withReferred } from '../../features/modeler/files/folder.js';
import { deployedName, type FileKind } from '../../features/modeler/files/kinds.js';
import type { Bundle } from '../deploy/bundle/bundle.js';
import { OpenBundle } from '../deploy/bundle/open-bundle.js';
import styles from './folder/folder.module.css';
import { useFolder } from './folder/use-folder.js';

interface DeployDialogProps {
  resourceID: string;
  name: string;
  kind: FileKind;
  xml: string;
  onClose(): void;
}

export function DeployDialog({ resourceID, name, kind, xml, onClose }: DeployDialogProps) {
  const { files } = useFolder();
  const [offered] = useState(() => {
    const file: FolderFile = { resourceID, name, kind, text: xml, isUnsaved: false, isDraft: false };
    return { file, others: files.filter((other) => other.resourceID !== resourceID) };
  });
  const [chosen, choose] = useState<readonly FolderFile[]>(() =>
    withReferred(offered.file, offered.others).filter((file) => file !== offered.file),
  );
  const bundle = useMemo((): Bundle => bundleOf([offered.file, ...chosen]), [offered, chosen]);
  return (
    <Dialog title={`Deploy ${name}`} isWide onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {offered.others.length > 0 && (
        <fieldset className={styles.chosen}>
          <legend>Deploy together with</legend>
          <div>
            {offered.others.map((file) => (
              <label key={file.resourceID}>
                <input
                  type="checkbox"
                  checked={chosen.includes(file)}
                  onChange={({ target: { checked } }) =>
                    choose(checked ? [...chosen, file] : chosen.filter((other) => other !== file))
                  }
                />
                {file.name}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {/* Other files are another deployment, which is checked again. */}
      <OpenBundle key={chosen.map((file) => file.resourceID).join(' ')} bundle={bundle} />
    </Dialog>
  );
}

function bundleOf(files: readonly FolderFile[]): Bundle {
  return {
    files: files.map(({ name, kind, text }) => ({ name: deployedName(name, kind), content: text })),
    passedOver: [],
    problems: [],
  };
}
