import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingGroups } from '../../src/builtin-settings.ts'
import { renderOperationsPage } from '../../src/cli/operations-page.ts'
import { readOperations } from '../../src/server.ts'
import { readSettings } from '../../src/settings/read-settings.ts'

const described = readOperations({ settings: readSettings(settingGroups, { config: {} }), plugins: [] })

test('docs/operations.md lists the operations as they are; npm run operations-page writes it', async () => {
  const written = (await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')).split('\n')
  const rendered = renderOperationsPage(described).split('\n')
  assert.deepEqual(
    rendered.filter((line) => !written.includes(line)),
    [],
  )
  assert.deepEqual(written, rendered)
})

test('every operation says what it does, in a sentence', () => {
  const silent = described.operations.operations.filter(({ description }) => !/^[A-Z][\s\S]*\.$/.test(description))
  assert.deepEqual(
    silent.map(({ id }) => id),
    [],
  )
})
