/** The scenarios of the processes in the edited file, and their results with the text of the page. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import {
  addScenarios,
  keyOfScenarios,
  readScenarios,
  removeScenario,
} from '../../../features/modeler/copies/local-scenarios.js';
import { processOf, type KeptScenario } from '../../../features/modeler/copies/scenario-limits.js';
import { ScenarioRunner, type RunState } from '../../../features/modeler/scenarios/runner.js';
import { playFileIn } from '../../../features/modeler/files/read-folder.js';
import { connect } from '../../../features/play/connection.js';
import { fileName, findFile } from '../../../features/play/project-files.js';
import { useProject } from '../../../frame/project/project.js';
import { useFolder } from '../folder/use-folder.js';

/** Edits in quick succession are followed by one run. */
const RUN_AFTER_MS = 300;

export interface Scenarios {
  state: RunState;
  /** The files of the scenarios. */
  kept: readonly KeptScenario[];
  /** Stores scenarios in this browser. Rejects with a sentence for the user. */
  add(scenarios: readonly KeptScenario[]): Promise<void>;
  remove(file: string): Promise<void>;
  /** Runs them again, or ends the run. */
  run(): void;
  stop(): void;
}

interface Edited {
  text: string;
  name: string;
  /** Of its executable processes. */
  processIDs: readonly string[];
  /** Whether the page shows the file. Otherwise, nothing runs. */
  isShown: boolean;
}

export function useScenarios({ text, name, processIDs, isShown }: Edited): Scenarios {
  const { id: projectID } = useProject();
  const { kept, add, remove } = useKept(processIDs, isShown);
  const { files: shown, isPending } = useFolder();
  const files = useRef(shown);
  useEffect(() => {
    files.current = shown;
  });
  const [runner] = useState(
    () =>
      new ScenarioRunner({
        connect,
        findFile: async (wanted) => playFileIn(files.current, wanted) ?? findFile(projectID, wanted),
        now: () => performance.now(),
      }),
  );
  const state = useSyncExternalStore(runner.subscribe, runner.state);
  const run = useCallback(() => runner.run({ name: fileName(name, '.bpmn'), text }, kept), [runner, name, text, kept]);
  useEffect(() => {
    // While another file was shown, that one may have changed.
    if (isShown) runner.forgetFound();
  }, [runner, isShown]);
  useEffect(() => {
    if (!isShown || isPending) return;
    const timer = setTimeout(run, RUN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [run, isShown, isPending]);
  useEffect(() => () => runner.close(), [runner]);
  return { state, kept, add, remove, run, stop: () => runner.stop() };
}

/** Each process has its own scenarios, so they stay when the file is saved, renamed, or copied. The folder takes others. */
function useKept(processIDs: readonly string[], isShown: boolean) {
  const { id: projectID } = useProject();
  const { subject, scenarioChanges } = useFolder();
  const [kept, setKept] = useState<readonly KeptScenario[]>([]);
  // Another list with the same ids changes nothing.
  const joined = JSON.stringify(processIDs);
  const load = useCallback(async () => {
    const keys = idsIn(joined).map((id) => keyOfScenarios(subject, projectID, id));
    const found = await Promise.all(keys.map((key) => readScenarios(key, Date.now())));
    // Two processes of a file can have scenarios in files of the same name: the page shows one.
    return [...new Map(found.flat().map((scenario) => [scenario.file, scenario])).values()];
  }, [subject, projectID, joined]);
  useEffect(() => {
    if (!isShown) return;
    let isOver = false;
    void load().then((found) => isOver || setKept(found));
    return () => void (isOver = true);
  }, [load, isShown, scenarioChanges]);
  const change = async (processID: string, store: (key: string) => Promise<void>) => {
    await store(keyOfScenarios(subject, projectID, processID));
    setKept(await load());
  };
  return {
    kept,
    async add(scenarios: readonly KeptScenario[]): Promise<void> {
      const byProcess = new Map<string, KeptScenario[]>();
      for (const scenario of scenarios) {
        const processID = tested(scenario, processIDs);
        byProcess.set(processID, [...(byProcess.get(processID) ?? []), scenario]);
      }
      for (const [processID, added] of byProcess)
        await change(processID, (key) => addScenarios(key, added, Date.now()));
    },
    async remove(file: string): Promise<void> {
      for (const processID of processIDs) await change(processID, (key) => removeScenario(key, file, Date.now()));
    },
  };
}

function idsIn(joined: string): string[] {
  return JSON.parse(joined) as string[];
}

/** @throws Error unless it tests a process of the file */
function tested(scenario: KeptScenario, processIDs: readonly string[]): string {
  const processID = processOf(scenario);
  if (processIDs.includes(processID)) return processID;
  const found = processIDs.join(', ') || 'no process';
  throw new Error(`${scenario.file} tests the process ${processID}, but the file in the modeler has ${found}.`);
}
