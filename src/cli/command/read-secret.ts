import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'

export const answersDiffer = defineProblem(
  'answersDiffer',
  'invalid',
  (_: object) => 'the two answers are not the same; try again',
)

/** Where a secret comes from: a pipe, a file or a terminal. */
export interface SecretInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean
}

interface Questions {
  write(text: string): unknown
}

/**
 * The first line of the input, undefined when there is none. A person at a terminal is asked for it twice, and what is typed is
 * not shown.
 * @throws answersDiffer
 */
export async function readSecret(question: string, input: SecretInput, questions: Questions): Promise<string | undefined> {
  if (!input.isTTY) return readFirstLine(input)
  const answer = await askHidden(question, input, questions)
  if (answer !== undefined && (await askHidden(`${question}, again`, input, questions)) !== answer) throw answersDiffer({})
  return answer
}

async function readFirstLine(input: SecretInput): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line
  return undefined
}

/** Asks when the terminal shows nothing any more, and no sooner. Ctrl-D ends it without an answer. */
async function askHidden(question: string, input: SecretInput, questions: Questions): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // An editor of lines takes the echo of the terminal upon itself, and this one writes nowhere.
  const lines = createInterface({ input, output: nowhere, terminal: true })
  const answer = new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  questions.write(`${question}: `)
  try {
    return await answer
  } finally {
    lines.close()
    questions.write('\n')
  }
}
