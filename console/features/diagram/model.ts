import { AGENT_TASK_TYPE, APPROVAL_SUFFIX } from '@perdure/lib/model-files/agents.js';

/** Data that screens need from a BPMN file in addition to its drawing. */
export interface Model {
  /** Names of nodes by their ids, without those that have no name. */
  names: ReadonlyMap<string, string>;
  /** The documentation of nodes in the model by their ids, as plain text. */
  documentation: ReadonlyMap<string, string>;
  /** By the id of an ad-hoc sub-process: the activities that can be started in it. */
  adHocActivities: ReadonlyMap<string, readonly string[]>;
  /** Ids of the ad-hoc sub-processes that a model drives. */
  agents: readonly string[];
  /**
   * Every node that can have a token, in the order of the file: its id and the id of its direct parent process or
   * sub-process.
   */
  parents: ReadonlyMap<string, string>;
  /** By the id of a node: its outgoing sequence flows, if at least one has a condition. */
  choices: ReadonlyMap<string, readonly Choice[]>;
  /** Ids of the processes that can be started, in the order of the file. */
  executable: readonly string[];
}

/** A sequence flow that a node takes or not. */
export interface Choice {
  flowID: string;
  /** The id of the node that it leads to. */
  target: string;
  /** As it is written in the file; undefined for a flow without one. */
  condition: string | undefined;
  /** Whether it is taken when no condition is true. */
  isDefault: boolean;
}

const bpmn = 'http://www.omg.org/spec/BPMN/20100524/MODEL';

export const emptyModel: Model = {
  names: new Map(),
  documentation: new Map(),
  adHocActivities: new Map(),
  agents: [],
  parents: new Map(),
  choices: new Map(),
  executable: [],
};

/** Reads a file that the host accepted. For a file that is not XML, everything is empty. */
export function readModel(xml: string): Model {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const adHocs = [...document.getElementsByTagNameNS(bpmn, 'adHocSubProcess')];
  return {
    names: readNames(document),
    documentation: readDocumentation(document),
    adHocActivities: new Map(adHocs.map((adHoc) => [adHoc.id, activitiesOf(adHoc)])),
    agents: adHocs.filter(isAgent).map(({ id }) => id),
    parents: new Map(
      [...document.getElementsByTagNameNS(bpmn, '*')]
        .filter(isNode)
        .map(({ id, parentElement }) => [id, parentElement!.id]),
    ),
    choices: readChoices(document),
    executable: [...document.getElementsByTagNameNS(bpmn, 'process')]
      .filter((process) => process.getAttribute('isExecutable') !== 'false')
      .map(({ id }) => id),
  };
}

function isNode({ localName, id }: Element): boolean {
  return id !== '' && /^(task|transaction|callActivity|\w+(Task|Event|Gateway)|(adHocS|s)ubProcess)$/.test(localName);
}

/** Elements inside have job types of theirs. */
function isAgent(adHoc: Element): boolean {
  const extensions = [...adHoc.children].find(({ localName }) => localName === 'extensionElements');
  const job = [...(extensions?.children ?? [])].find(({ localName }) => localName === 'taskDefinition');
  return job?.getAttribute('type') === AGENT_TASK_TYPE;
}

function readNames(document: Document): Map<string, string> {
  const names = new Map<string, string>();
  for (const element of document.querySelectorAll('[id][name]')) {
    const name = element.getAttribute('name')!.trim().replaceAll(/\s+/g, ' ');
    if (name !== '') names.set(element.id, name);
  }
  // History has an entry for each activation that a job worker begins; the diagram has none.
  for (const adHoc of document.getElementsByTagNameNS(bpmn, 'adHocSubProcess')) {
    names.set(`${adHoc.id}#innerInstance`, `Activation in ${names.get(adHoc.id) ?? adHoc.id}`);
    if (!isAgent(adHoc)) continue;
    for (const { id } of adHoc.children) names.set(id + APPROVAL_SUFFIX, `Approve: ${names.get(id) ?? id}`);
  }
  return names;
}

function readChoices(document: Document): Map<string, Choice[]> {
  const defaults = new Set([...document.querySelectorAll('[default]')].map((node) => node.getAttribute('default')));
  const choices = new Map<string, Choice[]>();
  for (const flow of document.getElementsByTagNameNS(bpmn, 'sequenceFlow')) {
    const [condition] = flow.getElementsByTagNameNS(bpmn, 'conditionExpression');
    const source = flow.getAttribute('sourceRef') ?? '';
    const choice = {
      flowID: flow.id,
      target: flow.getAttribute('targetRef') ?? '',
      condition: condition?.textContent?.trim() || undefined,
      isDefault: defaults.has(flow.id),
    };
    choices.set(source, [...(choices.get(source) ?? []), choice]);
  }
  return new Map([...choices].filter(([, flows]) => flows.some(({ condition }) => condition !== undefined)));
}

function readDocumentation(document: Document): Map<string, string> {
  const documentation = new Map<string, string>();
  for (const { parentElement, textContent } of document.getElementsByTagNameNS(bpmn, 'documentation')) {
    const text = textContent?.trim();
    if (parentElement && text) documentation.set(parentElement.id, text);
  }
  return documentation;
}

/** Activities without an incoming flow. The process starts the others. */
function activitiesOf(adHoc: Element): string[] {
  const children = [...adHoc.children].filter(({ namespaceURI }) => namespaceURI === bpmn);
  const targets = new Set(
    children.filter(({ localName }) => localName === 'sequenceFlow').map((flow) => flow.getAttribute('targetRef')),
  );
  return children
    .filter(
      ({ localName, id }) =>
        /(Task|^task|[sS]ubProcess|callActivity|Event)$/.test(localName) &&
        localName !== 'boundaryEvent' &&
        !targets.has(id),
    )
    .map(({ id }) => id);
}
