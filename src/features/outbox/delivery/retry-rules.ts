/** How long it is tried to deliver something, and how often (contract: notification-endpoint 8). */
export interface RetryRules {
  readonly firstPauseMilliseconds: number
  readonly longestPauseMilliseconds: number
  readonly attemptMilliseconds: number
}

export const usualRetries: RetryRules = {
  firstPauseMilliseconds: 500,
  longestPauseMilliseconds: 30_000,
  attemptMilliseconds: 10_000,
}

/** How long the next attempt may take; undefined when there is no time for one. */
export function attemptTime(rules: RetryRules, leftMilliseconds: number): number | undefined {
  return leftMilliseconds > 0 ? Math.min(rules.attemptMilliseconds, leftMilliseconds) : undefined
}

/**
 * How long to wait after so many attempts: anything up to a bound that doubles, so that many senders do not come back together.
 * @param random from 0 to 1
 */
export function pauseAfter(rules: RetryRules, attempts: number, random: number): number {
  const bound = Math.min(rules.longestPauseMilliseconds, rules.firstPauseMilliseconds * 2 ** Math.min(attempts - 1, 30))
  return random * bound
}
