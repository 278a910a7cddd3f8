import { defineProblem } from '../../base/problem.ts'
import { shortened } from '../../base/shortened.ts'

/** An expression that cannot be read, or that asks for what there is not. */
export const expressionWrong = defineProblem(
  'expressionWrong',
  'invalid',
  (of: { text: string; column: number; reason: string }) =>
    `The expression ${shortened(of.text, longestShown)} is wrong at column ${of.column}: ${of.reason}`,
)

const longestShown = 200
