/** Two seconds after the first failure, twice as long after each further one, an hour at most. */
export function retryDelaySeconds(attempts: number): number {
  return Math.min(2 ** attempts, 3_600)
}
