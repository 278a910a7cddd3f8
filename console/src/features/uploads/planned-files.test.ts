import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planFiles } from './planned-files.ts'

const placed = (name: string, parentId = 'folder') => ({ file: new File([], name), parentId })
const files = [placed('a.txt'), placed('b.txt'), placed('a.txt', 'other')]
const existing = new Set(['folder/a.txt'])
const planned = (choice: 'replace' | 'both' | 'skip') =>
  planFiles(files, existing, choice).map(({ file, parentId, replaces = false }) => [parentId, file.name, replaces])

test('what is there already is replaced, kept beside the new one or left out; the rest goes as it is', () => {
  assert.deepEqual(planned('replace'), [
    ['folder', 'a.txt', true],
    ['folder', 'b.txt', false],
    ['other', 'a.txt', false],
  ])
  assert.deepEqual(planned('both'), [
    ['folder', 'a.txt', false],
    ['folder', 'b.txt', false],
    ['other', 'a.txt', false],
  ])
  assert.deepEqual(planned('skip'), [
    ['folder', 'b.txt', false],
    ['other', 'a.txt', false],
  ])
})
