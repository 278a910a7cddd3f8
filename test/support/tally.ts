export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0)
  return { passed: sum((tally) => tally.passed), failed: sum((tally) => tally.failed), skipped: sum((tally) => tally.skipped) }
}

export function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}
