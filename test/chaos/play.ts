/** All load and all operators of a run. */
import { Random } from '../engine/random/random.js';
import { HandOuts } from './hand-outs.js';
import { Hostile } from './hostile.js';
import { Load, strangers } from './load.js';
import { Operator } from './operators/operator.js';
import { Operators } from './operators/operators.js';
import { Pauser } from './operators/pauser.js';
import { deployParcels } from './parcels.js';
import { Probe } from './probe.js';
import { RandomCases } from './random-cases.js';
import { Searcher } from './searches.js';
import { Moments, type Violations } from './violations.js';
import type { World } from './world.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';

interface PlayOptions {
  seed: number;
  violations: Violations;
  store: PooledDatabase;
  /** How long the cancel of a hostile instance may take, in milliseconds. */
  patience: number;
  /** The definition of orders. */
  orders: string;
}

export class Play {
  private constructor(
    readonly load: Load,
    readonly handOuts: HandOuts,
    readonly operators: Operators,
    readonly pauser: Pauser,
    readonly randomCases: RandomCases,
    /** One in each project. */
    readonly searchers: { readonly demo: Searcher; readonly strangers: Searcher },
    readonly hostile: Hostile,
    readonly probe: Probe,
  ) {}

  static async begin(world: World, { seed, violations, store, patience, orders }: PlayOptions): Promise<Play> {
    const moments = new Moments();
    const handOuts = new HandOuts(moments);
    const definitions = {
      order: orders,
      parcel: await deployParcels(world.shop('admin', 0)),
      strangersParcel: await deployParcels(world.shop('admin', 0, strangers)),
    };
    const load = Load.begin(world, { definitions, seed, handOuts });
    const pauser = new Pauser({
      operator: new Operator(world.caller('admin', 1), 'demo'),
      starter: world.caller('executor', 0),
      definitions: [definitions.order, definitions.parcel],
      latest: () => load.latest,
      moments,
      store,
      violations,
      random: new Random(seed + 2000),
    });
    const searcherIn = (projectID: string, definitionID: string) =>
      new Searcher({
        caller: world.caller('admin', 0),
        projectID,
        definitionID,
        started: () => load.parcelsOf(projectID),
        violations,
      });
    const searchers = {
      demo: searcherIn('demo', definitions.parcel),
      strangers: searcherIn(strangers, definitions.strangersParcel),
    };
    return new Play(
      load,
      handOuts,
      await Operators.begin(world, violations, seed),
      pauser,
      new RandomCases(world, violations, seed * 1000),
      searchers,
      new Hostile(world, { violations, patience }),
      new Probe(new Operator(world.caller('admin', 0), 'demo')),
    );
  }

  /**
   * Everything that has begun ends; parcels and orders are worked on until `close`.
   * @returns from when on nothing of theirs was paused, in epoch milliseconds
   */
  async finish(): Promise<number> {
    const { load, operators, pauser, randomCases, searchers, hostile, probe } = this;
    await pauser.finish();
    const resumedAt = Date.now();
    await Promise.all([
      load.finish(),
      operators.finish(),
      randomCases.finish(),
      searchers.demo.finish(),
      searchers.strangers.finish(),
      hostile.finish(),
      probe.finish(),
    ]);
    return resumedAt;
  }

  get summary(): string {
    const { load, handOuts, operators, pauser, randomCases, searchers, hostile } = this;
    return [load, handOuts, operators, pauser, randomCases, searchers.demo, searchers.strangers, hostile]
      .map(({ summary }) => summary)
      .join('; ');
  }
}
