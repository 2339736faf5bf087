/** Whether a decimal number comes back as it was sent. */

/** Longer than any number whose digits a double reproduces: the largest integers have 309 digits. */
export const MAX_EXACT_TOKEN_LENGTH = 400;

/** Whether a double, written out, equals the decimal number of the JSON token in any spelling. */
export function isExactDecimal(token: string): boolean {
  if (token.length > MAX_EXACT_TOKEN_LENGTH) return false;
  const value = Number(token);
  // JSON.stringify writes a negative zero as 0.
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  const written = String(value);
  return written === token || canonicalDecimal(token) === canonicalDecimal(written);
}

/** The digits without leading and trailing zeros, and the power of ten of the last digit. */
function canonicalDecimal(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = integer + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  let start = 0;
  while (digits[start] === '0') start += 1;
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`;
}
