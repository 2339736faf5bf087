/** A price list as lines of text: model, two prices, and currency. */
import type { Schemas } from '@perdure/client';

type Price = Schemas['AgentPrice'];

export function writePrices(prices: readonly Price[]): string {
  return prices
    .map(({ model, inputPerMillion, outputPerMillion, currency }) =>
      [model, decimal(inputPerMillion), decimal(outputPerMillion), currency].join(' '),
    )
    .join('\n');
}

/** A name can have spaces, so the other values are read from the end of the line. */
// oxlint-disable-next-line perdure/linear-patterns -- only the person who types it waits
const LINE = /^(.+?)\s+(\d+(?:\.\d{1,6})?)\s+(\d+(?:\.\d{1,6})?)\s+([A-Z]{3})$/;

/** @returns the prices, none of them if a line has a problem. */
export function readPrices(text: string): { prices: Price[]; problem?: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const prices: Price[] = [];
  for (const line of lines) {
    const [, model, input, output, currency] = LINE.exec(line) ?? [];
    if (model === undefined)
      return { prices: [], problem: `Expected a model, two prices, and a currency such as EUR, not: ${line}` };
    prices.push({
      model,
      inputPerMillion: Number(input),
      outputPerMillion: Number(output),
      currency: currency!,
    });
  }
  return { prices };
}

/** Without an exponent. Prices have at most six decimal places. */
function decimal(price: number): string {
  return price.toFixed(6).replace(/\.?(?<!0)0+$/, '');
}
