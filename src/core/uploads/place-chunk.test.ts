import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UploadedFile } from './batch-files.ts'
import { requireFitting, type SentChunk } from './place-chunk.ts'
import type { UploadRules } from './uploads.ts'

const rules = { maxChunks: 10 } as UploadRules
const facts = { name: null, mimeType: null }
const begun = (...chunkIds: number[]): UploadedFile => ({
  index: 0,
  mark: { kind: 'chunked', id: 'x', ...facts, size: 9, chunkCount: 3, blob: null },
  chunkIds,
})
const whole: UploadedFile = {
  index: 0,
  mark: { kind: 'normal', ...facts, blob: { key: 'k', digest: 'k', digestAlgorithm: 'MD5', length: 1 } },
  chunkIds: [],
}

describe('a chunk', () => {
  const rows: readonly (readonly [
    what: string,
    file: UploadedFile | undefined,
    index: number,
    count: number,
    code: string | undefined,
  ])[] = [
    ['begins a file', undefined, 2, 3, undefined],
    ['is one of a file', begun(0, 2), 1, 3, undefined],
    ['is one of a file, whatever it says of the count', begun(0), 2, 1, undefined],
    ['is below the range', undefined, -1, 3, 'chunkOutOfRange'],
    ['is beyond the range', undefined, 3, 3, 'chunkOutOfRange'],
    ['is beyond the range of its file', begun(0), 3, 9, 'chunkOutOfRange'],
    ['is one of none', undefined, 0, 0, 'chunkOutOfRange'],
    ['is there already', begun(0, 1), 1, 3, 'chunkExists'],
    ['is one of too many', undefined, 0, 11, 'tooManyChunks'],
    ['is one of as many as may be', undefined, 9, 10, undefined],
    ['comes to a file that is in one piece', whole, 0, 3, 'notInChunks'],
  ]
  for (const [what, file, index, count, code] of rows) {
    test(`that ${what} is ${code === undefined ? 'taken' : `refused: ${code}`}`, () => {
      const chunk: SentChunk = { index, count, fileSize: 9 }
      const check = () => requireFitting(file, 0, chunk, rules)
      if (code === undefined) assert.doesNotThrow(check)
      else assert.throws(check, { code })
    })
  }
})
