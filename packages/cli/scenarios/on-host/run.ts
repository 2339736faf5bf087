/** Runs scenarios as tests of drafts on a host. */
import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { expectAll, expectNoOtherIncidents, StepFailed, type Bundle, type Scenario } from '@perdure/testkit';
import type { Host } from '../../host.js';
import type { Played } from '../run.js';
import { accepted, HostPlay } from './play.js';
import { steps } from './steps.js';
import { cyclesIn, unfitReason } from './unfit.js';
import { VirtualClock } from './virtual-clock.js';

export class HostScenarios {
  readonly #host: Host;
  readonly #signal: AbortSignal;
  /** Of the draft of each model file. */
  readonly #drafts = new Map<string, string>();

  constructor(host: Host, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** @param texts of the model files, by name */
  async play(scenario: Scenario, bundle: Bundle, texts: ReadonlyMap<string, string>): Promise<Played> {
    const skipped = unfitReason(scenario, bundle);
    if (skipped !== undefined) return { steps: 0, skipped };
    const play = new HostPlay(this.#host, new VirtualClock(cyclesIn(bundle)), this.#signal);
    const progress = { steps: 0, at: 'start' };
    try {
      await this.#playAll(play, scenario, await this.#draftOf(scenario.process, bundle, texts), progress);
      return { steps: progress.steps };
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      const { message, differences } = error;
      return { steps: progress.steps, failure: { at: progress.at, message, differences: [...differences], state: '' } };
    } finally {
      await play.end();
    }
  }

  /** Deletes the drafts. Their tests follow within an hour. */
  async end(): Promise<void> {
    const { client, projectID } = this.#host;
    for (const resourceID of this.#drafts.values())
      await unwrap(
        client.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID } },
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    this.#drafts.clear();
  }

  async #playAll(
    play: HostPlay,
    scenario: Scenario,
    resourceID: string,
    progress: { steps: number; at: string },
  ): Promise<void> {
    await play.start(resourceID, scenario);
    for (const [index, step] of scenario.steps.entries()) {
      const [kind] = Object.keys(step) as (keyof typeof steps)[];
      progress.at = `steps[${index}].${kind}`;
      await (steps[kind!] as (play: HostPlay, content: unknown) => Promise<void>)(play, step[kind!]);
      progress.steps += 1;
    }
    progress.at = 'expect';
    const { expect } = scenario;
    const named = expect?.incidents ?? scenario.steps.at(-1)?.expect?.incidents;
    await play.expect((observation) => {
      if (expect) expectAll(observation, expect);
      expectNoOtherIncidents(observation, named);
    });
  }

  async #draftOf(process: string, { processes, files }: Bundle, texts: ReadonlyMap<string, string>): Promise<string> {
    const file = processes.find(({ processID }) => processID === process)?.file;
    if (file === undefined) throw new StepFailed(`process ${process} is in none of the files ${files.join(', ')}`);
    const known = this.#drafts.get(file);
    if (known !== undefined) return known;
    const { client, projectID } = this.#host;
    const draft = await accepted(
      unwrap<Schemas['BpmnResource']>(
        client.POST('/projects/{projectID}/bpmn/resources', {
          params: { path: { projectID } },
          body: { name: `Test of ${file.slice(file.lastIndexOf('/') + 1)}`.slice(0, 255), xml: texts.get(file)! },
        }),
      ),
      // Without the role of an editor, or without the project, no scenario can be played.
      [401, 404],
    );
    this.#drafts.set(file, draft.id);
    return draft.id;
  }
}
