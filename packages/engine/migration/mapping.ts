/** Maps nodes and sequence flows of the current version to their counterparts in the target version. */
import { APPROVAL_SUFFIX } from '@perdure/lib/model-files/agents.js';
import type { Node } from '../model/graph.js';
import type { Model } from '../model/model.js';
import type { NodeMapping } from '../contract/commands.js';

/** The current version, the target version, and the mapping instructions of the plan. */
export class Mapping {
  /** All reasons against the migration, without duplicates, in the order found. */
  readonly #issues = new Set<string>();
  /** Instructions of the plan, and mappings derived from them. */
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
    if (!from) this.refuse(`the process has no element ${source} to map`);
    if (!to) this.refuse(`the target version has no element ${target}, to which ${source} is mapped`);
    if (this.#targets.has(source)) return this.refuse(`${source} is mapped more than once`);
    this.#targets.set(source, target);
    if (from && to && this.#agree(from, to)) this.#takeUndrawn(from, to);
  }

  /** Activations in an ad-hoc sub-process and approvals of its tools are in no drawing, so no plan names them. */
  #takeUndrawn(from: Node, to: Node): void {
    const [approval, later] = [from.id + APPROVAL_SUFFIX, to.id + APPROVAL_SUFFIX];
    if (this.source.find(approval) && this.target.find(later)) this.follow(approval, later);
    if (from.kind !== 'adHocSubProcess' || to.kind !== 'adHocSubProcess') return;
    if (from.innerInstance !== undefined && to.innerInstance !== undefined)
      this.follow(from.innerInstance, to.innerInstance);
  }

  get issues(): string[] {
    return [...this.#issues];
  }

  refuse(issue: string): void {
    this.#issues.add(issue);
  }

  /** Whether the plan names the node, so that it is not simply removed if the target version lacks it. */
  isExplicit(node: string): boolean {
    return this.#explicit.has(node);
  }

  /** The id of the counterpart of `node`, which need not exist. */
  targetOf(node: string): string {
    return this.#targets.get(node) ?? node;
  }

  /** The required counterpart of `node`. Reports an issue and returns undefined if none exists or its kind differs. */
  need(node: string, what: string): Node | undefined {
    const target = this.target.find(this.targetOf(node));
    if (!target)
      this.refuse(`${what} ${node}, but the target version has no element with this id; map it to another element`);
    return target && this.#agree(this.source.node(node), target) ? target : undefined;
  }

  /** Adds a mapping from `node` to `target` that the plan does not contain. */
  follow(node: string, target: string): void {
    if (!this.#targets.has(node)) this.#targets.set(node, target);
  }

  /**
   * The counterpart of `flow`: the flow with the same id, otherwise the only one between the counterparts of its ends;
   * undefined if none exists.
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

  /** Pairs of old and new ids. */
  renamings(): { nodes: [string, string][]; flows: [string, string][] } {
    const changed = (names: ReadonlyMap<string, string>) => [...names].filter(([from, to]) => from !== to);
    return { nodes: changed(this.#targets), flows: changed(this.#flows) };
  }

  #agree(from: Node, to: Node): boolean {
    if (from.kind === to.kind) return true;
    this.refuse(`${from.id} is ${described(from)}, but ${to.id} in the target version is ${described(to)}`);
    return false;
  }
}

/** `an exclusiveGateway`. */
function described({ kind }: Node): string {
  return `${/^[aei]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
