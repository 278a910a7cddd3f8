import { defineProblem } from '../base/problem.ts'

export const methodNotAllowed = defineProblem(
  'methodNotAllowed',
  'methodNotAllowed',
  (of: { method: string; allowed: readonly string[] }) => `${of.method} is not supported here. Use ${of.allowed.join(', ')}.`,
)

/** What `Allow` and `OPTIONS` list: HEAD wherever there is a GET, and OPTIONS everywhere. */
export function withImpliedMethods(declared: readonly string[]): readonly string[] {
  return [...(declared.includes('GET') ? ['HEAD'] : []), ...declared, 'OPTIONS']
}
