import { defineMistake, type Spot } from '../mistake.ts'
import { requireWithin } from '../query-limits.ts'
import type { CheckContext } from './context.ts'

/** Some properties can only be asked whether they are something or not. */
export const operatorRequired = defineMistake(
  'operatorRequired',
  ({ name }: { name: string }) => `${name} requires = or <> operator`,
)

/** Some can only be compared with a literal of a certain kind. */
export const argumentRequired = defineMistake(
  'argumentRequired',
  ({ name, wanted }: { name: string; wanted: string }) => `${name} requires ${wanted} as right argument`,
)

/** And some operators only know texts. */
export const textRequired = defineMistake(
  'textRequired',
  ({ operator, name }: { operator: string; name: string }) => `${operator} requires a string property: ${name}`,
)

/** Matching a text costs as much as it is long, times what the pattern is. @throws queryTooLarge */
export function requirePattern({ settings }: CheckContext, pattern: string, wildcard: RegExp, { offset }: Spot): void {
  requireWithin(settings.limits, 'patternCharacters', pattern.length, offset)
  requireWithin(settings.limits, 'patternWildcards', pattern.match(wildcard)?.length ?? 0, offset)
}
