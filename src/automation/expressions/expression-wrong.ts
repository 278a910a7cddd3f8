import { defineProblem } from '../../base/problem.ts'

/** An expression that cannot be read, or that asks for what there is not. */
export const expressionWrong = defineProblem(
  'expressionWrong',
  'invalid',
  (of: { text: string; column: number; reason: string }) =>
    `The expression ${shortened(of.text)} is wrong at column ${of.column}: ${of.reason}`,
)

const longestShown = 200

function shortened(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`
}
