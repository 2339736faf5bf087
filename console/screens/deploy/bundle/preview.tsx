/** The content of a file that is only in the browser: a diagram, decisions, a form, or text. */
import { modelKind } from '@perdure/lib/model-files/kind.js';
import { useId, useMemo } from 'react';
import { Button } from '../../../components/basics/button.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DecisionView } from '../../../features/decision/decision-view.js';
import { readDecisions } from '../../../features/decision/read-file.js';
import { Diagram } from '../../../features/diagram/diagram.js';
import { DiagramRoom } from '../../../features/diagram/diagram-room.js';
import { CamundaForm } from '../../../features/forms/camunda-form.js';
import type { BundleFile } from './bundle.js';

export function Preview({ file, onClose }: { file: BundleFile; onClose(): void }) {
  return (
    <Dialog title={file.name} isWide onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <FileContent file={file} />
    </Dialog>
  );
}

export function FileContent({ file: { name, content } }: { file: BundleFile }) {
  const kind = modelKind(name);
  if (kind === 'FORM') return <FormPreview text={content} />;
  if (kind === 'TEMPLATE') return <pre>{content}</pre>;
  if (kind === 'DMN')
    return readDecisions(content).map((decision) => (
      <section key={decision.id} aria-label={decision.name}>
        <h3>{decision.name}</h3>
        <DecisionView decision={decision} />
      </section>
    ));
  return (
    <DiagramRoom isInDialog>
      <Diagram xml={content} label={`Diagram of ${name}`} />
    </DiagramRoom>
  );
}

const nothing = {};

function FormPreview({ text }: { text: string }) {
  const id = useId();
  const schema = useMemo(() => parse(text), [text]);
  if (schema === undefined) return <p>The file is not a form: it contains no JSON object.</p>;
  return <CamundaForm id={id} schema={schema} data={nothing} error={undefined} onSubmit={() => undefined} />;
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
