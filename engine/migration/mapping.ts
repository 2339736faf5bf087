/** Which node of the target version stands for a node of the present one, and which of their sequence flows agree. */
import type { Node } from '../graph.js';
import type { Model } from '../model.js';
import type { NodeMapping } from '../commands.js';

/** The present version, the target version, and what is said of how they agree. */
export class Mapping {
  /** Every reason not to migrate, each once, in the order they were found. */
  readonly #issues = new Set<string>();
  /** What the plan says, and what follows from it. */
  readonly #targets = new Map<string, string>();
  readonly #flows = new Map<string, string>();
  readonly #explicit: ReadonlySet<string>;

  constructor(
    readonly source: Model,
    readonly target: Model,
    mappings: readonly NodeMapping[],
  ) {
    this.#explicit = new Set(mappings.map((mapping) => mapping.source));
    for (const mapping of mappings) this.#take(mapping);
  }

  #take({ source, target }: NodeMapping): void {
    const from = this.source.find(source);
    const to = this.target.find(target);
    if (!from) this.refuse(`the process has no element ${source} that could be mapped`);
    if (!to) this.refuse(`the target version has no element ${target}, which ${source} is mapped to`);
    if (this.#targets.has(source)) return this.refuse(`${source} is mapped more than once`);
    this.#targets.set(source, target);
    if (from && to) this.#agree(from, to);
  }

  get issues(): string[] {
    return [...this.#issues];
  }

  refuse(issue: string): void {
    this.#issues.add(issue);
  }

  /** Whether the plan names the node, so that it is not simply gone where the target version does not have it. */
  isExplicit(node: string): boolean {
    return this.#explicit.has(node);
  }

  /** The id of what stands for `node`; it need not exist. */
  targetOf(node: string): string {
    return this.#targets.get(node) ?? node;
  }

  /** What stands for `node`, which is needed. Undefined when there is no such node or another kind of it: then that is an issue. */
  need(node: string, what: string): Node | undefined {
    const target = this.target.find(this.targetOf(node));
    if (!target) this.refuse(`${what} ${node}, and the target version has no element of this id: map it to another one`);
    return target && this.#agree(this.source.node(node), target) ? target : undefined;
  }

  /** `target` stands for `node`, which the plan does not name. */
  follow(node: string, target: string): void {
    if (!this.#targets.has(node)) this.#targets.set(node, target);
  }

  /**
   * The flow that stands for `flow`: of the same id, or the only one between what stands for its ends. Undefined when
   * there is none.
   */
  flowOf(flow: string): string | undefined {
    const { source, target } = this.source.flow(flow);
    const [from, to] = [this.targetOf(source), this.targetOf(target)];
    const leading = this.target.graph.flows.filter((candidate) => candidate.target === to);
    const same = leading.find(({ id }) => id === flow);
    const between = leading.filter((candidate) => candidate.source === from);
    const found = same ?? (between.length === 1 ? between[0] : undefined);
    if (found) this.#flows.set(flow, found.id);
    return found?.id;
  }

  /** New ids in place of old ones. */
  renamings(): { nodes: [string, string][]; flows: [string, string][] } {
    const changed = (names: ReadonlyMap<string, string>) => [...names].filter(([from, to]) => from !== to);
    return { nodes: changed(this.#targets), flows: changed(this.#flows) };
  }

  #agree(from: Node, to: Node): boolean {
    if (from.kind === to.kind) return true;
    this.refuse(`${from.id} is ${described(from)}, but ${to.id} of the target version is ${described(to)}`);
    return false;
  }
}

/** `an exclusiveGateway`. */
function described({ kind }: Node): string {
  return `${/^[aei]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
