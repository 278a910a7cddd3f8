import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingGroups } from '../../src/builtin-settings.ts'
import { readOperations } from '../../src/server.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { listDifferences, listMissing, listPlanned, renderWholePage } from '../support/operation-catalogue.ts'

const described = readOperations({ settings: readSettings(settingGroups, { config: {} }), plugins: [] })

test('docs/operations.md lists the operations as they are; npm run operations-page writes it', async () => {
  const written = (await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')).split('\n')
  const rendered = renderWholePage(described).split('\n')
  assert.deepEqual(
    rendered.filter((line) => !written.includes(line)),
    [],
  )
  assert.deepEqual(written, rendered)
})

test('the catalogue of the contract calls planned what is not built, and nothing else', () => {
  assert.deepEqual(
    listPlanned(),
    listMissing(described).flatMap(({ ids }) => ids),
  )
})

test('every operation says what it does, in a sentence', () => {
  const silent = described.operations.operations.filter(({ description }) => !/^[A-Z][\s\S]*\.$/.test(description))
  assert.deepEqual(
    silent.map(({ id }) => id),
    [],
  )
})

test('operations have the names, categories and parameters of the catalogue', () => {
  // Of the catalogue and of ours, where both differ.
  assert.deepEqual(listDifferences(described), [
    'Log: level*:string',
    'Log: level*:string=info',
    // A list takes what has commas as well.
    'Audit.QueryWithPageProvider: sortBy:stringlist',
    'Audit.QueryWithPageProvider: sortOrder:stringlist',
    'Audit.QueryWithPageProvider: sortBy:string',
    'Audit.QueryWithPageProvider: sortOrder:string',
    'Bulk.RunAction: excludeDocs:stringlist',
  ])
})
