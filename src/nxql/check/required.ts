import { defineMistake } from '../mistake.ts'

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
