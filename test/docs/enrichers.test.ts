import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namesIn, readContractRows } from '../support/contract-tables.ts'
import { builtinContributions } from '../support/model/builtin-model.ts'

/** documents 8.1: what clients may ask for beside a document. */
const enrichers = [
  ...['acls', 'permissions', 'userVisiblePermissions', 'breadcrumb', 'children', 'hasFolderishChild', 'hasContent', 'subtypes'],
  ...['firstAccessibleAncestor', 'thumbnail', 'preview', 'documentURL', 'renditions', 'tags', 'favorites', 'collections'],
  ...['publications', 'audit', 'subscribedNotifications', 'pendingTasks', 'runningWorkflows', 'runnableWorkflows', 'highlight'],
  ...['version', 'relations', 'quota'],
]
/** What operations hand on to each other; a request can ask for none of it. */
const internal = ['contextualParameters']
/** Come with a capability that is not built yet. */
const awaited = new Set(['renditions', 'pendingTasks', 'runningWorkflows', 'runnableWorkflows'])

const registered = new Set(
  builtinContributions.enrichers.filter(({ entityType }) => entityType === 'document').map(({ name }) => name),
)

describe('the enrichers of documents', () => {
  test('are those of the contract', () => {
    const named = readContractRows('documents', '8.1').flatMap(({ cells }) => namesIn(cells['Name']))
    assert.deepEqual(named.toSorted(), [...enrichers, ...internal].toSorted())
  })
  test('are all registered, but for those that are awaited', (t) => {
    const missing = enrichers.filter((name) => !registered.has(name))
    t.diagnostic(`not built: ${missing.join(', ') || 'none'}`)
    assert.deepEqual(
      missing.filter((name) => !awaited.has(name)),
      [],
    )
  })
})
