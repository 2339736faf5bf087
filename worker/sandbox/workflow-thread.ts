/**
 * The thread that runs workflows, with the sandbox of Temporal's SDK (seen in 1.24). It differs from the SDK's own thread
 * in what each activation costs (ADR 99):
 * - Calls into the sandbox have no timeout. For each of them, Node would start and join a thread that watches the clock.
 *   The process watches this thread instead.
 * - Promises of workflows are not tracked. That serves only Temporal's stack trace query.
 * - An activation, the creation of its workflow, and what it has sent to sinks are one message each way.
 */
import { parentPort, workerData } from 'node:worker_threads';
import proto from '@temporalio/proto';
import type { Workflow, WorkflowCreateOptions } from '@temporalio/worker/lib/workflow/interface.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import type { SinkCall } from '@temporalio/workflow';
import { LOADED, type Activated, type ThreadData, type ThreadRequest } from './protocol.js';

const { bundle, activityNames } = workerData as ThreadData;
const { WorkflowActivation } = proto.coresdk.workflow_activation;
const NO_TIMEOUT = undefined as unknown as number;

globalHandlers['setPromiseHook'] = () => undefined;
const creator = await ReusableVMWorkflowCreator.create(bundle, NO_TIMEOUT, new Set(activityNames));

parentPort!.on('message', (request: ThreadRequest) => {
  if (request.kind === 'dispose') void dispose(request.runID);
  else
    void activate(request)
      .then(answer)
      .catch((error: Error) => answer(failed(request.id, error)));
});
answer({ id: LOADED, sinkCalls: [] });

function answer(activated: Activated): void {
  parentPort!.postMessage(activated);
}

function workflowOf(runID: string): Workflow | undefined {
  return ReusableVMWorkflowCreator.workflowByRunId.get(runID);
}

async function activate({
  id,
  runID,
  create,
  activation,
}: Extract<ThreadRequest, { kind: 'activate' }>): Promise<Activated> {
  let workflow = workflowOf(runID);
  try {
    if (create) workflow = await creator.createWorkflow(create as WorkflowCreateOptions);
    if (!workflow) throw new Error(`The thread has no workflow of run ${runID}`);
    const completion = await workflow.activate(WorkflowActivation.fromObject(activation));
    return { id, sinkCalls: await sinkCallsOf(workflow), completion };
  } catch (error) {
    return { ...failed(id, error as Error), sinkCalls: await sinkCallsOf(workflow) };
  }
}

function failed(id: number, { name, message, stack }: Error): Activated {
  return { id, sinkCalls: [], error: { name, message, stack } };
}

async function sinkCallsOf(workflow: Workflow | undefined): Promise<SinkCall[]> {
  const calls = (await workflow?.getAndResetSinkCalls()) ?? [];
  return calls.map(({ workflowInfo: { unsafe, ...info }, ...call }) => {
    const { now: _now, random: _random, ...sent } = unsafe;
    return { ...call, workflowInfo: { ...info, unsafe: sent as typeof unsafe } };
  });
}

async function dispose(runID: string): Promise<void> {
  await workflowOf(runID)?.dispose();
}
