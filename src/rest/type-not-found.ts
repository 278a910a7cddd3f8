import { defineProblem } from '../base/problem.ts'

export const typeNotFound = defineProblem(
  'typeNotFound',
  'notFound',
  (of: { segment: string }) => `Type not found: ${of.segment}`,
)
