/** The next step for a user who tries the example. Shown on the pages of demo orders only. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Banner } from '../../components/feedback/banner.js';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { startDemoWorker, stopDemoWorker, useDemoWorker } from '../../features/example/demo-worker.js';
import { approvalNode, demoOrderOf, largeTotal, newOrderID, startOrder } from '../../features/example/order.js';
import type { DemoOrder } from '../../features/example/order.js';
import { useMay } from '../../frame/project/project.js';
import { useInstance } from './use-instance.js';

export function ExampleGuide() {
  const { projectID, instance, isRunning } = useInstance();
  const mayWork = useMay('executor');
  const order = demoOrderOf(projectID, instance);
  if (order === undefined || !mayWork) return null;
  if (!isRunning) return <NextOrder />;
  const isWaiting = instance.activeScopes.some(({ activeNodes }) => approvalNode in activeNodes);
  return isWaiting ? <Approval order={order} /> : <Jobs order={order} />;
}

function Jobs({ order }: { order: DemoOrder }) {
  const work = useDemoWorker().get(order.workflowID);
  if (work?.kind === 'working')
    return (
      <Banner
        tone="blue"
        icon="jobs"
        title="Demo worker running in this tab."
        action={<Button onClick={stopDemoWorker}>Stop</Button>}
      >
        It completes the jobs of this order, as a job worker of yours would. It stops when you close the tab.
      </Banner>
    );
  return (
    <Banner
      tone={work ? 'red' : 'amber'}
      icon="jobs"
      title={work ? 'The demo worker stopped.' : 'No demo worker runs in this tab.'}
      action={<Button onClick={() => startDemoWorker(order)}>Run the demo worker</Button>}
    >
      {work?.reason ?? 'The order waits at its next job until a job worker completes it.'}
    </Banner>
  );
}

function Approval({ order }: { order: DemoOrder }) {
  const isWorking = useDemoWorker().get(order.workflowID)?.kind === 'working';
  return (
    <Banner
      tone="blue"
      icon="tasks"
      title="This order waits for a person."
      action={<ButtonLink to="?tab=tasks">Open its tasks</ButtonLink>}
    >
      Its total is above 1,000. Complete the task “Approve order” with <code>{'{"approved": true}'}</code>.{' '}
      {isWorking ? 'Then the demo worker continues.' : 'Then run the demo worker again.'}
    </Banner>
  );
}

/** Starts an order that takes the other path and opens it. */
function NextOrder() {
  const { projectID, instance } = useInstance();
  const navigate = useNavigate();
  const toasts = useToasts();
  // One order, even if the button is clicked twice.
  const [orderID] = useState(newOrderID);
  const start = useMutation({
    mutationFn: () => startOrder(projectID, instance.definitionID, { orderID, total: largeTotal }),
    onSuccess: (order) => {
      startDemoWorker(order);
      void navigate(`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(order.workflowID)}`);
    },
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
  return (
    <Banner
      tone="blue"
      icon="check"
      title="This order has ended."
      action={
        <Button isBusy={start.isPending} onClick={() => start.mutate()}>
          Start an order of {largeTotal.toLocaleString('en')}
        </Button>
      }
    >
      An order above 1,000 waits for the approval of a person.
    </Banner>
  );
}
