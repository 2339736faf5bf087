/**
 * Assignment of user tasks by BPMN's own elements: sections 10.3.4 and 10.3.1. The engines that read them agree on the
 * meaning of an expression in `humanPerformer` and `potentialOwner`. Other resource roles have no meaning here.
 */
import type { SourceElement, SourceExtension } from '@perdure/engine/model/source.js';
import { JBPM } from '@perdure/lib/model-files/namespaces.js';

interface Assignment {
  assignee?: string;
  candidateUsers?: string;
  candidateGroups?: string;
}

interface ReadRoles {
  assignment: Assignment;
  /** Parts whose meaning is uncertain, as sentences. */
  unclear: string[];
}

/** A user task, with the namespaces that are declared around it. */
interface Task extends SourceElement {
  declaredNamespaces(): readonly string[];
}

/** `assignmentDefinition`, complemented by resource roles. */
export function withRoles(given: SourceExtension | undefined, assignment: Assignment): SourceExtension | undefined {
  const roles = new Map(Object.entries(assignment));
  if (roles.size === 0) return given;
  return {
    name: 'assignmentDefinition',
    attribute: (name) => given?.attribute(name) ?? roles.get(name),
    flag: (_name, fallback) => fallback,
    children: (name) => given?.children(name) ?? [],
    text: given?.text ?? '',
  };
}

/** Reads the resource roles of a user task. */
export function readRoles(task: Task): ReadRoles {
  const read: ReadRoles = { assignment: {}, unclear: [] };
  for (const role of task.children('resources')) readRole(task, role, read);
  return read;
}

function readRole(task: Task, role: SourceElement, read: ReadRoles): void {
  const expression = role.children('resourceAssignmentExpression')[0]?.children('expression')[0];
  const text = expression?.text ?? '';
  const refuse = (reason: string) =>
    read.unclear.push(
      `The ${role.type} of ${task.id} ${reason}. Name people and groups in assignmentDefinition (assignee, candidateUsers, candidateGroups).`,
    );
  if (text === '' && !role.attribute('resourceRef')) return;
  if (text === '') return void refuse('names a resource, which identifies neither people nor groups');
  if (role.type === 'humanPerformer') assign(read.assignment, 'assignee', text, refuse);
  else if (role.type === 'potentialOwner') readOwners(task, text, read.assignment, refuse);
  else refuse('is not used to assign tasks');
}

function readOwners(task: Task, text: string, assignment: Assignment, refuse: (reason: string) => unknown): void {
  // In files made for jBPM a potential owner is a person.
  const plain = task.declaredNamespaces().includes(JBPM) ? 'candidateUsers' : 'candidateGroups';
  if (text.startsWith('=')) return assign(assignment, plain, text, refuse);
  const [users, groups]: [string[], string[]] = [[], []];
  for (const part of text
    .split(',')
    .map((owner) => owner.trim())
    .filter((owner) => owner !== '')) {
    const [, kind, name] = /^(user|group)\(([^()]*)\)$/.exec(part) ?? [];
    const isUser = kind === undefined ? plain === 'candidateUsers' : kind === 'user';
    (isUser ? users : groups).push((name ?? part).trim());
  }
  if (users.length > 0) assign(assignment, 'candidateUsers', users.join(','), refuse);
  if (groups.length > 0) assign(assignment, 'candidateGroups', groups.join(','), refuse);
}

function assign(assignment: Assignment, to: keyof Assignment, text: string, refuse: (reason: string) => unknown): void {
  if (assignment[to] === undefined) assignment[to] = text;
  else refuse(`is one of several that assign the ${to}`);
}
