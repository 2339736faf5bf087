/** Several operators at work, each on one story after the other. */
import { Random } from '../../engine/random/random.js';
import type { Violations } from '../violations.js';
import type { World } from '../world.js';
import { deployModel } from './deploy.js';
import { abandoned, poison, repair, stampedRepair } from './models.js';
import { Operator } from './operator.js';
import { stories, type Ward } from './stories.js';

const LANES = 3;
const ACCOUNT = 'admin';
/** The actor in timelines. */
export const operatorSubject = `service-account-${ACCOUNT}`;

export class Operators {
  readonly operators: Operator[];
  #told = 0;
  #isStopping = false;
  #lanes: Promise<unknown> = Promise.resolve();

  private constructor(operators: Operator[]) {
    this.operators = operators;
  }

  static async begin(world: World, violations: Violations, seed: number): Promise<Operators> {
    const begun = new Operators(
      Array.from({ length: LANES }, (_, lane) => new Operator(world.caller(ACCOUNT, lane), 'demo')),
    );
    const ward = await openWard(begun.operators[0]!);
    begun.#lanes = Promise.all(
      begun.operators.map((operator, lane) =>
        begun.#tell(operator, ward, violations, new Random(seed + 1000 + lane), lane),
      ),
    );
    return begun;
  }

  /** Every story that has begun ends. */
  async finish(): Promise<void> {
    this.#isStopping = true;
    await this.#lanes;
  }

  get summary(): string {
    return `${this.#told} repairs`;
  }

  async #tell(operator: Operator, ward: Ward, violations: Violations, random: Random, lane: number): Promise<void> {
    for (let number = 1; !this.#isStopping; number += 1) {
      const name = random.pick(Object.keys(stories));
      const id = `${name}-${lane}-${number}`;
      await violations.around('R2', id, stories[name]!({ operator, ward, violations, id }));
      this.#told += 1;
    }
  }
}

async function openWard({ caller, projectID }: Operator): Promise<Ward> {
  const deploy = (name: string, xml: string) => deployModel(caller, projectID, name, xml);
  const { id: repairID } = await deploy('repair', repair);
  const { version: stampedVersion } = await deploy('stamped repair', stampedRepair);
  let abandonedID = '';
  for (const xml of abandoned) ({ id: abandonedID } = await deploy('abandoned', xml));
  const { id: poisonID } = await deploy('poison', poison);
  return { repair: repairID, stampedVersion, abandoned: abandonedID, poison: poisonID };
}
