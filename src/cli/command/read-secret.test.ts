import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { answersDiffer, readSecret } from './read-secret.ts'

const silent = { write: () => undefined }
const piped = (...chunks: string[]) => readSecret('Password', Readable.from(chunks), silent)

/** Types a line each time it is asked something. */
function atTerminal(...answers: string[]) {
  const shown: string[] = []
  const setRawMode = (isRaw: boolean) => shown.push(isRaw ? 'echo off' : 'echo on')
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  const questions = {
    write: (text: string) => {
      shown.push(text)
      if (text.endsWith(': ')) setImmediate(() => terminal.write(answers.shift() ?? '\u0004'))
    },
  }
  return { answer: readSecret('Password', terminal, questions), shown }
}

describe('a secret from a pipe', () => {
  for (const [what, chunks, secret] of [
    ['is the first line', ['pa55 word\nmore\n'], 'pa55 word'],
    ['needs no line end', ['pa55'], 'pa55'],
    ['may end as lines do elsewhere', ['pa55\r\n'], 'pa55'],
    ['may come in pieces', ['pa', '5', '5\n'], 'pa55'],
    ['keeps blanks', [' pa55 \n'], ' pa55 '],
    ['is undefined when nothing comes', [], undefined],
    ['is empty when the line is', ['\n'], ''],
  ] as const) {
    test(what, async () => assert.equal(await piped(...chunks), secret))
  }
})

describe('a secret from a terminal', () => {
  test('is asked for twice, each time when nothing is shown any more', async () => {
    const { answer, shown } = atTerminal('pa55\n', 'pa55\n')
    assert.equal(await answer, 'pa55')
    const asked = (question: string) => ['echo off', question, 'echo on', '\n']
    assert.deepEqual(shown, [...asked('Password: '), ...asked('Password, again: ')])
  })
  test('is refused when the two differ', async () => {
    await assert.rejects(atTerminal('pa55\n', 'pa56\n').answer, answersDiffer.is)
  })
  test('is undefined when the person ends the input', async () => {
    assert.equal(await atTerminal('\u0004').answer, undefined)
  })
})
