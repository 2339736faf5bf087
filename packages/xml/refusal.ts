/** Why reading a file stopped. */
export interface Refusal {
  reason: 'TOO_LARGE' | 'MALFORMED';
  message: string;
}

export function tooLarge(message: string): Refusal {
  return { reason: 'TOO_LARGE', message };
}

export function malformed(message: string): Refusal {
  return { reason: 'MALFORMED', message };
}
