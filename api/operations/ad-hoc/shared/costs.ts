/** Costs of turns by the price list of the project. Sums are exact: whole numbers of trillionths of a currency. */
import type { AgentPrice } from '../../../../store/projects/project-settings.js';

export type Prices = ReadonlyMap<string, AgentPrice>;

export interface Cost {
  /** A decimal number, exact. */
  amount: string;
  /** ISO 4217. */
  currency: string;
}

export interface Tokens {
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Prices have six decimal places and are for a million tokens. */
const PLACES = 12;
const PLACES_OF_PRICES = 6;

export function pricesByModel(prices: readonly AgentPrice[]): Prices {
  return new Map(prices.map((price) => [price.model, price]));
}

/** One sum for each currency, in the order of the currencies. Tokens of models without a price are in none. */
export function costsOf(used: readonly Tokens[], prices: Prices): Cost[] {
  const sums = new Map<string, bigint>();
  for (const { model, inputTokens, outputTokens } of used) {
    const price = model === null ? undefined : prices.get(model);
    if (!price || inputTokens === null || outputTokens === null) continue;
    const cost =
      BigInt(inputTokens) * scaled(price.inputPerMillion) + BigInt(outputTokens) * scaled(price.outputPerMillion);
    sums.set(price.currency, (sums.get(price.currency) ?? 0n) + cost);
  }
  return [...sums]
    .map(([currency, sum]) => ({ amount: decimal(sum), currency }))
    .toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** The price in millionths. It has at most six decimal places, so its shortest notation is what was written. */
function scaled(price: number): bigint {
  const [whole, fraction = ''] = price.toFixed(PLACES_OF_PRICES).split('.');
  return BigInt(whole + fraction);
}

function decimal(sum: bigint): string {
  const digits = sum.toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/(?<!0)0+$/, '');
  const whole = digits.slice(0, -PLACES);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
