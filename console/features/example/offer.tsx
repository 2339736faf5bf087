/** The empty state of a project without processes. One click runs the example. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { EmptyState } from '../../components/feedback/states.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { modelerOf, NEW } from '../modeler/files/addresses.js';
import { startDemoWorker } from './demo-worker.js';
import styles from './offer.module.css';
import { newOrderID } from './order.js';
import type { DemoOrder } from './order.js';
import type { Step } from './run-example.js';

export function ExampleOffer({ title }: { title: string }) {
  const mayDeploy = useMay('editor');
  const { role } = useProject();
  if (mayDeploy)
    return (
      <EmptyState title={title} icon="processes" action={<RunExample />}>
        Draw a process, deploy files or a folder, or run the example: an order that is reserved, paid, packed, and
        shipped. The example deploys two processes, starts an order, and completes its jobs in this tab. Models of
        Camunda 7 are converted when you open them for deployment.
      </EmptyState>
    );
  return (
    <EmptyState title={title} icon="processes">
      Editors deploy BPMN files here, or run an example with one click. Your role is {role}. To become an editor, ask an
      admin of this project to change your role under Members, then sign in again.
    </EmptyState>
  );
}

/** Opens the instance of the order. */
function RunExample() {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  // The same order in every attempt, so that a repeated click does not start a second one.
  const [orderID] = useState(newOrderID);
  const [step, setStep] = useState<Step>();
  const attempt = useRef<Promise<DemoOrder>>(undefined);
  const begin = async () => (await import('./run-example.js')).runExample(projectID, orderID, setStep);
  const run = useMutation({
    mutationFn: (_place: string) => {
      // The second click of a double click arrives before the button is disabled. It joins the first.
      attempt.current ??= begin().finally(() => (attempt.current = undefined));
      return attempt.current;
    },
    onSuccess: (order, place) => {
      startDemoWorker(order);
      // A user who went to another screen in the meantime stays there.
      if (window.location.pathname === place)
        void navigate(`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(order.workflowID)}`);
    },
  });
  return (
    <div className={styles.run}>
      <div className={styles.buttons}>
        <Button kind="primary" icon="play" isBusy={run.isPending} onClick={() => run.mutate(window.location.pathname)}>
          Run the example
        </Button>
        <ButtonLink to={modelerOf(projectID, NEW)} icon="edit">
          Draw a process
        </ButtonLink>
        <ButtonLink to={`/projects/${encodeURIComponent(projectID)}/deploy`} icon="deploy">
          Deploy files
        </ButtonLink>
      </div>
      <div role="status">{run.isPending && step && <Progress step={step} />}</div>
      <Refusal error={run.error} />
    </div>
  );
}

function Progress({ step: { number, of, label } }: { step: Step }) {
  return (
    <label className={styles.progress}>
      {label} ({number} of {of})
      <progress value={number - 1} max={of} />
    </label>
  );
}
