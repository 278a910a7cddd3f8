import { defineProblem } from '../base/problem.ts'

/** Whatever waits for other processes ends with it once the server stops. */
export const serverStopping = defineProblem(
  'serverStopping',
  'unavailable',
  (_: object) => 'The server is stopping and waits for nothing any more. Repeat the request in a moment.',
)
