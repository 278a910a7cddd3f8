import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

test('every test that the page about security names is there', () => {
  const named = [...page.matchAll(/`((?:test|src)\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file)
  assert.ok(named.length > 40)
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, file))),
    [],
  )
})

test('every row of the page about security names what shows it', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.includes('| shown by |'))
  const unshown = rows.filter((row) => !/\.test\.ts`|npm run stress/.test(row.split('|').at(-2) ?? ''))
  assert.deepEqual(unshown, [])
})

test('every stress program that the page about security names is there', () => {
  const programs = [...page.matchAll(/npm run stress -- ([\w-]+)/g)].map(([, name = '']) => name)
  const known = readFileSync(join(root, 'test/stress/run.ts'), 'utf8')
  assert.deepEqual(
    programs.filter((name) => !new RegExp(`\\['${name}'|'${name}',`).test(known)),
    [],
  )
})
