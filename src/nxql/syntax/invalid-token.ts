import { defineMistake } from '../mistake.ts'

export const invalidToken = defineMistake(
  'invalidToken',
  ({ token, offset }: { token: string; offset: number }) => `Syntax error: Invalid token <${token}> at offset ${offset}`,
)
