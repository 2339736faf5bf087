/** Deploys the file as it is in the modeler, saved or not. */
import { useMemo } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import type { Bundle } from '../deploy/bundle/bundle.js';
import { OpenBundle } from '../deploy/bundle/open-bundle.js';

interface DeployDialogProps {
  name: string;
  xml: string;
  onClose(): void;
}

export function DeployDialog({ name, xml, onClose }: DeployDialogProps) {
  const bundle = useMemo((): Bundle => {
    const file = { name: /\.bpmn$/i.test(name) ? name : `${name}.bpmn`, content: xml };
    return { files: [file], passedOver: [], problems: [] };
  }, [name, xml]);
  return (
    <Dialog title={`Deploy ${name}`} isWide onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <OpenBundle bundle={bundle} />
    </Dialog>
  );
}
