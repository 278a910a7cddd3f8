const variable = 'QUIRE_TEST_QUICK'

/** Whether this run is for somebody who waits: unit tests, without PostgreSQL. */
export function isQuick(): boolean {
  return process.env[variable] !== undefined
}

/** For this process and those that it starts. */
export function beQuick(): void {
  process.env[variable] = 'yes'
}
