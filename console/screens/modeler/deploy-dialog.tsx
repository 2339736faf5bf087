/** Deploys the file as it is in the modeler, saved or not. */
import { useMemo } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { deployedName, type FileKind } from '../../features/modeler/files/kinds.js';
import type { Bundle } from '../deploy/bundle/bundle.js';
import { OpenBundle } from '../deploy/bundle/open-bundle.js';

interface DeployDialogProps {
  name: string;
  kind: FileKind;
  xml: string;
  onClose(): void;
}

export function DeployDialog({ name, kind, xml, onClose }: DeployDialogProps) {
  const bundle = useMemo((): Bundle => {
    const file = { name: deployedName(name, kind), content: xml };
    return { files: [file], passedOver: [], problems: [] };
  }, [name, kind, xml]);
  return (
    <Dialog title={`Deploy ${name}`} isWide onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <OpenBundle bundle={bundle} />
    </Dialog>
  );
}
